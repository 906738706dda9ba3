"""Latency: what a batch takes once the network is loaded."""
from collections.abc import Callable, Iterator
from pathlib import Path

from context import Bench, core_count, reported
from processes import run
from table import Figure, Limit, Row

# What a network may take, as a part of onnxruntime's time, and how often a process repeats one image.
NETWORKS = {"VGG16": (1.1, 8), "ResNet50": (1.1, 24), "MobileNetV2": (1.3, 64)}
RUNTIME = "onnxruntime"


def latency(network: str, batch: int) -> Callable[[Bench], Iterator[Row]]:
    def compare(bench: Bench) -> Iterator[Row]:
        limit, repetitions = NETWORKS[network]
        checkpoint, images = bench.inputs.checkpoint(network), bench.inputs.images(batch)
        yield from beside_runtime(
            bench, f"{network}, batch {batch}", checkpoint, bench.inputs.graph(checkpoint), images,
            repetitions=max(3, repetitions // batch), limit=limit)

    return compare


def beside_runtime(bench: Bench, title: str, source: Path, graph: Path, given: Path, *options: str,
                   repetitions: int, limit: float | None) -> Iterator[Row]:
    """A network beside the same as ONNX, both fed with an array; `options` say how onnxruntime takes it."""
    repeat = ["--repeat", repetitions]
    outputs = bench.scratch / "outputs.npz"
    peer = bench.peer(RUNTIME, "onnx_latency.py", graph, given, *options, "--threads", core_count(),
                      *repeat, modules=("numpy", "onnx", RUNTIME))
    if not peer:
        return
    # Both have to compute the same before their times mean anything.
    run(bench.own("run", source, "--input", given, "--output", outputs, "--force"), bench.scratch)
    peer[0].command += ["--expect", str(outputs)]
    results = bench.alternate(bench.own("run", source, "--input", given, *repeat, "--json"), *peer)
    if RUNTIME not in results:
        return
    times = {name: result.median(reported("medianMilliseconds"))
             for name, result in results.items()}
    said = {name: f"{Figure(times[name], 'ms')}, {Figure(result.memory, 'MiB')}"
            for name, result in results.items()}
    yield Row(f"run {title}: median time", said["netconv"], f"{RUNTIME}: {said[RUNTIME]}",
              Figure(times["netconv"] / times[RUNTIME]), Limit(limit) if limit else None)
