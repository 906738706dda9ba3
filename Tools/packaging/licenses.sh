#!/bin/sh
# Prints the licences of all that is inside the program, as THIRD-PARTY.txt.
#
# Usage: licenses.sh SCRATCH
#
# SCRATCH is the build folder of `make static`; lld's map in there says which archives the program has parts of. Their
# licences come from the packages that they belong to, Swift's from its toolchain. Fails if one is nowhere, so that no
# program goes out without it.
set -eu

scratch=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${SWIFT:=swift}"
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "$SWIFT")")")")

rule() { printf '\n%s\n%s\n\n' "$(printf '%78s' '' | tr ' ' '=')" "$1"; }

# The text of a licence: text TITLE FILE
text() {
  [ -s "$2" ] || {
    echo "licenses.sh: the licence of $1 is not at $2" >&2
    exit 1
  }
  rule "$1"
  cat "$2"
}

cat <<'END'
netconv is under the Apache License, Version 2.0 (LICENSE). The program has parts of these libraries inside.
Where a text below refers to /usr/share/common-licenses/Apache-2.0, that is the same licence.
END
text "Swift: its runtime, standard library, libdispatch and Foundation; Apache License 2.0 with Runtime Library Exception" \
  "$toolchain/share/swift/LICENSE.txt"
text "swift-argument-parser; Apache License 2.0 with Runtime Library Exception" \
  "$scratch/checkouts/swift-argument-parser/LICENSE.txt"

# Every archive but Swift's, as a path, or as the name of a link in SCRATCH/link.
archives=$(sed -n 's/^.* \([^ ]*\.a\)(.*):(.*)$/\1/p' "$scratch/netconv.map" | sort -u |
  grep -v -e /swift_static/ -e /link/libolder.a -e /clang/)
# Some names of one package, and two packages with one text.
for archive in $archives; do
  case "$archive" in /*) ;; *) archive=$root/$archive ;; esac
  file=$(readlink -f "$archive")
  package=$(dpkg -S "$file" 2>/dev/null | sed -n '1s/:.*//p')
  [ -n "$package" ] || package=$(dpkg -S "/usr${file#/usr}" 2>/dev/null | sed -n '1s/:.*//p')
  [ -n "$package" ] || {
    echo "licenses.sh: no Debian package has $file, so its licence is not known" >&2
    exit 1
  }
  echo "$(readlink -f "/usr/share/doc/$package/copyright") $(basename "$file")"
done | sort | awk '
  $1 != file { if (file != "") print file, names; file = $1; names = $2; next }
  { names = names " " $2 }
  END { if (file != "") print file, names }' | while read -r file names; do
  text "$names" "$file"
done
