#!/bin/sh
# One verification in parts by GNU parallel: parallel.sh NETCONV PARTS FOLDER [argument of verify] …
#
# Each part is written to FOLDER/shard-I.json under its name only when it is whole, so that a part that was killed is run
# again by the next call, and the others are not.
set -eu
netconv=$1 parts=$2 folder=$3
shift 3
mkdir -p "$folder"
export netconv folder parts
run='test -e "$folder/shard-$i.json" || {
  "$netconv" verify "$@" --shard "$i/$parts" --json --quiet > "$folder/.shard-$i" &&
  mv "$folder/.shard-$i" "$folder/shard-$i.json"; }'
export run
seq "$parts" | parallel --halt soon,fail=1 --retries 3 -q sh -c 'i=$1; shift; eval "$run"' sh '{}' "$@"
