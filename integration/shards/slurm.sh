#!/bin/sh
# An array of Slurm that checks INPUT..., a shard a task:
#   sbatch --array=1-16 slurm.sh FOLDER INPUT...
# and then, on any machine that sees FOLDER: condlint merge FOLDER/*.ndjson --output text --output json=report.json
# A task that was stopped leaves no report: scontrol requeue runs it again, and sbatch --array=7 that one alone, with
# CONDLINT_SHARDS=16 in its environment.
#SBATCH --job-name=condlint
#SBATCH --cpus-per-task=1
set -u
folder=$1
shift
mkdir -p "$folder"
n=${CONDLINT_SHARDS:-$SLURM_ARRAY_TASK_COUNT}
condlint check --quiet -j1 --shard "$SLURM_ARRAY_TASK_ID/$n" --output "ndjson=$folder/$SLURM_ARRAY_TASK_ID.ndjson" "$@"
code=$?
test $code -le 3 # what was found, and what could not be analysed, the merged report tells
