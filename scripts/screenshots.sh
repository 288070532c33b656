#!/usr/bin/env bash
# Takes the pictures of a report page that the README shows.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/screenshots.sh [RUN]

Writes docs/images/report-{light,dark}-{1280,390}.png, pictures of the beginning of RUN/report.html. The default of RUN
is demo/run, which scripts/demo.sh makes. Needs Chromium (scripts/setup.sh --test-tools).

  -h, --help   Show this help
TEXT
}

# take SCHEME NUMBER_IN_CHROMIUM WIDTH
take() {
  (cd "$root" && logged "screenshot-$1-$3" chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
    --blink-settings=preferredColorScheme="$2" --window-size="$3,800" \
    --screenshot="$root/docs/images/report-$1-$3.png" "file://$page") ||
    die "Chromium could not take the picture; the lines above say why."
}

run=demo/run
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    -*) die "unknown option \"$argument\"; --help lists the options." ;;
    *) run=$argument ;;
  esac
done
command -v chromium >/dev/null || die "Chromium is missing. To install it, run scripts/setup.sh --test-tools."
page=$(cd "$root" && realpath -m "$run/report.html")
[[ -f $page ]] || die "$run has no report.html. scripts/demo.sh makes the run demo/run."
mkdir -p "$root/docs/images" "$logs"
for width in 1280 390; do
  take light 1 "$width"
  take dark 0 "$width"
done
say "Written: docs/images/report-{light,dark}-{1280,390}.png"
