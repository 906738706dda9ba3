"""Networks over sequences: latency beside onnxruntime, and time and memory by the length of the sequence."""
from collections.abc import Callable, Iterator

from context import Bench, core_count, reported
from processes import run
from table import Figure, Limit, Row, Table

# What a network is called, what it may take as a part of onnxruntime's time, and how often it is repeated.
NETWORKS = {
    "dilated": ("39 dilated convolutions, 10,000 positions", 1.2, 12),
    "keywords": ("keyword spotting, 16,000 samples", 1.2, 200),
    "speech": ("as DeepSpeech, 200 steps", 1.2, 12),
    "lstm": ("LSTM of 40 units, 2,000 steps", None, 100),
}
RUNTIME = "onnxruntime"
# Multiples of the shortest length: time and memory must not grow faster than it does.
LENGTHS = {"dilated": (2_000, 10_000, 50_000), "lstm": (2_000, 10_000, 50_000)}


def latency(network: str) -> Callable[[Bench], Iterator[Row]]:
    def compare(bench: Bench) -> Iterator[Row]:
        title, limit, repetitions = NETWORKS[network]
        source = bench.inputs.sequences(network)
        outputs = bench.scratch / "outputs.npz"
        given, repeat = source / "inputs.npy", ["--repeat", repetitions]
        peer = bench.peer(RUNTIME, "onnx_latency.py", source / "network.onnx", given, "--as-it-is",
                          "--threads", core_count(), *repeat, modules=("numpy", "onnx", RUNTIME))
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
