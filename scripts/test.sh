#!/usr/bin/env bash
# Sets up and builds what is missing, then runs every test. Arguments go to ctest: scripts/test.sh -L unit
# With CI set it also installs what some tests need and are skipped without (setup.sh --test-tools).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

options=()
if [[ -n ${CI:-} ]]; then options+=(--test-tools); fi
"$root/scripts/setup.sh" "${options[@]}" || { said_why=yes; exit 1; }

printf '\n== Tests\n'
current_step="Tests"
cd "$root/build/release"
# ctest's own closing lines, with the share of tests that passed and the time, stay the last ones.
ctest --output-on-failure --no-label-summary -j "$(nproc)" "$@" ||
  die "some tests failed; ctest lists them above, and build/release/Testing/Temporary/LastTest.log has their output."
