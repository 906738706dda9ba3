#!/usr/bin/env python3
"""Writes every architecture of keras.applications as a package for Apple's GPUs, and says what stops the others.

Usage: emission.py NETCONV_BINARY [--page FILE [--write]] [--standins FOLDER] [--scratch FOLDER] [NAME ...]

Architectures get random weights; where sizes are open, images are 224 pixels high and wide. With --page the table of
the results is compared with the one on that page, or written there.

With --standins, the folder of the stand-ins' products, TEN below are also built as packages for small images, over the
stand-ins, and their self-tests run. For each, and for those of LARGEST, the CPU seconds of `swiftc -O -wmo` for the
network's module are printed; it may take 30. An architecture of TEN that EXPECTED does not except has to be written.

The exit status is 1 if any of this fails. Needs the packages of requirements.txt.
"""
import argparse
import gc
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras  # noqa: E402
import numpy as np  # noqa: E402

from applications import architectures, calibrate, images, randomize  # noqa: E402

LANGUAGES = ("mpscnn", "mpsgraph")
TEN = ("MobileNet", "MobileNetV3Small", "EfficientNetB0", "EfficientNetV2B0", "InceptionResNetV2", "NASNetMobile",
       "ConvNeXtTiny", "DenseNet121", "Xception", "ResNet50V2")
# Which of TEN may be refused.
EXPECTED = {("ConvNeXtTiny", "mpscnn")}
# Images that are small and large enough for each.
SMALL = {"InceptionResNetV2": 75, "Xception": 71}
MOST_SECONDS = 30
# Which are compiled besides, as they are written for the table: those with the most layers.
LARGEST = ("NASNetLarge",)
BEGIN, END = "<!-- written by Tools/applications/emission.py -->\n", "<!-- end of what is written -->\n"


def build(name: str, **options) -> keras.Model:
    keras.backend.clear_session()
    make = getattr(keras.applications, name)
    model = make(weights=None, **options)
    if None in model.input_shape[1:]:
        keras.backend.clear_session()
        model = make(weights=None, input_shape=(224, 224, 3), **options)
    return model


def reasons(errors: str) -> str:
    """What stops a network, a class of layers each, from what netconv prints."""
    found: dict[str, int] = {}
    for line in errors.splitlines():
        if match := re.match(r"\s+layer .* \(\d+ of \d+, (\w+)\): (.*)", line):
            text = f"{match[1]}: {match[2]}"
            found[text] = found.get(text, 0) + 1
    if not found:
        return errors.strip().splitlines()[-1]
    return "; ".join(text + (f" ({count} layers)" if count > 1 else "") for text, count in found.items())


def emitted(binary: str, name: str, language: str, scratch: Path) -> str | None:
    """Why the code of an architecture cannot be written; None if it can."""
    options = scratch / f"{language}.json"
    options.write_text(json.dumps({"language": language, "name": name, "fold": True}))
    result = subprocess.run(
        [binary, "embed", scratch / f"{name}.h5", "--options", options, "--quiet",
         "--archive", scratch / "network.netpack", "--code", scratch / "network.swift"],
        capture_output=True, text=True)
    if result.returncode == 0:
        return None
    return reasons(result.stderr)


