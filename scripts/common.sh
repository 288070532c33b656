# Functions for the scripts of this folder, which source this file. They print what is done and how long it took, and
# print a message for every failure. A script must first run `set -euo pipefail`.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/logs
current_step=""
said_why=""

say() { printf '%s\n' "$*"; }

duration() {
  local seconds=$1
  if ((seconds < 60)); then
    printf '%d s' "$seconds"
  else
    printf '%d min %02d s' $((seconds / 60)) $((seconds % 60))
  fi
}

# die MESSAGE: ends the script. The message says what is wrong and what to do about it.
die() {
  said_why=yes
  printf '\n%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Prints a message also for a failure that die() did not explain.
on_exit() {
  local code=$?
  if ((code != 0)) && [[ -z $said_why ]]; then
    printf '\n%s: stopped%s, exit code %d. The lines above say why.\n' "$(basename "$0")" \
      "${current_step:+ during \"$current_step\"}" "$code" >&2
  fi
}
trap on_exit EXIT

# step TITLE COMMAND [ARGUMENT...]: prints a title, runs a command and prints how long it took.
step() {
  local started=$SECONDS
  current_step=$1
  shift
  printf '\n== %s\n' "$current_step"
  "$@"
  printf '   (%s: %s)\n' "$current_step" "$(duration $((SECONDS - started)))"
  current_step=""
}

# logged NAME COMMAND [ARGUMENT...]: runs a command, writes its output to build/logs/NAME.log and returns its exit code.
# If the command fails, prints the last lines of the log.
logged() {
  local log=$logs/$1.log code=0
  shift
  mkdir -p "$logs"
  "$@" >"$log" 2>&1 || code=$?
  if ((code != 0)); then
    printf '   failed: %s\n   last lines of %s:\n' "$*" "$log" >&2
    tail -n 15 "$log" | sed 's/^/   | /' >&2
  fi
  return "$code"
}

# free_memory_mib: the memory that programs can still use, in MiB; considers the limit of a container.
free_memory_mib() {
  local free limit used
  free=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || true)
  used=$(cat /sys/fs/cgroup/memory.current 2>/dev/null || true)
  if [[ $limit =~ ^[0-9]+$ && $used =~ ^[0-9]+$ ]]; then
    limit=$(((limit - used) / 1024 / 1024))
    free=$((limit < free ? limit : free))
  fi
  printf '%d\n' "$free"
}

# free_disk_mib FOLDER: the free space on the disk of the folder, in MiB.
free_disk_mib() { df --output=avail -m "$1" | tail -n 1 | tr -d ' '; }

# install_pinned ENVIRONMENT NAME: installs the packages of third_party/python/NAME.txt into a virtual environment, which
# is made if it is not there. pip refuses a file that has another SHA-256 than the list says. Does nothing if the
# environment has these packages already. The log is NAME-packages.log.
install_pinned() {
  local environment=$1 list=$root/third_party/python/$2.txt log=$2-packages
  if cmp -s "$list" "$environment/$2.txt"; then return; fi
  [[ -x $environment/bin/pip ]] || logged "$log" "${python:-python3}" -m venv "$environment" || return
  logged "$log" "$environment/bin/python" -m pip install --disable-pip-version-check --require-hashes -r "$list" || return
  cp "$list" "$environment/$2.txt"
}
