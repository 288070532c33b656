#!/usr/bin/env bash
# Makes version-0.1.tar.gz: a run that was stopped, a bundle, an export and their translations.
# Usage: make_version_0_1.sh FOLDER_OF_PROGRAMS, of the version whose files are to stay readable.
set -euo pipefail
programs=$(realpath "$1")
output=$(realpath "$(dirname "${BASH_SOURCE[0]}")")/version-0.1.tar.gz
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# The target is the source with its words in reverse order.
awk 'BEGIN {
  srand(1); split("red blue green small large house tree river runs sings", words, " ")
  for (line = 0; line < 320; ++line) {
    source = target = ""
    for (i = 1 + int(6 * rand()); i > 0; --i) {
      word = words[1 + int(10 * rand())]
      source = source (source == "" ? "" : " ") word; target = word (target == "" ? "" : " ") target
    }
    part = line < 300 ? "train" : "test"
    print source > part ".src"; print target > part ".tgt"
  }
}'
cat > settings.json <<'SETTINGS'
{
  "model": {"d_model": 16, "d_ff": 32, "heads": 2, "encoder_layers": 1, "decoder_layers": 1, "max_positions": 64},
  "data": {"max_length": 60},
  "tokenizer": {"vocab_size": 40},
  "training": {"batch_tokens": 256, "save_every": "20u", "report": false, "tensorboard": false, "keep_checkpoints": 1,
               "schedule": {"learning_rate": 0.01, "warmup_updates": 20}}
}
SETTINGS
train=("$programs/ventris-train" -c settings.json --train train.src train.tgt --quiet)
"${train[@]}" -m whole --after 300u
"${train[@]}" -m run --after 20u
cmp whole/final/source.spm run/final/source.spm
cp -r whole/final bundle
"$programs/ventris-export" -m bundle -o export.pt --quiet
"$programs/ventris-translate" -m bundle -i test.src -b 2 -o expected.tgt --quiet
rm -r run/final
ln -f bundle/source.spm run/checkpoints/step-00000020/source.spm  # the same bytes: the archive has them once
tar -czf "$output" settings.json train.src train.tgt test.src test.tgt expected.tgt bundle export.pt run
