"""Whole programs, run and measured."""
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HELPER = Path(__file__).resolve().parent / "measure.py"


class Failed(Exception):
    """A program that cannot be run; says which, and how it ended."""


@dataclass
class Program:
    """What to run, what to call it, and what to do before each run."""
    name: str
    command: list[str]
    before: Callable[[], None] = lambda: None


@dataclass
class Run:
    """What one run took, in seconds and MiB, and what it printed."""
    wall: float
    cpu: float
    memory: float
    output: str


@dataclass
class Result:
    """All runs of a program but the warm-up."""
    runs: list[Run]

    @property
    def wall(self) -> float:
        return statistics.median(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        return statistics.median(run.cpu for run in self.runs)

    @property
    def memory(self) -> float:
        """The most that any run took."""
        return max(run.memory for run in self.runs)

    def median(self, reported: Callable[[str], float]) -> float:
        """The median of a figure that the program prints."""
        return statistics.median(reported(run.output) for run in self.runs)


def run(program: Program, scratch: Path) -> Run:
    """Runs a program once; `scratch` is for what it prints."""
    program.before()
    output, errors = scratch / "output", scratch / "errors"
    helper = subprocess.run(
        [sys.executable, "-I", "-S", HELPER, output, errors, *program.command],
        capture_output=True, text=True)
    if helper.returncode != 0:
        raise Failed(f"{program.name}: {helper.stderr.strip().splitlines()[-1]}")
    wall, cpu, memory, status = helper.stdout.split()
    if status != "0":
        said = errors.read_text(errors="replace") or output.read_text(errors="replace")
        raise Failed(f"{program.name} exits with {status}: {said.strip()[-300:]}")
    return Run(float(wall), float(cpu), int(memory) / 2**20, output.read_text(errors="replace"))
