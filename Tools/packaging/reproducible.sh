#!/bin/sh
# Builds the program and the wheel in two folders of different names, from nothing, and compares their bytes.
#
# Usage: reproducible.sh
#
# Each build compiles everything, which takes minutes. What git has of this repository is built.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
commit=$(git -C "$root" rev-parse HEAD)
work=$(mktemp -d "${TMPDIR:-/tmp}/netconv-reproducible-XXXXXX")
trap 'rm -rf "$work"' EXIT
for name in one another/and/longer; do
  mkdir -p "$work/$name"
  git -C "$root" archive "$commit" | tar -x -C "$work/$name"
  make -C "$work/$name" wheel >"$work/log" 2>&1 || {
    tail -20 "$work/log" >&2
    exit 1
  }
done
status=0
for file in netconv THIRD-PARTY.txt "netconv-$("$root/Tools/packaging/version.sh")"-*.whl; do
  one=$(cd "$work/one/.build/packages" && ls $file)
  if cmp "$work/one/.build/packages/$one" "$work/another/and/longer/.build/packages/$one"; then
    echo "$one: the same bytes, SHA-256 $(sha256sum <"$work/one/.build/packages/$one" | cut -d' ' -f1)"
  else
    status=1
  fi
done
if [ $status != 0 ]; then
  trap - EXIT
  echo "both builds are kept in $work" >&2
fi
exit $status
