"""Networks over sequences: latency beside onnxruntime, and time and memory by the length of the sequence."""
from collections.abc import Callable, Iterator

from context import Bench, reported
from latency import beside_runtime
from table import Figure, Row, Table

# What a network is called, what it may take as a part of onnxruntime's time, and how often it is repeated.
NETWORKS = {
    "dilated": ("39 dilated convolutions, 10,000 positions", 1.2, 12),
    "keywords": ("keyword spotting, 16,000 samples", 1.2, 200),
    "speech": ("as DeepSpeech, 200 steps", 1.2, 12),
    "lstm": ("LSTM of 40 units, 2,000 steps", None, 100),
}
# Multiples of the shortest length: time and memory must not grow faster than it does.
LENGTHS = {"dilated": (2_000, 10_000, 50_000), "lstm": (2_000, 10_000, 50_000)}


def latency(network: str) -> Callable[[Bench], Iterator[Row]]:
    def compare(bench: Bench) -> Iterator[Row]:
        title, limit, repetitions = NETWORKS[network]
        source = bench.inputs.sequences(network)
        yield from beside_runtime(
            bench, title, source, source / "network.onnx", source / "inputs.npy", "--as-it-is",
            repetitions=repetitions, limit=limit)

    return compare


def growth(bench: Bench) -> Iterator[Table]:
    """Time and memory by the length of a sequence."""
    rows = []
    for network, lengths in LENGTHS.items():
        for length in lengths:
            source = bench.inputs.sequences(network, length)
            command = bench.own("run", source, "--input", source / "inputs.npy", "--repeat", 5, "--json")
            result = bench.alternate(command)["netconv"]
            time = result.median(reported("medianMilliseconds"))
            rows.append([NETWORKS[network][0].split(",")[0], f"{length:,}", str(Figure(time, "ms")),
                         f"{1e6 * time / length:,.0f} ns", str(Figure(result.memory, "MiB"))])
    yield Table("Sequences by length", ["network", "length", "netconv", "a step", "peak memory"], rows)
