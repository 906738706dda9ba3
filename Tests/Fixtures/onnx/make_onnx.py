"""Writes small ONNX models beside this script, with the outputs of onnxruntime as the oracle.

    python3 -m venv /tmp/onnx && /tmp/onnx/bin/pip install onnx onnxruntime numpy
    /tmp/onnx/bin/python make_onnx.py

Each model that is read has an .npz with its inputs, in0 and so on, and its outputs, out0 and so on, for three samples.
A graph for one sample, or one that mixes those of a batch, runs three times. Names with `refused-` are models of which one thing must not pass.
"""

import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

FOLDER = pathlib.Path(__file__).parent
SAMPLES = 3
MODELS = {}
F, I = TensorProto.FLOAT, TensorProto.INT64


def model(function):
    MODELS[function.__name__.replace("_", "-")] = function
    return function


class Graph:
    """Nodes, initializers and ends of a model that is being written."""

    def __init__(self, seed=1, opset=17, ir=8):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants, self.inputs, self.outputs = [], [], [], []
        self.opsets = [helper.make_opsetid("", opset)] if opset else []
        self.ir = ir
        self.feeds = {}
        self.count = 0
        self.oracle = None
        self.is_whole = False
        self.functions = []

    def feed(self, *shape, name="x", kind=F, below=None):
        """An input; the first size is the batch, None where it is open."""
        self.inputs.append(helper.make_tensor_value_info(name, kind, [s or "N" for s in shape]))
        self.feeds[name] = (shape, below)
        return name

    def weight(self, *shape, name=None, scale=0.5, offset=0.0):
        return self.constant((self.random.standard_normal(shape) * scale + offset).astype(np.float32), name)

    def constant(self, value, name=None):
        self.count += 1
        name = name or f"c{self.count}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def node(self, operation, *inputs, outputs=1, domain="", name="", **attributes):
        self.count += 1
        results = [f"v{self.count}" + (f"_{k}" if k else "") for k in range(outputs)]
        self.nodes.append(
            helper.make_node(operation, list(inputs), results, name=name, domain=domain, **attributes))
        return results[0] if outputs == 1 else results

    def out(self, *values, kind=F):
        for value in values:
            self.outputs.append(helper.make_tensor_value_info(value, kind, None))
        return self

    def proto(self):
        graph = helper.make_graph(self.nodes, "graph", self.inputs, self.outputs, self.constants)
        result = helper.make_model(
            graph, opset_imports=self.opsets or None, producer_name="make_onnx", functions=self.functions)
        if not self.opsets:
            del result.opset_import[:]
        result.ir_version = self.ir
        return result


def image(opset=17, channels=3, height=7, width=9, **settings):
    g = Graph(opset=opset, **settings)
    return g, g.feed(None, channels, height, width)


def convolution(kernel=(4, 3, 3, 3), bias=True, size=(7, 9), **attributes):
    g, x = image(channels=kernel[1] * attributes.get("group", 1), height=size[0], width=size[1])
    inputs = [x, g.weight(*kernel, name="block.conv1.weight")]
    if bias:
        inputs.append(g.weight(kernel[0], name="block.conv1.bias"))
    return g.out(g.node("Conv", *inputs, name="/block/conv1/Conv", **attributes))


CONVOLUTIONS = {
    "plain": dict(kernel_shape=[3, 3]),
    "same-pads": dict(pads=[1, 1, 1, 1]),
    "strided-pads": dict(pads=[1, 1, 1, 1], strides=[2, 2]),
    "uneven-pads": dict(pads=[0, 2, 1, 0], strides=[2, 1]),
    "same-upper": dict(auto_pad="SAME_UPPER", strides=[2, 3]),
    "same-lower": dict(auto_pad="SAME_LOWER", strides=[2, 2], size=(8, 10)),
    "dilated": dict(dilations=[2, 3], pads=[2, 3, 2, 3]),
    "no-bias": dict(bias=False),
    "groups": dict(kernel=(6, 2, 3, 3), group=3),
    "depthwise": dict(kernel=(5, 1, 3, 3), group=5, pads=[1, 1, 1, 1]),
    "depthwise-multiplier": dict(kernel=(6, 1, 3, 2), group=3, strides=[2, 1]),
    "large-pads": dict(kernel=(4, 3, 1, 1), pads=[1, 2, 0, 1]),
}
for key, settings in CONVOLUTIONS.items():
    MODELS[f"conv-{key}"] = lambda settings=settings: convolution(**settings)


def line(opset=17, channels=4, length=11):
    g = Graph(opset=opset)
    return g, g.feed(None, channels, length)


@model
def conv_1d():
    g, x = line()
    return g.out(g.node("Conv", x, g.weight(5, 4, 3), g.weight(5), pads=[2, 1], strides=[2]))


@model
def conv_1d_depthwise():
    g, x = line()
    return g.out(g.node("Conv", x, g.weight(8, 1, 3), group=4, dilations=[2], pads=[2, 2]))


@model
def conv_fused():
    g, x = image()
    g.opsets.append(helper.make_opsetid("com.microsoft", 1))
    a = g.node("FusedConv", x, g.weight(4, 3, 3, 3), g.weight(4), domain="com.microsoft", activation="Relu")
    return g.out(g.node(
        "FusedConv", a, g.weight(2, 4, 1, 1), domain="com.microsoft", activation="Clip",
        activation_params=[-0.5, 0.75]))


@model
def fused_operations():
    g = Graph()
    g.opsets.append(helper.make_opsetid("com.microsoft", 1))
    x = g.feed(None, 6, 8)
    a = g.node("FusedMatMul", x, g.weight(5, 8), domain="com.microsoft", transB=1, alpha=0.5)
    b = g.node("BiasGelu", g.node("MatMul", a, g.weight(5, 8)), g.weight(8), domain="com.microsoft")
    c = g.node("SkipLayerNormalization", b, x, g.weight(8), g.weight(8), g.weight(8), domain="com.microsoft", epsilon=0.01)
    return g.out(g.node("Gelu", c, domain="com.microsoft"), g.node("FastGelu", c, g.weight(8), domain="com.microsoft"))


@model
def quantised_weights():
    g, x = image()
    kernel = g.constant(g.random.integers(-128, 128, (4, 3, 3, 3)).astype(np.int8), "conv.weight_quantized")
    scales = g.constant((g.random.random(4) / 100 + 0.001).astype(np.float32))
    a = g.node("Conv", x, g.node("DequantizeLinear", kernel, scales, g.constant(np.arange(4, dtype=np.int8)), axis=0))
    matrix = g.constant(g.random.integers(0, 256, (4, 5)).astype(np.uint8))
    matrix = g.node("DequantizeLinear", matrix, g.constant(np.float32(0.01)), g.constant(np.uint8(127)))
    return g.out(g.node("MatMul", g.node("Transpose", a, perm=[0, 2, 3, 1]), matrix))


TRANSPOSED = {
    "plain": dict(strides=[2, 2]),
    "pads": dict(strides=[2, 2], pads=[1, 1, 1, 1]),
    "uneven-pads": dict(strides=[2, 3], pads=[0, 1, 2, 1]),
    "output-padding": dict(strides=[2, 3], pads=[1, 1, 1, 1], output_padding=[1, 2]),
    "output-shape": dict(strides=[2, 2], output_shape=[13, 17]),
    "same-upper": dict(strides=[2, 2], auto_pad="SAME_UPPER"),
    "same-lower": dict(strides=[2, 2], auto_pad="SAME_LOWER"),
    "dilated": dict(dilations=[2, 2]),
}


def transposed(**attributes):
    g, x = image()
    return g.out(g.node("ConvTranspose", x, g.weight(3, 5, 3, 3), g.weight(5), **attributes))


for key, settings in TRANSPOSED.items():
    MODELS[f"conv-transpose-{key}"] = lambda settings=settings: transposed(**settings)


@model
def conv_transpose_1d():
    g, x = line()
    return g.out(g.node("ConvTranspose", x, g.weight(4, 3, 4), strides=[2], pads=[1, 1]))


def volume(channels=4, sizes=(5, 6, 7)):
    g = Graph()
    return g, g.feed(None, channels, *sizes)


VOLUMES = {
    "conv": [("Conv", (3, 4, 2, 3, 2), dict(pads=[0, 2, 1, 1, 0, 1], strides=[1, 2, 1], dilations=[2, 1, 2]))],
    "conv-same": [("Conv", (3, 4, 2, 3, 4), dict(auto_pad="SAME_LOWER", strides=[2, 1, 3]))],
    "conv-groups": [("Conv", (6, 2, 3, 2, 1), dict(group=2)), ("Conv", (12, 1, 2, 2, 3), dict(group=6))],
    "conv-transpose": [
        ("ConvTranspose", (4, 3, 2, 3, 3), dict(strides=[2, 1, 3], pads=[1, 0, 1, 0, 2, 0], output_padding=[1, 0, 2]))],
    "max": [("MaxPool", None, dict(kernel_shape=[2, 3, 2], strides=[1, 2, 2], pads=[1, 0, 1, 0, 1, 1], ceil_mode=1))],
    "average": [("AveragePool", None, dict(kernel_shape=[3, 2, 4], strides=[2, 1, 3], pads=[1, 1, 0, 1, 0, 2]))],
    "average-including": [
        ("AveragePool", None, dict(kernel_shape=[2, 3, 3], pads=[1, 0, 1, 0, 2, 1], count_include_pad=1))],
    "global": [("GlobalAveragePool", None, {})],
    "global-max": [("GlobalMaxPool", None, {})],
}


def volumes(operations):
    g, x = volume()
    x = g.node("Sub", x, g.constant(np.float32(1.5)))
    for operation, kernel, attributes in operations:
        weights = [] if kernel is None else [g.weight(*kernel)]
        if operation == "Conv":
            weights.append(g.weight(kernel[0]))
        x = g.node(operation, x, *weights, **attributes)
    return g.out(x)


for key, operations in VOLUMES.items():
    MODELS[f"volume-{key}"] = lambda o=operations: volumes(o)


