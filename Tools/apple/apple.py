#!/usr/bin/env python3
"""Proves emitted packages on this Mac's GPU, and writes a report of one page.

Usage: apple.py NETCONV_BINARY [--report FILE] [--images COUNT] [--standins FOLDER]

Deep MNIST and LeNet are written in both languages and in both precisions, built, and replay their self-tests. In half
precision the same program also sees MNIST's test images as pictures, and counts right classes. Then the tests of emitted
filters run. `make apple` does all of this with the frameworks of the Mac. With --standins, the folder of the stand-ins' products, it runs on Linux, and
proves nothing but this script.

The exit status is 1 if anything is wrong; the report is written in any case. Needs Python alone.
"""
import argparse
import gzip
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = {"DeepMNIST": "Samples/deep-mnist/deep-mnist.h5", "LeNet": "Samples/lenet-blobs"}
LANGUAGES = ("mpscnn", "mpsgraph")
FILTER_TESTS = "EmissionTests.MetalFilterTests"


def run(command: list, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def system() -> str:
    """The machine and its system, in words."""
    if platform.system() != "Darwin":
        return f"{platform.system()} {platform.machine()}, over stand-ins: no GPU is involved"
    model = run(["sysctl", "-n", "hw.model"]).stdout.strip()
    chip = run(["sysctl", "-n", "machdep.cpu.brand_string"]).stdout.strip()
    return f"macOS {platform.mac_ver()[0]}, {model}, {chip}"


class Report:
    def __init__(self) -> None:
        self.devices: set[str] = set()
        self.self_tests: list[str] = []
        self.accuracies: list[str] = []
        self.filters = "not run"
        self.problems: list[str] = []

    def text(self) -> str:
        lines = ["# Emitted packages on this machine", "", f"- system: {system()}",
                 f"- device: {', '.join(sorted(self.devices)) or 'none'}",
                 f"- filters against the CPU's: {self.filters}", "", "## Self-tests", "",
                 "| network | language | precision | layers | nearest to its tolerance | seconds |",
                 "|---|---|---|---|---|---|", *self.self_tests, "", "## MNIST's test images, as pictures", "",
                 "| network | language | images | accuracy | images per second | average latency |",
                 "|---|---|---|---|---|---|", *self.accuracies, "", "## Verdict", ""]
        lines += [f"- WRONG: {problem}" for problem in self.problems] or ["All of it is right."]
        return "\n".join(lines) + "\n"


def emit(netconv: Path, name: str, language: str, precision: str, folder: Path) -> None:
    result = run([netconv, "emit", ROOT / SAMPLES[name], "--language", language, "--precision", precision,
                  "--name", name, "--output", folder, "--quiet"])
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip())


def compare(report: Report, name: str, language: str, precision: str, folder: Path) -> None:
    """Replays the self-test: the layer that comes nearest to its tolerance goes into the report."""
    start = time.perf_counter()
    result = run([folder / f".build/release/{name}SelfTest"])
    seconds = time.perf_counter() - start
    for match in re.finditer(r"^\w+: \d+ samples on (.*)$", result.stdout, re.MULTILINE):
        report.devices.add(match[1])
    layers = [(float(match[2]) / float(match[3]), match[1]) for match in re.finditer(
        r"^  (.*): off by (\S+), tolerance (\S+)", result.stdout, re.MULTILINE)]
    worst = f"{max(layers)[1]}, {max(layers)[0]:.1%}" if layers else "none"
    report.self_tests.append(
        f"| {name} | {language} | {precision} | {len(layers)} | {worst} | {seconds:.2f} |")
    if result.returncode != 0 or not layers:
        report.problems.append(f"{name}, {language}, {precision}: {(result.stdout + result.stderr)[-500:]}")


def mnist(file: str, count: int, header: int, size: int) -> bytes:
    """The first images or labels of MNIST's test set as a file of IDX."""
    content = gzip.decompress((ROOT / "Samples/mnist" / file).read_bytes())
    return content[:4] + count.to_bytes(4, "big") + content[8:header + count * size]


def measure(report: Report, name: str, language: str, folder: Path, count: int) -> None:
    """Lets the package's program count how many images it sees right."""
    (folder / "images.idx").write_bytes(mnist("t10k-images-idx3-ubyte.gz", count, 16, 784))
    (folder / "labels.idx").write_bytes(mnist("t10k-labels-idx1-ubyte.gz", count, 8, 1))
    result = run([folder / f".build/release/{name}SelfTest", "--images", folder / "images.idx",
                  "--labels", folder / "labels.idx"])
    found = [re.search(pattern, result.stdout) for pattern in
             (r": (\d+) images of", r"accuracy ([\d.]+),", r"(\d+) images a second", r"average latency (\S+) s")]
    if result.returncode != 0 or None in found:
        report.problems.append(f"{name}, {language}: {(result.stdout + result.stderr)[-500:]}")
        return
    images, accuracy, speed, latency = (match[1] for match in found)
    report.accuracies.append(
        f"| {name} | {language} | {int(images):,} | {float(accuracy):.4f} | {int(speed):,} | {latency} s |")
    if int(images) != count or float(accuracy) < 0.98:
        report.problems.append(f"{name}, {language}: the accuracy on {images} of {count} images is {accuracy}")


def test_filters(report: Report, standins: Path | None) -> None:
    """Runs the tests that compare filters on the GPU with those on the CPU."""
    if platform.system() != "Darwin" and standins is None:
        return
    environment = os.environ | {"NETCONV_WITHOUT_PLUGIN": "1", "NETCONV_STANDINS": str(standins or "system"),
                                "NETCONV_TESTS": "EmissionTests"}
    result = run(["swift", "test", "-c", "release", "--disable-testable-imports", "--disable-xctest",
                  "--filter", FILTER_TESTS], cwd=ROOT, env=environment)
    ran = re.search(r"Test run with [1-9]\d* tests? .*passed", result.stdout)
    report.filters = "right" if result.returncode == 0 and ran else "WRONG"
    if report.filters != "right":
        report.problems.append("filters: " + (result.stdout + result.stderr)[-1000:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=Path, help="the program")
    parser.add_argument("--report", type=Path, default=Path("apple-report.md"), help="where the report goes")
    parser.add_argument("--images", type=int, default=10_000, help="how many images")
    parser.add_argument("--standins", type=Path, help="the stand-ins' products, where there are no frameworks")
    options = parser.parse_args()
    netconv = options.netconv.resolve()
    standins = options.standins and options.standins.resolve()
    flags = [] if standins is None else [
        "-Xswiftc", f"-I{standins}/Modules", "-Xlinker", f"-L{standins}", "-Xlinker", f"-rpath={standins}"]
    report = Report()
    with tempfile.TemporaryDirectory() as scratch:
        for name in SAMPLES:
            for language in LANGUAGES:
                for precision in ("float16", "float32"):
                    folder = Path(scratch) / f"{name}-{language}-{precision}"
                    print(f"{name}, {language}, {precision}", flush=True)
                    emit(netconv, name, language, precision, folder)
                    built = run(["swift", "build", "-c", "release", *flags], cwd=folder)
                    if built.returncode != 0:
                        report.problems.append(
                            f"{name}, {language}, {precision}: {(built.stdout + built.stderr)[-1000:]}")
                        continue
                    compare(report, name, language, precision, folder)
                    if precision == "float16":
                        measure(report, name, language, folder, options.images)
    print("filters", flush=True)
    test_filters(report, standins)
    options.report.write_text(report.text())
    print(report.text())
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())
