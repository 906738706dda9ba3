#!/bin/sh
# Runs the steps of the Containerfile in a root that debootstrap makes, and tries what comes out. Needs root.
#
# Usage: container.sh PACKAGES
#
# COPY, RUN, WORKDIR, USER and ENTRYPOINT are known, each on one line, and only what the Containerfile says is done.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
systems=${SYSTEMS:-$HOME/.cache/netconv/systems}
cd "$root"
base=$(sed -n 's/^FROM debian:\([a-z]*\)-slim$/\1/p' Containerfile)
[ -e "$systems/$base/made" ] || {
  mkdir -p "$systems"
  rm -rf "${systems:?}/$base"
  debootstrap --variant=minbase "$base" "$systems/$base" >"$systems/$base.log"
  touch "$systems/$base/made"
}
work=$(mktemp -d "${TMPDIR:-/tmp}/netconv-container-XXXXXX")
trap 'rm -rf "$work"' EXIT
cp -a "$systems/$base" "$work/root"
folder=/
user=root
# What an engine of containers does: a command inside, with /proc, as the user and in the folder.
inside() {
  unshare --mount sh -c 'mount -t proc proc "$1/proc" && shift && exec "$@"' sh "$work/root" \
    chroot --userspec="$user" "$work/root" /usr/bin/env -C "$folder" "$@"
}
entry=
while read -r step words; do
  case "$step" in
    '' | \#* | FROM) ;;
    COPY)
      set -- $words
      for last; do :; done
      case "$last" in */) mkdir -p "$work/root$last" ;; esac
      while [ $# -gt 1 ]; do
        cp "$1" "$work/root$last"
        shift
      done
      ;;
    RUN) inside /bin/sh -c "$words" ;;
    WORKDIR)
      folder=$words
      mkdir -p "$work/root$folder"
      ;;
    USER) user=$words ;;
    ENTRYPOINT) entry=$(echo "$words" | tr -d '[]"') ;;
    *)
      echo "container.sh: the step $step is not known" >&2
      exit 1
      ;;
  esac
done <Containerfile
cp -r Samples/lenet-blobs "$work/root$folder/"
chmod 777 "$work/root$folder"
inside "$entry" convert lenet-blobs out --quiet
inside "$entry" verify out --limit 500 --min-accuracy 0.9 --quiet
echo "the steps of the Containerfile, and convert and verify as $user: done"