@model
def volume_network():
    """Layers between which volumes stay channels last."""
    g, x = volume(2, (4, 6, 5))
    a = g.node("Conv", x, g.weight(4, 2, 3, 3, 3), g.weight(4), pads=[1] * 6)
    a = g.node("BatchNormalization", a, *(g.weight(4, scale=0.1, offset=1) for _ in range(4)))
    a = g.node("Relu", a)
    b = g.node("MaxPool", a, kernel_shape=[2, 2, 1], strides=[2, 2, 1])
    b = g.node("Resize", b, "", g.constant(np.array([1, 1, 2, 2, 1], np.float32)), mode="nearest",
               coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    y = g.node("Concat", a, b, axis=1)
    y = g.node("InstanceNormalization", y, g.weight(8, offset=1), g.weight(8))
    return g.out(g.node("Gemm", g.node("Flatten", y), g.weight(960, 3), g.weight(3)), y)


@model
def volume_resize_linear():
    g, x = volume(2, (3, 4, 5))
    return g.out(g.node("Resize", x, "", g.constant(np.array([1, 1, 2, 1.5, 3], np.float32)), mode="linear"))


POOLINGS = {
    "max": ("MaxPool", dict(kernel_shape=[2, 3])),
    "max-pads": ("MaxPool", dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])),
    "max-ceil": ("MaxPool", dict(kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)),
    "max-ceil-pads": ("MaxPool", dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 0, 0, 1], ceil_mode=1)),
    "max-same-lower": ("MaxPool", dict(kernel_shape=[2, 2], strides=[1, 1], auto_pad="SAME_LOWER")),
    "max-same-upper": ("MaxPool", dict(kernel_shape=[3, 2], strides=[2, 2], auto_pad="SAME_UPPER")),
    "average": ("AveragePool", dict(kernel_shape=[2, 2], strides=[2, 2])),
    "average-excluding": ("AveragePool", dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])),
    "average-including": (
        "AveragePool", dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1)),
    "average-ceil": ("AveragePool", dict(kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)),
    "global-average": ("GlobalAveragePool", {}),
    "global-max": ("GlobalMaxPool", {}),
}


def pooling(operation, attributes):
    g, x = image()
    # Below 0 too, where zeros around an image would win.
    x = g.node("Sub", x, g.constant(np.float32(2)))
    return g.out(g.node(operation, x, **attributes))


for key, (operation, settings) in POOLINGS.items():
    MODELS[f"pool-{key}"] = lambda o=operation, s=settings: pooling(o, s)


@model
def pool_1d():
    g, x = line()
    a = g.node("MaxPool", x, kernel_shape=[3], strides=[2], pads=[1, 1])
    b = g.node("AveragePool", x, kernel_shape=[3], strides=[2], pads=[1, 1])
    return g.out(a, b, g.node("GlobalAveragePool", x))


@model
def gemm():
    g = Graph()
    x = g.feed(None, 5)
    a = g.node("Gemm", x, g.weight(4, 5, name="fc1.weight"), g.weight(4, name="fc1.bias"), transB=1)
    b = g.node("Gemm", g.node("Relu", a), g.weight(4, 3), g.weight(1, 3), alpha=0.5, beta=2.0)
    return g.out(g.node("Gemm", b, g.weight(3, 6)))


@model
def gemm_of_values():
    g = Graph()
    x = g.feed(None, 5)
    a = g.node("Gemm", x, g.weight(5, 4))
    return g.out(g.node("Gemm", x, g.weight(5, 4), a, beta=0.25))


@model
def matmul_add():
    g = Graph()
    x = g.feed(None, 6, 5)
    a = g.node("Add", g.node("MatMul", x, g.weight(5, 4)), g.weight(4))
    return g.out(g.node("MatMul", a, g.node("Transpose", a, perm=[0, 2, 1])))


@model
def flatten_gemm():
    g, x = image()
    a = g.node("Conv", x, g.weight(4, 3, 3, 3), g.weight(4))
    a = g.node("Flatten", g.node("MaxPool", a, kernel_shape=[2, 2], strides=[2, 2]))
    return g.out(g.node("Softmax", g.node("Gemm", a, g.weight(10, 24), g.weight(10), transB=1)))


@model
def matmul_without_batch():
    g = Graph()
    x = g.feed(7)
    a = g.node("Relu", g.node("Add", g.node("MatMul", x, g.weight(7, 5)), g.weight(5)))
    return g.out(g.node("Tanh", g.node("Add", g.node("MatMul", a, g.weight(5, 3)), g.weight(3))))


def normalized(operation, opset, *shapes, **attributes):
    g, x = image(opset=opset, channels=6)
    inputs = [
        g.weight(*shape, offset=1, scale=0.2) if k % 2 == 0 else g.weight(*shape)
        for k, shape in enumerate(shapes)
    ]
    return g.out(g.node(operation, x, *inputs, **attributes))


MODELS["norm-batch-7"] = lambda: batch_normalized(7)
MODELS["norm-batch-9"] = lambda: batch_normalized(9)
MODELS["norm-batch-15"] = lambda: batch_normalized(15, epsilon=0.01)
MODELS["norm-instance"] = lambda: normalized("InstanceNormalization", 17, (6,), (6,), epsilon=0.01)
MODELS["norm-group-18"] = lambda: normalized("GroupNormalization", 18, (3,), (3,), num_groups=3)
MODELS["norm-group-21"] = lambda: normalized("GroupNormalization", 21, (6,), (6,), num_groups=3)
MODELS["norm-layer"] = lambda: normalized("LayerNormalization", 17, (9,), (9,))
MODELS["norm-layer-axes"] = lambda: normalized("LayerNormalization", 17, (6, 7, 9), (6, 7, 9), axis=1)
MODELS["norm-rms"] = lambda: normalized("RMSNormalization", 23, (9,), epsilon=0.01)
MODELS["norm-lp"] = lambda: normalized("LpNormalization", 17, axis=-1)


def batch_normalized(opset, **attributes):
    g, x = image(opset=opset)
    return g.out(g.node(
        "BatchNormalization", x, g.weight(3, offset=1, scale=0.2), g.weight(3), g.weight(3),
        g.constant((g.random.random(3) + 0.5).astype(np.float32)), **attributes))


@model
def norm_spelled_out():
    g = Graph(opset=13)
    x = g.feed(None, 6, 8)
    mean = g.node("ReduceMean", x, axes=[-1])
    difference = g.node("Sub", x, mean)
    variance = g.node("ReduceMean", g.node("Pow", difference, g.constant(np.float32(2))), axes=[-1])
    deviation = g.node("Sqrt", g.node("Add", variance, g.constant(np.float32(1e-5))))
    y = g.node("Div", difference, deviation)
    return g.out(g.node("Add", g.node("Mul", y, g.weight(8)), g.weight(8)))


@model
def gelu_spelled_out():
    g = Graph()
    x = g.feed(None, 6)
    half = g.node("Mul", x, g.constant(np.float32(0.5)))
    erf = g.node("Erf", g.node("Div", x, g.constant(np.float32(2**0.5))))
    return g.out(g.node("Mul", half, g.node("Add", erf, g.constant(np.float32(1)))))


@model
def hard_swish_spelled_out():
    g = Graph(opset=11)
    x = g.feed(None, 6)
    clipped = g.node(
        "Clip", g.node("Add", x, g.constant(np.float32(3))), g.constant(np.float32(0)),
        g.constant(np.float32(6)))
    return g.out(g.node("Div", g.node("Mul", x, clipped), g.constant(np.float32(6))))


ACTIVATIONS = {
    "Celu": (12, dict(alpha=0.7)), "Elu": (17, dict(alpha=0.4)), "Gelu": (20, {}),
    "HardSigmoid": (17, {}), "HardSwish": (17, {}), "LeakyRelu": (17, dict(alpha=0.3)), "Mish": (18, {}),
    "Relu": (17, {}), "Selu": (17, {}), "Shrink": (17, dict(lambd=0.6)), "Sigmoid": (17, {}),
    "Softplus": (17, {}), "Softsign": (17, {}), "Tanh": (17, {}), "ThresholdedRelu": (17, dict(alpha=0.5)),
}


def activated(operation, opset, attributes):
    g, x = image(opset=opset)
    return g.out(g.node(operation, x, **attributes))


for key, (opset, settings) in ACTIVATIONS.items():
    MODELS[f"activation-{key.lower()}"] = lambda k=key, o=opset, s=settings: activated(k, o, s)
MODELS["activation-selu-numbers"] = lambda: activated("Selu", 17, dict(alpha=1.5, gamma=1.25))
MODELS["activation-gelu-tanh"] = lambda: activated("Gelu", 20, dict(approximate="tanh"))
MODELS["softmax-12"] = lambda: activated("Softmax", 12, dict(axis=2))
MODELS["softmax-12-default"] = lambda: activated("Softmax", 12, {})
MODELS["softmax-13"] = lambda: activated("Softmax", 13, dict(axis=2))
MODELS["softmax-13-channels"] = lambda: activated("LogSoftmax", 13, dict(axis=1))


@model
def activation_prelu():
    g, x = image()
    a = g.node("PRelu", x, g.weight(3, 1, 1))
    return g.out(g.node("PRelu", a, g.weight(1)))


@model
def clip_6():
    g, x = image(opset=6)
    a = g.node("Clip", x, min=-0.5, max=0.75)
    return g.out(a, g.node("Clip", x, max=0.25))


@model
def clip_11():
    g, x = image(opset=11)
    return g.out(g.node("Clip", x, "", g.constant(np.float32(0.5))))


@model
def arithmetic():
    g, x = image()
    a = g.node("Add", x, g.weight(3, 1, 1))
    b = g.node("Mul", a, g.weight(1, 3, 1, 1))
    c = g.node("Sub", g.constant(np.float32(1)), b)
    d = g.node("Div", c, g.constant(np.float32(3)))
    e = g.node("Max", a, b, d)
    f = g.node("Mean", a, e, c)
    return g.out(g.node("Sum", f, g.node("Min", a, c), g.node("Neg", d)), g.node("Pow", a, g.constant(np.float32(2))))


