#!/usr/bin/env bash
# Prepares a bare Debian 12 machine: installs packages and LibTorch, configures and builds. A second run does only what
# is still missing.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/setup.sh [--programs | --no-build] [--test-tools] [--without-libtorch]

Installs the missing Debian packages (as root or with sudo), looks for LibTorch 2.11 to 2.13, and builds the preset
"release". LibTorch is taken from Torch_DIR or CMAKE_PREFIX_PATH, else from the active Python, else from .venv. If there
is no LibTorch, the torch wheel is installed into .venv.

  --programs   Compile only the programs, not the tests
  --no-build   Configure, but do not compile
  --test-tools Also install the tools without which some tests are skipped (Chromium, zsh, fish, groff, gettext;
               TensorBoard, CTranslate2 and SentencePiece into .venv-test), what the Python package is built and tested
               with (nanobind, NumPy, mypy, SentencePiece into .venv), and the tools of scripts/check.sh (clang-tidy,
               clang-format into .venv); 900 MB. third_party/python/*.txt have the versions and digests of the Python
               packages
  --without-libtorch
               Do not look for LibTorch, and build only the half that does not need it, into build/minimal
  -h, --help   Show this help

Environment: CI or VENTRIS_WERROR=1 makes warnings errors. VENTRIS_JOBS=N compiles N files at once.
VENTRIS_LEFT_OUT_TESTS names folders of tests/ that are not built, separated by semicolons.
TEXT
}

packages=(build-essential cmake ninja-build ccache pkg-config libsentencepiece-dev nlohmann-json3-dev libcli11-dev
  libspdlog-dev libfmt-dev zlib1g-dev libicu-dev libgtest-dev libgmock-dev librapidcheck-dev libzip-dev libhwy-dev
  libjemalloc-dev libgloo-dev libgumbo-dev libexpat1-dev libmd4c-dev libyaml-dev libmicrohttpd-dev libcld2-dev libssl-dev
  file python3-dev python3-venv python3-pip)
test_packages=(chromium zsh fish groff-base gettext)
check_packages=(clang-tidy)
torch_version=2.13.0
venv=$root/.venv
test_venv=$root/.venv-test
build=$root/build/release
# For the Python packages, the precompiled torch header, object files and programs together.
disk_needed_mib=4096
# A CUDA wheel also installs the CUDA libraries.
disk_needed_cuda_mib=10240
memory_of_a_job_mib=2048

# --- Debian packages -----------------------------------------------------------------------------------------------

missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || printf '%s\n' "$package"
  done
}

as_root() {
  if ((EUID == 0)); then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

# apt_get_packages PACKAGE...: installs packages, or ends the script.
apt_get_packages() {
  local fresh_lists=yes
  say "   missing: $*"
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    die "packages can be installed only as root, and sudo was not found. As root, run: apt-get install $*"
  fi
  logged apt-update as_root apt-get update -q -o APT::Update::Error-Mode=any || fresh_lists=no
  logged apt-install as_root apt-get install -q -y --no-install-recommends "$@" && return
  if [[ $fresh_lists == no ]]; then
    die "apt-get could not download the package lists. Is there a network connection, and may you use sudo?"
  fi
  die "apt-get could not install the packages above; see $logs/apt-install.log for the reason."
}

install_packages() {
  local missing
  if ! command -v dpkg >/dev/null; then
    say "   This is not Debian, so no packages are installed. CMake reports what is missing. On Debian: ${packages[*]}"
    return
  fi
  mapfile -t missing < <(missing_packages "${packages[@]}")
  if ((${#missing[@]} == 0)); then
    say "   all ${#packages[@]} packages are installed"
  else
    apt_get_packages "${missing[@]}"
  fi
  # From 0.2 on (Debian 13, Ubuntu 24.04), pkg-config asks for protobuf, too; the package does not depend on it.
  pkg-config --exists sentencepiece || apt_get_packages libprotobuf-dev
}

check_compiler() {
  local compiler=${CXX:-c++}
  command -v "$compiler" >/dev/null ||
    die "no C++ compiler called \"$compiler\" was found. Install build-essential, or set CXX."
  printf '#include <span>\nint main() {}\n' | "$compiler" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null ||
    die "\"$compiler\" does not compile C++20. Install GCC 12 or later, and set CXX to it."
}

# --- LibTorch ------------------------------------------------------------------------------------------------------

# The first LibTorch in Torch_DIR and CMAKE_PREFIX_PATH; nothing if there is none.
given_libtorch() {
  local folder folders suffix
  IFS=':;' read -r -a folders <<<"${Torch_DIR:-}:${CMAKE_PREFIX_PATH:-}"
  for folder in "${folders[@]}"; do
    [[ -n $folder ]] || continue
    for suffix in . Torch share/cmake/Torch; do
      if [[ -f $folder/$suffix/TorchConfig.cmake ]]; then
        (cd "$folder/$suffix/../../.." && pwd)
        return
      fi
    done
  done
}

# The folder of the torch package of this Python; nothing if there is none or its version is not supported.
libtorch_of_python() {
  "$1" - 2>/dev/null <<'PYTHON' || true
import importlib.metadata, importlib.util
version = importlib.metadata.version("torch").split(".")
if version[0] == "2" and 11 <= int(version[1]) <= 13:
    print(importlib.util.find_spec("torch").submodule_search_locations[0])
PYTHON
}

make_venv() {
  local python
  for python in python3 /usr/bin/python3; do
    if logged venv "$python" -m venv "$venv"; then return; fi
    rm -rf "$venv"
  done
  die "python3 could not make a virtual environment in $venv. Install python3-venv, or activate a Python that has" \
    "torch 2.11 to 2.13, or set Torch_DIR to an installed LibTorch."
}

no_network_in() {
  local signs='name resolution|NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|Network is unreachable'
  grep -qiE "$signs" "$logs/$1.log"
}

# Installs the small CPU wheel if the package index has one, otherwise the plain wheel.
install_torch() {
  local pip=("$venv/bin/python" -m pip install --disable-pip-version-check)
  [[ -x $venv/bin/pip ]] || make_venv
  say "   installing torch $torch_version into .venv (CPU wheel: 200 MB)"
  if "${pip[@]}" "torch==$torch_version+cpu" >"$logs/torch-cpu.log" 2>&1; then return; fi
  if no_network_in torch-cpu; then
    die "pip could not reach the package index (see $logs/torch-cpu.log). Is there a network connection?" \
      "To use an installed LibTorch instead, set Torch_DIR."
  fi
  if (($(free_disk_mib "$root") < disk_needed_cuda_mib)); then
    die "the package index has no CPU wheel of torch $torch_version. The plain wheel and its libraries need" \
      "$((disk_needed_cuda_mib / 1024)) GB of disk, more than is free. Free some space, or configure pip for an index" \
      "that has the CPU wheel."
  fi
  say "   the index has no CPU wheel; installing the plain wheel, which takes several GB"
  logged torch "${pip[@]}" "torch==$torch_version" ||
    die "pip could not install torch $torch_version. Is there a network connection? To use an installed LibTorch" \
      "instead, set Torch_DIR."
}

# Sets torch_root.
find_libtorch() {
  mkdir -p "$logs"
  torch_root=$(given_libtorch)
  [[ -n $torch_root ]] || torch_root=$(libtorch_of_python python3)
  if [[ -z $torch_root ]]; then
    torch_root=$(libtorch_of_python "$venv/bin/python")
    if [[ -z $torch_root ]]; then
      install_torch
      torch_root=$(libtorch_of_python "$venv/bin/python")
    fi
  fi
  [[ -n $torch_root ]] ||
    die "torch was installed into $venv, but cannot be found there. Delete this folder and run the script again."
  say "   using $torch_root"
}

# --- Tools for some tests ----------------------------------------------------------------------------------------

# Some tests are skipped without these tools. Therefore a failure here prints a message and does not end the script.
install_test_tools() {
  local missing
  mapfile -t missing < <(missing_packages "${test_packages[@]}" "${check_packages[@]}")
  if ((${#missing[@]} > 0)) && command -v dpkg >/dev/null; then
    say "   missing: ${missing[*]}"
    logged apt-test-update as_root apt-get update -q || true
    logged apt-test-tools as_root apt-get install -q -y --no-install-recommends "${missing[@]}" ||
      say "   tests that need a missing tool will be skipped; scripts/check.sh needs clang-tidy. Missing: ${missing[*]}"
  fi
  install_pinned "$venv" tools ||
    say "   clang-format, nanobind, NumPy, mypy or SentencePiece could not be installed; scripts/check.sh needs" \
      "clang-format, and the Python package needs nanobind"
  install_pinned "$test_venv" tests ||
    say "   TensorBoard, CTranslate2 or SentencePiece could not be installed; tests that need them will be skipped"
}

# --- Build ---------------------------------------------------------------------------------------------------------

check_disk() {
  local free
  free=$(free_disk_mib "$root")
  if [[ ! -e $build/bin/ventris-translate ]] && ((free < disk_needed_mib)); then
    die "only $free MB of disk are free in $root, but the set-up needs about $((disk_needed_mib / 1024)) GB." \
      "Free some space and run the script again."
  fi
}

configure() {
  local options=(-B "$build" -DVENTRIS_UNITY=ON "-DVENTRIS_LEFT_OUT_TESTS=${VENTRIS_LEFT_OUT_TESTS:-}")
  if [[ $libtorch == yes ]]; then
    options+=("-DVENTRIS_TORCH_ROOT=$torch_root" -U Torch_DIR)  # -U: CMake's cache may name an earlier LibTorch
  else
    options+=(-DVENTRIS_LEARNING=OFF)
  fi
  if [[ -n ${CI:-} || ${VENTRIS_WERROR:-0} == 1 ]]; then options+=(-DVENTRIS_WERROR=ON); fi
  (cd "$root" && logged configure cmake --preset release "${options[@]}") ||
    die "CMake could not configure the build; the lines above and $logs/configure.log say why."
}

compile_jobs() {
  local free cores jobs
  free=$(free_memory_mib)
  cores=$(nproc)
  jobs=$((free / memory_of_a_job_mib))
  jobs=$((jobs < cores ? jobs : cores))
  printf '%d\n' "${VENTRIS_JOBS:-$((jobs > 1 ? jobs : 1))}"
}

run_ninja() {
  NINJA_STATUS='[%f/%t, %es] ' cmake --build "$build" --target "$target" -j "$1" 2>&1 | tee "$logs/build.log"
}

compile() {
  local jobs
  jobs=$(compile_jobs)
  say "   $(free_memory_mib) MB of memory are free: compiling with $jobs parallel jobs"
  if run_ninja "$jobs"; then return; fi
  if ! grep -qiE 'Killed|cannot allocate memory|out of memory|bad_alloc' "$logs/build.log"; then
    die "the build failed. Look at the first error above; it is also in $logs/build.log."
  fi
  if ((jobs > 1)); then
    say "   a compiler ran out of memory; trying again with one file at a time"
    if run_ninja 1; then return; fi
  fi
  die "too little memory: compiling one file takes about $((memory_of_a_job_mib / 1024)) GB. Close other programs or" \
    "add swap, then run the script again. Files that are already compiled are not compiled again."
}

build_after=yes target=all test_tools=no libtorch=yes
for argument in "$@"; do
  case $argument in
    --programs) target=programs ;;
    --no-build) build_after=no ;;
    --test-tools) test_tools=yes ;;
    --without-libtorch) libtorch=no build=$root/build/minimal ;;
    -h | --help) usage; exit 0 ;;
    *) die "unknown option \"$argument\"; --help lists the options." ;;
  esac
done

step "Debian packages" install_packages
check_disk
check_compiler
if [[ $libtorch == yes ]]; then step "LibTorch" find_libtorch; fi
if [[ $test_tools == yes ]]; then step "Tools for some tests" install_test_tools; fi
step "Configuring" configure
if [[ $build_after == yes ]]; then step "Compiling" compile; fi
say ""
say "Set-up finished in $(duration $SECONDS)."
