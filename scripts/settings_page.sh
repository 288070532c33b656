#!/usr/bin/env bash
# Writes docs/settings.md, the page of all settings. The programs print its tables.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/settings_page.sh [--print] [FOLDER]

Writes docs/settings.md. Its tables are printed by ventris-train, ventris-translate, ventris-serve and ventris-score
in FOLDER. The default of FOLDER is build/release/bin.

  --print     Write the page to standard output, not to docs/settings.md
  -h, --help  Show this help
TEXT
}

introduction() {
  cat <<'TEXT'
# Settings

<!-- Made by scripts/settings_page.sh from the programs. Do not edit it: change the code, build, and run the script. -->

All settings of `ventris-train`, `ventris-translate`, `ventris-serve` and `ventris-score`. [training.md](training.md),
[translating.md](translating.md), [serving.md](serving.md) and [measuring.md](measuring.md) explain how to use them,
[recipes.md](recipes.md) has values for corpora of every size, and [glossary.md](glossary.md) explains the terms.

Settings come from JSON files (`-c FILE`, repeatable) and from flags. A later file overrides an earlier one, and a flag
overrides all files. A dot in a name stands for an object: `training.schedule.kind` is
`{"training": {"schedule": {"kind": "noam"}}}`. An unknown setting, a value of another type and a value outside its
limits are errors (exit code 2) that name the setting. `null` is refused: leave a setting out for its default.
`--dump-config` prints all settings with their values.

- **values**: the type with its limits, or the strings that are allowed. A text is a JSON string.
- An **amount** is a text with a unit: `"10e"` (epochs), `"500u"` (updates), `"2.5Mt"` (target tokens) or `"30m"`
  (minutes). `K`, `M` and `G` multiply by a thousand, a million and a billion. A fraction of an epoch is refused.
  Regular events, such as validations, happen at each multiple of their amount, counted from the beginning of the run.
- A **memory** size is a text such as `"4G"` or `"512M"`; `K`, `M`, `G` and `T` are powers of 1,024.
- **default**: as JSON; `""` and `[]` mean that nothing is given. *none* means that there is no value until you give
  one.
- **may change**: whether the setting may change while a run is stopped ([resuming](training.md#resuming-a-run)).
  *path*: the path may change, but the content there must be the same.
TEXT
}

print=no folder=$root/build/release/bin
for argument in "$@"; do
  case $argument in
    --print) print=yes ;;
    -h | --help) usage; exit 0 ;;
    -*) die "unknown option \"$argument\"; --help lists the options." ;;
    *) folder=$argument ;;
  esac
done

page() {
  local program
  introduction
  for program in ventris-train ventris-translate ventris-serve ventris-score; do
    [[ -x $folder/$program ]] || die "$folder/$program is missing. Build it first: cmake --build --preset release"
    printf '\n'
    "$folder/$program" --generate settings || die "$program could not print its settings; the line above says why."
  done
}

text=$(page) || { said_why=yes; exit 1; }
if [[ $print == yes ]]; then
  printf '%s\n' "$text"
else
  printf '%s\n' "$text" >"$root/docs/settings.md"
  say "docs/settings.md is written."
fi