@model
def arithmetic_table():
    g = Graph()
    x = g.feed(None, 6, 5)
    return g.out(g.node("Mul", g.node("Add", x, g.weight(1, 6, 5)), g.weight(6, 1)))


@model
def select_by_constants():
    g = Graph()
    x = g.feed(None, 6, 6)
    causal = g.constant(np.tril(np.ones((1, 6, 6), bool)))
    y = g.node("Softmax", g.node("Where", causal, x, g.constant(np.float32(-np.inf))), axis=-1)
    z = g.node("Where", g.constant(np.arange(36).reshape(6, 6) % 3 == 0), y, x)
    return g.out(y, z, g.node("Where", g.constant(np.array([True, False, True, True, False, False])), g.weight(6, 6), x))


@model
def broadcast_6():
    """No program runs this any more, so that numpy says what it is."""
    g, x = image(opset=6)
    a = g.node("Add", x, g.weight(3), broadcast=1, axis=1)
    g.out(g.node("Mul", a, g.weight(1), broadcast=1))
    bias, factor = (numpy_helper.to_array(c) for c in g.constants)
    g.oracle = lambda x: [(x + bias[:, None, None]) * factor]
    return g


# Shapes.

@model
def reshape_zero():
    g, x = image()
    return g.out(g.node("Reshape", x, g.ints(0, 0, -1)))


@model
def reshape_of_one():
    g = Graph()
    x = g.feed(1, 3, 4, 5)
    return g.out(g.node("Gemm", g.node("Reshape", x, g.ints(1, -1)), g.weight(60, 4)))


@model
def flatten_of_one():
    g = Graph()
    x = g.feed(1, 3, 4, 5)
    return g.out(g.node("Gemm", g.node("Flatten", x, axis=0), g.weight(60, 4)))


@model
def squeeze_of_one():
    g = Graph()
    x = g.feed(1, 4, 5)
    a = g.node("MatMul", g.node("Squeeze", x, g.ints(0)), g.weight(5, 3))
    return g.out(g.node("Unsqueeze", g.node("Softmax", a, axis=0), g.ints(0)))


@model
def batch_of_two():
    g = Graph()
    x = g.feed(2, 3, 4)
    return g.out(g.node("Gemm", g.node("Reshape", x, g.ints(2, 12)), g.weight(12, 4)))


@model
def reshape_by_shape():
    g, x = image()
    a = g.node("Conv", x, g.weight(4, 3, 3, 3))
    size = g.node("Gather", g.node("Shape", a), g.constant(np.int64(0)), axis=0)
    target = g.node("Concat", g.node("Unsqueeze", size, g.ints(0)), g.ints(-1), axis=0)
    return g.out(g.node("Gemm", g.node("Reshape", a, target), g.weight(140, 4)))


def shuffled(batch):
    g = Graph()
    x = g.feed(batch, 6, 4, 5)
    a = g.node("Conv", x, g.weight(6, 6, 1, 1))
    a = g.node("Reshape", a, g.ints(batch or -1, 2, 3, 4, 5))
    a = g.node("Reshape", g.node("Transpose", a, perm=[0, 2, 1, 3, 4]), g.ints(batch or -1, 6, 4, 5))
    return g.out(g.node("Conv", a, g.weight(4, 6, 3, 3)))


MODELS["channel-shuffle"] = lambda: shuffled(None)
MODELS["channel-shuffle-of-one"] = lambda: shuffled(1)


@model
def shuffle_across_one():
    g = Graph()
    x = g.feed(1, 6, 4, 5)
    a = g.node("Reshape", x, g.ints(3, 2, 20))
    a = g.node("Reshape", g.node("Transpose", a, perm=[1, 0, 2]), g.ints(2, -1, 3, 4, 5))
    first = g.node("Gather", a, g.constant(np.int64(0)), axis=0)
    second = g.node("Gather", a, g.constant(np.int64(1)), axis=0)
    return g.out(g.node("Concat", second, g.node("Conv", first, g.weight(3, 3, 1, 1)), axis=1))


@model
def steps_first():
    g = Graph()
    x = g.feed(None, 6, 5)
    a = g.node("Transpose", x, perm=[1, 0, 2])
    a = g.node("Tanh", g.node("MatMul", a, g.weight(5, 4)))
    last = g.node("Gather", a, g.constant(np.int64(-1)), axis=0)
    return g.out(last, g.node("Transpose", a, perm=[1, 0, 2]))


@model
def attention_heads():
    g = Graph()
    x = g.feed(None, 6, 8)

    def heads(order):
        y = g.node("Add", g.node("MatMul", x, g.weight(8, 8)), g.weight(8))
        return g.node("Transpose", g.node("Reshape", y, g.ints(0, 0, 2, 4)), perm=order)

    scores = g.node("MatMul", heads([0, 2, 1, 3]), heads([0, 2, 3, 1]))
    scores = g.node("Div", scores, g.constant(np.float32(2)))
    mask = np.triu(np.full((6, 6), -1e9, np.float32), 1)
    scores = g.node("Softmax", g.node("Add", scores, g.constant(mask)), axis=-1)
    y = g.node("Transpose", g.node("MatMul", scores, heads([0, 2, 1, 3])), perm=[0, 2, 1, 3])
    return g.out(g.node("MatMul", g.node("Reshape", y, g.ints(0, 0, 8)), g.weight(8, 8)))


@model
def expand_and_tile():
    g = Graph()
    x = g.feed(None, 1, 5)
    a = g.node("Expand", x, g.ints(1, 4, 5))
    return g.out(g.node("Tile", a, g.ints(1, 2, 3)))


@model
def tokens_in_front():
    g = Graph()
    x = g.feed(None, 4, 5)
    n = g.node("Slice", g.node("Shape", x), g.ints(0), g.ints(1))
    token = g.node("Expand", g.weight(1, 1, 5), g.node("Concat", n, g.ints(1, 5), axis=0))
    return g.out(g.node("Concat", token, x, axis=1))


@model
def concat():
    g = Graph()
    x = g.feed(None, 4, 5)
    return g.out(g.node("Concat", g.node("Relu", x), g.node("Neg", x), axis=-1))


def blocks(operation, **attributes):
    g, x = image(channels=8, height=4, width=6)
    return g.out(g.node(operation, x, blocksize=2, **attributes))


MODELS["depth-to-space"] = lambda: blocks("DepthToSpace")
MODELS["depth-to-space-crd"] = lambda: blocks("DepthToSpace", mode="CRD")
MODELS["space-to-depth"] = lambda: blocks("SpaceToDepth")


@model
def slices():
    g, x = image()
    a = g.node("Slice", x, g.ints(1, 0), g.ints(3, -2), g.ints(1, 3))
    b = g.node("Slice", x, g.ints(-1), g.ints(-2**62), g.ints(2), g.ints(-2))
    c = g.node("Slice", x, g.ints(2), g.ints(2**62), g.ints(-1), g.ints(3))
    return g.out(a, b, c)


@model
def slice_9():
    g, x = image(opset=9)
    return g.out(g.node("Slice", x, starts=[1, -4], ends=[100, -1], axes=[2, 3]))


@model
def split_11():
    g, x = image(opset=11, channels=7)
    return g.out(*g.node("Split", x, outputs=2, axis=1, split=[3, 4]))


@model
def split_18():
    g, x = image(opset=18, channels=7)
    return g.out(*g.node("Split", x, outputs=3, axis=1, num_outputs=3))


@model
def gathers():
    g, x = image()
    a = g.node("Gather", x, g.ints(2, 0), axis=1)
    b = g.node("Gather", x, g.ints(1, 3, 5), axis=2)
    c = g.node("Gather", x, g.constant(np.array([[0, 1], [-1, 2]])), axis=3)
    d = g.node("Gather", x, g.ints(0, 0), axis=2)
    return g.out(a, b, c, d, g.node("Gather", x, g.ints(5, 3, 4), axis=2))


@model
def embedding():
    g = Graph()
    x = g.feed(None, 6, kind=I, below=9)
    a = g.node("Gather", g.weight(9, 4, name="embedding.weight"), x)
    return g.out(g.node("ReduceMean", a, axes=[1], keepdims=0))


@model
def padding():
    g, x = image()
    a = g.node("Pad", x, g.ints(0, 0, 1, 0, 0, 0, 2, 3))
    return g.out(g.node("Pad", a, g.ints(0, 0, -1, 2, 0, 0, 0, -4)))


@model
def padding_numbers():
    g, x = image()
    a = g.node("Pad", x, g.ints(0, 0, 1, 2, 0, 0, 0, 1), g.constant(np.float32(1.5)))
    return g.out(a, g.node("Pad", x, g.ints(0, 1, 0, 1, 0, 0, 2, 0)))


@model
def padding_modes():
    g, x = image()
    amounts = g.ints(0, 1, 2, 3, 0, 0, 1, 2)
    return g.out(*(g.node("Pad", x, amounts, mode=mode) for mode in ("reflect", "edge")),
                 g.node("Pad", x, g.ints(0, 0, -1, 3, 0, 0, 1, 2), mode="reflect"))


@model
def padding_of_vectors():
    g = Graph()
    x = g.feed(None, 5)
    return g.out(g.node("Pad", x, g.ints(0, 2, 0, 1), g.constant(np.float32(-1))))


@model
def padding_2():
    g, x = image(opset=2)
    return g.out(g.node("Pad", x, pads=[0, 0, 1, 0, 0, 0, 2, 3]))


@model
def reductions():
    g = Graph(opset=18)
    x = g.feed(None, 4, 5, 6)
    return g.out(
        g.node("ReduceMean", x, g.ints(2, 3)), g.node("ReduceSum", x, g.ints(-1), keepdims=0),
        g.node("ReduceMax", x, g.ints(1), keepdims=0), g.node("ReduceMin", x, g.ints(1, 3)),
        g.node("ReduceSumSquare", x, g.ints(2)), g.node("ReduceSum", x, noop_with_empty_axes=1))


