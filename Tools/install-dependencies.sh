#!/bin/sh
# Installs libhdf5, zlib, libcrypto and pkg-config for development, unless they are there.
set -eu

is_there() {
  # The zlib of macOS is part of its SDK, without a .pc file.
  case "$(uname)" in
    Darwin) needed="hdf5" ;;
    *) needed="hdf5 zlib libcrypto" ;;
  esac
  command -v pkg-config >/dev/null 2>&1 && pkg-config --exists $needed
}

is_there && exit 0

# On Linux the system's own packages come first: Homebrew's lie where the compiler does not look.
if [ "$(uname)" != Darwin ] && command -v apt-get >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
  else
    echo "netconv needs libhdf5-dev, zlib1g-dev, libssl-dev and pkg-config: ask an administrator to run" \
      "'apt-get install libhdf5-dev zlib1g-dev libssl-dev pkg-config'" >&2
    exit 1
  fi
  echo "installing libhdf5-dev, zlib1g-dev, libssl-dev and pkg-config"
  $as_root apt-get update -q >/dev/null
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
    libhdf5-dev zlib1g-dev libssl-dev pkg-config >/dev/null
elif command -v brew >/dev/null 2>&1; then
  brew install hdf5 pkg-config
else
  echo "netconv needs the development files of HDF5, zlib and OpenSSL, and pkg-config: install them with" \
    "this system's package manager" >&2
  exit 1
fi

is_there || {
  echo "pkg-config still does not find $needed; check PKG_CONFIG_PATH" >&2
  exit 1
}
