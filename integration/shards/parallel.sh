#!/bin/sh
# Checks INPUT... in N processes of GNU parallel and prints the report of all: parallel.sh N OUT.json INPUT...
# A call that was stopped leaves the reports of its shards in OUT.json.shards; called once more, it runs those that are lacking. When
# all are there they are merged and removed: the next call looks at every model again.
set -eu
n=$1 out=$2
shift 2
folder=$out.shards
mkdir -p "$folder"
# 0 and 1 are what a check ends with; more says that something was not analysed, which the merged report tells.
seq "$n" | parallel --will-cite "test -e $folder/{}.ndjson ||
  condlint check --quiet -j1 --shard {}/$n --output ndjson=$folder/{}.ndjson $* || test \$? -le 3"
code=0
condlint merge "$folder"/*.ndjson --output text --output "json=$out" || code=$?
if test "$(ls "$folder" | wc -l)" -eq "$n" && test -s "$out"; then
  rm -r "$folder"
fi
exit $code
