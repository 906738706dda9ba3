#!/bin/sh
# Builds a package for the Debian that this is, and lets lintian check it.
#
# Usage: deb.sh SCRATCH FOLDER
#
# Its program has Swift's runtime inside, which Debian does not package, and uses Debian's other libraries. libhdf5 is
# loaded with the first HDF5 file, so nothing in the program names it, and the dependency is added here.
set -eu

scratch=$1
folder=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/Tools/packaging
cd "$root"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
# A revision of Debian's would not be ours to give.
version=$("$here/version.sh")
maintainer=${MAINTAINER:-netconv maintainers <netconv@users.noreply.github.com>}
# Times in the archive are those of the last commit, so that two builds give the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
: "${SWIFT:=swift}"
export SWIFT LIBRARIES=shared
"$here/static.sh" netconv "$scratch"

work=$(mktemp -d "${TMPDIR:-/tmp}/netconv-deb-XXXXXX")
trap 'rm -rf "$work"' EXIT
package=$work/netconv
"$here/install.sh" install "$scratch" "$package" /usr
cd "$package/usr/share"
rm -r netconv/files
# Where Debian has them.
mkdir -p zsh/vendor-completions
mv zsh/site-functions/_netconv zsh/vendor-completions/
rmdir zsh/site-functions
gzip -9n man/man1/*.1
# Shells that source it need no first line.
sed -i '1{/^#!/d}' bash-completion/completions/netconv
printf 'netconv (%s) unstable; urgency=medium\n\n  * What has changed is in CHANGELOG.md.\n\n -- %s  %s\n' \
  "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >doc/netconv/changelog
gzip -9n doc/netconv/changelog
rm doc/netconv/LICENSE
"$here/debian/copyright.sh" >doc/netconv/copyright
find "$package" -type d -exec chmod 755 {} +

# What the program links, by dpkg's own lists; libhdf5 by the name that the program asks for.
mkdir -p "$work/debian" "$package/DEBIAN"
printf 'Source: netconv\n\nPackage: netconv\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$package/usr/bin/netconv" | sed -n 's/^shlibs:Depends=//p')
hdf5=$(dpkg -S "$(readlink -f /usr/lib/*/libhdf5_serial.so)" | sed 's/:.*//')
cat >"$package/DEBIAN/control" <<END
Package: netconv
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Section: science
Priority: optional
Installed-Size: $(du -ks "$package/usr" | cut -f1)
Depends: $depends, $hdf5
Description: converts trained networks for the code that runs them
 netconv reads networks of Keras, TensorFlow, PyTorch and others, writes their
 weights in the layout that a target expects, and verifies the result: it runs
 the written files on samples, and compares every layer with the source.
END
(cd "$package" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$package/DEBIAN/md5sums"

deb=$folder/netconv_${version}_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group --build "$package" "$deb"
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error,warning "$deb"; else echo "without lintian"; fi