@model
def einsum():
    g = Graph()
    x = g.feed(None, 4, 5)
    a = g.node("Einsum", x, g.weight(5, 2, 3), equation="btc,chd->bhtd")
    return g.out(g.node("Einsum", a, a, equation="bhtd,bhsd->bhts"))


RESIZES = {
    "nearest": dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    "nearest-centres": dict(mode="nearest"),
    "linear": dict(mode="linear", coordinate_transformation_mode="pytorch_half_pixel"),
    "linear-corners": dict(mode="linear", coordinate_transformation_mode="align_corners"),
    "linear-asymmetric": dict(mode="linear", coordinate_transformation_mode="asymmetric"),
}


def resized(scales, sizes=None, **attributes):
    g, x = image(opset=13)
    inputs = [x, "", g.constant(np.array([1, 1] + scales, np.float32)) if scales else ""]
    if sizes:
        inputs.append(g.ints(*sizes))
    return g.out(g.node("Resize", *inputs, **attributes))


for key, settings in RESIZES.items():
    MODELS[f"resize-{key}"] = lambda settings=settings: resized([2, 3], **settings)
MODELS["resize-sizes"] = lambda: resized_to_sizes()


def resized_to_sizes():
    g, x = image(opset=13)
    n = g.node("Slice", g.node("Shape", x), g.ints(0), g.ints(2))
    sizes = g.node("Concat", n, g.ints(5, 12), axis=0)
    return g.out(g.node(
        "Resize", x, "", "", sizes, mode="linear", coordinate_transformation_mode="half_pixel"))


@model
def upsample_7():
    g, x = image(opset=7)
    return g.out(g.node("Upsample", x, scales=[1.0, 1.0, 2.0, 2.0], mode="nearest"))


@model
def upsample_9():
    g, x = image(opset=9)
    return g.out(g.node("Upsample", x, g.constant(np.array([1, 1, 2, 3], np.float32)), mode="linear"))


RECURRENT = {
    "lstm": ("LSTM", 4, {}),
    "lstm-reverse": ("LSTM", 4, dict(direction="reverse")),
    "lstm-bidirectional": ("LSTM", 4, dict(direction="bidirectional")),
    "lstm-activations": ("LSTM", 4, dict(activations=["HardSigmoid", "Relu", "Relu"])),
    "gru": ("GRU", 3, dict(linear_before_reset=1)),
    "gru-reset-before": ("GRU", 3, {}),
    "gru-bidirectional": ("GRU", 3, dict(direction="bidirectional", linear_before_reset=1)),
    "rnn": ("RNN", 1, {}),
}


def recurrent(operation, gates, attributes, units=5, channels=4, states=None):
    g = Graph()
    x = g.feed(None, 7, channels)
    steps = g.node("Transpose", x, perm=[1, 0, 2])
    count = 2 if attributes.get("direction") == "bidirectional" else 1
    inputs = [
        steps, g.weight(count, gates * units, channels), g.weight(count, gates * units, units),
        g.weight(count, 2 * gates * units)]
    if states:
        inputs += ["", *states(g, x, count, units)]
    y = g.node(operation, *inputs, outputs=3 if operation == "LSTM" else 2, hidden_size=units, **attributes)
    whole = g.node("Reshape", g.node("Transpose", y[0], perm=[2, 0, 1, 3]), g.ints(0, 0, -1))
    return g.out(whole, *(g.node("Transpose", state, perm=[1, 0, 2]) for state in y[1:]))


for key, (operation, gates, settings) in RECURRENT.items():
    MODELS[f"recurrent-{key}"] = lambda o=operation, n=gates, s=settings: recurrent(o, n, s)


def zero_states(g, x, count, units):
    """Zeros for each sample, as exporters of PyTorch write them."""
    batch = g.node("Unsqueeze", g.node("Gather", g.node("Shape", x), g.constant(np.int64(0))), g.ints(0))
    size = g.node("Concat", g.ints(count), batch, g.ints(units), axis=0)
    return [g.node("ConstantOfShape", size), g.node("Expand", g.constant(np.zeros((count, 1, units), np.float32)), size)]


def computed_states(g, x, count, units):
    """States that follow from the samples."""
    first = g.node("Gather", x, g.constant(np.int64(0)), axis=1)
    return [
        g.node("Unsqueeze", g.node("Gemm", first, g.weight(4, units)), g.ints(0)) for _ in range(2)]


def constant_states(g, x, count, units):
    batch = g.node("Slice", g.node("Shape", x), g.ints(0), g.ints(1))
    size = g.node("Concat", g.ints(count), batch, g.ints(units), axis=0)
    return [g.node("Expand", g.weight(count, 1, units), size) for _ in range(2)]


def batch_first(operation, gates, **attributes):
    g = Graph()
    x = g.feed(None, 7, 4)
    y = g.node(operation, x, g.weight(1, gates * 5, 4), g.weight(1, gates * 5, 5), g.weight(1, 2 * gates * 5),
               outputs=3 if operation == "LSTM" else 2, hidden_size=5, layout=1, **attributes)
    return g.out(*y[:2])


MODELS["recurrent-lstm-batch-first"] = lambda: batch_first("LSTM", 4)
MODELS["recurrent-rnn-batch-first"] = lambda: batch_first("RNN", 1)
MODELS["recurrent-zero-states"] = lambda: recurrent("LSTM", 4, dict(direction="bidirectional"), states=zero_states)
MODELS["recurrent-computed-states"] = lambda: recurrent("LSTM", 4, {}, states=computed_states)
MODELS["recurrent-constant-states"] = lambda: recurrent(
    "LSTM", 4, dict(direction="bidirectional"), states=constant_states)


@model
def recurrent_last_step():
    g = Graph()
    x = g.feed(1, 7, 4)
    steps = g.node("Transpose", x, perm=[1, 0, 2])
    y = g.node("LSTM", steps, g.weight(1, 20, 4), g.weight(1, 20, 5), outputs=3, hidden_size=5)
    last = g.node("Gather", g.node("Squeeze", y[0], g.ints(1)), g.constant(np.int64(-1)), axis=0)
    return g.out(g.node("Gemm", last, g.weight(5, 3)), g.node("Gemm", g.node("Squeeze", y[1], g.ints(0)), g.weight(5, 2)))


# Files.

@model
def file_old():
    """Initializers that are inputs too, in a file of the first versions."""
    g = Graph(opset=7, ir=3)
    x = g.feed(None, 5)
    w, b = g.weight(5, 4), g.weight(4)
    for constant, shape in ((w, [5, 4]), (b, [4])):
        g.inputs.append(helper.make_tensor_value_info(constant, F, shape))
    return g.out(g.node("Relu", g.node("Gemm", x, w, b)))


@model
def file_constants():
    """Constants as nodes, in all their forms."""
    g = Graph()
    x = g.feed(None, 3)
    a = g.node("Mul", x, g.node("Constant", value_float=1.5))
    a = g.node("Add", a, g.node("Constant", value_floats=[1.0, -1.0, 0.5]))
    shape = g.node("Constant", value_ints=[-1, 3, 1])
    a = g.node("Reshape", a, shape)
    zeros = g.node("ConstantOfShape", g.ints(1, 3, 1), value=helper.make_tensor("v", F, [1], [2.0]))
    return g.out(g.node("Sub", a, zeros))


@model
def file_types():
    """Weights as float16, bfloat16 and double, as bytes and as lists, behind casts."""
    g = Graph()
    x = g.feed(None, 4)
    half = (np.arange(12).reshape(4, 3) / 16 - 0.3).astype(np.float16)
    g.constants.append(helper.make_tensor("half", TensorProto.FLOAT16, [4, 3], half.ravel()))
    double = np.array([0.1, -0.2, 0.3])
    g.constants.append(helper.make_tensor("double", TensorProto.DOUBLE, [3], double))
    g.constants.append(helper.make_tensor("list", F, [3], [1.5, 2.5, -0.5]))
    a = g.node("MatMul", x, g.node("Cast", "half", to=F))
    a = g.node("Add", a, g.node("Cast", "double", to=F))
    return g.out(g.node("Mul", a, "list"))


@model
def file_external():
    g = Graph()
    x = g.feed(None, 5)
    return g.out(g.node("Gemm", x, g.weight(5, 4, name="fc.weight"), g.weight(4, name="fc.bias")))


@model
def file_names():
    """Names with dots, a leading slash, none at all, and one of two layers."""
    g = Graph()
    x = g.feed(None, 4, name="input.1")
    w = g.weight(4, 4, name="encoder.shared.weight")
    a = g.node("MatMul", x, w, name="/encoder/MatMul")
    a = g.node("Relu", g.node("MatMul", a, w, name="/encoder/MatMul_1"))
    return g.out(g.node("MatMul", a, g.weight(4, 2, name="onnx::MatMul_7"), name="/head/MatMul"))


@model
def unused_input():
    g = Graph()
    x = g.feed(None, 4)
    g.feed(None, 3, name="unused")
    return g.out(g.node("Relu", x))


@model
def constant_output():
    g = Graph()
    x = g.feed(None, 4)
    return g.out(g.node("Relu", x), g.node("Identity", g.weight(3)))


# What must not pass.

# Quantised values


def scale(g, number, zero=None, kind=np.uint8):
    inputs = [g.constant(np.asarray(number, np.float32))]
    return inputs if zero is None else inputs + [g.constant(np.asarray(zero, kind))]


@model
def quantised_values():
    g, x = image()
    x = g.node("Mul", x, g.constant(np.float32(2)))
    a = g.node("QuantizeLinear", x, *scale(g, 0.02, 120))
    b = g.node("QuantizeLinear", x, *scale(g, [0.01, 0.03, 0.5], [0, -7, 100], np.int8))
    c = g.node("QuantizeLinear", x, *scale(g, 0.04))
    return g.out(
        g.node("Cast", a, to=F), g.node("Cast", b, to=F), g.node("DequantizeLinear", a, *scale(g, 0.02, 120)),
        g.node("DequantizeLinear", b, *scale(g, [0.01, 0.03, 0.5], [0, -7, 100], np.int8)),
        g.node("MaxPool", g.node("DequantizeLinear", c, *scale(g, 0.04)), kernel_shape=[2, 2]))


