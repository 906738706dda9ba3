"""Random networks over volumes through netconv, against onnxruntime.

    random_volumes.py NETCONV [--count N] [--seed FIRST]

Convolutions, transposed convolutions, poolings, padding, enlargement and normalisations, one after another, with sizes, strides, dilations,
padding and groups that a seed draws, and sums and concatenations of two branches. Exits with 1 if a value is wrong.
"""
import random_graphs
from random_graphs import Graph, np


class Volumes:
    """A network in the making."""

    def __init__(self, seed):
        self.dice = np.random.default_rng([seed, 5])
        self.graph = Graph(seed=seed, opset=17)
        self.shape = [int(size) for size in self.dice.choice([1, 2, 3, 4, 6], 1)] + [
            int(size) for size in self.dice.choice([3, 4, 5, 6, 7, 8], 3, replace=False)]
        self.batch = None
        self.sizes = list(self.shape)
        self.name = self.graph.feed(None, *self.shape)
        operations = [self.convolve, self.convolve, self.transposed, self.pool, self.pool, self.activate, self.normalize,
                      self.enlarge, self.pad, self.branch]
        for _ in range(self.integer(2, 6)):
            before = self.name, list(self.sizes)
            operations[self.integer(0, len(operations) - 1)]()
            if np.prod(self.sizes) > 40_000 or min(self.sizes) < 1:
                self.name, self.sizes = before
        ends = [lambda: self.name, lambda: self.graph.node("GlobalAveragePool", self.name),
                lambda: self.graph.node("GlobalMaxPool", self.name), self.classify]
        self.graph.out(ends[self.integer(0, 3)]())

    def integer(self, low, high):
        return int(self.dice.integers(low, high + 1))

    def three(self, low, high):
        return [self.integer(low, high) for _ in range(3)]

    def window(self, dilates):
        """The attributes of a window that fits, and the sizes behind it."""
        size, strides = self.three(1, 3), self.three(1, 2)
        dilation = self.three(1, 2) if dilates else [1, 1, 1]
        extent = [(s - 1) * d + 1 for s, d in zip(size, dilation)]
        attributes = {"kernel_shape": size, "strides": strides} | ({"dilations": dilation} if dilates else {})
        if self.integer(0, 2) == 0 and dilation == [1, 1, 1]:
            attributes["auto_pad"] = ("SAME_UPPER", "SAME_LOWER")[self.integer(0, 1)]
            return attributes, [-(-n // s) for n, s in zip(self.sizes[1:], strides)]
        pads = [[self.integer(0, e - 1), self.integer(0, e - 1)] for e in extent]
        attributes["pads"] = [p[0] for p in pads] + [p[1] for p in pads]
        return attributes, [(n + sum(p) - e) // s + 1 if n + sum(p) >= e else 0
                            for n, p, e, s in zip(self.sizes[1:], pads, extent, strides)]

    def convolve(self):
        attributes, sizes = self.window(True)
        if min(sizes) < 1:
            return
        channels = self.sizes[0]
        groups = int(self.dice.choice([n for n in (1, 1, 2, 3, channels) if channels % n == 0]))
        outputs = groups * self.integer(1, 4)
        kernel = self.graph.weight(outputs, channels // groups, *attributes["kernel_shape"])
        bias = [self.graph.weight(outputs)] if self.integer(0, 1) else []
        self.name = self.graph.node("Conv", self.name, kernel, *bias, group=groups, **attributes)
        self.sizes = [outputs] + sizes

    def transposed(self):
        size, strides, outputs = self.three(1, 3), self.three(1, 2), self.integer(1, 4)
        dilation = self.three(1, 2)
        extent = [(s - 1) * d + 1 for s, d in zip(size, dilation)]
        pads = [[self.integer(0, (e - 1) // 2), self.integer(0, (e - 1) // 2)] for e in extent]
        extra = [self.integer(0, s - 1) for s in strides]
        sizes = [(n - 1) * s + e - sum(p) + x
                 for n, s, e, p, x in zip(self.sizes[1:], strides, extent, pads, extra)]
        if min(sizes) < 1 or np.prod(sizes) > 8_000:
            return
        kernel = self.graph.weight(self.sizes[0], outputs, *size)
        self.name = self.graph.node(
            "ConvTranspose", self.name, kernel, strides=strides, dilations=dilation, output_padding=extra,
            pads=[p[0] for p in pads] + [p[1] for p in pads])
        self.sizes = [outputs] + sizes

    def pool(self):
        attributes, sizes = self.window(False)
        if min(sizes) < 1:
            return
        operation = ("MaxPool", "AveragePool")[self.integer(0, 1)]
        if operation == "AveragePool" and "pads" in attributes:
            attributes["count_include_pad"] = self.integer(0, 1)
        self.name = self.graph.node(operation, self.name, **attributes)
        self.sizes = self.sizes[:1] + sizes

    def activate(self):
        self.name = self.graph.node(("Relu", "Tanh", "Sigmoid", "Elu")[self.integer(0, 3)], self.name)

    def normalize(self):
        channels = self.sizes[0]
        weights = [self.graph.weight(channels, scale=0.2, offset=1) for _ in range(4)]
        if self.integer(0, 1) and np.prod(self.sizes[1:]) > 1:
            self.name = self.graph.node("InstanceNormalization", self.name, *weights[:2])
        else:
            self.name = self.graph.node("BatchNormalization", self.name, *weights)

    def enlarge(self):
        factors = self.three(1, 2)
        scales = self.graph.constant(np.array([1, 1] + factors, np.float32))
        self.name = self.graph.node(
            "Resize", self.name, "", scales, mode=("nearest", "linear")[self.integer(0, 1)],
            coordinate_transformation_mode=("asymmetric", "half_pixel")[self.integer(0, 1)],
            nearest_mode="floor")
        self.sizes = self.sizes[:1] + [n * f for n, f in zip(self.sizes[1:], factors)]

    def pad(self):
        before, behind = self.three(0, 2), self.three(0, 2)
        self.name = self.graph.node("Pad", self.name, self.graph.ints(0, 0, *before, 0, 0, *behind))
        self.sizes = self.sizes[:1] + [n + a + b for n, a, b in zip(self.sizes[1:], before, behind)]

    def branch(self):
        channels = self.sizes[0]
        own = self.graph.node("Conv", self.name, self.graph.weight(channels, channels, 3, 1, 3), pads=[1, 0, 1] * 2)
        if self.integer(0, 1):
            self.name = self.graph.node("Add", self.name, own)
        else:
            self.name = self.graph.node("Concat", self.name, own, axis=1)
            self.sizes[0] *= 2

    def classify(self):
        flat = self.graph.node("Flatten", self.name)
        return self.graph.node("Gemm", flat, self.graph.weight(int(np.prod(self.sizes)), 5), self.graph.weight(5))


if __name__ == "__main__":
    random_graphs.main(Volumes, __doc__)
