"""Rearrangements and kernels against what one core can do."""
from collections.abc import Iterator

from context import Bench
from microbenchmarks import Measured, MicroBenchmarks
from table import Figure, Limit, Row

# The kernels that come down to the matrix product, on every level of vector instructions.
PRODUCTS = ("convolution 3x3", "deep convolution 3x3", "pointwise convolution", "dense")
# Kernels that are bound by memory; how many bytes they read and write is held against memcpy.
BOUND_BY_MEMORY = ("Deep MNIST poolings", "dense of one image", "max pooling 2x2",
                   "average pooling 2x2", "global average pooling")
# Best first.
LEVELS = ("v4", "v3", "neon", "base")


def best_level(micro: MicroBenchmarks) -> str:
    return next(level for level in LEVELS if f"Deep MNIST {level}" in micro.results)


def row(title: str, measured: Measured, unit: str, bound: str, limit: Limit | None) -> Row:
    return Row(title, f"{measured.rate / 1e9:.1f} {unit}", f"{bound}: {measured.bound / 1e9:.1f} {unit}",
               Figure(100 * measured.rate / measured.bound, "%"), limit)


def rearrangements(bench: Bench) -> Iterator[Row]:
    for name, measured in bench.micro.results.items():
        if name.startswith("rearrangement"):
            yield row(name, measured, "GB/s", "memcpy", Limit(45, at_least=True))


def digest(bench: Bench) -> Iterator[Row]:
    """SHA-256 as netconv calls it, against the program that everybody has; the bytes of both by seconds of CPU time."""
    source, digest = bench.inputs.checkpoint("VGG16"), "openssl dgst -sha256"
    for openssl in bench.alternate(*bench.tool("openssl", "dgst", "-sha256", source)).values():
        own, peer = bench.micro.results["SHA-256"].rate / 1e9, source.stat().st_size / openssl.cpu / 1e9
        yield Row("SHA-256 of bytes in memory", f"{own:.2f} GB/s", f"{digest}, with its reads: {peer:.2f} GB/s",
                  Figure(100 * own / peer, "%"), Limit(95, at_least=True))


def kernels(bench: Bench) -> Iterator[Row]:
    """Each kernel on each level; the whole of Deep MNIST has to reach its share on the best."""
    best = best_level(bench.micro)
    for level in LEVELS:
        for name, measured in bench.micro.results.items():
            kernel, _, of = name.rpartition(" ")
            if of != level:
                continue
            title = f"{kernel}, {level}"
            if kernel in BOUND_BY_MEMORY:
                yield row(title, measured, "GB/s", "memcpy", None)
            else:
                judged = kernel in PRODUCTS or (kernel == "Deep MNIST" and level == best)
                yield row(title, measured, "GFLOP/s", "registers only",
                          Limit(75, at_least=True) if judged else None)