@model
def quantised_network():
    g, x = image()
    q = g.node("QuantizeLinear", x, *scale(g, 0.03, 128))
    kernel = g.constant(g.random.integers(-127, 128, (4, 3, 3, 3)).astype(np.int8), "conv.weight")
    factors = g.random.random(4) / 200 + 0.001
    bias = g.constant(g.random.integers(-3000, 3000, 4).astype(np.int32))
    y = scale(g, 0.05, 3)
    a = g.node("QLinearConv", q, *scale(g, 0.03, 128), kernel, *scale(g, factors, np.zeros(4), np.int8), *y, bias,
               pads=[1, 1, 1, 1], strides=[2, 2])
    moved = g.node("Transpose", a, perm=[0, 2, 3, 1])
    matrix = g.constant(g.random.integers(0, 256, (4, 5)).astype(np.uint8), "fc.weight")
    z = scale(g, 0.1, 100)
    b = g.node("QLinearMatMul", moved, *y, matrix, *scale(g, 0.01, 127), *z)
    return g.out(g.node("DequantizeLinear", a, *y), g.node("DequantizeLinear", b, *z))


@model
def quantised_sums():
    g, x = image()
    zero = g.constant(np.uint8(128))
    q = g.node("QuantizeLinear", x, g.constant(np.float32(0.03)), zero)
    kernel = g.constant(g.random.integers(0, 256, (4, 3, 3, 3)).astype(np.uint8), "conv.weight")
    a = g.node("ConvInteger", q, kernel, zero, g.constant(np.uint8(120)), pads=[0, 1, 1, 0])
    matrix = g.constant(g.random.integers(0, 256, (9, 5)).astype(np.uint8), "fc.weight")
    b = g.node("MatMulInteger", q, matrix, zero)
    return g.out(g.node("Cast", a, to=F), g.node("Cast", b, to=F))


@model
def quantised_arithmetic():
    g, x = image()
    g.opsets.append(helper.make_opsetid("com.microsoft", 1))
    a, b, y = scale(g, 0.03, 128), scale(g, 0.0257, 100), scale(g, 0.0617, 90)
    p, q = g.node("QuantizeLinear", x, *a), g.node("QuantizeLinear", g.node("Abs", x), *b)
    quantised = [
        g.node("QLinearAdd", p, *a, q, *b, *y, domain="com.microsoft"),
        g.node("QLinearMul", p, *a, q, *b, *y, domain="com.microsoft"),
        g.node("QLinearSigmoid", p, *a, *y, domain="com.microsoft"),
        g.node("QLinearLeakyRelu", p, *a, *y, domain="com.microsoft", alpha=0.2),
        g.node("QLinearConcat", *y, p, *a, q, *b, domain="com.microsoft", axis=1),
        g.node("QLinearGlobalAveragePool", p, *a, *y, domain="com.microsoft", channels_last=0)]
    return g.out(*[g.node("DequantizeLinear", v, *y) for v in quantised])


# Steps, indices and choices


@model
def steps():
    g, x = image()
    return g.out(*[g.node(name, x) for name in ("Floor", "Ceil", "Round", "Sign")])


@model
def comparisons():
    g = Graph()
    x, y = g.feed(None, 4, 5), g.feed(None, 1, 5, name="y")
    limit = g.constant(np.float32(0.25))
    table = g.weight(4, 1)
    results = [
        g.node("Greater", x, y), g.node("LessOrEqual", y, x), g.node("Less", x, limit),
        g.node("GreaterOrEqual", table, x), g.node("Equal", g.node("Round", x), g.node("Round", y))]
    both = g.node("And", results[0], g.node("Not", results[3]))
    either = g.node("Xor", g.node("Or", both, results[2]), results[4])
    return g.out(*[g.node("Cast", v, to=F) for v in results + [both, either]])


@model
def vector_comparisons():
    g = Graph()
    x = g.feed(None, 5)
    isLarge = g.node("Greater", x, g.constant(np.float32(0.5)))
    return g.out(g.node("Where", isLarge, x, g.constant(np.float32(-1))), g.node("Pow", g.constant(np.float32(2)), x))


@model
def choices():
    g = Graph()
    x, y = g.feed(None, 4, 5), g.feed(None, 4, 1, name="y")
    isLarger = g.node("Greater", x, y)
    a = g.node("Where", isLarger, x, g.constant(np.float32(-np.inf)))
    b = g.node("Where", isLarger, g.weight(4, 5), y)
    # Where it is not chosen it may be infinite.
    infinite = g.node("Reciprocal", g.node("Floor", x))
    c = g.node("Where", g.constant(np.tri(4, 5) > 0), y, g.node("Where", g.node("Equal", g.node("Floor", x), g.constant(np.float32(0))), x, infinite))
    return g.out(g.node("Softmax", g.node("Max", a, y), axis=-1), b, c)


@model
def vector_tables():
    g = Graph()
    x = g.feed(None, 3, 4, 5)
    a = g.node("Flatten", g.node("Conv", x, g.weight(2, 3, 1, 1)))
    b = g.node("Max", a, g.weight(40))
    return g.out(g.node("Cast", g.node("Less", g.weight(1, 40), b), to=F), b)


@model
def powers():
    g = Graph()
    x, y = g.feed(None, 3, 4), g.feed(None, 3, 4, name="y")
    positive = g.node("Add", g.node("Abs", x), g.constant(np.float32(0.1)))
    return g.out(
        g.node("Pow", positive, y), g.node("Mod", x, positive, fmod=1),
        *[g.node(name, g.node("Mul", g.node("Tanh", x), g.constant(np.float32(0.9)))) for name in ("Asinh", "Atanh")],
        g.node("Acosh", g.node("Add", positive, g.constant(np.float32(1)))))


@model
def casts():
    g, x = image()
    whole = g.node("Cast", x, to=I)
    truth = g.node("Cast", whole, to=TensorProto.BOOL)
    return g.out(g.node("Cast", whole, to=F), g.node("Cast", truth, to=F))


@model
def arg_max():
    g, x = image()
    indices = [
        g.node("ArgMax", x, axis=1), g.node("ArgMin", x, axis=-1, keepdims=0),
        g.node("ArgMax", g.node("Round", x), axis=2, select_last_index=1)]
    return g.out(*[g.node("Cast", v, to=F) for v in indices])


@model
def arg_max_classes():
    g = Graph()
    x = g.feed(None, 6)
    found = g.node("ArgMax", g.node("Softmax", g.node("Gemm", x, g.weight(6, 5), g.weight(5))), axis=1, keepdims=0)
    return g.out(g.node("Cast", found, to=F))


@model
def hardmax():
    g, x = image()
    return g.out(g.node("Hardmax", x, axis=1), g.node("Hardmax", g.node("Round", x), axis=-1))


@model
def one_hot():
    g = Graph()
    x = g.feed(None, 4, kind=I, below=7)
    depth = g.constant(np.array([5], np.int64))
    moved = g.node("Sub", x, g.ints(3))
    return g.out(
        g.node("OneHot", x, depth, g.constant(np.array([0, 1], np.float32))),
        g.node("OneHot", moved, depth, g.constant(np.array([-2, 3], np.float32)), axis=1))


@model
def integer_division():
    g = Graph()
    x, y = g.feed(None, 3, 4, kind=I, below=99), g.feed(None, 3, 4, name="y", kind=I, below=9)
    x = g.node("Sub", x, g.ints(49))
    y = g.node("Add", y, g.ints(1))
    return g.out(*[g.node("Cast", g.node("Div", a, b), to=F) for a, b in ((x, g.ints(7)), (x, y), (g.ints(-98), y))])


@model
def gather_elements():
    g = Graph()
    x, k = g.feed(None, 4, 5), g.feed(None, 4, 3, name="k", kind=I, below=5)
    last = g.node("ArgMax", x, axis=2)
    return g.out(
        g.node("GatherElements", x, k, axis=2), g.node("GatherElements", x, last, axis=-1),
        g.node("GatherElements", x, g.node("Sub", k, g.ints(5)), axis=2))


@model
def triangles():
    g = Graph()
    x = g.feed(None, 3, 4, 5)
    return g.out(
        g.node("Trilu", x), g.node("Trilu", x, g.constant(np.int64(-1)), upper=0),
        g.node("CumSum", x, g.constant(np.int64(2))),
        g.node("CumSum", x, g.constant(np.int64(-1)), exclusive=1, reverse=1))


