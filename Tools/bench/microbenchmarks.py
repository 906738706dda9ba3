"""The micro-benchmarks of the Swift package: what each kernel reached, and what bounds it."""
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from processes import Failed

TARGET = "MicroBenchmarks"


@dataclass
class Measured:
    """Operations or bytes per second: what a kernel reached, and its bound."""
    rate: float
    bound: float


class MicroBenchmarks:
    """The results of the micro-benchmarks, which are built and run when they are asked for."""

    def __init__(self, swift: str, root: Path, scratch: Path) -> None:
        self.swift, self.root, self.scratch = swift, root, scratch

    @cached_property
    def results(self) -> dict[str, Measured]:
        """By the name of the benchmark, in the order of the names."""
        print("building and running the micro-benchmarks", file=sys.stderr, flush=True)
        folder = self.scratch / "micro"
        command = [self.swift, "package", "--package-path", str(self.root),
                   "--scratch-path", str(self.root / ".build-micro"), "--disable-sandbox", "benchmark",
                   "--format", "histogramPercentiles", "--path", str(folder), "--no-progress"]
        try:
            done = subprocess.run(command, env=os.environ | {"NETCONV_BENCHMARKS": "1"},
                                  capture_output=True, text=True)
        except OSError as error:
            raise Failed(f"the micro-benchmarks: {error}") from None
        if done.returncode != 0:
            raise Failed(f"the micro-benchmarks: {(done.stdout + done.stderr)[-2000:]}")
        rates: dict[str, dict[str, float]] = {}
        for path in sorted(folder.glob(f"*.{TARGET}.*.tsv")):
            name, metric = path.name.split(f".{TARGET}.")[1].split(".")[:2]
            rates.setdefault(name.replace("_", " "), {})[metric] = 1e6 * percentile(path, 90)
        return {name: Measured(of["Rate"], of["Bound"]) for name, of in rates.items()}


def percentile(path: Path, wanted: int) -> float:
    """A value of a table of percentiles; a high one, as what else happens only makes things slower."""
    rows = (line.split("\t") for line in path.read_text().splitlines()[1:])
    return next(float(value) for percent, value in rows if int(percent) == wanted)
