#!/bin/sh
# Makes libraries to link against that offer what glibc 2.31 offers, whatever glibc this system has.
#
# Usage: stubs.sh FOLDER
#
# A program that is linked with -L FOLDER runs with glibc 2.31 and everything newer: a symbol gets the version that it
# had then, and what came later is not found. The libraries have names and versions, and no code. What compilers of
# newer systems ask for all the same is in older.c.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
: "${CC:=clang}" "${AR:=ar}"
mkdir -p "$folder"

for library in $(awk '!/^#/ && $2 ~ /^GLIBC/ { print $1 }' "$here/glibc-2.31.symbols" | uniq); do
  awk -v wanted="$library" -v assembly="$folder/$library.s" -v script="$folder/$library.map" '
    /^#/ { next }
    $2 ~ /^GLIBC/ {
      if (open) printf "};\n" >script
      open = $1 == wanted
      if (open) printf "%s { global:\n", $2 >script
      next
    }
    open {
      for (i = 1; i <= NF; i++) {
        kind = "@function"
        if (split($i, alias, "=") == 2) {
          name = alias[1]
          aliases = aliases sprintf(".globl %s\n.type %s, @object\n.set %s, %s\n.size %s, .-%s\n", \
            name, name, name, alias[2], name, alias[2])
          sizes[name] = alias[2]
        } else if (split($i, variable, ":") == 2) {
          name = variable[1]
          size[name] = variable[2]
          variables = variables sprintf(".balign 32\n.globl %s\n.type %s, @object\n.size %s, %d\n%s: .skip %d\n", \
            name, name, name, variable[2], name, variable[2])
        } else {
          name = $i
          functions = functions sprintf(".globl %s\n.type %s, @function\n%s: .byte 0\n", name, name, name)
        }
        printf "  %s;\n", name >script
      }
    }
    END {
      if (open) printf "};\n" >script
      for (name in sizes) aliases = aliases sprintf(".size %s, %d\n", name, size[sizes[name]])
      printf ".text\n%s.data\n%s%s", functions, variables, aliases >assembly
    }' "$here/glibc-2.31.symbols"
  "$CC" -c "$folder/$library.s" -o "$folder/$library.o"
  "$CC" -shared -nostdlib -fuse-ld=lld -Wl,-soname,"$library" -Wl,--version-script="$folder/$library.map" \
    "$folder/$library.o" -o "$folder/$library"
  rm "$folder/$library.s" "$folder/$library.o" "$folder/$library.map"
  [ "$library" = libc.so.6 ] || ln -sf "$library" "$folder/${library%.so.*}.so"
done

"$CC" -O2 -fPIC -Wall -Wextra -Werror -fno-builtin -c "$here/older.c" -o "$folder/older.o"
rm -f "$folder/libolder.a"
"$AR" rcsD "$folder/libolder.a" "$folder/older.o"
ln -sf "$("$CC" -print-file-name=libc_nonshared.a)" "$folder/libc_nonshared.a"
# The interpreter has the address of the TLS of a library; of this program nothing asks for it.
echo 'GROUP ( libolder.a libc.so.6 libc_nonshared.a )' >"$folder/libc.so"
