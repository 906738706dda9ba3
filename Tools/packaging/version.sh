#!/bin/sh
# Prints netconv's version, which is in one place: Sources/NetconvKit/Netconv.swift.
set -eu
sed -n 's/^ *public static let version = "\([0-9.]*\)"$/\1/p' \
  "$(dirname "$0")/../../Sources/NetconvKit/Netconv.swift" | grep .
