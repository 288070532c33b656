#!/usr/bin/env bash
# Sets up and builds what is missing, then runs all tests. Arguments are passed to ctest: scripts/test.sh -L unit
# If the environment variable CI is set, this script also
# - installs the tools without which some tests are skipped, and the tools of check.sh (setup.sh --test-tools)
# - checks the changed files (check.sh)
# - runs some tests without LibTorch under the address and undefined-behaviour sanitizers, unless VENTRIS_ASAN=0. Those of
#   them whose results do not depend on the optimisation are left out of the release build.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Folders of tests/ whose tests run under the sanitizers. Tests that start the programs of Ventris are not among them,
# because all programs would have to be built for them.
sanitized_only=(core files text markup formats model imports constraints phrases translation data)
sanitized=("${sanitized_only[@]}" decoding nat arithmetic layers engine)
failed=()

test_sanitized() {
  local names
  names=$(IFS='|'; printf '%s' "${sanitized[*]}")
  cd "$root"
  logged configure-asan cmake --preset asan -DVENTRIS_UNITY=ON &&
    logged build-asan cmake --build --preset asan -j "${VENTRIS_JOBS:-$(nproc)}" --target "${sanitized[@]/#/test_}" &&
    ctest --preset asan --no-label-summary -j "$(nproc)" -R "^($names)(\\.|\$)"
}

options=()
export VENTRIS_LEFT_OUT_TESTS=
if [[ -n ${CI:-} ]]; then
  options+=(--test-tools)
  export VENTRIS_TIDY_MOST=${VENTRIS_TIDY_MOST:-4}  # clang-tidy takes about 20 s for a file that needs LibTorch
  export RC_PARAMS=${RC_PARAMS:-seed=1}  # the inputs of property tests: what a run finds depends on the commit alone
  if [[ ${VENTRIS_ASAN:-1} != 0 ]]; then
    VENTRIS_LEFT_OUT_TESTS=$(IFS=';'; printf '%s' "${sanitized_only[*]}")
  fi
fi
"$root/scripts/setup.sh" "${options[@]}" || { said_why=yes; exit 1; }

# Failures of these checks are reported at the end, so that one run reports all failures.
if [[ -n ${CI:-} ]]; then
  printf '\n== Formatting and clang-tidy\n'
  "$root/scripts/check.sh" || failed+=("scripts/check.sh")
  if [[ ${VENTRIS_ASAN:-1} != 0 ]]; then
    printf '\n== Tests under the sanitizers\n'
    started=$SECONDS
    sanitized_log=$logs/sanitized.log
    mkdir -p "$logs"
    (test_sanitized) 2>&1 | tee "$sanitized_log" || failed+=("tests under the sanitizers (build/asan)")
    printf '   (%s)\n' "$(duration $((SECONDS - started)))"
  fi
fi

printf '\n== Tests\n'
current_step="Tests"
cd "$root/build/release"
# If all tests pass, the last lines are those of ctest: the share of passed tests and the time.
ctest --output-on-failure --no-label-summary -j "$(nproc)" "$@" ||
  die "some tests failed; ctest lists them above, and build/release/Testing/Temporary/LastTest.log has their output." \
    "${failed[*]:+These checks failed, too: ${failed[*]}.}"
if ((${#failed[@]} > 0)); then
  # What failed long ago is shown again, because of a long output often only the end is kept.
  grep -A 30 -E '\*\*\*(Failed|Timeout|Exception)|failed: cmake|The following tests FAILED' "${sanitized_log:-/dev/null}" |
    cut -c 1-300 | tail -n 120 || true
  die "the tests passed, but checks failed: $(IFS=,; printf '%s' "${failed[*]}")."
fi
