#!/bin/bash
# Translates a file as an array of jobs of Slurm:
#
#   sbatch --array=1-100 --cpus-per-task=4 slurm_array.sh MODEL INPUT OUTPUT 100
#
# Each job translates one of the 100 parts of INPUT to a file of its own. The same command again, or a job that Slurm
# puts back into the queue, goes on with what is not finished. When all parts are there, the job that ends last joins
# them to OUTPUT. MODEL, INPUT and OUTPUT must be on a file system that all machines share.
#SBATCH --job-name=ventris
#SBATCH --requeue
#SBATCH --output=ventris-%A-%a.log
set -euo pipefail

if [[ $# -ne 4 || ! $4 =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: sbatch --array=1-PARTS slurm_array.sh MODEL INPUT OUTPUT PARTS" >&2
  exit 2
fi
model=$1 input=$2 output=$3 parts=$4

part_file() { printf '%s.part-%06d-of-%06d' "$output" "$1" "$parts"; }

part=$(part_file "$SLURM_ARRAY_TASK_ID")
if [[ ! -e $part ]]; then
  ventris-translate -m "$model" -i "$input" -o "$part" --shard "$SLURM_ARRAY_TASK_ID/$parts" --resume \
    --threads "${SLURM_CPUS_PER_TASK:-1}"
fi

# The last one joins. Two that end together would write the same bytes, each to a file of its own.
files=()
for ((i = 1; i <= parts; ++i)); do
  [[ -e $(part_file $i) ]] || exit 0
  files+=("$(part_file $i)")
done
cat "${files[@]}" >"$output.joined-$SLURM_ARRAY_TASK_ID"
mv "$output.joined-$SLURM_ARRAY_TASK_ID" "$output"
