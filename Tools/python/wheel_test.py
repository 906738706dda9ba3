#!/usr/bin/env python3
"""Checks a wheel of netconv.

Usage: wheel_test.py WHEEL REPOSITORY

Runs in an environment with what requirements.txt lists. A clean environment gets the wheel alone, from the file: how long
that takes until a first accuracy is printed. Then the module is tried here, against the program's own output and numpy.
"""
import argparse
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import warnings
import zipfile
from pathlib import Path

# From the wheel's file to the first accuracy.
SECONDS = 10


class Checks:
    def __init__(self) -> None:
        self.failed = 0
        self.count = 0

    def check(self, what: str, holds: bool, found: object = "") -> None:
        self.count += 1
        if not holds:
            self.failed += 1
            print(f"FAILED: {what}: {found}")


def tools(checks: Checks, wheel: Path) -> None:
    """What twine and auditwheel say, and mypy of the types."""
    python = [sys.executable, "-m"]
    result = subprocess.run([*python, "twine", "check", "--strict", wheel], capture_output=True, text=True)
    checks.check("twine check passes", result.returncode == 0, result.stdout + result.stderr)
    result = subprocess.run([*python, "auditwheel", "show", wheel], capture_output=True, text=True)
    said = " ".join((result.stdout + result.stderr).split())
    print(said)
    tag = wheel.stem.split("-")[-1]
    checks.check(f"auditwheel agrees with {tag}", result.returncode == 0 and f'"{tag}"' in said, said)


