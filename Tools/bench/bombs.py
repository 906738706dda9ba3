"""Small files that claim to be huge: what refusing them takes."""
import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path

from context import Bench
from conversion import took
from processes import Program
from table import Figure, Limit, Row

BOMBS = ("one-chunk.weights.h5", "never-written.weights.h5", "inflating.keras", "inflating.npz")
BAD_DATA = 65
MEMORY_LIMIT, SECONDS_LIMIT = 256, 5


def bombs(bench: Bench) -> Iterator[Row]:
    """Peak memory is that of netconv or of the process that reads HDF5 for it, whichever has more."""
    for name in BOMBS:
        source, out = bench.scratch / name, bench.scratch / "bomb"
        unpack(bench.root / f"Tests/Fixtures/bombs/{name}.gz", source)
        result = bench.alternate(refused(bench, "convert", source, out))["netconv"]
        yield Row(f"refuse {name}: peak memory", took(result), "",
                  Figure(result.memory, "MiB"), Limit(MEMORY_LIMIT))
        yield Row(f"refuse {name}: wall time", took(result), "", Figure(result.wall, "s"), Limit(SECONDS_LIMIT))


def unpack(packed: Path, target: Path) -> None:
    with gzip.open(packed) as source, target.open("wb") as file:
        shutil.copyfileobj(source, file)


def refused(bench: Bench, *arguments: object) -> Program:
    """netconv with these arguments, which it has to refuse as bad data."""
    script = f'"$@"; [ $? = {BAD_DATA} ]'
    return Program("netconv", ["sh", "-c", script, "sh", bench.netconv, *map(str, arguments)])
