#!/usr/bin/env bash
# Sets up and builds what is missing, then runs every test. Arguments go to ctest: scripts/test.sh -L unit
# With CI set it also
# - installs what some tests need and are skipped without, and the tools of check.sh (setup.sh --test-tools)
# - checks the files that the newest commits changed (check.sh)
# - with VENTRIS_ASAN=1: runs tests of the half without LibTorch under the address and undefined-behaviour sanitizers
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Folders of tests/ whose programs run under the sanitizers. Those that start our programs would build all of these.
sanitized=(core text model decoding data)
failed=()

test_sanitized() {
  local names
  names=$(IFS='|'; printf '%s' "${sanitized[*]}")
  cd "$root"
  # NAME.CASE: what was not built has a case NAME_NOT_BUILT.
  logged configure-asan cmake --preset asan &&
    logged build-asan cmake --build --preset asan -j "${VENTRIS_JOBS:-$(nproc)}" --target "${sanitized[@]/#/test_}" &&
    ctest --preset asan --no-label-summary -j "$(nproc)" -R "^($names)\\."
}

options=()
if [[ -n ${CI:-} ]]; then options+=(--test-tools); fi
"$root/scripts/setup.sh" "${options[@]}" || { said_why=yes; exit 1; }

# What fails here is said at the end, so that one run tells everything.
if [[ -n ${CI:-} ]]; then
  printf '\n== Formatting and clang-tidy\n'
  "$root/scripts/check.sh" || failed+=("scripts/check.sh")
  if [[ ${VENTRIS_ASAN:-0} != 0 ]]; then
    printf '\n== Tests under the sanitizers\n'
    started=$SECONDS
    (test_sanitized) || failed+=("tests under the sanitizers (build/asan)")
    printf '   (%s)\n' "$(duration $((SECONDS - started)))"
  fi
fi

printf '\n== Tests\n'
current_step="Tests"
cd "$root/build/release"
# ctest's own closing lines, with the share of tests that passed and the time, stay the last ones.
ctest --output-on-failure --no-label-summary -j "$(nproc)" "$@" ||
  die "some tests failed; ctest lists them above, and build/release/Testing/Temporary/LastTest.log has their output." \
    "${failed[*]:+Before them failed: ${failed[*]}.}"
if ((${#failed[@]} > 0)); then die "the tests passed, but above failed: $(IFS=,; printf '%s' "${failed[*]}")."; fi
