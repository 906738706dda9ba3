"""Which tensor is which, and by which rearrangement: against the time that hashing both sides takes."""
import shlex
from collections.abc import Iterator
from pathlib import Path

from context import Bench
from processes import Program, Result
from table import Figure, Limit, Row, Table

MEMORY_LIMIT = 256
GROWTH = ((150, 100), (150, 500), (150, 1000), (150, 2000), (1_000, 40), (10_000, 40), (40_000, 40))


def took(result: Result) -> str:
    return f"{Figure(result.wall, 's')}, {Figure(result.memory, 'MiB')}"


def sides(folder: Path) -> tuple[Path, Path]:
    return folder / "a.npz", folder / "b.safetensors"


def relate(bench: Bench) -> Iterator[Row]:
    """Files of 500 MB, and 10,000 tensors."""
    a, b = sides(bench.inputs.weights(150, 500))
    digest = " & ".join(f"openssl dgst -sha256 {shlex.quote(str(path))}" for path in (a, b)) + " & wait"
    both = "two of openssl dgst -sha256 at once"
    results = bench.alternate(
        bench.own("relate", a, b), Program(both, ["sh", "-c", digest]))
    netconv = results["netconv"]
    size = (a.stat().st_size + b.stat().st_size) / 2e6
    title = f"relate {size:.0f} MB with {size:.0f} MB"
    if other := results.get(both):
        yield Row(f"{title}: wall time", took(netconv), f"{both}: {Figure(other.wall, 's')}",
                  Figure(netconv.wall / other.wall), Limit(3.0))
    yield Row(f"{title}: peak memory", str(Figure(netconv.memory, "MiB")), "",
              Figure(netconv.memory, "MiB"), Limit(MEMORY_LIMIT))
    a, b = sides(bench.inputs.weights(10_000, 40))
    results = bench.alternate(
        bench.own("relate", a, b), bench.own("inspect", a, name="A"), bench.own("inspect", b, name="B"))
    beyond = results["netconv"].wall - results["A"].wall - results["B"].wall
    yield Row("relate 10,000 tensors with as many: beyond the two lists", took(results["netconv"]),
              f"inspect of each: {Figure(results['A'].wall, 's')}, {Figure(results['B'].wall, 's')}",
              Figure(beyond, "s"), Limit(2.0))


def growth(bench: Bench) -> Iterator[Table]:
    """How time and memory grow with the bytes, and with the number of tensors."""
    rows: list[list[str]] = []
    for tensors, megabytes in GROWTH:
        if bench.inputs.free_bytes() < 3e6 * megabytes:
            bench.skip(f"relating {megabytes} MB", "not enough room on the disk")
            continue
        a, b = sides(bench.inputs.weights(tensors, megabytes))
        result = bench.alternate(bench.own("relate", a, b))["netconv"]
        rows.append([f"{tensors:,}", f"{megabytes:,} MB", str(Figure(result.wall, "s")),
                     str(Figure(1e3 * result.wall / megabytes, "ms")),
                     str(Figure(1e6 * result.wall / tensors / 1e3, "ms")), str(Figure(result.memory, "MiB"))])
    yield Table("`relate` by the size of both files",
                ["tensors", "bytes", "wall", "wall per MB", "wall per tensor", "peak memory"], rows)
