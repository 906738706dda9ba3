#!/bin/sh
# Prints the copyright file of the Debian package.
set -eu
: "${SWIFT:=swift}"
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "$SWIFT")")")")
cat <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: netconv

Files: *
Copyright: Copyright 2026 the authors of netconv
License: Apache-2.0

Files: usr/bin/netconv
Copyright: Copyright 2026 the authors of netconv; Copyright 2014 Apple Inc. and the Swift project authors
License: Apache-2.0 and Apache-2.0 with Runtime Library Exception
Comment: Swift's runtime and standard library, libdispatch, Foundation and
 swift-argument-parser are inside the program.

License: Apache-2.0
 On Debian systems, the full text of the Apache License version 2.0 is in
 /usr/share/common-licenses/Apache-2.0.

License: Apache-2.0 and Apache-2.0 with Runtime Library Exception
 On Debian systems, the full text of the Apache License version 2.0 is in
 /usr/share/common-licenses/Apache-2.0. The exception is this:
END
# What the toolchain's licence says at its end.
sed -n '/^## Runtime Library Exception/,$p' "$toolchain/share/swift/LICENSE.txt" | sed -e 's/^ *$/./' -e 's/^/ /'
