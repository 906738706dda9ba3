#!/bin/sh
# sanitize.sh SCRATCH: netconv's C alone, compiled by clang with each sanitizer and run over small cases. CLANG names the
# compiler, by default the one of Swift's toolchain; the system's libraries are as they are.
set -eu

scratch=$1
cd "$(dirname "$0")/../.."
swift=$(command -v "${SWIFT:-swift}" || true)
clang=${CLANG:-$([ -n "$swift" ] && [ -x "$(dirname "$(readlink -f "$swift")")/clang" ] \
  && echo "$(dirname "$(readlink -f "$swift")")/clang" || echo clang)}
mkdir -p "$scratch"
# The thread sanitizer of Swift's clang speaks of libdispatch, which lies beside it.
libraries=$(dirname "$clang")/../lib/swift/linux
for sanitizer in ${SANITIZERS:-address,undefined thread}; do
  program=$scratch/c-$sanitizer
  dispatch=
  if [ "$sanitizer" = thread ] && [ -e "$libraries/libdispatch.so" ]; then
    dispatch="-L$libraries -Wl,-rpath,$libraries -Wl,--no-as-needed -ldispatch -lBlocksRuntime"
  fi
  # Kernels are as fast as they are elsewhere: what is vectorised reads as far.
  # shellcheck disable=SC2046,SC2086
  "$clang" -g -O2 -std=gnu11 -Wall -Wextra -fsanitize=$sanitizer -fno-sanitize-recover=all \
    $(for module in CKernels CChecksums CPictures CHDF5 CHDF5Window; do echo "-ISources/$module/include"; done) \
    Tools/sanitize/*.c Sources/CKernels/*.c Sources/CChecksums/*.c Sources/CPictures/*.c Sources/CHDF5/*.c \
    Sources/CHDF5Window/*.c -o "$program" -fuse-ld=lld -lpng -ljpeg -lm -ldl -lpthread $dispatch
  "$program" Tests/Fixtures
  echo "C with -fsanitize=$sanitizer: nothing found"
done
