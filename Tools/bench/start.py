"""How long it takes before anything is done."""
from collections.abc import Iterator

from context import Bench
from conversion import took
from table import Figure, Limit, Row

# Short processes are measured more often.
TIMES = 4


def help_text(bench: Bench) -> Iterator[Row]:
    result = bench.alternate(bench.own("--help"), times=TIMES)["netconv"]
    wall = Figure(1e3 * result.wall, "ms")
    yield Row("netconv --help", f"{wall}, {Figure(result.memory, 'MiB')}", "", wall, Limit(6))


def inspect(bench: Bench) -> Iterator[Row]:
    source = bench.inputs.checkpoint("VGG16")
    results = bench.alternate(
        bench.own("inspect", source), *bench.tool("h5ls", "-r", source), times=TIMES)
    netconv = results["netconv"]
    title = f"inspect VGG16 ({source.stat().st_size / 1e6:.0f} MB): wall time"
    if other := results.get("h5ls -r"):
        yield Row(title, milliseconds(netconv), f"h5ls -r: {milliseconds(other)}",
                  Figure(netconv.wall / other.wall), Limit(2.5))


def milliseconds(result) -> str:
    return f"{Figure(1e3 * result.wall, 'ms')}, {Figure(result.memory, 'MiB')}"
