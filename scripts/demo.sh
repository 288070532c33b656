#!/usr/bin/env bash
# Trains, evaluates and exports a model of the phrase book. The training takes about 4 minutes on two cores.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/demo.sh [--fresh] [--no-setup]

Trains a small English-German model on the phrase book of data/phrasebook, translates the test lines, which are not in
the training corpus, prints BLEU and chrF, and exports the model. A finished training is not repeated, and an
interrupted one is resumed, unless the grammar of the phrase book or the settings have changed.

  --fresh      Start the training again, even if it is finished
  --no-setup   Do not run scripts/setup.sh first
  -h, --help   Show this help
TEXT
}

bin=build/release/bin
corpus=data/phrasebook
config=configs/phrasebook.json
run=demo/run
sentence="I would like to buy a ticket to Berlin tomorrow."
expected_bleu=85

# --- The programs, with the command lines that a user would type ---------------------------------------------------

generate() { python3 $corpus/generate.py; }
train() { $bin/ventris-train -c $config --model $run "$@"; }
translate_test() { $bin/ventris-translate -m $run/best -i $corpus/test.en -o demo/test.hyp.de; }
evaluate() { $bin/ventris-evaluate $corpus/test.de -i demo/test.hyp.de -m bleu chrf --format text; }
export_model() { $bin/ventris-export -m $run/best --format torchscript -o demo/model.pt --verify $corpus/valid.en; }
translate_typed() { $bin/ventris-translate -m demo/model.pt; }

# --- The steps -----------------------------------------------------------------------------------------------------

finished() { [[ -f $run/final/MANIFEST ]]; }

# Whether the corpus or the settings have changed since the last training.
outdated() {
  [[ -d $run ]] || return 1
  [[ $config -nt $run/config.json ]] || [[ -n $(find $corpus \( -name "*.py" -o -name "*.txt" \) -newer $run/config.json) ]]
}

train_once() {
  if [[ $fresh == yes ]] || outdated; then
    train --overwrite
  elif finished; then
    say "   $run has a finished training; --fresh starts it again"
  else
    train
  fi
}

evaluate_and_keep() {
  evaluate | tee demo/scores.txt
  bleu=$(sed -n 's/^ *BLEU[^=]*= *\([0-9.]*\).*/\1/p' demo/scores.txt | head -n 1)
  [[ -n $bleu ]] || die "ventris-evaluate printed no BLEU."
  if awk -v found="$bleu" -v expected="$expected_bleu" 'BEGIN { exit !(found < expected) }'; then
    say "   At least $expected_bleu BLEU is expected. This machine probably did fewer updates in the same time."
    say "   Try --fresh when it is idle."
  fi
}

# Prints a dozen lines, evenly spaced in the test set.
show_dozen() {
  local lines
  lines=$(wc -l <$corpus/test.en)
  paste $corpus/test.en $corpus/test.de demo/test.hyp.de | awk -F '\t' -v every="$((lines / 12 > 0 ? lines / 12 : 1))" '
    NR % every == 0 && shown < 12 {
      shown++
      printf "\n   source     %s\n   reference  %s\n   Ventris    %s%s\n", $1, $2, $3, $2 == $3 ? "" : "   (differs)"
    }'
}

translate_sentence() {
  say "   $sentence"
  printf '%s\n' "$sentence" | translate_typed | sed 's/^/   /'
}

summary() {
  say ""
  say "Demo finished in $(duration $SECONDS): BLEU $bleu on $(wc -l <$corpus/test.en) test lines."
  say "  demo/run/best   the best model     $bin/ventris-translate -m demo/run/best"
  say "  demo/model.pt   the same, exported $bin/ventris-translate -m demo/model.pt"
  say "README.md shows what else to do with them; docs/tutorial.md goes on from there."
}

fresh=no setup=yes
for argument in "$@"; do
  case $argument in
    --fresh) fresh=yes ;;
    --no-setup) setup=no ;;
    -h | --help) usage; exit 0 ;;
    *) die "unknown option \"$argument\"; --help lists the options." ;;
  esac
done

cd "$root"
if [[ $setup == yes ]]; then scripts/setup.sh --programs || { said_why=yes; exit 1; }; fi
mkdir -p demo
step "Writing the phrase book" generate
step "Training (about 4 minutes)" train_once
step "Translating the test lines" translate_test
step "Evaluating" evaluate_and_keep
step "A dozen translations" show_dozen
step "Exporting, and comparing the export with the bundle" export_model
step "Translating with the export" translate_sentence
summary
