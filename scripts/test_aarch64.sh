#!/usr/bin/env bash
# Compiles the kernels of the engine for AArch64, and runs their tests in an emulator.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/test_aarch64.sh [OPTION OF GOOGLETEST]...

Compiles the rooms core and arithmetic and the tests of arithmetic for AArch64 in build/aarch64, and runs them in an
emulator as three processors: without dot products, with them, and with those of the extension i8mm.

It needs the packages g++-aarch64-linux-gnu and qemu-user-static.
TEXT
}

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
  usage
  exit 0
fi
for program in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$program" >/dev/null ||
    die "$program is missing. To install it: apt-get install g++-aarch64-linux-gnu qemu-user-static"
done

build=$root/build/aarch64
headers=$build/headers
mkdir -p "$headers" "$build/objects"
for name in fmt spdlog nlohmann; do ln -sfn "/usr/include/$name" "$headers/$name"; done

compile() {
  local source=$1 object=$2
  [[ $object -nt $source && -z ${changed:-} ]] && return
  aarch64-linux-gnu-g++ -std=c++20 -O2 -Wall -Wextra -I "$root/lib/base" -I "$root/lib/inference" -I "$root/tests" \
    -I "$headers" -I /usr/src/googletest/googletest/include -I /usr/src/googletest/googletest -DFMT_HEADER_ONLY \
    -DSPDLOG_FMT_EXTERNAL -DVENTRIS_VERSION='"aarch64"' -c "$source" -o "$object"
}

# If a header is newer than the test program, everything is compiled again.
if [[ -n $(find "$root/lib/base/core" "$root/lib/inference/arithmetic" "$root/tests/arithmetic" "$root/tests/support" \
  -name '*.h' -newer "$build/test_arithmetic" 2>/dev/null | head -1) || ! -e $build/test_arithmetic ]]; then
  changed=yes
fi
sources=("$root"/lib/base/core/*.cpp "$root"/lib/inference/arithmetic/*.cpp "$root"/tests/arithmetic/*.cpp
  /usr/src/googletest/googletest/src/gtest-all.cc /usr/src/googletest/googletest/src/gtest_main.cc)
objects=()
for source in "${sources[@]}"; do
  object=$build/objects/$(basename "$source").o
  objects+=("$object")
  compile "$source" "$object" &
  while (($(jobs -r | wc -l) >= ${VENTRIS_JOBS:-$(nproc)})); do wait -n || die "the compiler failed."; done
done
while (($(jobs -r | wc -l) > 0)); do wait -n || die "the compiler failed."; done
aarch64-linux-gnu-g++ -static -o "$build/test_arithmetic" "${objects[@]}" -lpthread || die "the linker failed."

for processor in cortex-a72 neoverse-n1 max; do
  say "tests of the kernels, on an emulated $processor"
  # The tests of KernelChoice start the program again, which an emulator does not do.
  qemu-aarch64-static -cpu "$processor" "$build/test_arithmetic" --gtest_brief=1 --gtest_filter=-KernelChoice.* "$@" ||
    die "tests failed on an emulated $processor."
done