@model
def local_response():
    g, x = image(channels=5)
    g.out(g.node("LRN", x, size=3, alpha=0.02, beta=0.6, bias=1.5), g.node("LRN", x, size=4, alpha=0.5))

    # The reference evaluator sums for as many channels as there are samples; onnxruntime takes odd sizes alone.
    def lrn(x, size, alpha, beta, bias):
        sums = np.stack(
            [(x[:, max(0, c - (size - 1) // 2) : c + size // 2 + 1] ** 2).sum(1) for c in range(x.shape[1])], 1)
        return x / (bias + alpha / size * sums) ** beta

    g.oracle = lambda x: [lrn(x, 3, 0.02, 0.6, 1.5), lrn(x, 4, 0.5, 0.75, 1.0)]
    return g


@model
def lp_pool():
    g, x = image()
    return g.out(
        g.node("LpPool", x, kernel_shape=[3, 2], pads=[1, 0, 1, 1], strides=[2, 1], p=3), g.node("GlobalLpPool", x, p=1))


@model
def lp_normalization():
    g, x = image()
    return g.out(g.node("LpNormalization", x, p=1, axis=1), g.node("LpNormalization", x, axis=2))


@model
def log_sum_exp():
    g, x = image()
    large = g.node("Mul", x, g.constant(np.float32(100)))
    return g.out(g.node("ReduceLogSumExp", large, axes=[1, 3]), g.node("ReduceLogSumExp", x, axes=[2], keepdims=0))


@model
def slopes_of_values():
    g, x = image()
    return g.out(g.node("PRelu", x, g.weight(3, 1, 9)), g.node("HardSigmoid", x, alpha=0.3, beta=0.25))


@model
def stacked_product():
    g = Graph()
    x = g.feed(None, 3, 4, 5)
    return g.out(g.node("MatMul", x, g.weight(3, 5, 2)), g.node("MatMul", x, g.weight(1, 3, 5, 6)))


RESIZED = {
    "cubic": ([2, 2], dict(mode="cubic")),
    "cubic-outside": ([0.8, 1.4], dict(mode="cubic", exclude_outside=1, cubic_coeff_a=-0.5)),
    "factor": ([1.3, 1.3], dict(mode="linear")),
    "symmetric": ([0.6, 2.3], dict(mode="linear", coordinate_transformation_mode="half_pixel_symmetric")),
    "nearest-ceil": ([1.6, 0.6], dict(mode="nearest", nearest_mode="ceil")),
    "nearest-corners": ([2, 3], dict(mode="nearest", nearest_mode="floor", coordinate_transformation_mode="align_corners")),
}
for key, (scales, settings) in RESIZED.items():
    MODELS[f"resize-{key}"] = lambda scales=scales, settings=settings: resized(scales, **settings)


def reference(g):
    """The reference evaluator as the oracle, where onnxruntime has no kernel or another meaning."""
    g.oracle = lambda *arrays: ReferenceEvaluator(g.proto()).run(None, dict(zip(g.feeds, arrays)))
    return g


@model
def resize_antialias():
    g, x = image(opset=18)
    scales = g.constant(np.array([1, 1, 0.6, 0.5], np.float32))
    return reference(g.out(
        g.node("Resize", x, "", scales, mode="linear", antialias=1), g.node("Resize", x, "", scales, mode="cubic", antialias=1)))


@model
def resize_region():
    g, x = image(opset=18)
    region = g.constant(np.array([0, 0, 0.4, -0.2, 1, 1, 0.9, 1.1], np.float32))
    scales = g.constant(np.array([1, 1, 0.7, 0.8], np.float32))
    return reference(g.out(g.node(
        "Resize", x, region, scales, mode="linear", coordinate_transformation_mode="tf_crop_and_resize",
        extrapolation_value=7.0)))


def attention(causal=0, heads=None, mask=None, **settings):
    g = Graph(opset=23, ir=10)
    shape = [(None, 4, 12), (None, 6, 6), (None, 6, 10)] if heads else [(None, 3, 4, 5), (None, 3, 6, 5), (None, 3, 6, 7)]
    inputs = [g.feed(*s, name=n) for s, n in zip(shape, "qkv")]
    if mask is not None:
        inputs.append(g.constant(mask) if isinstance(mask, np.ndarray) else g.feed(*mask, name="m"))
    return reference(g.out(g.node("Attention", *inputs, is_causal=causal, **(heads or {}), **settings)))


ATTENTIONS = {
    "plain": dict(),
    "causal": dict(causal=1, softcap=2.0),
    "groups": dict(heads=dict(q_num_heads=4, kv_num_heads=2), scale=0.3),
    "mask": dict(mask=np.arange(24).reshape(4, 6) % 5 > 0),
    "mask-added": dict(mask=np.linspace(-2, 2, 20).reshape(4, 5).astype(np.float32)),
    "mask-fed": dict(mask=(None, 1, 4, 6)),
}
for key, settings in ATTENTIONS.items():
    MODELS[f"attention-{key}"] = lambda settings=settings: attention(**settings)


@model
def attention_microsoft():
    """ONNX Runtime's own operation: with biases, of other keys, of later keys alone, and with numbers that are added."""
    g = Graph()
    g.opsets.append(helper.make_opsetid("com.microsoft", 1))
    q, k, v, b = g.feed(None, 4, 12, name="q"), g.feed(None, 6, 12, name="k"), g.feed(None, 6, 8, name="v"), \
        g.feed(None, 4, 4, 6, name="b")
    n = lambda *inputs, **settings: g.node("MultiHeadAttention", *inputs, domain="com.microsoft", num_heads=4, **settings)
    return g.out(n(q, k, v), n(q, k, v, g.weight(32)), n(q, q, q, unidirectional=1, scale=0.25), n(q, k, v, "", "", b))


@model
def attention_dot_products():
    """What PyTorch exports for scaled_dot_product_attention: the root of the scale on both sides, and a mask."""
    g = Graph()
    x, m = g.feed(None, 6, 8), g.feed(None, 1, 6, 6, name="m")
    root = g.constant(np.float32(4 ** -0.25))

    def heads(order):
        y = g.node("Add", g.node("MatMul", x, g.weight(8, 8)), g.weight(8))
        return g.node("Transpose", g.node("Reshape", y, g.ints(0, 0, 2, 4)), perm=order)

    key = g.node("Transpose", heads([0, 2, 1, 3]), perm=[0, 1, 3, 2])
    scores = g.node("MatMul", g.node("Mul", heads([0, 2, 1, 3]), root), g.node("Mul", key, root))
    scores = g.node("Softmax", g.node("Add", scores, m), axis=-1)
    y = g.node("Transpose", g.node("MatMul", scores, heads([0, 2, 1, 3])), perm=[0, 2, 1, 3])
    return g.out(g.node("Reshape", y, g.ints(0, 0, 8)))


@model
def attention_look_alikes():
    """Products and softmaxes that are no attention: a softmax over queries, widths in front of heads, heads merged in another
    order, values of other heads, scores that are not all of the softmax, and keys that are not transposed."""
    g = Graph()
    x = g.feed(None, 4, 16)

    def heads(order, sizes=(0, 0, 4, 4)):
        y = g.node("MatMul", x, g.weight(16, 16))
        return g.node("Transpose", g.node("Reshape", y, g.ints(*sizes)), perm=order)

    def attend(axis=-1, last=(0, 2, 1, 3), q=(0, 2, 1, 3), k=(0, 2, 3, 1), v=(0, 2, 1, 3), change=lambda s: s):
        weights = g.node("Softmax", change(g.node("MatMul", heads(list(q)), heads(list(k)))), axis=axis)
        y = g.node("Transpose", g.node("MatMul", weights, heads(list(v))), perm=list(last))
        return g.node("Reshape", y, g.ints(0, 0, 16))

    return g.out(
        attend(axis=2), attend(axis=1), attend(q=(0, 3, 1, 2), k=(0, 3, 2, 1), v=(0, 3, 1, 2)), attend(last=(0, 2, 3, 1)),
        attend(v=(0, 3, 1, 2)), attend(k=(0, 2, 1, 3)), attend(q=(0, 1, 2, 3), k=(0, 1, 3, 2), v=(0, 1, 2, 3)),
        attend(change=lambda s: g.node("Mul", s, g.weight(4, 1, 1, offset=1.0))),
        attend(change=lambda s: g.node("Add", s, s)), attend(change=lambda s: g.node("Tanh", s)))


@model
def attention_present():
    g = Graph(opset=23, ir=10)
    q, k, v = (g.feed(None, 2, size, 4, name=n) for n, size in zip("qkv", (3, 2, 2)))
    past = [g.feed(None, 2, 3, 4, name=n) for n in ("pastk", "pastv")]
    return reference(g.out(*g.node(
        "Attention", q, k, v, "", *past, is_causal=1, outputs=4, qk_matmul_output_mode=3)))


def rotary(rank, **settings):
    g = Graph(opset=23, ir=10)
    x = g.feed(None, 5, 12) if rank == 3 else g.feed(None, 2, 5, 6)
    width = settings.get("rotary_embedding_dim", 6) or 6
    angles = np.arange(8)[:, None] * 0.7 ** np.arange(width // 2)
    tables = [g.constant(f(angles).astype(np.float32)) for f in (np.cos, np.sin)]
    positions = g.constant(np.array([[0, 1, 2, 5, 7]], np.int64))
    # One row of positions, for every sample.
    tables = [g.node("Gather", t, positions) for t in tables]
    settings = dict(settings, num_heads=2) if rank == 3 else settings
    g.out(g.node("RotaryEmbedding", x, *tables, **settings))
    g.oracle = lambda a: np.concatenate(
        [ReferenceEvaluator(g.proto()).run(None, {"x": s[None]})[0] for s in a])[None]
    return g


ROTARIES = {
    "halves": (4, dict()), "interleaved": (4, dict(interleaved=1)), "heads": (3, dict()),
    "part": (3, dict(rotary_embedding_dim=4, interleaved=1)),
}
for key, (rank, settings) in ROTARIES.items():
    MODELS[f"rotary-{key}"] = lambda rank=rank, settings=settings: rotary(rank, **settings)


def whole(build):
    g = build()
    g.is_whole = True
    return g


@model
def whole_batch_mean():
    g = Graph()
    x = g.feed(2, 3, 5)
    centred = g.node("Sub", x, g.node("ReduceMean", x, axes=[0]))
    return whole(lambda: g.out(g.node("MatMul", centred, g.weight(5, 4)), g.node("Softmax", centred, axis=0)))


@model
def whole_batch_pairs():
    g = Graph()
    x = g.feed(4, 6)
    first = g.node("Slice", x, g.ints(0), g.ints(1), g.ints(0))
    similar = g.node("MatMul", x, g.node("Transpose", x, perm=[1, 0]))
    return whole(lambda: g.out(similar, g.node("Concat", x, first, axis=0), g.node("Mul", x, first)))


@model
def mean_variance():
    g = Graph()
    x = g.feed(2, 3, 4, 5)
    return whole(lambda: g.out(g.node("MeanVarianceNormalization", x)))


# Functions of the file, and branches whose condition is known.

def body(nodes, outputs, constants=()):
    """A branch, which reads values of the graph around it."""
    return helper.make_graph(
        nodes, "body", [], [helper.make_tensor_value_info(o, F, None) for o in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants])


def called(g, name, inputs, outputs, nodes, opset=17, **settings):
    """A function of the domain `local`."""
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
    g.functions.append(helper.make_function("local", name, inputs, outputs, nodes, opsets, **settings))


@model
def function_attributes():
    g = Graph()
    g.opsets.append(helper.make_opsetid("local", 1))
    slope = helper.make_node("LeakyRelu", ["x"], ["t"])
    slope.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
    sum_ = helper.make_node("Concat", ["t", "y"], ["r"])
    sum_.attribute.append(onnx.AttributeProto(name="axis", ref_attr_name="along", type=onnx.AttributeProto.INT))
    called(
        g, "leaky", ["x", "y"], ["r", "t"], [slope, sum_], attributes=["along"],
        attribute_protos=[helper.make_attribute("slope", 0.25)])
    x, y = g.feed(None, 3, 4), g.feed(None, 3, 4, name="y")
    a = g.node("leaky", x, y, outputs=2, domain="local", along=1)[0]
    b = g.node("leaky", x, y, outputs=2, domain="local", along=-1, slope=-0.5)
    return g.out(a, *b)


@model
def function_nested():
    """Softmax of opset 11 takes the last axes as one, though the graph is of opset 17; names repeat in all places."""
    g = Graph()
    g.opsets.append(helper.make_opsetid("local", 1))
    called(g, "inner", ["x", "bias"], ["y"], [
        helper.make_node("Softmax", ["x"], ["v1"], axis=1),
        helper.make_node("Add", ["v1", "bias"], ["y"])], opset=11)
    called(g, "outer", ["v1", "w", "unused"], ["v2"], [
        helper.make_node("MatMul", ["v1", "w"], ["x"], name="n"),
        helper.make_node("Constant", [], ["b"], value=numpy_helper.from_array(np.float32([1, 2, 3, 4, 5]))),
        helper.make_node("inner", ["x", "b"], ["t"], domain="local", name="n"),
        helper.make_node("inner", ["t", "b"], ["v2"], domain="local", name="n")])
    x, w = g.feed(None, 3, 4), g.weight(4, 5, name="dense.weight")
    matrix, bias = numpy_helper.to_array(g.constants[0]), np.float32([1, 2, 3, 4, 5])

    def inner(x):
        e = np.exp(x - x.max((1, 2), keepdims=True))
        return e / e.sum((1, 2), keepdims=True) + bias

    # The reference evaluator computes the softmax as in the operator set of the graph; onnxruntime refuses equal names.
    g.oracle = lambda x: [inner(inner(x @ matrix))]
    return g.out(g.node("outer", x, w, "", domain="local", name="n"))


@model
def function_branch():
    """As PyTorch's functions are: the rank of an operand decides what is computed."""
    g = Graph()
    g.opsets.append(helper.make_opsetid("local", 1))
    scaled = helper.make_node("Mul", ["x", "factor"], ["s"])
    factor = helper.make_node("Constant", [], ["factor"])
    factor.attribute.append(onnx.AttributeProto(name="value_float", ref_attr_name="by", type=onnx.AttributeProto.FLOAT))
    called(g, "product", ["x", "w"], ["y"], [
        helper.make_node("Size", ["shape"], ["rank"]),
        helper.make_node("Constant", [], ["three"], value_int=3),
        helper.make_node("Equal", ["rank", "three"], ["cond"]),
        helper.make_node(
            "If", ["cond"], ["y"],
            then_branch=body([factor, scaled, helper.make_node("MatMul", ["s", "w"], ["r"])], ["r"]),
            else_branch=body([helper.make_node("Det", ["x"], ["r"])], ["r"]))], attributes=["by"])
    g.functions[-1].node.insert(0, helper.make_node("Shape", ["x"], ["shape"]))
    x = g.feed(None, 3, 4)
    return g.out(g.node("product", x, g.weight(4, 5), domain="local", by=0.5))


@model
def branch_known():
    g = Graph()
    x = g.feed(None, 3, 4)
    sizes = g.node("Shape", x)
    size = g.node("Gather", sizes, g.constant(np.int64(1)), axis=0)
    is_three = g.node("Equal", size, g.constant(np.int64(3)))
    a = g.node("Relu", x)
    w = ("w", g.random.standard_normal((4, 5)).astype(np.float32))
    inner = helper.make_node(
        "If", ["no"], ["r"],
        then_branch=body([helper.make_node("Det", [x], ["q"])], ["q"]),
        else_branch=body([helper.make_node("MatMul", [a, "w"], ["q"])], ["q"]))
    outer = body(
        [helper.make_node("Not", [is_three], ["no"]), inner, helper.make_node("Tanh", ["r"], ["t"])], ["r", "t"], [w])
    other = body([helper.make_node("Identity", [x], ["r"]), helper.make_node("Det", [x], ["t"])], ["r", "t"])
    first = g.node("If", is_three, outputs=2, then_branch=outer, else_branch=other)
    second = g.node("If", g.node("Not", is_three), outputs=2, then_branch=other, else_branch=outer)
    return g.out(first[0], g.node("Add", first[1], second[1]))


# Quantisation with scales that follow from the values.

@model
def quantised_dynamic():
    g = Graph()
    x = g.feed(1, 3, 6)
    q, scale, zero = g.node("DynamicQuantizeLinear", x, outputs=3)
    matrix = g.constant(g.random.integers(-128, 128, (6, 5)).astype(np.int8))
    zeros = g.constant(np.arange(-2, 3).astype(np.int8))
    product = g.node("Cast", g.node("MatMulInteger", q, matrix, zero, zeros), to=F)
    scales = g.constant((g.random.random(5) / 100 + 0.001).astype(np.float32))
    y = g.node("Mul", product, g.node("Mul", scale, scales))
    return g.out(g.node("Add", y, g.weight(5)), g.node("DequantizeLinear", q, scale, zero))


@model
def quantised_dynamic_conv():
    g = Graph()
    x = g.feed(1, 3, 7, 5)
    q, scale, zero = g.node("DynamicQuantizeLinear", g.node("Relu", x), outputs=3)
    kernel = g.constant(g.random.integers(-128, 128, (4, 3, 3, 3)).astype(np.int8))
    product = g.node("Cast", g.node("ConvInteger", q, kernel, zero, g.constant(np.int8(2)), pads=[1, 1, 1, 1]), to=F)
    return g.out(g.node("Mul", product, g.node("Mul", scale, g.constant(np.float32(0.01)))))


@model
def quantised_dynamic_products():
    g = Graph()
    g.opsets.append(helper.make_opsetid("com.microsoft", 1))
    x = g.feed(1, 3, 6)
    matrix = g.constant(g.random.integers(0, 256, (6, 5)).astype(np.uint8))
    scale, zero = g.constant(np.float32(0.02)), g.constant(np.uint8(117))
    a = g.node("DynamicQuantizeMatMul", x, matrix, scale, zero, g.weight(5), domain="com.microsoft")
    q = g.node("QuantizeLinear", x, g.constant(np.float32(0.03)), g.constant(np.uint8(128)))
    b = g.node(
        "MatMulIntegerToFloat", q, matrix, g.constant(np.float32(0.03)), scale, g.constant(np.uint8(128)), zero, g.weight(5),
        domain="com.microsoft")
    return g.out(a, b)


# Several of the largest values; gathers and scatters.

@model
def recurrent_fixed_batch():
    """The first axis is the length, and all sizes are fixed: the sequences of a batch are one sample."""
    g = Graph()
    g.is_whole = True
    x = g.feed(7, 2, 4)
    w, r, b = g.weight(2, 20, 4), g.weight(2, 20, 5), g.weight(2, 40)
    y = g.node("LSTM", x, w, r, b, outputs=3, hidden_size=5, direction="bidirectional")
    z = g.node("GRU", x, g.weight(1, 15, 4), g.weight(1, 15, 5), outputs=2, hidden_size=5, direction="reverse")
    return g.out(*y, *z)


@model
def topk():
    g = Graph()
    x = g.feed(None, 5, 7)
    largest, smallest = g.node("TopK", x, g.ints(3), outputs=2), g.node("TopK", x, g.ints(2), outputs=2, axis=1, largest=0)
    equal = g.node("TopK", g.node("Round", x), g.ints(7), outputs=2)
    return g.out(largest[0], smallest[0]).out(largest[1], smallest[1], equal[1], kind=I)


@model
def topk_1():
    g = Graph(opset=9)
    values, indices = g.node("TopK", g.feed(None, 5, 7), outputs=2, axis=1, k=4)
    return g.out(values).out(indices, kind=I)


@model
def gather_computed():
    g = Graph()
    x, i = g.feed(1, 5, 4), g.feed(1, 3, name="i", kind=I, below=5)
    return g.out(g.node("Gather", x, i, axis=1), g.node("Gather", g.node("Transpose", x, perm=[0, 2, 1]), i, axis=-1))


@model
def gather_many():
    g = Graph()
    x = g.feed(None, 3, 150)
    return g.out(g.node("Gather", x, g.constant(g.random.permutation(150)[:140].reshape(7, 20)), axis=2))


@model
def gather_elements_many():
    g = Graph()
    x = g.feed(None, 12, 15)
    return g.out(g.node("GatherElements", g.node("Concat", x, x, axis=1), g.feed(None, 9, 15, name="i", kind=I, below=24), axis=1))


@model
def gather_nd():
    g = Graph()
    x = g.feed(1, 5, 4, 3)
    a = g.node("GatherND", x, g.constant(np.int64([[[0, 4, 1], [0, -2, 0]], [[0, 0, -1], [0, 1, 2]], [[0, 3, 3], [0, 2, 0]]])))
    b = g.node("GatherND", x, g.constant(np.int64([[[-1], [2]]])), batch_dims=1)
    return g.out(g.node("Unsqueeze", a, g.ints(0)), b)


@model
def gather_nd_batch():
    g = Graph()
    x = g.feed(None, 5, 4, 3)
    i, j = g.feed(None, 6, 1, name="i", kind=I, below=5), g.feed(None, 2, 2, name="j", kind=I, below=4)
    j = g.node("Sub", j, g.ints(0, 4))
    return g.out(g.node("GatherND", x, i, batch_dims=1), g.node("GatherND", x, j, batch_dims=1))


def scattered(operation, indices, shape, opset=18, **attributes):
    g = Graph(opset=opset)
    x = g.feed(1, 5, 4)
    updates = g.feed(*shape, name="u")
    return g.out(
        g.node(operation, x, g.constant(np.int64(indices)), updates, **attributes),
        g.node(operation, g.weight(1, 5, 4), g.constant(np.int64(indices)), updates, **attributes),
        g.node(operation, x, g.constant(np.int64(indices)), g.weight(*shape), **attributes))


SLICES, POINTS = [[[0, 3], [0, 0], [0, -1]]], [[[0, 3, 1], [0, 0, -1], [0, -1, 2]]]
ELEMENTS = [[[0, 4, 2], [-2, 1, 0]]]
SCATTERS = {
    "nd-slices": ("ScatterND", SLICES, (1, 3, 4), {}),
    "nd-points": ("ScatterND", POINTS, (1, 3), {}),
    "nd-add": ("ScatterND", POINTS, (1, 3), dict(reduction="add")),
    "nd-add-repeated": ("ScatterND", [[[0, 3], [0, 0], [0, -2], [0, 0]]], (1, 4, 4), dict(reduction="add")),
    "nd-max": ("ScatterND", SLICES, (1, 3, 4), dict(reduction="max")),
    "elements": ("ScatterElements", ELEMENTS, (1, 2, 3), dict(axis=1)),
    "elements-mul": ("ScatterElements", ELEMENTS, (1, 2, 3), dict(axis=1, reduction="mul")),
    "elements-min": ("ScatterElements", [[[3, 0], [-1, 2]]], (1, 2, 2), dict(axis=-1, reduction="min")),
    "9": ("Scatter", ELEMENTS, (1, 2, 3), dict(axis=1, opset=9)),
}
for key, (operation, indices, shape, settings) in SCATTERS.items():
    MODELS[f"scatter-{key}"] = lambda s=(operation, indices, shape), settings=settings: scattered(*s, **settings)


@model
def matmul_vector():
    g = Graph()
    x = g.feed(None, 3, 4)
    return g.out(g.node("MatMul", x, g.weight(4)), g.node("MatMul", g.weight(3), x))


@model
def conv_transpose_groups():
    g, x = image(channels=6)
    return g.out(g.node("ConvTranspose", x, g.weight(6, 2, 3, 2), g.weight(6), group=3, strides=[2, 1]))


@model
def conv_transpose_larger():
    g, x = image(height=3, width=4)
    return g.out(g.node("ConvTranspose", x, g.weight(3, 5, 3, 3), g.weight(5), strides=[3, 2], output_shape=[10, 8]))


def refused(name):
    return lambda function: MODELS.update({f"refused-{name}": function})


@refused("batch-gather")
def _():
    g = Graph()
    x = g.feed(None, 3, 4)
    return g.out(g.node("Gather", x, g.constant(np.int64(0)), axis=0))


@refused("batch-literal")
def _():
    g = Graph()
    x = g.feed(None, 3, 4)
    return g.out(g.node("Reshape", x, g.ints(2, 12)))


@refused("batch-behind")
def _():
    g = Graph()
    x = g.feed(None, 3, 4)
    return g.out(g.node("Transpose", x, perm=[1, 0, 2]))


@refused("batch-merged")
def _():
    g = Graph()
    x = g.feed(None, 3, 4)
    return g.out(g.node("Reshape", x, g.ints(-1, 4)))


@refused("batch-mean")
def _():
    g = Graph()
    x = g.feed(None, 3, 4)
    return g.out(g.node("Sub", x, g.node("ReduceMean", x, axes=[0])))


@refused("pool-dilated")
def _():
    return pooling("MaxPool", dict(kernel_shape=[2, 2], dilations=[2, 2]))


@refused("pool-indices")
def _():
    g, x = image()
    return g.out(*g.node("MaxPool", x, outputs=2, kernel_shape=[2, 2]))


@refused("training-dropout")
def _():
    g, x = image()
    return g.out(g.node("Dropout", x, "", g.constant(np.array(True))))


@refused("training-norm")
def _():
    g, x = image()
    y = g.node(
        "BatchNormalization", x, g.weight(3), g.weight(3), g.weight(3), g.weight(3), outputs=3,
        training_mode=1)
    return g.out(y[0])


@refused("resize-corners")
def _():
    return resized([0.6, 0.7], mode="linear", coordinate_transformation_mode="align_corners")


@refused("trees")
def _():
    g = Graph()
    g.opsets.append(helper.make_opsetid("ai.onnx.ml", 1))
    x = g.feed(None, 3)
    return g.out(g.node("Normalizer", x, domain="ai.onnx.ml"))


@refused("recurrent-clip")
def _():
    return recurrent("LSTM", 4, dict(clip=1.0))


@refused("recurrent-lengths")
def _():
    g = Graph()
    x = g.node("Transpose", g.feed(None, 7, 4), perm=[1, 0, 2])
    lengths = g.constant(np.array([7, 6, 5], np.int32))
    y = g.node("LSTM", x, g.weight(1, 20, 4), g.weight(1, 20, 5), "", lengths, outputs=3, hidden_size=5)
    return g.out(g.node("Transpose", y[1], perm=[1, 0, 2]))


@refused("training-norm-6")
def _():
    g, x = image(opset=6)
    return g.out(g.node("BatchNormalization", x, g.weight(3), g.weight(3), g.weight(3), g.weight(3)))


@refused("recurrent-peepholes")
def _():
    g = Graph()
    x = g.node("Transpose", g.feed(None, 7, 4), perm=[1, 0, 2])
    y = g.node("LSTM", x, g.weight(1, 20, 4), g.weight(1, 20, 5), "", "", "", "", g.weight(1, 15), outputs=3, hidden_size=5)
    return g.out(g.node("Transpose", y[1], perm=[1, 0, 2]))


@refused("quantised")
def _():
    g = Graph()
    x = g.feed(None, 3)
    return g.out(g.node("DequantizeLinear", *g.node("DynamicQuantizeLinear", x, outputs=3)))


@refused("branch-fed")
def _():
    g = Graph()
    x = g.feed(1, 3)
    y = g.node("ReduceSum", g.node("Squeeze", g.node("Slice", x, g.ints(0), g.ints(1), g.ints(1)), g.ints(1)))
    condition = g.node("Greater", y, g.constant(np.float32(0)))
    bodies = [body([helper.make_node(n, [x], ["r"])], ["r"]) for n in ("Relu", "Tanh")]
    return g.out(g.node("If", condition, then_branch=bodies[0], else_branch=bodies[1]))


@refused("function-recursive")
def _():
    g = Graph()
    g.opsets.append(helper.make_opsetid("local", 1))
    called(g, "one", ["x"], ["y"], [helper.make_node("two", ["x"], ["y"], domain="local")])
    called(g, "two", ["x"], ["y"], [helper.make_node("one", ["x"], ["y"], domain="local")])
    return g.out(g.node("one", g.feed(None, 3), domain="local"))


@refused("scatter-repeated")
def _():
    g = Graph()
    x = g.feed(1, 4)
    return g.out(g.node("ScatterND", x, g.constant(np.int64([[0, 2], [0, -2]])), g.weight(2)))


@refused("later-value")
def _():
    g = Graph()
    x = g.feed(None, 3)
    a = g.node("Relu", x)
    g.out(g.node("Tanh", a))
    g.nodes.reverse()
    return g


@refused("external-outside")
def _():
    return file_external()


@refused("external-short")
def _():
    return file_external()


# Writing.

def place_outside(proto, name, location, offset):
    """Puts the weights of a model into a file beside it."""
    for tensor in proto.graph.initializer:
        data = numpy_helper.to_array(tensor).tobytes()
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", str(offset)), ("length", str(len(data)))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value
        yield offset, data
        offset += len(data)


def run(proto, feeds):
    # Optimised, onnxruntime multiplies weights of 8 bits with values that it rounds to as many.
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        return onnxruntime.InferenceSession(proto.SerializeToString(), options).run(None, feeds)
    except Exception as error:
        print("  reference evaluator:", str(error)[:100])
    return ReferenceEvaluator(proto).run(None, feeds)


def write(name):
    g = MODELS[name]()
    proto = g.proto()
    random = np.random.default_rng(7)
    if not name.startswith("refused-"):
        arrays = {}
        for key, (shape, below) in g.feeds.items():
            size = (SAMPLES,) + tuple(shape if len(shape) == 1 or g.is_whole else shape[1:])
            arrays[key] = (
                random.integers(0, below, size) if below
                else (random.standard_normal(size) * 1.5).astype(np.float32))
        batch = next(iter(g.feeds.values()))[0]
        if g.oracle:
            outputs = g.oracle(*arrays.values())
        elif batch[0] is None:
            outputs = run(proto, arrays)
        elif len(batch) == 1 or g.is_whole:
            each = [run(proto, {k: a[s] for k, a in arrays.items()}) for s in range(SAMPLES)]
            outputs = [np.stack(o) for o in zip(*each)]
        else:
            each = [
                run(proto, {k: np.repeat(a[s : s + 1], batch[0], 0) for k, a in arrays.items()})
                for s in range(SAMPLES)
            ]
            outputs = [np.concatenate([y[:1] for y in o]) for o in zip(*each)]
        stored = {f"in{k}": a for k, a in enumerate(arrays.values())}
        stored.update({f"out{k}": np.asarray(o) for k, o in enumerate(outputs)})
        np.savez_compressed(FOLDER / f"{name}.npz", **stored)
    if "external" in name:
        location = "../outside.bin" if "outside" in name else f"{name}.data"
        data = bytearray(8)
        for offset, values in list(place_outside(proto, name, location, 8)):
            data += values
        if "outside" not in name:
            (FOLDER / location).write_bytes(data[:-4] if "short" in name else data)
    (FOLDER / f"{name}.onnx").write_bytes(proto.SerializeToString())


if __name__ == "__main__":
    for name in sys.argv[1:] or MODELS:
        print(name)
        write(name)
