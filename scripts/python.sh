#!/usr/bin/env bash
# Builds a wheel of the Python package that contains what it needs, and tests it in a fresh environment.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/python.sh [--test] [--programs FOLDER] [--python PROGRAM] [--build FOLDER]

Builds the wheel of the Python package into build/python/dist, without LibTorch. The shared libraries of Debian that the
extension needs are put into the wheel, so that other machines need only zlib, libexpat, glibc and libstdc++. The name
of the wheel and docs/python.md state the versions. pip takes the build tools from its package index; its settings
choose the index.

  --test              Then install the wheel and NumPy into a fresh virtual environment, and run tests/python there.
                      Exit code 77 if pip cannot reach a package index
  --programs FOLDER   With --test: also compare with the programs in FOLDER. Default: build/release/bin, if it is there
  --python PROGRAM    Build for this Python. Default: python3
  --build FOLDER      Take the extension that was built in this folder, such as build/release, instead of compiling it.
                      It is for the Python with which the folder was configured (usually .venv/bin/python)
  -h, --help          Show this help
TEXT
}

out=$root/build/python
tools=$out/tools

no_index() {
  grep -qiE 'name resolution|NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|Network is unreachable' "$1"
}

# install_list ENVIRONMENT NAME: install_pinned, or the end of the script if pip fails.
install_list() {
  if install_pinned "$@"; then return; fi
  if [[ $test == yes ]] && no_index "$logs/$2-packages.log"; then
    say "pip cannot reach a package index: the wheel is not tested."
    said_why=yes
    exit 77
  fi
  die "pip could not install the packages above; $logs/$2-packages.log says why."
}

make_tools() { install_list "$tools" wheel; }

# The package with the extension of a build folder, which pip packs instead of compiling.
stage_extension() {
  local stage=build/python/stage/ventris
  rm -rf "$out/stage"
  mkdir -p "$root/$stage"
  cp "$root"/python/ventris/* "$root/$stage"
  logged python-stage cmake --install "$build" --component python --prefix "$out/stage" ||
    die "$build has no extension; build its target ventris_python first. $logs/python-stage.log has more."
  settings=(--config-settings=wheel.cmake=false --config-settings=wheel.platlib=true
    --config-settings=wheel.packages="$stage" --config-settings=sdist.include="$stage/*")
}

build_wheel() {
  local settings=()
  rm -rf "$out/plain" "$out/dist"
  if [[ -n $build ]]; then stage_extension; fi
  logged python-wheel env CMAKE_GENERATOR=Ninja CMAKE_BUILD_PARALLEL_LEVEL="${VENTRIS_JOBS:-$(nproc)}" \
    "$tools/bin/python" -m pip wheel --disable-pip-version-check --no-deps --no-build-isolation \
    "${settings[@]}" --wheel-dir "$out/plain" "$root" ||
    die "the wheel could not be built; $logs/python-wheel.log says why."
}

# Copies the shared libraries into the wheel. Refuses a wheel that would contain LibTorch.
bundle_libraries() {
  logged python-repair env PATH="$tools/bin:$PATH" "$tools/bin/python" -m auditwheel repair --wheel-dir "$out/dist" \
    "$out"/plain/ventris-*.whl || die "auditwheel could not complete the wheel; $logs/python-repair.log says why."
  wheel=$(echo "$out"/dist/ventris-*.whl)
  if "$python" -m zipfile --list "$wheel" | grep -iE 'libtorch|libc10'; then die "the wheel contains LibTorch."; fi
  say "   $wheel ($(($(stat -c %s "$wheel") / 1024 / 1024)) MiB)"
}

test_wheel() {
  rm -rf "$out/test"
  install_list "$out/test" wheel-tests
  logged python-test-wheel "$out/test/bin/python" -m pip install --disable-pip-version-check --no-index "$wheel" ||
    die "pip could not install the wheel; $logs/python-test-wheel.log says why."
  cd "$out/test" # not in the source tree, where python/ventris could be imported
  env -u PYTHONPATH VENTRIS_PROGRAMS="$programs" "$out/test/bin/python" -m unittest discover -s "$root/tests/python" ||
    die "tests failed with the wheel $wheel."
}

python=python3 build="" test=no programs=$root/build/release/bin
if [[ ! -x $programs/ventris-translate ]]; then programs=""; fi
while (($# > 0)); do
  case $1 in
    --test) test=yes ;;
    --programs | --python | --build)
      (($# > 1)) || die "$1: its value is missing; --help shows the options."
      case $1 in
        --programs) programs=$(realpath "$2") ;;
        --python) python=$2 ;;
        --build) build=$(realpath "$2") ;;
      esac
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) die "unknown option \"$1\"; --help lists the options." ;;
  esac
  shift
done

mkdir -p "$logs" "$out"
step "Build tools" make_tools
step "Wheel" build_wheel
step "Libraries in the wheel" bundle_libraries
if [[ $test == yes ]]; then step "Tests in a fresh environment" test_wheel; fi