def seconds(command: list, **options) -> tuple[float, subprocess.CompletedProcess]:
    """The CPU time of a program, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result


def compilation(
    name: str, files: list, standins: Path, scratch: Path
) -> tuple[float, subprocess.CompletedProcess]:
    """The CPU time of the compiler for the module of a network, and what it printed."""
    return seconds(
        ["swiftc", "-swift-version", "5", "-O", "-wmo", "-parse-as-library", "-module-name", name,
         "-I", standins / "Modules", "-c", "-o", scratch / "network.o", scratch / "bundle.swift", *files])


def check_largest(name: str, language: str, standins: Path, scratch: Path) -> int:
    """1 if the code that was written last takes the compiler too long."""
    time, compiled = compilation(name, [scratch / "network.swift"], standins, scratch)
    print(f"  {name:18} {language:9} swiftc {time:5.1f} s", flush=True)
    if compiled.returncode != 0 or time > MOST_SECONDS:
        print(f"FAILED {name} in {language}: the compiler needs {time:.0f} s {compiled.stderr[-2000:]}", flush=True)
        return 1
    return 0


def run(binary: str, name: str, language: str, standins: Path, scratch: Path) -> str | None:
    """What is wrong with the package of an architecture; None if its self-test passes."""
    folder = scratch / "package"
    shutil.rmtree(folder, ignore_errors=True)
    written = subprocess.run(
        [binary, "emit", scratch / f"{name}.small.h5", "--language", language, "--name", name,
         "--output", folder, "--quiet"], capture_output=True, text=True)
    if written.returncode != 0:
        return reasons(written.stderr)
    time, compiled = compilation(name, sorted((folder / "Sources" / name).glob("*.swift")), standins, scratch)
    if compiled.returncode != 0:
        return compiled.stderr[-2000:]
    built = subprocess.run(
        ["swift", "build", "-c", "release", "-Xswiftc", f"-I{standins}/Modules", "-Xlinker", f"-L{standins}",
         "-Xlinker", f"-rpath={standins}"], cwd=folder, capture_output=True, text=True)
    if built.returncode != 0 or "warning:" in built.stdout + built.stderr:
        return (built.stdout + built.stderr)[-2000:]
    test = subprocess.run([folder / f".build/release/{name}SelfTest"], capture_output=True, text=True)
    print(f"  {name:18} {language:9} swiftc {time:5.1f} s   {test.stdout.strip().splitlines()[-1:]}", flush=True)
    if test.returncode != 0:
        return (test.stdout + test.stderr)[-2000:]
    return f"the compiler needs {time:.0f} s" if time > MOST_SECONDS else None


def check_packages(binary: str, names: list[str], standins: Path, scratch: Path) -> int:
    """How many packages of TEN are wrong."""
    failed = 0
    for name in (name for name in TEN if name in names):
        rng = np.random.default_rng(0)
        size = SMALL.get(name, 64)
        model = build(name, input_shape=(size, size, 3), classes=10)
        randomize(model, rng)
        calibrate(model, images(4, (size, size, 3), rng))
        model.save(scratch / f"{name}.small.h5")
        del model
        gc.collect()
        for language in LANGUAGES:
            problem = run(binary, name, language, standins, scratch)
            if problem and (name, language) not in EXPECTED:
                failed += 1
                print(f"FAILED {name} in {language}: {problem}", flush=True)
        (scratch / f"{name}.small.h5").unlink()
    return failed


def table(binary: str, names: list[str], standins: Path | None, scratch: Path) -> tuple[str, int]:
    """The rows, and how many of LARGEST take too long to compile."""
    failed = 0
    rows = ["| architecture | " + " | ".join(f"`{language}`" for language in LANGUAGES) + " |", "|---|---|---|"]
    for name in names:
        model = build(name)
        model.save(scratch / f"{name}.h5")
        del model
        gc.collect()
        cells = []
        for language in LANGUAGES:
            problem = emitted(binary, name, language, scratch)
            cells.append(problem or "yes")
            if standins and name in LARGEST and not problem:
                failed += check_largest(name, language, standins, scratch)
        (scratch / f"{name}.h5").unlink()
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
        print(rows[-1], flush=True)
    return "\n".join(rows) + "\n", failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", help="the program")
    parser.add_argument("names", nargs="*", help="architectures; all without any")
    parser.add_argument("--page", type=Path, help="the page with the table")
    parser.add_argument("--write", action="store_true", help="write the table")
    parser.add_argument("--standins", type=Path, help="the products of the stand-ins, to run packages")
    parser.add_argument("--scratch", type=Path, default=Path("applications"), help="for checkpoints and packages")
    options = parser.parse_intermixed_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    names = options.names or architectures()
    (options.scratch / "bundle.swift").write_text(
        "import Foundation\nextension Bundle { static var module: Bundle { .main } }\n")
    standins = options.standins and options.standins.resolve()
    failed = 0
    if options.page:
        rows, failed = table(options.netconv, names, standins, options.scratch)
        page = options.page.read_text()
        before, rest = page.split(BEGIN)
        old, after = rest.split(END)
        if options.write:
            options.page.write_text(before + BEGIN + "\n" + rows + "\n" + END + after)
        elif old.strip() != rows.strip():
            failed += 1
            print(f"{options.page} has another table; --write changes it")
    if standins:
        failed += check_packages(options.netconv, names, standins, options.scratch)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
