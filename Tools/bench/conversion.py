"""Conversion: against the script that one would write, and against reading the bytes once."""
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from context import Bench, has_modules
from processes import Result
from table import Figure, Limit, Row, Table

MEMORY_LIMIT = 96
# Of the conversion that is held against a digest.
PLAIN_MEMORY_LIMIT = 80
GROWTH_GIGABYTES = {0.1: 400, 1: 7100, 10: 38500}  # hidden units of VGG16 for that size


def took(result: Result) -> str:
    return f"{Figure(result.wall, 's')}, {Figure(result.memory, 'MiB')}"


def convert(bench: Bench) -> Iterator[Row]:
    """VGG16, every way round, with all hashes and the proof."""
    source, out = bench.inputs.checkpoint("VGG16"), bench.scratch / "out"

    def conversion(name: str, *options: str):
        return bench.own("convert", source, out, *options, name=name, writes=out)

    script, digest = "h5py script", "openssl dgst -sha256"
    results = bench.alternate(
        conversion("bin", "--formats", "bin"),
        conversion("float16", "--formats", "bin", "--dtype", "float16"),
        conversion("bin,archive", "--formats", "bin,archive"),
        *bench.peer(script, "h5py_convert.py", source, out, modules=("h5py", "numpy"), writes=out),
        *bench.tool("openssl", "dgst", "-sha256", source))
    plain = results["bin"]

    def ratio(title: str, result: Result, peer: str, limit: float) -> Iterator[Row]:
        if other := results.get(peer):
            yield Row(f"{title}: wall time", took(result), f"{peer}: {took(other)}",
                      Figure(result.wall / other.wall), Limit(limit))

    size = source.stat().st_size
    title = f"convert VGG16 ({size / 1e6:.0f} MB), bin"
    yield from ratio(title, plain, script, 0.5)
    if other := results.get(script):
        yield Row(f"{title}: CPU time", str(Figure(plain.cpu, "s")),
                  f"{script}: {Figure(other.cpu, 's')}", Figure(plain.cpu / other.cpu), Limit(0.8))
    yield from ratio(title, plain, digest, 1.9)
    if other := results.get(digest):
        yield Row(f"{title}: CPU time", f"{Figure(plain.cpu, 's')}, {Figure(plain.memory, 'MiB')}",
                  f"{digest}: {Figure(other.cpu, 's')}", Figure(plain.cpu / other.cpu), Limit(3.4))
    yield from ratio("convert VGG16, float16", results["float16"], "bin", 1.0)
    yield from ratio("convert VGG16, bin and archive", results["bin,archive"], "bin", 1.5)
    yield Row(f"{title}: peak memory", str(Figure(plain.memory, "MiB")), "",
              Figure(plain.memory, "MiB"), Limit(PLAIN_MEMORY_LIMIT))


def convert_many(bench: Bench) -> Iterator[Row]:
    """Small checkpoints, where all that counts is what a conversion costs besides its bytes."""
    small, out = bench.inputs.checkpoint("small"), bench.scratch / "many"
    sources = [shutil.copyfile(small, bench.scratch / f"small-{index}.h5") for index in range(100)]
    program = replace(bench.own("convert", "--into", out, *sources), before=lambda: put_aside(out))
    result = bench.alternate(program)["netconv"]
    size = small.stat().st_size
    yield Row(f"convert {len(sources)} checkpoints of {size / 1e3:.0f} KB", took(result), "",
              Figure(result.wall, "s"), Limit(0.6))


def put_aside(folder: Path) -> None:
    """Renames what a run wrote: to remove hundreds of files is work that the next run would be charged for."""
    if folder.exists():
        folder.rename(folder.with_name(f"{folder.name}-{time.monotonic_ns()}"))


def growth(bench: Bench) -> Iterator[Row | Table]:
    """How time and memory grow with the size of the model, in HDF5 and in a checkpoint of TensorFlow."""
    rows: list[list[str]] = []
    for kind, source_of in GROWING.items():
        for gigabytes in GROWTH_GIGABYTES:
            if missing := missing_for_growth(bench, kind, gigabytes):
                bench.skip(f"conversion of {gigabytes} GB of {kind}", missing)
                continue
            source, out = source_of(bench, gigabytes), bench.scratch / "out"
            options = [] if kind == "HDF5" else ["--weights-only"]
            # What takes minutes is not repeated.
            result = bench.alternate(
                bench.own("convert", source, out, "--formats", "bin", *options, writes=out),
                runs=1 if gigabytes > 1 else bench.runs)
            netconv, size = result["netconv"], size_of(source) / 1e9
            shutil.rmtree(out)
            rows.append([kind, f"{size:.2f} GB", *(str(figure) for figure in (
                Figure(netconv.wall, "s"), Figure(netconv.wall / size, "s"),
                Figure(netconv.cpu / size, "s"), Figure(netconv.memory, "MiB")))])
            yield Row(f"convert {gigabytes} GB of {kind}, bin: peak memory", took(netconv), "",
                      Figure(netconv.memory, "MiB"), Limit(MEMORY_LIMIT))
    yield Table("Conversion to bin by size of the model",
                ["source", "size", "wall", "wall per GB", "CPU per GB", "peak memory"], rows)


GROWING = {
    "HDF5": lambda bench, gigabytes: bench.inputs.checkpoint("VGG16", units=GROWTH_GIGABYTES[gigabytes]),
    "TensorFlow": lambda bench, gigabytes: bench.inputs.variables(100, round(1000 * gigabytes)),
}


def missing_for_growth(bench: Bench, kind: str, gigabytes: float) -> str | None:
    """Why a file of this size is not converted."""
    if gigabytes > 1 and not bench.grows:
        return "only with --growth"
    if bench.inputs.free_bytes() < 2.2e9 * gigabytes:
        return "not enough room on the disk"
    if kind == "TensorFlow" and not has_modules("tensorflow"):
        return "TensorFlow is not installed"
    return None


def size_of(source: Path) -> int:
    files = source.iterdir() if source.is_dir() else [source]
    return sum(file.stat().st_size for file in files)
