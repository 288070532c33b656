#!/usr/bin/env bash
# Checks the formatting (clang-format) of changed files and runs clang-tidy on them. Changes no file.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/check.sh [--all] [--no-tidy] [BASE]

Checks the .h and .cpp files of lib, apps, python and tests and the .cpp files of examples that differ from the commit BASE.
Uncommitted changes count, too. The default of BASE is the commit where this branch left origin/main; on main itself, it
is the commit before HEAD. If there is no such commit, the formatting of all files is checked and clang-tidy does not
run.

clang-tidy takes about 20 s of processor time for a file that needs LibTorch, half of it to read LibTorch's headers. So
it reads at most 12 of them, those with the most changed lines, with fewer checks, and only if build/release was built
with LibTorch. All other files are read with all checks of .clang-tidy.

  --all       Check all files, not only the changed ones
  --no-tidy   Check only the formatting
  -h, --help  Show this help

Environment: CLANG_FORMAT and CLANG_TIDY are the programs to use. VENTRIS_JOBS=N runs N processes of clang-tidy at once.
VENTRIS_TIDY_MOST=N lets clang-tidy read at most N files that need LibTorch; 0 = none.
TEXT
}

least_clang_format=23  # earlier versions place the comments after members differently
# How files are compiled: those of the half without LibTorch, and the others. Folders that are only configured.
lower=$root/build/lower learning=$root/build/learning
# Switched off for files that need LibTorch: what takes most of the time in its headers, and finds least in our files.
slow_checks=-bugprone-reserved-identifier,-bugprone-stringview-nullptr,-bugprone-unused-return-value
slow_checks+=,-bugprone-suspicious-string-compare,-bugprone-implicit-widening-of-multiplication-result
slow_checks+=,-bugprone-infinite-loop,-bugprone-assert-side-effect,-bugprone-suspicious-semicolon
slow_checks+=,-bugprone-multiple-statement-macro,-bugprone-dangling-handle,-misc-definitions-in-headers
slow_checks+=,-modernize-use-using,-performance-unnecessary-value-param,-readability-redundant-control-flow
slow_checks+=,-readability-redundant-declaration

# --- Tools ---------------------------------------------------------------------------------------------------------

# The major version of a clang program; nothing if the program is missing or is not from clang.
major_version() { "$1" --version 2>/dev/null | sed -nE 's/.*version ([0-9]+)\..*/\1/p' | head -n 1; }

# Sets clang_format.
find_clang_format() {
  local candidate version best=0
  for candidate in ${CLANG_FORMAT:-"$root/.venv/bin/clang-format" clang-format}; do
    version=$(major_version "$candidate" || true)
    if [[ -n $version ]] && ((version >= least_clang_format)); then
      clang_format=$candidate
      return
    fi
    if [[ -n $version ]]; then best=$version; fi
  done
  if ((best > 0)); then
    die "clang-format $best is too old; version $least_clang_format or later is needed. To install it into .venv, run" \
      "scripts/setup.sh --test-tools, or:" \
      "python3 -m venv .venv && .venv/bin/pip install 'clang-format==$least_clang_format.*'"
  fi
  die "clang-format is missing; version $least_clang_format or later is needed. To install it into .venv, run" \
    "scripts/setup.sh --test-tools, or:" \
    "python3 -m venv .venv && .venv/bin/pip install 'clang-format==$least_clang_format.*'"
}

# Sets clang_tidy.
find_clang_tidy() {
  clang_tidy=${CLANG_TIDY:-clang-tidy}
  [[ -n $(major_version "$clang_tidy" || true) ]] ||
    die "clang-tidy is missing. To install it, run scripts/setup.sh --test-tools, or: apt-get install clang-tidy." \
      "With --no-tidy, only the formatting is checked."
}

# --- Files ---------------------------------------------------------------------------------------------------------

in_git() { git -C "$root" "$@" 2>/dev/null; }

