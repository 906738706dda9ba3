#!/bin/sh
# Installs libhdf5, zlib, libcrypto, libpng, libjpeg and pkg-config for development, unless they are there.
set -eu

# What is not there, one line each.
missing() {
  command -v pkg-config >/dev/null 2>&1 || {
    echo "pkg-config"
    return
  }
  # The zlib of macOS is part of its SDK, without a .pc file; SHA-256 is CryptoKit's there.
  case "$(uname)" in
    Darwin) needed="hdf5 libpng libjpeg" ;;
    *) needed="hdf5 zlib libcrypto libpng libjpeg" ;;
  esac
  for library in $needed; do
    pkg-config --exists "$library" || echo "$library for development (PKG_CONFIG_PATH says where to look)"
  done
  [ "$(uname)" = Darwin ] && return
  for archive in libcrypto libpng16 libjpeg; do
    has_static "$archive" || echo "$archive.a (LIBRARY_PATH says where to look)"
  done
}

# What is linked statically: headers can be there without the library, and come in packages of their own.
has_static() {
  for folder in "$(pkg-config --variable=libdir "$1" 2>/dev/null)" $(echo "${LIBRARY_PATH:-}" | tr : ' '); do
    [ -e "$folder/$1.a" ] && return 0
  done
  return 1
}

[ -z "$(missing)" ] && exit 0

# On Linux the system's own packages come first: Homebrew's lie where the compiler does not look.
if [ "$(uname)" != Darwin ] && command -v apt-get >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
  else
    echo "netconv needs libhdf5-dev, zlib1g-dev, libssl-dev, libpng-dev, libjpeg-dev and pkg-config: ask an administrator to run" \
      "'apt-get install libhdf5-dev zlib1g-dev libssl-dev libpng-dev libjpeg-dev pkg-config'" >&2
    exit 1
  fi
  echo "installing libhdf5-dev, zlib1g-dev, libssl-dev, libpng-dev, libjpeg-dev and pkg-config"
  $as_root apt-get update -q >/dev/null
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
    libhdf5-dev zlib1g-dev libssl-dev libpng-dev libjpeg-dev pkg-config >/dev/null
elif command -v brew >/dev/null 2>&1; then
  brew install hdf5 libpng jpeg-turbo pkg-config
else
  cat >&2 <<END
netconv cannot be built: this is missing:
$(missing | sed 's/^/  /')
Install it with this system's package manager; the packages are called like
  dnf     hdf5-devel zlib-devel openssl-devel libpng-devel libjpeg-turbo-devel pkgconf-pkg-config
  zypper  hdf5-devel zlib-devel libopenssl-devel libpng16-devel libjpeg8-devel pkgconf
  pacman  hdf5 zlib openssl libpng libjpeg-turbo pkgconf
  apk     hdf5-dev zlib-dev openssl-dev openssl-libs-static libpng-dev libpng-static libjpeg-turbo-dev libjpeg-turbo-static pkgconf
Where no package has libcrypto.a, build OpenSSL: './Configure no-shared && make build_libs' leaves one, and LIBRARY_PATH
names its folder. The same goes for libpng16.a and libjpeg.a (libjpeg-turbo).
END
  exit 1
fi

if [ -n "$(missing)" ]; then
  echo "still missing:" >&2
  missing | sed 's/^/  /' >&2
  exit 1
fi
