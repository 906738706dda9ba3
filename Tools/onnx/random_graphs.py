"""Random graphs of ONNX through netconv, against onnxruntime; a seed draws their structure, not only their sizes.

    random_graphs.py NETCONV [--count N] [--seed FIRST]

A graph merges the batch with axes in front and behind, splits and merges axes, moves them, takes parts in steps, reduces,
multiplies matrices, adds constants, masks by comparisons, and counts by ArgMax, OneHot and CumSum. Each runs on both engines with three samples, and is compared with onnxruntime
on these three and on each alone. Every third graph is for one sample, and runs three times. Graphs that onnxruntime itself refuses are drawn anew. Exits with 1 if a value is wrong.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests/Fixtures/onnx"))
from make_onnx import Graph  # noqa: E402

BATCH = "batch"
TOLERANCE = 2e-5


class Draw:
    """A graph in the making: values with their sizes, of which one is the batch's."""

    def __init__(self, seed):
        self.dice = np.random.default_rng(seed)
        self.graph = Graph(seed=seed, opset=17)
        rank = self.integer(1, 3)
        self.shape = [int(size) for size in self.dice.choice([2, 3, 4, 5, 6, 8], rank, replace=False)]
        # Every third is for one sample, and may say so in its shapes.
        self.batch = 1 if seed % 3 == 0 else None
        self.values = [(self.graph.feed(self.batch, *self.shape), [BATCH] + self.shape)]
        operations = [self.transpose, self.split_axis, self.merge_axes, self.merge_batch, self.merge_before_batch,
                      self.multiply, self.function, self.softmax, self.slice, self.split, self.reduce, self.gather,
                      self.unsqueeze, self.squeeze, self.constant, self.combine, self.concatenate, self.product, self.pad,
                      self.mask, self.find, self.one_hot, self.cumulate]
        for _ in range(self.integer(3, 9)):
            last = self.dice.random() < 0.75
            name, sizes = self.values[-1 if last else self.integer(0, len(self.values) - 1)]
            self.one(operations)(name, sizes)
        name, sizes = self.values[-1]
        axis = sizes.index(BATCH)
        if axis > 0:
            order = [axis] + [other for other in range(len(sizes)) if other != axis]
            name = self.graph.node("Transpose", name, perm=order)
        self.graph.out(name)

    def integer(self, low, high):
        return int(self.dice.integers(low, high + 1))

    def one(self, choices):
        return choices[self.integer(0, len(choices) - 1)]

    def axis(self, sizes):
        """An axis of a sample; None if there is none."""
        own = [axis for axis, size in enumerate(sizes) if size != BATCH]
        return self.one(own) if own else None

    def add(self, operation, inputs, sizes, **attributes):
        self.values.append((self.graph.node(operation, *inputs, **attributes), sizes))

    def reshape(self, name, sizes):
        batch = 1 if self.batch and self.dice.random() < 0.5 else -1
        target = self.graph.ints(*[batch if size == BATCH else size for size in sizes])
        return self.graph.node("Reshape", name, target)

    def transpose(self, name, sizes):
        order = [int(axis) for axis in self.dice.permutation(len(sizes))]
        self.add("Transpose", [name], [sizes[axis] for axis in order], perm=order)

    def split_axis(self, name, sizes):
        axis = self.axis(sizes)
        parts = [part for part in (2, 3, 4) if axis is not None and sizes[axis] % part == 0 and sizes[axis] > part]
        if parts:
            part = self.one(parts)
            result = sizes[:axis] + [part, sizes[axis] // part] + sizes[axis + 1:]
            self.values.append((self.reshape(name, result), result))

    def merge_axes(self, name, sizes):
        pairs = [axis for axis in range(len(sizes) - 1) if BATCH not in sizes[axis:axis + 2]]
        if pairs:
            axis = self.one(pairs)
            result = sizes[:axis] + [sizes[axis] * sizes[axis + 1]] + sizes[axis + 2:]
            self.values.append((self.reshape(name, result), result))

    def rows(self, name, sizes, merged):
        """A matrix product, or a softmax, of a value whose batch is merged with another axis; then they are apart again."""
        if len(merged) < 2 or merged[-1] == BATCH:
            return
        inner = self.reshape(name, merged)
        columns = merged[-1]
        if self.dice.random() < 0.6:
            columns = self.integer(2, 6)
            inner = self.graph.node("MatMul", inner, self.graph.weight(merged[-1], columns))
        else:
            inner = self.graph.node("Softmax", inner, axis=-1)
        result = sizes[:-1] + [columns]
        self.values.append((self.reshape(inner, result), result))

    def merged(self, size):
        """The size of an axis that is merged with the batch."""
        return size if self.batch else BATCH

    def merge_batch(self, name, sizes):
        axis = sizes.index(BATCH)
        if axis + 2 < len(sizes):
            self.rows(name, sizes, sizes[:axis] + [self.merged(sizes[axis + 1])] + sizes[axis + 2:])

    def merge_before_batch(self, name, sizes):
        axis = sizes.index(BATCH)
        if 0 < axis < len(sizes) - 1:
            self.rows(name, sizes, sizes[:axis - 1] + [self.merged(sizes[axis - 1])] + sizes[axis + 1:])

    def multiply(self, name, sizes):
        if sizes[-1] != BATCH:
            columns = self.integer(2, 6)
            self.add("MatMul", [name, self.graph.weight(sizes[-1], columns)], sizes[:-1] + [columns])

    def function(self, name, sizes):
        self.add(self.one(["Relu", "Tanh", "Sigmoid", "Elu", "Softplus", "Sin", "Cos", "Abs", "Neg", "Erf"]), [name], sizes)

    def softmax(self, name, sizes):
        axis = self.axis(sizes)
        if axis is not None:
            self.add("Softmax", [name], sizes, axis=self.one([axis, axis - len(sizes)]))

    def slice(self, name, sizes):
        axis = self.axis(sizes)
        if axis is None:
            return
        size = sizes[axis]
        start, end, step = self.integer(-size, size), self.integer(-size - 2, size + 2), self.one([1, 1, 2, -1, -2])
        count = len(range(*slice(start, end, step).indices(size)))
        if count:
            ints = self.graph.ints
            self.add("Slice", [name, ints(start), ints(end), ints(axis), ints(step)],
                     sizes[:axis] + [count] + sizes[axis + 1:])

    def split(self, name, sizes):
        axis = self.axis(sizes)
        if axis is not None and sizes[axis] > 1:
            first = self.integer(1, sizes[axis] - 1)
            parts = [first, sizes[axis] - first]
            results = self.graph.node("Split", name, self.graph.ints(*parts), outputs=2, axis=axis)
            for result, part in zip(results, parts):
                self.values.append((result, sizes[:axis] + [part] + sizes[axis + 1:]))

    def reduce(self, name, sizes):
        own = [axis for axis, size in enumerate(sizes) if size != BATCH]
        if len(own) < 2:
            return
        axes = sorted(int(axis) for axis in self.dice.choice(own, self.integer(1, len(own) - 1), replace=False))
        keeps = self.integer(0, 1)
        result = [1 if axis in axes else size for axis, size in enumerate(sizes) if keeps or axis not in axes]
        self.add(self.one(["ReduceMean", "ReduceMax", "ReduceMin", "ReduceL2"]), [name], result, axes=axes, keepdims=keeps)

    def gather(self, name, sizes):
        axis = self.axis(sizes)
        if axis is None:
            return
        if self.dice.random() < 0.5 and len(sizes) > 2:
            index = self.graph.constant(np.int64(self.integer(-sizes[axis], sizes[axis] - 1)))
            self.add("Gather", [name, index], sizes[:axis] + sizes[axis + 1:], axis=axis)
        else:
            indices = [self.integer(-sizes[axis], sizes[axis] - 1) for _ in range(self.integer(1, 3))]
            self.add("Gather", [name, self.graph.ints(*indices)], sizes[:axis] + [len(indices)] + sizes[axis + 1:], axis=axis)

    def mask(self, name, sizes):
        """The values where a comparison holds, and a number elsewhere."""
        own = [1 if size == BATCH or self.dice.random() < 0.5 else size for size in sizes]
        truth = self.graph.node(self.one(["Greater", "LessOrEqual"]), name, self.graph.weight(*own))
        if self.dice.random() < 0.3:
            truth = self.graph.node("Not", truth)
        other = self.graph.constant(np.float32(self.one([0, -1.5, 3])))
        operands = [name, other] if self.dice.random() < 0.7 else [other, name]
        self.add("Where", [truth, *operands], sizes)

    def find(self, name, sizes):
        axis = self.axis(sizes)
        if axis is None:
            return
        found = self.graph.node(self.one(["ArgMax", "ArgMin"]), name, axis=axis, keepdims=1)
        self.add("Cast", [found], sizes[:axis] + [1] + sizes[axis + 1:], to=1)

    def one_hot(self, name, sizes):
        axis = self.axis(sizes)
        if axis is None:
            return
        found = self.graph.node("ArgMax", name, axis=axis, keepdims=0)
        ends = self.graph.constant(np.array([self.one([0, -1]), self.one([1, 2.5])], np.float32))
        rest = sizes[:axis] + sizes[axis + 1:]
        place = self.integer(0, len(rest))
        count = self.graph.constant(np.int64(sizes[axis]))
        self.add("OneHot", [found, count, ends], rest[:place] + [sizes[axis]] + rest[place:], axis=place)

    def cumulate(self, name, sizes):
        axis = self.axis(sizes)
        if axis is not None:
            self.add("CumSum", [name, self.graph.constant(np.int64(axis))], sizes, exclusive=self.integer(0, 1),
                     reverse=self.integer(0, 1))

    def unsqueeze(self, name, sizes):
        axis = self.integer(0, len(sizes))
        self.add("Unsqueeze", [name, self.graph.ints(axis)], sizes[:axis] + [1] + sizes[axis:])

    def squeeze(self, name, sizes):
        if 1 in sizes and len(sizes) > 2:
            axis = sizes.index(1)
            self.add("Squeeze", [name, self.graph.ints(axis)], sizes[:axis] + sizes[axis + 1:])

    def constant(self, name, sizes):
        own = [1 if size == BATCH or self.dice.random() < 0.4 else size for size in sizes]
        while len(own) > 1 and own[0] == 1 and self.dice.random() < 0.5:
            own = own[1:]
        operands = [name, self.graph.weight(*own)]
        if self.dice.random() < 0.4:
            operands.reverse()
        self.add(self.one(["Add", "Mul", "Sub", "Max"]), operands, sizes)

    def combine(self, name, sizes):
        others = [other for other, own in self.values if own == sizes and other != name]
        if others:
            self.add(self.one(["Add", "Mul", "Sub"]), [name, self.one(others)], sizes)

    def concatenate(self, name, sizes):
        axis = self.axis(sizes)
        if axis is not None:
            other = self.one([other for other, own in self.values if own == sizes])
            self.add("Concat", [name, other], sizes[:axis] + [2 * sizes[axis]] + sizes[axis + 1:], axis=axis)

    def product(self, name, sizes):
        if sizes[0] == BATCH and 3 <= len(sizes) <= 4:
            order = list(range(len(sizes) - 2)) + [len(sizes) - 1, len(sizes) - 2]
            turned = self.graph.node("Transpose", name, perm=order)
            self.add("MatMul", [name, turned], sizes[:-1] + [sizes[-2]])

    def pad(self, name, sizes):
        axis = self.axis(sizes)
        if axis is not None and len(sizes) <= 4:
            amounts = [0] * (2 * len(sizes))
            amounts[axis], amounts[axis + len(sizes)] = self.integer(0, 2), self.integer(0, 2)
            self.add("Pad", [name, self.graph.ints(*amounts)],
                     sizes[:axis] + [sizes[axis] + sum(amounts)] + sizes[axis + 1:])


def difference(found, expected):
    """The largest difference, as a part of the largest value; infinite if shapes or infinities differ."""
    finite = np.isfinite(expected)
    if found.shape != expected.shape or not np.array_equal(finite, np.isfinite(found)):
        return np.inf
    return np.abs(found - expected)[finite].max(initial=0) / max(1e-6, np.abs(expected[finite]).max(initial=0))


def check(netconv, seed, folder, drawn):
    """What became of a graph, and why it is refused or how it is wrong."""
    try:
        draw = drawn(seed)
        model = draw.graph.proto().SerializeToString()
        session = onnxruntime.InferenceSession(model)
        x = np.random.default_rng(seed).standard_normal([3] + draw.shape).astype(np.float32)
        alone = np.concatenate([session.run(None, {"x": x[k:k + 1]})[0] for k in range(3)])
        expected = alone if draw.batch else session.run(None, {"x": x})[0]
    except Exception:
        return "drawn anew", ""
    if difference(alone, expected) > TOLERANCE:
        return "drawn anew", ""
    path, array, output = folder / "graph.onnx", folder / "x.npy", folder / "y.npy"
    path.write_bytes(model)
    np.save(array, x)
    for engine in ("fast", "reference"):
        run = subprocess.run([netconv, "run", path, "--force", "--input", array, "--output", output, "--engine", engine],
                             capture_output=True, text=True)
        if run.returncode == 65:
            line = run.stderr.strip().splitlines()[-1].strip()
            return "refused", re.sub(r"[\d\[\], x?()]+", "#", re.sub(r"^'[^']*': ", "", line))[:100]
        if run.returncode:
            return "WRONG", f"exit code {run.returncode}: {run.stderr[:200]}"
        found = difference(np.load(output), expected)
        if found > TOLERANCE:
            return "WRONG", f"{engine} engine by {found:.1e}: {[node.op_type for node in draw.graph.nodes]}"
    return "equal", ""


def main(drawn=Draw, text=__doc__):
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("netconv", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    results, reasons = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            result, reason = check(arguments.netconv.resolve(), seed, pathlib.Path(folder), drawn)
            results[result] += 1
            if result == "WRONG":
                print(f"seed {seed}: {reason}")
            elif reason:
                reasons[reason] += 1
    for reason, count in reasons.most_common(20):
        print(f"{count:6} refused: {reason}")
    print(", ".join(f"{count} {result}" for result, count in results.most_common()))
    sys.exit(1 if results["WRONG"] else 0)


if __name__ == "__main__":
    main()