# The commit to compare with; nothing if there is none.
find_base() {
  local base
  if [[ -n $given_base ]]; then
    in_git rev-parse --verify --quiet "$given_base^{commit}" ||
      die "\"$given_base\" is not a commit of this repository. Give the name of a branch or a commit."
    return
  fi
  base=$(in_git merge-base origin/main HEAD || true)
  # On main itself, compare with the commit before HEAD.
  if [[ -z $base || $base == $(in_git rev-parse HEAD) ]]; then
    base=$(in_git rev-parse --verify --quiet "HEAD~1^{commit}" || true)
  fi
  printf '%s' "$base"
}

patterns=('lib/*.h' 'lib/*.cpp' 'apps/*.h' 'apps/*.cpp' 'python/*.h' 'python/*.cpp' 'tests/*.h' 'tests/*.cpp'
  'examples/*.cpp')

all_files() {
  if in_git rev-parse --git-dir >/dev/null; then
    (cd "$root" && git ls-files --cached --others --exclude-standard -- "${patterns[@]}" | sort -u |
      while read -r file; do [[ ! -f $file ]] || printf '%s\n' "$file"; done)
  else  # a copy of the tree without its history
    (cd "$root" && find lib apps python tests examples -name '*.h' -o -name '*.cpp' | sort)
  fi
}

changed_files() {
  (cd "$root" && {
    git diff --name-only --diff-filter=d "$1" -- "${patterns[@]}"
    git ls-files --others --exclude-standard -- "${patterns[@]}"
  } | sort -u)
}

# --- Checks --------------------------------------------------------------------------------------------------------

check_format() {
  (cd "$root" && printf '%s\0' "${files[@]}" | xargs -0 -n 50 "$clang_format" --dry-run -Werror) ||
    die "clang-format would change the files above. To format them: $clang_format -i FILE..."
}

is_compiled() { [[ -f $1/compile_commands.json ]] && grep -qF "\"$root/$2\"" "$1/compile_commands.json"; }

