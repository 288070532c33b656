#!/usr/bin/env bash
# Builds and runs the fuzz targets of tests/fuzz with libFuzzer, the sanitizers and counts of lines.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/fuzz.sh NAME|all SECONDS
       scripts/fuzz.sh NAME --repeat FILE
       scripts/fuzz.sh NAME|all --coverage
       scripts/fuzz.sh --list

Builds what is missing in build/fuzz, and lets libFuzzer look for inputs that break a promise of the reader NAME, for so
many seconds; all = every target, one after the other. What it finds on the way stays in build/fuzz/out/corpus, and the
next run goes on with it. An input that fails is written into build/fuzz/out/failed; put it into tests/fuzz/failed/NAME when
the reader is mended, where the ordinary tests read it.

  --repeat FILE  Run the target on this input alone
  --coverage     Run the target on all seeds and found inputs, and print which share of the lines of each reader ran
  --list         Print the names
  -h, --help     Show this help

It needs the packages clang-16, libclang-rt-16-dev and llvm-16.
TEXT
}

here=$root/tests/fuzz
build=$root/build/fuzz
out=$build/out
failures=()

names() { sed -nE 's/.*Registration k[A-Za-z]+\("([a-z_0-9]+)".*/\1/p' "$here"/*_target.cpp | sort; }

# The file of tests/fuzz that has the target, without "_target.cpp".
file_of() {
  local file
  file=$(grep -lE "Registration k[A-Za-z]+\(\"$1\"" "$here"/*_target.cpp) ||
    die "there is no target \"$1\". --list prints the names."
  basename "$file" _target.cpp
}

build_targets() {
  command -v clang++-16 >/dev/null ||
    die "clang++-16 is missing. To install it: apt-get install clang-16 libclang-rt-16-dev llvm-16"
  local programs=() name
  for name in "$@"; do programs+=("fuzz_$(file_of "$name")"); done
  if [[ ! -f $build/build.ninja ]]; then
    (cd "$root" && logged configure-fuzz cmake --preset fuzz) || die "CMake could not configure build/fuzz."
  fi
  logged build-fuzz cmake --build "$build" -j "${VENTRIS_JOBS:-$(nproc)}" --target "${programs[@]}" ||
    die "the build failed; $logs/build-fuzz.log says why."
}

# Puts all seeds and the inputs that once failed into out/seeds/NAME.
gather_seeds() {
  local name=$1 seeds=$out/seeds/$1
  rm -rf "$seeds"
  mkdir -p "$seeds" "$out/corpus/$name" "$out/failed" "$out/profiles"
  VENTRIS_FUZZ_TARGET=$name VENTRIS_WRITE_SEEDS=$seeds LLVM_PROFILE_FILE=/dev/null "$build/bin/fuzz_$(file_of "$name")"
  find "$here/seeds/$name" "$here/failed/$name" -type f -exec cp -t "$seeds" {} + 2>/dev/null || true
}

run_target() {
  local name=$1
  shift
  # See tests/support/main.cpp for the option of the address sanitizer, which LLVM 16 needs, too.
  ASAN_OPTIONS=intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1 VENTRIS_FUZZ_TARGET=$name \
    LLVM_PROFILE_FILE=$out/profiles/$name.profraw \
    "$build/bin/fuzz_$(file_of "$name")" -timeout=20 -rss_limit_mb=2048 -artifact_prefix="$out/failed/$name-" "$@"
}

fuzz() {
  local name=$1 seconds=$2 log=$logs/fuzz-$1.log code=0
  gather_seeds "$name"
  run_target "$name" -max_total_time="$seconds" -print_final_stats=1 "$out/corpus/$name" "$out/seeds/$name" \
    >"$log" 2>&1 || code=$?
  printf '   %-16s %10s executions, %s\n' "$name" \
    "$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)" \
    "$(grep -oE 'cov: [0-9]+ ft: [0-9]+ corp: [0-9]+' "$log" | tail -n 1)"
  ((code == 0)) || report_failure "$name" "$log"
}

report_failure() {
  local name=$1 log=$2 input
  failures+=("$name")
  input=$(sed -nE 's/.*Test unit written to (.*)/\1/p' "$log" | tail -n 1)
  grep -E '^(==[0-9]+==)? ?(ERROR|SUMMARY|terminate)|what\(\)|runtime error|does not hold' "$log" | head -n 6 | sed 's/^/   | /'
  if [[ -z $input ]]; then
    say "   it ended without an input; $log says why"
    return
  fi
  say "   failing input ($(wc -c <"$input") bytes): $input"
  head -c 160 "$input" | od -A d -c | head -n 10 | sed 's/^/   | /'
  say "   again: scripts/fuzz.sh $name --repeat $input"
}

# Prints the share of lines that ran, for each file of lib that a target reads with.
coverage() {
  local name objects=() profiles=()
  for name in "$@"; do
    gather_seeds "$name"
    run_target "$name" -runs=0 "$out/corpus/$name" "$out/seeds/$name" >"$logs/fuzz-coverage-$name.log" 2>&1 ||
      die "$name fails on an input that is there; $logs/fuzz-coverage-$name.log says why."
    profiles+=("$out/profiles/$name.profraw")
    objects+=(-object "$build/bin/fuzz_$(file_of "$name")")
  done
  llvm-profdata-16 merge -sparse "${profiles[@]}" -o "$out/merged.profdata"
  llvm-cov-16 export -summary-only "${objects[@]:1}" -instr-profile="$out/merged.profdata" "$root/lib" \
    >"$out/coverage.json" 2>"$logs/fuzz-coverage.log"
  python3 "$here/coverage.py" "$out/coverage.json"
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then usage; exit 0; fi
if [[ ${1:-} == --list ]]; then names; exit 0; fi
if (($# < 2)); then
  usage >&2
  die "a target and a number of seconds are needed."
fi
mkdir -p "$logs"
if [[ $2 != --repeat && $2 != --coverage && ! $2 =~ ^[0-9]+$ ]]; then die "\"$2\" is not a number of seconds."; fi
if [[ $2 == --repeat && ! -f ${3:-} ]]; then die "--repeat needs the file of an input."; fi
chosen=("$1")
if [[ $1 == all ]]; then mapfile -t chosen < <(names); fi
build_targets "${chosen[@]}"
case $2 in
  --repeat) run_target "$1" "$3" ;;
  --coverage) coverage "${chosen[@]}" ;;
  *)
    for name in "${chosen[@]}"; do fuzz "$name" "$2"; done
    if ((${#failures[@]} > 0)); then die "these targets failed: ${failures[*]}"; fi
    ;;
esac
