#!/usr/bin/env python3
"""Says how large netconv is and what is in it, beside a program with nothing but the same libraries.

Usage: size.py BUILD

BUILD is the scratch folder of `make static`, with the maps that lld wrote of `netconv` and of `Libraries`. Sizes are
those of stripped files, in bytes; MB are millions of them. Exits with 1 over the limit.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

LIMIT = 31_500_000

# A line of lld's map: address, load address, size, alignment, and either a section or a part of one from a file.
LINE = re.compile(r"^ *[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) +\d+ (\S.*| {8}\S.*)$")
PART = re.compile(r"^ {8}(.+):\((\.?[^()]*)\)$")
NOT_LOADED = (".bss", ".tbss", ".symtab", ".strtab", ".shstrtab", ".comment", ".debug")

# What is linked, by the name of a module or of an archive; the first that matches counts.
GROUPS = [
    ("MNIST test set", r"CMNIST"),
    ("argument parser", r"ArgumentParser.*"),
    ("SHA-256", r"libcrypto|CSHA256|Digests"),
    ("PNG and JPEG", r"libpng16|libjpeg|CPictures|Pictures"),
    ("HDF5", r"libhdf5|libsz|libaec"),
    ("zlib", r"libz"),
    ("C++ and compiler support", r"libstdc\+\+|libgcc|libgcc_eh|libolder|libc_nonshared"),
    ("Foundation", r"lib_?Foundation.*"),
    ("regular expressions", r"libswift_RegexParser|libswift_StringProcessing"),
    ("Swift's runtime", r"lib.*|swiftrt"),
    ("the linker's tables", r"<internal>"),
    ("the C library's start", r"crt.*|Scrt.*"),
]


def module(path: str) -> str:
    """`Readers` for `…/Readers.build/Reader.swift.o`, `libswiftCore` for `…/libswiftCore.a(Swift.o)`."""
    build = re.search(r"/([^/]+)\.build/", path)
    if build:
        return build.group(1)
    archive = re.search(r"([^/]+)\.a\(", path) or re.search(r"([^/]+)\.a$", path)
    return archive.group(1) if archive else Path(path).stem


def contents(map_file: Path) -> Counter:
    """The bytes of a program by module."""
    sizes: Counter = Counter()
    section, rest = None, 0
    for line in map_file.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if not match:
            continue
        size, what = int(match.group(1), 16), match.group(2)
        part = PART.match(what)
        if not what.startswith(" "):
            sizes["<internal>"] += rest
            section, rest = what, 0 if what.startswith(NOT_LOADED) else size
        elif part and not section.startswith(NOT_LOADED):
            size = min(size, rest)
            sizes[module(part.group(1))] += size
            rest -= size
    sizes["<internal>"] += rest
    return sizes


def stripped_size(program: Path) -> int:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / program.name
        subprocess.run(["strip", "-o", copy, program], check=True)
        return copy.stat().st_size


def group(name: str) -> str | None:
    """The group of a module that is not netconv's own."""
    return next((title for title, pattern in GROUPS if re.fullmatch(pattern, name)), None)


def grouped(sizes: Counter) -> Counter:
    result: Counter = Counter()
    for name, size in sizes.items():
        result[group(name) or "netconv: " + name] += size
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    build = parser.parse_args().build
    names = ("netconv", "Libraries")
    whole, libraries = (stripped_size(build / "release" / name) for name in names)
    parts, others = (grouped(contents(build / f"{name}.map")) for name in names)

    print(f"{'':24}{'netconv':>12}{'libraries':>12}{'above':>12}")
    for name in sorted(parts, key=lambda name: (name.startswith("netconv: "), -parts[name])):
        print(f"{name:24}{parts[name]:12,}{others[name]:12,}{parts[name] - others[name]:12,}")
    print(f"{'stripped file':24}{whole:12,}{libraries:12,}{whole - libraries:12,}")
    if whole > LIMIT:
        print(f"netconv has {whole:,} bytes, the limit is {LIMIT:,}", file=sys.stderr)
    return 1 if whole > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
