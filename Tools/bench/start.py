"""How long it takes before anything is done."""
from collections.abc import Iterator

from context import Bench, has_modules
from processes import Result
from table import Figure, Limit, Row

# Short processes are measured more often.
TIMES = 4


def milliseconds(result: Result) -> str:
    return f"{Figure(1e3 * result.wall, 'ms')}, {Figure(result.memory, 'MiB')}"


def help_text(bench: Bench) -> Iterator[Row]:
    result = bench.alternate(bench.own("--help"), runs=TIMES * bench.runs)["netconv"]
    yield Row("netconv --help", milliseconds(result), "", Figure(1e3 * result.wall, "ms"), Limit(6))


def inspect(bench: Bench) -> Iterator[Row]:
    source = bench.inputs.checkpoint("VGG16")
    results = bench.alternate(
        bench.own("inspect", source), *bench.tool("h5ls", "-r", source), runs=TIMES * bench.runs)
    netconv = results["netconv"]
    if other := results.get("h5ls -r"):
        yield Row(f"inspect VGG16 ({source.stat().st_size / 1e6:.0f} MB): wall time",
                  milliseconds(netconv), f"h5ls -r: {milliseconds(other)}",
                  Figure(netconv.wall / other.wall), Limit(2.0))


def inspect_variables(bench: Bench) -> Iterator[Row]:
    """What the list of a checkpoint costs beyond the program's start."""
    if not has_modules("tensorflow"):
        bench.skip("inspect of a checkpoint of TensorFlow", "TensorFlow is not installed")
        return
    source = bench.inputs.variables(1000) / "model.index"
    results = bench.alternate(
        bench.own("inspect", source), bench.own("--help", name="start"), runs=TIMES * bench.runs)
    netconv, begin = results["netconv"], results["start"]
    yield Row("inspect 1,000 variables of TensorFlow: beyond the start", milliseconds(netconv),
              f"--help: {milliseconds(begin)}", Figure(1e3 * (netconv.wall - begin.wall), "ms"), Limit(10))


def inspect_tensors(bench: Bench) -> Iterator[Row]:
    """What the list of a file of weights costs beyond the program's start."""
    has_torch = has_modules("torch")
    if not has_torch:
        bench.skip("inspect of a file of PyTorch", "torch is not installed")
    folder = bench.inputs.weights(1000, 100, torch=has_torch)
    kinds = ["pt", "safetensors", "npz"] if has_torch else ["npz"]
    results = bench.alternate(
        *(bench.own("inspect", folder / f"a.{kind}", name=kind) for kind in kinds),
        bench.own("--help", name="start"), runs=TIMES * bench.runs)
    begin = results["start"]
    for kind in kinds:
        yield Row(f"inspect 1,000 tensors, 100 MB, .{kind}: beyond the start", milliseconds(results[kind]),
                  f"--help: {milliseconds(begin)}",
                  Figure(1e3 * (results[kind].wall - begin.wall), "ms"), Limit(15))
