#!/bin/sh
# Runs the self-tests of networks in C on other processors, by emulation of user programs.
#
# Needs, of Debian: qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross
set -eu
netconv=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags="-std=c99 -O2 -ffp-contract=off -static"

# emulate NAME SOURCE OPTIONS…: writes the network twice, and runs the self-test of each on each processor.
emulate() {
  name=$1 source=$2
  shift 2
  for weights in array file; do
    "$netconv" emit "$source" --language c --name net --output "$folder/$name-$weights" --weights $weights --quiet "$@"
    for machine in aarch64 s390x; do
      (
        cd "$folder/$name-$weights"
        "$machine-linux-gnu-gcc" $flags net_selftest.c -o selftest -lm
        printf '%s, weights as %s, on %s: ' "$name" $weights $machine
        if [ "$machine-$weights" = s390x-file ]; then
          # The file has the other byte order, which has to be an error and not other numbers.
          if "qemu-$machine" ./selftest >output 2>&1; then cat output; exit 1; fi
          grep -q 'error 5' output
          echo 'the byte order is refused'
        else
          "qemu-$machine" ./selftest
        fi
      )
    done
  done
}

emulate lenet "$root/Samples/lenet-blobs"
emulate deep-mnist "$root/Samples/deep-mnist/deep-mnist.h5" --goldens 1
emulate lstm "$root/Tests/Fixtures/audio/rtneural-lstm.keras" --length 9
