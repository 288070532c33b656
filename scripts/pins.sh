#!/usr/bin/env bash
# Chooses the versions of the Python packages that the scripts install, and writes them with their digests into
# third_party/python/*.txt.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/pins.sh [--upgrade]

Reads third_party/python/*.in, which name packages, and writes third_party/python/*.txt: a version of each package and of
everything it needs, for Python 3.10 and later, and the SHA-256 of each file of these versions. pip refuses any other
file. It needs uv, which it installs into build/pins.

  --upgrade   Take the newest versions. Otherwise, versions stay unless a package is new
  -h, --help  Show this help
TEXT
}

least_python=3.10
folder=third_party/python
tools=$root/build/pins
options=(--universal --python-version "$least_python" --generate-hashes --quiet --no-annotate
  --custom-compile-command scripts/pins.sh)
for argument in "$@"; do
  case $argument in
    --upgrade) options+=(--upgrade) ;;
    -h | --help) usage; exit 0 ;;
    *) die "unknown option \"$argument\"; --help lists the options." ;;
  esac
done

cd "$root"
[[ -x $tools/bin/python ]] || logged pins-venv python3 -m venv "$tools"
[[ -x $tools/bin/uv ]] || logged pins-uv "$tools/bin/python" -m pip install --disable-pip-version-check uv ||
  die "pip could not install uv; $logs/pins-uv.log says why."
for input in "$folder"/*.in; do
  logged pins "$tools/bin/uv" pip compile "${options[@]}" "$input" --output-file "${input%.in}.txt" ||
    die "uv could not choose versions for $input; $logs/pins.log says why."
  say "   ${input%.in}.txt: $(grep -c '==' "${input%.in}.txt") versions"
done
