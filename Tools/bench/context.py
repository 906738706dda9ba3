"""What every comparison needs: the programs, the inputs, and a way to measure side by side."""
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from inputs import Inputs
from microbenchmarks import MicroBenchmarks
from processes import Failed, Program, Result, run

PEERS = Path(__file__).resolve().parent / "peers"


def core_count() -> int:
    """Cores that this process may use, as netconv counts them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def has_modules(*names: str) -> bool:
    return all(importlib.util.find_spec(name) for name in names)


@dataclass
class Bench:
    netconv: str
    root: Path
    inputs: Inputs
    micro: MicroBenchmarks
    scratch: Path
    runs: int
    grows: bool = False
    mnist: Path | None = None
    skipped: list[str] = field(default_factory=list)

    @property
    def deep_mnist(self) -> str:
        return str(self.root / "Samples/deep-mnist/deep-mnist.h5")

    def skip(self, what: str, why: str) -> None:
        self.skipped.append(f"{what}: {why}")
        print(f"skipped: {self.skipped[-1]}", file=sys.stderr, flush=True)

    def own(self, *arguments: object, name: str = "netconv", writes: Path | None = None) -> Program:
        """netconv with these arguments; what it `writes` is removed before each run."""
        return Program(name, [self.netconv, *map(str, arguments)], remover(writes))

    def peer(self, name: str, script: str, *arguments: object, modules: tuple[str, ...],
             writes: Path | None = None) -> list[Program]:
        """A script that does what netconv does with something else; none if that is not installed."""
        if not has_modules(*modules):
            self.skip(name, "not installed")
            return []
        command = [sys.executable, str(PEERS / script), *map(str, arguments)]
        return [Program(name, command, remover(writes))]

    def tool(self, name: str, *arguments: object) -> list[Program]:
        """A program of the system; none if it is not installed."""
        if shutil.which(name) is None:
            self.skip(name, "not installed")
            return []
        return [Program(" ".join([name, *map(str, arguments[:-1])]), [name, *map(str, arguments)])]

    def alternate(self, *programs: Program, runs: int | None = None) -> dict[str, Result]:
        """Runs the programs in turn after a warm-up, so that what drifts drifts for all.

        A peer that fails is skipped by name; netconv must not fail.
        """
        alive = list(programs)
        results = {program.name: Result([]) for program in programs}
        for turn in range((runs or self.runs) + 1):
            for program in list(alive):
                try:
                    measured = run(program, self.scratch)
                except Failed as failure:
                    if program.command[0] == self.netconv:
                        raise
                    self.skip(program.name, str(failure))
                    alive.remove(program)
                    del results[program.name]
                    continue
                if turn > 0:
                    results[program.name].runs.append(measured)
        return results


def remover(folder: Path | None) -> Callable[[], None]:
    """Removes a folder that a run wrote, if there is one."""
    def remove() -> None:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
    return remove


def reported(key: str) -> Callable[[str], float]:
    """Reads a number from the JSON document that a program prints."""
    return lambda output: float(json.loads(output)[key])
