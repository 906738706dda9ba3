#!/bin/bash
# Runs the tests that start the program with the installed one, inside systems of Debian 11, 12 and 13.
#
# Usage: SWIFT_TEST=COMMAND systems.sh PROGRAM [NAME...]
#
# debootstrap makes the systems, which needs root, into $SYSTEMS (by default ~/.cache/netconv/systems); they have nothing
# but what every Debian has. The tests run here, and start the program through chroot: the system has /tmp and this
# repository in the same places. Tests that put the program behind a mount, a preloaded library or a tracer of their own,
# which end at chroot, leave themselves out.
set -euo pipefail

program=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- bullseye bookworm trixie
root=$(cd "$(dirname "$0")/../.." && pwd)
systems=${SYSTEMS:-$HOME/.cache/netconv/systems}
: "${SWIFT_TEST:?is the command that tests, as make systems has it}" "${FILTER:=NetconvCLITests|HDF5ProcessTests|PictureProcessTests}"

newest=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort -uV | sed -n '$s/GLIBC_//p')
if [ "$(printf '%s\n2.31\n' "$newest" | sort -V | tail -1)" != 2.31 ]; then
  echo "$program asks for glibc $newest" >&2
  exit 1
fi
echo "$program asks for glibc $newest"
objdump -p "$program" | grep -E 'R(UN)?PATH' && { echo "$program has a RUNPATH" >&2; exit 1; }

for name; do
  system=$systems/$name
  [ -e "$system/made" ] || {
    mkdir -p "$systems"
    rm -rf "$system"
    debootstrap --variant=minbase "$name" "$system" >"$systems/$name.log"
    touch "$system/made"
  }
  # What is mounted goes with the namespace.
  unshare --mount bash -euo pipefail -s "$system" "$root" "$program" "$name" "$SWIFT_TEST" "$FILTER" <<'END'
system=$1 root=$2 program=$3 name=$4 test=$5 filter=$6
mount --make-rprivate /
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
for folder in /tmp "$root"; do
  mkdir -p "$system$folder"
  mount --bind "$folder" "$system$folder"
done
install -m 755 "$program" "$system/usr/bin/netconv"
wrapper=$root/.build-dev/netconv-in-$name
printf '#!/bin/sh\nexec /usr/sbin/chroot %s /usr/bin/env -C "$PWD" /usr/bin/netconv "$@"\n' "$system" >"$wrapper"
chmod 755 "$wrapper"
echo "$name: $(cat "$system/etc/debian_version"), $(chroot "$system" ldd --version | head -1)"
cd "$root"
# A command of words that a shell splits.
# shellcheck disable=SC2086
NETCONV_PROGRAM=$wrapper env $test --skip-build --filter "$filter"
END
done
