#!/bin/sh
# Makes the folder in which the linker of the installed program looks first.
#
# Usage: link-folder.sh FOLDER [system]
#
# It holds the archives of libraries that go into the program, so that -lz finds zlib's archive, and on x86-64 with
# glibc what glibc 2.31 offers (glibc/stubs.sh), so that the program runs on older systems than this one. With `system`
# the C library is this system's.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
which=${2:-}
: "${CC:=clang}"
rm -rf "$folder"
mkdir -p "$folder"

# An archive under another name, wherever the compiler or pkg-config looks: archive NAME FILE...
archive() {
  name=$1
  shift
  for file; do
    found=$("$CC" -print-file-name="$file")
    [ -e "$found" ] || found=$(pkg-config --variable=libdir hdf5 2>/dev/null || true)/$file
    [ -e "$found" ] || continue
    ln -s "$(readlink -f "$found")" "$folder/lib$name.a"
    return
  done
  echo "link-folder.sh: there is no $1 to put into the program; install what contains it" >&2
  exit 1
}

# Debian tells the serial library from those for MPI. Its filter szip is libaec's.
archive hdf5 libhdf5_serial.a libhdf5.a
archive sz libsz.a
archive aec libaec.a
archive z libz.a
archive stdc++ libstdc++.a
# SwiftPM asks pkg-config for zlib, which would name the system's folder, and before this one.
cat >"$folder/zlib.pc" <<END
Name: zlib
Description: zlib's archive in this folder
Version: $(pkg-config --modversion zlib)
Libs: -lz
END

if [ "$which" != system ] && [ "$(uname -m)" = x86_64 ] && getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
  CC=$CC "$here/glibc/stubs.sh" "$folder"
fi
