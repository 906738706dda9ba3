#!/bin/sh
# Installs Debian's Chromium, unless there is one; CHROMIUM may name another.
set -eu

has_chromium() {
  [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1
}

has_chromium && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "pages are looked at in Chromium, which is not there: install it, or name it in CHROMIUM" >&2
  exit 1
fi
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1; then
  as_root="sudo"
else
  echo "pages are looked at in Chromium: ask an administrator to run 'apt-get install chromium'" >&2
  exit 1
fi
echo "installing chromium"
$as_root apt-get update -q >/dev/null
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium >/dev/null
has_chromium || {
  echo "chromium was installed, and is not in PATH" >&2
  exit 1
}
