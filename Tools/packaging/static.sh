#!/bin/sh
# Builds one program with all libraries inside but the C library.
#
# Usage: static.sh PRODUCT SCRATCH
#
# SCRATCH is the build folder, which gets PRODUCT.map too: what lld put into the program, for `make size`. SWIFT is the
# compiler. With GLIBC=system the program needs the C library of this system, else glibc 2.31 on x86-64; with LIBRARIES=shared it
# has Swift's runtime inside, and the system's libraries beside it, as a package of a Linux distribution has them.
set -eu

product=$1
scratch=$2
: "${SWIFT:=swift}" "${GLIBC:=}" "${LIBRARIES:=inside}"
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$scratch/tmp"
scratch=$(cd "$scratch" && pwd)

# The compiler chooses registers by where its own memory lies: if it lies at random places, or names of files have
# another length, some functions come out in two ways. So the compiler sees one name of the folders wherever they are,
# and its memory is not at random places. Containers may not allow that; the program is then as good, but not the same
# bytes each time. The folder of that name stays, and is empty.
place=/tmp/netconv-build
if [ "$root" != "$place/source" ]; then
  own_mounts="unshare --mount"
  [ "$(id -u)" = 0 ] || own_mounts="unshare --map-root-user --mount"
  mkdir -m 700 "$place" 2>/dev/null || true
  # Nobody else can put another folder there.
  if [ -O "$place" ] && [ ! -L "$place" ] && mkdir -p "$place/source" "$place/scratch" &&
    $own_mounts mount --bind "$root" "$place/source" 2>/dev/null; then
    export SWIFT GLIBC LIBRARIES
    exec $own_mounts sh -euc '
      mount --bind "$1" "$3/source"
      mount --bind "$2" "$3/scratch"
      TMPDIR=$3/scratch/tmp exec "$3/source/Tools/packaging/static.sh" "$4" "$3/scratch"
    ' sh "$root" "$scratch" "$place" "$product"
  fi
fi
fixed=
if setarch -R true 2>/dev/null; then fixed="setarch -R"; fi
cd "$root"
# What is given to the linker, one word a line.
linker() { for word; do printf -- '-Xlinker\n%s\n' "$word"; done; }

# What is given to the Swift compiler is the same for both, so that changing LIBRARIES links again and compiles nothing.
case "$LIBRARIES" in
  inside)
    # The compiler of Swift's toolchain has lld beside it.
    CC=$(dirname "$(readlink -f "$(command -v "$SWIFT")")")/clang
    export CC NETCONV_INSIDE=1 PKG_CONFIG_PATH="$scratch/link${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    Tools/packaging/link-folder.sh "$scratch/link" $GLIBC
    [ -e "$scratch/link/libc.so" ] || GLIBC=system
    ;;
  shared)
    export NETCONV_SHARED=1
    rm -rf "$scratch/link"
    GLIBC=system
    ;;
  *)
    echo "static.sh: LIBRARIES is inside or shared" >&2
    exit 64
    ;;
esac
set -- -Xswiftc "-L$scratch/link" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
# The identifier of a build is made of its debug information too, which names folders.
[ "$LIBRARIES" = shared ] || set -- "$@" $(linker --build-id=none)

# Addresses that the system has to correct are listed as bits, which glibc reads from 2.36 on.
if [ "$GLIBC" = system ] && printf 'glibc 2.36\n%s\n' "$(getconf GNU_LIBC_VERSION 2>/dev/null)" | sort -VC; then
  set -- "$@" $(linker -z pack-relative-relocs)
fi

# Nothing loads the program as a library, so that nobody looks up its symbols by name: functions that nothing in it calls
# are left out, and equal functions whose addresses nobody compares are stored once. Nothing in it throws C++ exceptions,
# so that nobody unwinds its stack by tables. Paths of this folder are left out, so that another one gives
# the same bytes.
NETCONV_INSTALLED=1 NETCONV_WITHOUT_PLUGIN=1 nice $fixed "$SWIFT" build -c release --product "$product" \
  --static-swift-stdlib --disable-local-rpath --scratch-path "$scratch" -Xswiftc -use-ld=lld "$@" \
  -Xswiftc -Xfrontend -Xswiftc -internalize-at-link -Xswiftc -Xfrontend -Xswiftc -function-sections \
  $(linker --gc-sections --icf=safe) -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=." \
  $(linker --no-export-dynamic -T) -Xlinker "$root/Tools/size/left-out.ld" \
  -Xlinker "-Map=$scratch/$product.map"
