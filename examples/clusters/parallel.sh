#!/bin/bash
# Translates a file in parts with GNU parallel, on this machine or on several:
#
#   parallel.sh MODEL INPUT OUTPUT PARTS [OPTIONS OF PARALLEL]
#   parallel.sh /srv/packed big.en big.de 100 --sshlogin 4/node1,8/node2 --workdir .
#
# The same command again goes on with what is not finished. On several machines, the files must be on a file system that
# all of them share, and ventris-translate must be in the PATH of each.
set -euo pipefail

if [[ $# -lt 4 || ! $4 =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: parallel.sh MODEL INPUT OUTPUT PARTS [OPTIONS OF PARALLEL]" >&2
  exit 2
fi
model=$1 input=$2 output=$3 parts=$4
shift 4

files=() left=()
for ((i = 1; i <= parts; ++i)); do
  file=$(printf '%s.part-%06d-of-%06d' "$output" "$i" "$parts")
  files+=("$file")
  [[ -e $file ]] || left+=("$i" "$file")
done
if [[ ${#left[@]} -gt 0 ]]; then
  printf '%s\n' "${left[@]}" | parallel -N 2 --retries 3 --joblog "$output.joblog" "$@" \
    --quote ventris-translate -m "$model" -i "$input" -o '{2}' --shard "{1}/$parts" --resume --quiet
fi
cat "${files[@]}" >"$output.joined"
mv "$output.joined" "$output"
rm -- "${files[@]}"
