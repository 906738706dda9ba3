#!/bin/sh
# Installs netconv, or takes away exactly what that has installed.
#
# Usage: install.sh install|uninstall SCRATCH DESTINATION PREFIX
#
# SCRATCH is the build folder of `make static`; DESTINATION stands before PREFIX while a package is made. What is
# installed is listed in share/netconv/files, by which it is taken away again.
set -eu

what=$1
scratch=$2
prefix=$3$4
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/Tools/packaging
list=$prefix/share/netconv/files

remove() {
  [ -e "$list" ] || {
    echo "netconv is not installed in $prefix" >&2
    exit 66
  }
  # Files first, then the folders that were made for them, the deepest first; one that has something else stays.
  grep -v '/$' "$list" >"$list.old"
  grep '/$' "$list" | LC_ALL=C sort -r >"$list.folders" || true
  mv "$list.folders" "$list.old" "$work"
  while read -r file; do rm -f "$prefix/$file"; done <"$work/files.old"
  while read -r folder; do rmdir "$prefix/$folder" 2>/dev/null || true; done <"$work/files.folders"
}

# The folder of a name, and those around it, if they are to be made: folders NAME.
folders() {
  folder=$(dirname "$1")
  [ "$folder" = . ] || [ -d "$prefix/$folder" ] || {
    folders "$folder"
    folder=$(dirname "$1")
    mkdir "$prefix/$folder"
    echo "$folder/" >>"$work/files"
  }
}

# A file as PREFIX/NAME: put MODE FILE NAME.
put() {
  folders "$3"
  install -m "$1" "$2" "$prefix/$3"
  echo "$3" >>"$work/files"
}

work=$(mktemp -d "${TMPDIR:-/tmp}/netconv-install-XXXXXX")
trap 'rm -rf "$work"' EXIT

if [ "$what" = uninstall ]; then
  remove
  exit 0
fi

program=$work/netconv
strip -o "$program" "$scratch/release/netconv"
swift=${SWIFT:-swift}
"$swift" "$here/manual.swift" "$program" "$("$here/version.sh")" "$work/man"
for shell in bash zsh fish; do "$program" --generate-completion-script "$shell" >"$work/$shell"; done
[ "${LIBRARIES:-inside}" = shared ] || SWIFT=$swift "$here/licenses.sh" "$scratch" >"$work/THIRD-PARTY.txt"

# What an earlier version has installed and this one has not goes.
[ ! -e "$list" ] || remove
mkdir -p "$prefix"
put 755 "$program" bin/netconv
for page in "$work"/man/*.1; do put 644 "$page" "share/man/man1/$(basename "$page")"; done
put 644 "$work/bash" share/bash-completion/completions/netconv
put 644 "$work/zsh" share/zsh/site-functions/_netconv
put 644 "$work/fish" share/fish/vendor_completions.d/netconv.fish
for schema in "$root"/Schemas/*.json; do put 644 "$schema" "share/netconv/schemas/$(basename "$schema")"; done
(cd "$root" && find Docs -type f | LC_ALL=C sort) >"$work/docs"
while read -r page; do put 644 "$root/$page" "share/doc/netconv/$page"; done <"$work/docs"
for page in README.md CHANGELOG.md LICENSE; do put 644 "$root/$page" "share/doc/netconv/$page"; done
[ ! -e "$work/THIRD-PARTY.txt" ] || put 644 "$work/THIRD-PARTY.txt" share/doc/netconv/THIRD-PARTY.txt
echo share/netconv/files >>"$work/files"
install -m 644 "$work/files" "$list"
