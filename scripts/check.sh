#!/usr/bin/env bash
# Checks the formatting (clang-format) and runs clang-tidy on the files that were changed. It changes nothing.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/check.sh [--all] [--no-tidy] [BASE]

Checks every .h and .cpp file of lib, apps, tests and examples that differs from the commit BASE, committed or not.
Without BASE, that is the commit where this branch left origin/main, or the one before HEAD. Where there is no such
commit, the formatting of all files is checked, and clang-tidy is left out. clang-tidy looks at the half without
LibTorch.

  --all       all files instead of the changed ones
  --no-tidy   the formatting only
  -h, --help  this text

Environment: CLANG_FORMAT and CLANG_TIDY name the programs; VENTRIS_JOBS=N runs N of clang-tidy at once.
TEXT
}

least_clang_format=23  # earlier ones place comments behind members in another way
database=$root/build/lower

# --- Tools ---------------------------------------------------------------------------------------------------------

# The major version of a clang program, or nothing if it is none.
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
    die "clang-format $best is too old; version $least_clang_format or later is needed. scripts/setup.sh --test-tools" \
      "installs it into .venv; so does: python3 -m venv .venv && .venv/bin/pip install 'clang-format==$least_clang_format.*'"
  fi
  die "clang-format is missing; version $least_clang_format or later is needed. scripts/setup.sh --test-tools installs" \
    "it into .venv; so does: python3 -m venv .venv && .venv/bin/pip install 'clang-format==$least_clang_format.*'"
}

# Sets clang_tidy.
find_clang_tidy() {
  clang_tidy=${CLANG_TIDY:-clang-tidy}
  [[ -n $(major_version "$clang_tidy" || true) ]] ||
    die "clang-tidy is missing. scripts/setup.sh --test-tools installs it; so does: apt-get install clang-tidy." \
      "scripts/check.sh --no-tidy checks the formatting only."
}

# --- Files ---------------------------------------------------------------------------------------------------------

in_git() { git -C "$root" "$@" 2>/dev/null; }

# The commit to compare with, or nothing.
find_base() {
  local base
  if [[ -n $given_base ]]; then
    in_git rev-parse --verify --quiet "$given_base^{commit}" ||
      die "\"$given_base\" is no commit of this repository. Give the name of a branch or a commit."
    return
  fi
  base=$(in_git merge-base origin/main HEAD || true)
  # On main itself, what the newest commit changed.
  if [[ -z $base || $base == $(in_git rev-parse HEAD) ]]; then
    base=$(in_git rev-parse --verify --quiet "HEAD~1^{commit}" || true)
  fi
  printf '%s' "$base"
}

patterns=('lib/*.h' 'lib/*.cpp' 'apps/*.h' 'apps/*.cpp' 'tests/*.h' 'tests/*.cpp' 'examples/*.cpp')

all_files() {
  if in_git rev-parse --git-dir >/dev/null; then
    (cd "$root" && git ls-files --cached --others --exclude-standard -- "${patterns[@]}" | sort -u |
      while read -r file; do [[ ! -f $file ]] || printf '%s\n' "$file"; done)
  else  # a copy of the tree without its history
    (cd "$root" && find lib apps tests examples -name '*.h' -o -name '*.cpp' | sort)
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
    die "the formatting of the files above is not clang-format's. To mend it: $clang_format -i FILE..."
}

is_compiled() { grep -qF "\"$root/$1\"" "$database/compile_commands.json"; }

# Sets sources, through which clang-tidy sees the changed files, and left_out, the number of files without one. A header
# is seen through the source file of its name, or else through one that includes it.
find_sources() {
  local file source
  local -A found=()
  left_out=0
  for file in "${files[@]}"; do
    while read -r source; do
      if [[ -f $root/$source ]] && is_compiled "$source"; then
        found[$source]=yes
        continue 2
      fi
    done < <(
      printf '%s\n' "${file%.h}"
      if [[ $file == *.h ]]; then
        printf '%s\n' "${file%.h}.cpp"
        (cd "$root" && grep -rlF --include='*.cpp' "#include \"${file#*/}\"" lib apps tests | sort)
      fi
    )
    left_out=$((left_out + 1))
  done
  sources=("${!found[@]}")
}

check_tidy() {
  local sources left_out jobs=${VENTRIS_JOBS:-$(nproc)}
  (cd "$root" && logged configure-lower cmake --preset lower) ||
    die "the preset \"lower\", from which clang-tidy learns how files are compiled, could not be configured."
  find_sources
  if ((left_out > 0)); then say "   files left out, because the half without LibTorch does not use them: $left_out"; fi
  if ((${#sources[@]} == 0)); then
    say "   no file to look at"
    return
  fi
  say "   source files: ${#sources[@]}"
  if (cd "$root" && printf '%s\0' "${sources[@]}" |
    xargs -0 -n 1 -P "$jobs" "$clang_tidy" --quiet --warnings-as-errors='*' -p "$database") \
    >"$logs/clang-tidy.log" 2>"$logs/clang-tidy-errors.log"; then return; fi
  cat "$logs/clang-tidy.log"
  grep -vE '^[0-9]+ warnings? ' "$logs/clang-tidy-errors.log" >&2 || true
  die "clang-tidy found what is listed above. Mend it, or say why it is right with a comment NOLINT(name-of-check)."
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
    say "There is no earlier commit to compare with: the formatting of all files is checked, and clang-tidy left out."
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