# sources_of FILE: the source files that cover a file. Those of a header: the one with the same name, or else those that
# include it.
sources_of() {
  local header=${1#*/}  # as in an include: without apps/ or tests/, or without lib/WING/
  if [[ $1 == lib/* ]]; then header=${header#*/}; fi
  printf '%s\n' "${1%.h}"
  if [[ $1 == *.h ]]; then
    printf '%s\n' "${1%.h}.cpp"
    (cd "$root" && grep -rlF --include='*.cpp' "#include \"$header\"" lib apps tests | sort)
  fi
}

# Sets the source files to give to clang-tidy: `sources`, which compile without LibTorch, and `torch_sources`. A file
# that both cover counts for the first. `left_out` is the number of files that neither covers.
find_sources() {
  local file source database
  local -A found=() found_torch=()
  left_out=0
  for file in "${files[@]}"; do
    for database in "$lower" "$learning"; do
      while read -r source; do
        if [[ ! -f $root/$source ]] || ! is_compiled "$database" "$source"; then continue; fi
        if [[ $database == "$lower" ]]; then found[$source]=yes; else found_torch[$source]=yes; fi
        continue 3
      done < <(sources_of "$file")
    done
    left_out=$((left_out + 1))
  done
  sources=("${!found[@]}") torch_sources=("${!found_torch[@]}")
}

# Lines of a file that differ from the base; all lines of a file that git does not track.
changed_lines_of() {
  if in_git ls-files --error-unmatch -- "$1" >/dev/null; then
    in_git diff --numstat "${base:-HEAD}" -- "$1" | awk '{ n += $1 + $2 } END { print n + 0 }'
  else
    wc -l <"$root/$1"
  fi
}

# The files of torch_sources, those with the most changed lines first.
by_changed_lines() {
  local source
  for source in "${torch_sources[@]}"; do
    printf '%s %s\n' "$(changed_lines_of "$source")" "$source"
  done | sort -k 1,1nr -k 2
}

# Configures build/learning as build/release is. Fails if that has no LibTorch.
configure_learning() {
  local cache=$root/build/release/CMakeCache.txt torch
  grep -qsi '^VENTRIS_LEARNING:BOOL=ON$' "$cache" || return 1
  torch=$(sed -n 's/^VENTRIS_TORCH_ROOT:[A-Z]*=//p' "$cache")
  [[ -d $torch ]] || return 1
  (cd "$root" && logged configure-learning cmake --preset learning "-DVENTRIS_TORCH_ROOT=$torch")
}

# run_tidy DATABASE CHECKS FILE...: reads the files. Prints what it finds, and fails if it finds anything.
run_tidy() {
  local database=$1 checks=$2
  shift 2
  (cd "$root" && printf '%s\0' "$@" |
    xargs -0 -n 1 -P "${VENTRIS_JOBS:-$(nproc)}" "$clang_tidy" --quiet --warnings-as-errors='*' --checks="$checks" \
      -p "$database") >"$logs/clang-tidy.log" 2>"$logs/clang-tidy-errors.log" && return
  cat "$logs/clang-tidy.log"
  grep -vE '^[0-9]+ warnings? ' "$logs/clang-tidy-errors.log" >&2 || true
  return 1
}

check_tidy() {
  local sources torch_sources left_out most=${VENTRIS_TIDY_MOST:-12} failed=no
  (cd "$root" && logged configure-lower cmake --preset lower) ||
    die "the preset \"lower\" could not be configured. clang-tidy needs it, to know how files are compiled."
  rm -f "$learning/compile_commands.json"
  if ((most > 0)); then
    configure_learning ||
      say "   no file that needs LibTorch is read: build/release has none, or the preset \"learning\" failed"
  fi
  find_sources
  if ((left_out > 0)); then say "   files left out, which need LibTorch or belong to no target: $left_out"; fi
  say "   source files: ${#sources[@]}"
  if ((${#sources[@]} > 0)); then run_tidy "$lower" "" "${sources[@]}" || failed=yes; fi
  if ((${#torch_sources[@]} > 0)); then
    local all=${#torch_sources[@]}
    mapfile -t torch_sources < <(by_changed_lines | head -n "$most" | cut -d ' ' -f 2-)
    say "   source files that need LibTorch, with fewer checks: ${#torch_sources[@]} of $all"
    run_tidy "$learning" "$slow_checks" "${torch_sources[@]}" || failed=yes
  fi
  [[ $failed == no ]] ||
    die "clang-tidy reports the problems above. Fix them, or add a comment NOLINT(name-of-check) with the reason."
}

given_base="" all=no tidy=yes
for argument in "$@"; do
  case $argument in
    --all) all=yes ;;
    --no-tidy) tidy=no ;;
    -h | --help) usage; exit 0 ;;
    -*) die "unknown option \"$argument\"; --help lists the options." ;;
    *) given_base=$argument ;;
  esac
done

find_clang_format
base=""
if [[ $all == no ]]; then
  base=$(find_base) || { said_why=yes; exit 1; }
  if [[ -z $base ]]; then
    say "There is no earlier commit to compare with. The formatting of all files is checked; clang-tidy does not run."
    tidy=no
  fi
fi
if [[ $tidy == yes ]]; then find_clang_tidy; fi
if [[ -n $base ]]; then
  say "Files that differ from $(in_git log -1 --format='%h (%s)' "$base"):"
  mapfile -t files < <(changed_files "$base")
else
  mapfile -t files < <(all_files)
fi
if ((${#files[@]} == 0)); then
  say "No .h or .cpp file was changed: nothing to check."
  exit 0
fi
mkdir -p "$logs"
step "Formatting of ${#files[@]} files" check_format
if [[ $tidy == yes ]]; then step "clang-tidy" check_tidy; fi
