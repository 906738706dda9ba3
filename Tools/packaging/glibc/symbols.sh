#!/bin/sh
# Prints what the C library of a system exports, in the form of glibc-2.31.symbols.
#
# Usage: symbols.sh ROOT >glibc-2.31.symbols
#
# ROOT is a system of x86-64, such as debootstrap makes of Debian 11. Only default versions are listed: a program that
# is linked today cannot ask for others. What glibc keeps to itself (GLIBC_PRIVATE) is left out.
set -eu

root=$1
cat <<'END'
# What glibc 2.31 (Debian 11) exports on x86-64, made by symbols.sh. A line with GLIBC names a library and a version;
# names follow. A variable has its size behind it (environ:8), or the name of another at the same place (environ=__environ).
END
for library in libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1; do
  objdump -T "$root/lib/x86_64-linux-gnu/$library" | LC_ALL=C sort | LC_ALL=C awk '
    NF < 5 || /\*ABS\*|\*UND\*|GLIBC_PRIVATE|\.tbss|\.tdata/ { next }
    $(NF - 1) ~ /^GLIBC_/ {
      name = $NF
      # The flags have fixed places; the kind of a symbol is the last of them.
      if (substr($0, 24, 1) == "O") {
        if ($1 in first) name = name "=" first[$1]
        else {
          first[$1] = name
          name = name ":" sprintf("%d", hexadecimal($(NF - 2)))
        }
      }
      print $(NF - 1), name
    }
    function hexadecimal(text,   value, i) {
      for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
      return value
    }' | LC_ALL=C sort -u | awk -v library="$library" '
    function end_line() { if (line != "") print "  " line; line = "" }
    $1 != version { end_line(); version = $1; print library, version }
    {
      if (length(line) + length($2) > 115) end_line()
      line = line == "" ? $2 : line " " $2
    }
    END { end_line() }'
done