def first_accuracy(checks: Checks, wheel: Path, sample: Path, scratch: Path) -> None:
    begin = time.monotonic()
    venv.create(scratch / "clean", with_pip=True)
    made = time.monotonic() - begin
    binaries = scratch / "clean/bin"
    begin = time.monotonic()
    subprocess.run([binaries / "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel], check=True)
    installed = time.monotonic() - begin
    result = subprocess.run(
        [binaries / "python", "-c",
         f"import netconv; netconv.convert({str(sample)!r}, {str(scratch / 'first')!r});"
         f"print(netconv.verify({str(scratch / 'first')!r}, min_accuracy=0.99).accuracy)"],
        capture_output=True, text=True)
    seconds = time.monotonic() - begin
    print(f"an environment in {made:.1f} s; from the wheel to the first accuracy {seconds:.1f} s, of which pip {installed:.1f} s")
    checks.check("the first accuracy", result.stdout.strip() == "0.9953", result.stdout + result.stderr)
    checks.check(f"the first accuracy within {SECONDS} s", seconds < SECONDS, f"{seconds:.1f} s")
    # The program by itself, and what load says without numpy.
    version = subprocess.run([binaries / "netconv", "--version"], capture_output=True, text=True).stdout.strip()
    checks.check("the program has the version of the wheel", f"-{version}-" in wheel.name, version)
    result = subprocess.run(
        [binaries / "python", "-c", f"import netconv; netconv.load({str(scratch / 'first')!r})"], capture_output=True, text=True)
    checks.check("without numpy, load says so", "netconv.load needs numpy; pip install numpy" in result.stderr, result.stderr)
    result = subprocess.run(
        [binaries / "pip", "uninstall", "--yes", "--quiet", "netconv"], capture_output=True, text=True)
    checks.check("pip takes away all of it",
                 not (binaries / "netconv").exists() and not list((scratch / "clean").glob("lib/*/site-packages/netconv*")),
                 result.stderr)


def verbs(checks: Checks, repository: Path, scratch: Path) -> None:
    import netconv
    from netconv import _program

    sample = repository / "Samples/lenet-blobs"
    report = netconv.convert(sample, scratch / "out", target="mps")
    checks.check("convert gives its tensors", [each.name for each in report.tensors][:2] == ["conv1_W", "conv1_b"], report)
    checks.check("convert gives shapes", report.tensors[0].shape == (8, 5, 3, 1) and report.tensors[0].layout == "OHWI", report)
    checks.check("convert gives its containers", [each.format for each in report.containers] == ["bin", "archive"], report)
    inspection = netconv.inspect(scratch / "out")
    checks.check("inspect gives layers", inspection.layers[0].operator == "Convolution2D" and inspection.has_graph, inspection)
    verification = netconv.verify(scratch / "out", limit=300)
    own = json.loads(subprocess.run(
        [_program.program(), "verify", scratch / "out", "--limit", "300", "--json"], capture_output=True).stdout)
    checks.check("verify gives the program's accuracy",
                 (verification.accuracy, verification.correct, verification.count) == (own["accuracy"], own["correct"], 300), own)

    def error(what: str, code: int, words: str, call) -> netconv.NetconvError | None:
        try:
            call()
        except netconv.NetconvError as raised:
            checks.check(f"{what}: exit code {code}", raised.exit_code == code, raised.exit_code)
            checks.check(f"{what}: '{words}'", words in raised.message and "netconv: error" not in raised.message, raised.message)
            copied = pickle.loads(pickle.dumps(raised))
            checks.check(f"{what}: a copy is the same", (copied.message, copied.exit_code) == (raised.message, code), copied)
            return raised
        checks.check(f"{what} raises NetconvError", False)
        return None

    error("a source that is not there", 66, "no such file or folder", lambda: netconv.inspect("/no/such/file"))
    error("an output that is there", 73, "out", lambda: netconv.convert(sample, scratch / "out", target="torch"))
    error("a target that nobody has", 64, "nobody", lambda: netconv.convert(sample, scratch / "x", target="nobody"))
    error("an option that nobody has", 64, "--nothing", lambda: netconv.inspect(sample, arguments=["--nothing"]))
    raised = error("a verdict that is no", 1, "", lambda: netconv.verify(scratch / "out", limit=3000, min_accuracy=1))
    checks.check("its report comes with it", raised is not None and raised.report is not None and not raised.report.passed)
    checks.check("or is given, if asked for", not netconv.verify(scratch / "out", limit=3000, min_accuracy=1, check=False).passed)
    (scratch / "-odd").mkdir()
    os.chdir(scratch)
    netconv.convert(sample, "-odd/name.netpack")
    checks.check("a name may begin with a minus", netconv.inspect("-odd/name.netpack").parameter_count is not None)
    os.environ["NETCONV"] = "/no/such/program"
    error("a program that is not there", 66, "/no/such/program cannot be started", lambda: netconv.inspect(sample))
    del os.environ["NETCONV"]

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fake = scratch / "fake"
        fake.write_text("#!/bin/sh\necho 'netconv: warning: one' >&2\necho '  more' >&2\necho '[]'\n")
        fake.chmod(0o755)
        os.environ["NETCONV"] = str(fake)
        error("JSON of another kind", 70, "another kind", lambda: netconv.inspect(sample))
        fake.write_text("#!/bin/sh\necho half\n")
        error("no JSON", 70, "no JSON", lambda: netconv.inspect(sample))
        fake.write_text("#!/bin/sh\nkill -9 $$\n")
        error("a program that is killed", -9, "ended with -9", lambda: netconv.inspect(sample))
        del os.environ["NETCONV"]
    checks.check("warnings are Python's", [str(each.message) for each in caught] == ["one\n  more"]
                 and caught[0].category is netconv.NetconvWarning, [str(each.message) for each in caught])


def arrays(checks: Checks, repository: Path, scratch: Path) -> None:
    import ml_dtypes
    import numpy as np

    import netconv

    sample = repository / "Samples/lenet-blobs"
    # Oracle: the raw values of the sample, moved by numpy.
    kernel = np.fromfile(sample / "conv1_W.bin", "<f4").reshape(8, 1, 5, 3)
    for target, moved, axes in (("mps", kernel.transpose(0, 2, 3, 1), "OHWI"), ("torch", kernel, "OIHW")):
        out = scratch / f"arrays-{target}"
        formats = ("bin", "archive", "safetensors", "npz")
        netconv.convert(sample, out, target=target, formats=formats)
        name = "conv1_W" if target == "mps" else "conv1.weight"
        for container in formats:
            loaded = netconv.load(out, container=container)
            array = loaded[name]
            checks.check(f"{target}, {container}: values", np.array_equal(array, moved))
            checks.check(f"{target}, {container}: axes", array.axes == tuple(axes) and array.role == "kernel", array.axes)
            checks.check(f"{target}, {container}: a file in memory", isinstance(array, np.memmap) and not array.flags.writeable)
            checks.check(f"{target}, {container}: all of them", len(loaded) == 8, len(loaded))
    array = netconv.load(scratch / "arrays-mps")["conv1_W"]
    checks.check("what is made of an array has no axes", array.T.axes is None and (array + 1).axes is None
                 and array[0].axes is None)
    torch = netconv.load(scratch / "arrays-torch")
    checks.check("merged axes are one", torch["fc1.weight"].axes == ("O", "(IHW)"), torch["fc1.weight"].axes)
    netconv.convert(sample, scratch / "alone.netpack")
    lone = netconv.load(scratch / "alone.netpack")
    checks.check("a lone archive", np.array_equal(lone["conv1_W"], kernel.transpose(0, 2, 3, 1)))

    warnings.simplefilter("ignore", netconv.NetconvWarning)
    for dtype, numpy_type in (("float16", np.float16), ("bfloat16", ml_dtypes.bfloat16)):
        target = "mps" if dtype == "float16" else "mlx"
        netconv.convert(sample, scratch / dtype, dtype=dtype, target=target)
        values = next(each for each in netconv.load(scratch / dtype).values() if each.role == "kernel")
        checks.check(f"{dtype}: type and values", values.dtype == numpy_type and np.array_equal(
            values, (kernel.transpose(0, 2, 3, 1)).astype(numpy_type)), values.dtype)
    netconv.convert(sample, scratch / "int8", dtype="int8", target="source")
    loaded = netconv.load(scratch / "int8")
    scale = loaded[loaded["conv1_W"].scale]
    error = np.abs(loaded["conv1_W"] * scale.reshape(8, 1, 1, 1) - kernel).max()
    checks.check("int8 with its scales is within half a step", error <= scale.max() / 2 * 1.0001, error)

    def damaged(what: str, words: str, change, container: str | None = None) -> None:
        copy = scratch / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(scratch / "arrays-mps", copy)
        change(copy)
        try:
            netconv.load(copy, container=container)
            checks.check(f"{what} is refused", False)
        except netconv.NetconvError as raised:
            checks.check(f"{what}: exit code 65 and '{words}'", raised.exit_code == 65 and words in raised.message,
                         (raised.exit_code, raised.message))

    def flip(file: str, at: int):
        def change(folder: Path) -> None:
            data = bytearray((folder / file).read_bytes())
            data[at] ^= 1
            (folder / file).write_bytes(data)
        return change

    def edit(before: str, after: str):
        def change(folder: Path) -> None:
            text = (folder / "manifest.json").read_text()
            assert before in text
            (folder / "manifest.json").write_text(text.replace(before, after, 1))
        return change

    def without_checksum(before: str, after: str):
        def change(folder: Path) -> None:
            file = folder / "manifest.json"
            lines = [line for line in file.read_text().splitlines() if not line.startswith('  "sha256"')]
            # The model in front of the tensors says some of it, too.
            model, key, tensors = "\n".join(lines).partition('"tensors": [')
            assert before in tensors
            file.write_text(model + key + tensors.replace(before, after, 1))
        return change

    place = json.loads((scratch / "arrays-mps/manifest.json").read_text())["tensors"][0]["places"]["archive"]["offset"]
    damaged("a bit of a tensor", "its SHA-256 differs", flip("weights/conv1_W.bin", 5))
    damaged("a bit in the archive", "its SHA-256 differs", flip("model.netpack", place + 5), "archive")
    damaged("a file that is cut", "has 476 bytes", lambda folder: os.truncate(folder / "weights/conv1_W.bin", 476))
    damaged("a file that is longer", "has 484 bytes", lambda folder: os.truncate(folder / "weights/conv1_W.bin", 484))
    damaged("a manifest that was changed", "changed after it was written", edit('"target": "mps"', '"target": "mlx"'))
    damaged("a manifest that is cut", "is not JSON", lambda folder: os.truncate(folder / "manifest.json", 100))
    damaged("another shape", "needs 576 bytes, and manifest.json says 480",
            without_checksum('"shape": [8, 5, 3, 1]', '"shape": [8, 6, 3, 1]'))
    damaged("another type", "of type float128", without_checksum('"dtype": "float32",\n      "layer"', '"dtype": "float128",\n      "layer"'))
    damaged("fewer axes", "its layout OHW has 3", without_checksum('"layout": "OHWI",\n      "name"', '"layout": "OHW",\n      "name"'))
    damaged("a place outside", "which netconv does not write",
            without_checksum('"file": "weights/conv1_W.bin"', '"file": "weights/../../../etc/passwd"'))
    damaged("a version to come", "has version 2", without_checksum('"version": 1\n}', '"version": 2\n}'))
    with zipfile.ZipFile(scratch / "other.zip", "w") as archive:
        archive.writestr("a", "b")
    for path, code in ((scratch / "other.zip", 65), (scratch / "nothing", 66), (scratch / "clean", 66), (Path(__file__), 65)):
        try:
            netconv.load(path)
            checks.check(f"{path} is refused", False)
        except netconv.NetconvError as raised:
            checks.check(f"{path.name}: exit code {code}", raised.exit_code == code, (raised.exit_code, raised.message))


def types(checks: Checks, scratch: Path) -> None:
    user = scratch / "user.py"
    user.write_text("""\
import netconv

report: netconv.Conversion = netconv.convert("a", "b", dtype=["float16", "fc*=float32"])
accuracy: float | None = netconv.verify("b", min_accuracy=0.9).accuracy
axes: tuple[str, ...] | None = netconv.load("b")["conv1_W"].axes
""")
    result = subprocess.run([sys.executable, "-m", "mypy", "--strict", user], capture_output=True, text=True, cwd=scratch)
    checks.check("mypy --strict of what uses it", result.returncode == 0, result.stdout)
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "-p", "netconv"],
        capture_output=True, text=True, cwd=scratch)
    checks.check("mypy --strict of the module", result.returncode == 0, result.stdout)
    user.write_text('import netconv\nnetconv.verify("b", min_accuracy="high")\n')
    result = subprocess.run([sys.executable, "-m", "mypy", "--strict", user], capture_output=True, text=True, cwd=scratch)
    checks.check("a wrong type is told", result.returncode == 1 and "min_accuracy" in result.stdout, result.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("repository", type=Path)
    arguments = parser.parse_args()
    wheel, repository = arguments.wheel.resolve(), arguments.repository.resolve()
    os.environ.pop("NETCONV", None)
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        tools(checks, wheel)
        first_accuracy(checks, wheel, repository / "Samples/deep-mnist/deep-mnist.h5", scratch)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--force-reinstall",
                        "--disable-pip-version-check", wheel], check=True)
        verbs(checks, repository, scratch)
        arrays(checks, repository, scratch)
        types(checks, scratch)
    print(f"{checks.count} checks of {wheel.name}, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
