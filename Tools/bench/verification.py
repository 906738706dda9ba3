"""Verification: whole processes that find the accuracy of Deep MNIST."""
from collections.abc import Iterator
from pathlib import Path

from context import Bench, core_count
from conversion import took
from kernels import best_level
from processes import Program
from table import Figure, Limit, Row, Table

IMAGES = 10_000
# Read and written by the poolings of an image.
POOLED_BYTES = 4 * (28 * 28 * 32 + 14 * 14 * 32 + 14 * 14 * 64 + 7 * 7 * 64)
RUNTIME = "onnxruntime"


def onnxruntime(bench: Bench, images: Path, labels: Path, *options: object) -> list[Program]:
    return bench.peer(
        RUNTIME, "onnx_verify.py", bench.inputs.graph(Path(bench.deep_mnist)), images, labels,
        "--threads", core_count(), *options, modules=("h5py", "numpy", "onnx", RUNTIME))


def verify(bench: Bench) -> Iterator[Row]:
    """The test set that is part of netconv, in one process each."""
    images, labels = idx_files(bench.inputs.mnist(bench.root / "Samples/mnist"), "t10k")
    results = bench.alternate(
        bench.own("verify", bench.deep_mnist), *onnxruntime(bench, images, labels),
        *bench.peer("TensorFlow", "keras_verify.py", bench.deep_mnist, images, labels,
                    modules=("tensorflow", "keras", "numpy")))
    netconv = results["netconv"]
    title = f"verify Deep MNIST, {IMAGES:,} images: wall time"
    for name, limit in ((RUNTIME, Limit(0.8)), ("TensorFlow", None)):
        if other := results.get(name):
            yield Row(title, took(netconv), f"{name}: {took(other)}",
                      Figure(netconv.wall / other.wall), limit)


def rest(bench: Bench) -> Iterator[Row]:
    """What Deep MNIST takes besides its convolution and dense kernels, from its parts.

    They are the whole process with one image; 10,000 images, from reading them to counting what is right, with
    a network that does next to nothing; and the poolings, as the micro-benchmarks find them. What is left of
    the wall time without the kernels would be a small difference of two large numbers.
    """
    tiny = bench.inputs.checkpoint("tiny")
    results = bench.alternate(
        bench.own("verify", bench.deep_mnist, "--limit", 1, name="start"),
        bench.own("verify", tiny, name="all"),
        bench.own("verify", tiny, "--limit", 1, name="one"), runs=4 * bench.runs)
    start = results["start"].wall
    images = results["all"].wall - results["one"].wall
    kernel = bench.micro.results[f"Deep MNIST poolings {best_level(bench.micro)}"]
    poolings = IMAGES * POOLED_BYTES / (kernel.rate * core_count())
    parts = {"start": start, "images": images, "poolings": poolings}
    yield Row("verify Deep MNIST: all but convolution and dense kernels",
              ", ".join(f"{name} {Figure(1e3 * wall, 'ms')}" for name, wall in parts.items()), "",
              Figure(1e3 * sum(parts.values()), "ms"), Limit(60))


def growth(bench: Bench) -> Iterator[Table]:
    """How time and memory grow with the number of images."""
    test = idx_files(bench.inputs.mnist(bench.root / "Samples/mnist"), "t10k")
    cases = [(count, *test) for count in (1, 10, 100, 1000, IMAGES)]
    if bench.mnist:
        cases.append((60_000, *idx_files(bench.mnist, "train")))
    else:
        bench.skip("verification of 60,000 images", "no training images; give their folder as --mnist")
    rows = []
    for count, images, labels in cases:
        results = bench.alternate(
            bench.own("verify", bench.deep_mnist, "--images", images, "--labels", labels,
                      "--limit", count),
            *onnxruntime(bench, images, labels, "--limit", count))
        row = [f"{count:,}"]
        for name in ("netconv", RUNTIME):
            result = results.get(name)
            row += [f"{result.wall:.3f} s", f"{result.memory:.0f} MiB"] if result else ["", ""]
        rows.append(row)
    yield Table("Verification of Deep MNIST by number of images",
                ["images", "netconv", "peak memory", RUNTIME, "peak memory"], rows)


def idx_files(folder: Path, name: str) -> tuple[Path, Path]:
    """The images and the labels of a part of MNIST."""
    return folder / f"{name}-images-idx3-ubyte", folder / f"{name}-labels-idx1-ubyte"
