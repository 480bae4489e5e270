#!/bin/sh
# Checks INPUT... in N processes of GNU parallel and prints the report of all: parallel.sh N OUT.json INPUT...
# A shard whose report is there is not run again: call it once more when a process or the machine was stopped.
set -eu
n=$1 out=$2
shift 2
folder=$out.shards
mkdir -p "$folder"
# 0 and 1 are what a check ends with; more says that something was not analysed, which the merged report tells.
seq "$n" | parallel --will-cite "test -e $folder/{}.ndjson ||
  condlint check --quiet -j1 --shard {}/$n --output ndjson=$folder/{}.ndjson $* || test \$? -le 3"
condlint merge "$folder"/*.ndjson --output text --output "json=$out"
