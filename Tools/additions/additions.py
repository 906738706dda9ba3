#!/usr/bin/env python3
"""Adds an operator, an activation and a container to a copy of netconv, compiles it, and tries what they do.

usage: additions.py REPOSITORY

A folder beside this script is an addition that nobody needs: its new files, at their places, and in edits.json the lines
that files of the repository get. AdditionTests compares how many these are with the table in CONTRIBUTING.md.
"""

import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Addition:
    """One of the additions."""

    def __init__(self, folder):
        self.name = folder.name
        self.files = {
            path.relative_to(folder): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name != "edits.json"
        }
        self.edits = json.loads((folder / "edits.json").read_text())

    def apply(self, root):
        """Adds it to the repository in `root`."""
        for place, path in self.files.items():
            target = root / place
            if target.exists():
                raise SystemExit(f"{self.name}: {place} exists already")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        for edit in self.edits:
            path = root / edit["file"]
            text = path.read_text()
            if text.count(edit["behind"]) != 1:
                raise SystemExit(
                    f"{self.name}: {edit['file']} has {edit['behind']!r} {text.count(edit['behind'])} times, expected 1")
            path.write_text(text.replace(edit["behind"], edit["behind"] + edit["add"]))


def copied(root, target):
    """A copy of what git knows of, as it is in the working tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, listed):
        if (root / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target / name)


def run(*command, cwd=None):
    print("+", *command, flush=True)
    return subprocess.run([str(part) for part in command], cwd=cwd, check=True, capture_output=True).stdout


def try_model(netconv, folder):
    """Runs the new operator and the new function, both engines, and compares with their formulas."""
    values = [-2.0, -0.5, 0.0, 0.25, 3.0]
    model = {
        "format": "netconv-model", "version": 1, "name": "additions",
        "inputs": [{"name": "x", "shape": [len(values)]}], "outputs": ["bent"],
        "layers": [
            {"name": "negative", "operator": "Negation", "inputs": ["x"]},
            {"name": "bent", "operator": "Activation", "inputs": ["negative"],
             "attributes": {"function": "bentIdentity"}},
        ],
    }
    source = folder / "model"
    source.mkdir()
    (source / "model.json").write_text(json.dumps(model))
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, %d), }" % len(values)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    (folder / "x.npy").write_bytes(
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        + struct.pack(f"<{len(values)}f", *values))
    for engine in ("fast", "reference"):
        output = folder / f"{engine}.npy"
        run(netconv, "run", source, "--input", folder / "x.npy", "--output", output, "--engine", engine)
        found = struct.unpack(f"<{len(values)}f", output.read_bytes()[-4 * len(values):])
        for x, y in zip(values, found):
            expected = (math.sqrt(x * x + 1) - 1) / 2 - x
            if abs(y - expected) > 1e-6:
                raise SystemExit(f"{engine}: of {x} came {y}, expected {expected}")


def try_container(netconv, root, folder):
    """Converts into the new container, and reads it again."""
    output = folder / "joined"
    run(netconv, "convert", root / "Samples/deep-mnist/deep-mnist.h5", output, "--formats", "joined")
    size = sum(tensor["places"]["joined"]["length"] for tensor in json.loads(
        (output / "manifest.json").read_text())["tensors"])
    if (output / "model.joined").stat().st_size != size:
        raise SystemExit("model.joined has another size than its tensors")
    run(netconv, "verify", output, "--min-accuracy", "0.992")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        copy = scratch / "netconv"
        copied(root, copy)
        for path in sorted(HERE.iterdir()):
            if (path / "edits.json").exists():
                Addition(path).apply(copy)
        run("swift", "build", "-c", "release", "--product", "netconv", cwd=copy)
        netconv = copy / ".build/release/netconv"
        try_model(netconv, scratch)
        try_container(netconv, copy, scratch)
    print("what was added does what it should")


main()
