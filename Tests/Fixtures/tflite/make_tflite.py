"""Writes small TensorFlow Lite models beside this script, with the outputs of TensorFlow's interpreter as the oracle.

    python3 -m venv /tmp/tflite && /tmp/tflite/bin/pip install tensorflow numpy
    /tmp/tflite/bin/python make_tflite.py

The interpreter uses the reference kernels (`BUILTIN_REF`), where there are some. Each model that is read has an .npz with
its inputs, in0 and so on, and its outputs, out0 and so on, for three samples; the models run once for each. Names with
`refused-` are models of which one thing must not pass. Some have their constants as numbers in NAME.weights.npz.
"""

import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import flatbuffers
import numpy as np
import tensorflow as tf
from tensorflow.lite.python import schema_py_generated as schema

FOLDER = pathlib.Path(__file__).parent
SAMPLES = 3
MODELS = {}

TYPES = {np.float32: schema.TensorType.FLOAT32, np.float16: schema.TensorType.FLOAT16,
         np.int32: schema.TensorType.INT32, np.int64: schema.TensorType.INT64, np.int8: schema.TensorType.INT8,
         np.uint8: schema.TensorType.UINT8, np.int16: schema.TensorType.INT16, np.bool_: schema.TensorType.BOOL}
RELU, RELU_N1_TO_1, RELU6, TANH = 1, 2, 3, 4
SAME, VALID = 0, 1


def model(function):
    MODELS[function.__name__.replace("_", "-")] = function
    return function


def options(name, **fields):
    """A table of options; what is not said has the schema's default."""
    table = getattr(schema, name + "OptionsT")()
    for key, value in fields.items():
        assert hasattr(table, key), (name, key)
        setattr(table, key, value)
    return getattr(schema.BuiltinOptions, name + "Options"), table


class Graph:
    """Operators, tensors and ends of a model that is being written."""

    def __init__(self, seed=1, is_whole=False):
        self.random = np.random.default_rng(seed)
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = "make_tflite"
        self.model.buffers = [schema.BufferT()]
        self.model.operatorCodes, self.codes = [], {}
        self.graph = schema.SubGraphT()
        self.graph.tensors, self.graph.operators, self.graph.inputs, self.graph.outputs = [], [], [], []
        self.model.subgraphs = [self.graph]
        self.feeds = []
        self.is_whole = is_whole
        self.behind = b""

    def tensor(self, name, shape, kind, data=None, signature=None, scales=None):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = name, list(shape), TYPES[kind]
        tensor.shapeSignature = signature
        if scales is not None:
            quantization = schema.QuantizationParametersT()
            quantization.scale, quantization.zeroPoint, axis = scales
            quantization.quantizedDimension = axis
            tensor.quantization = quantization
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            self.model.buffers.append(buffer)
            tensor.buffer = len(self.model.buffers) - 1
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def feed(self, *shape, name=None, kind=np.float32, below=None, signature=None, scale=1.0, offset=0.0):
        """An input; the first size is the batch."""
        name = name or ("x" if not self.feeds else f"x{len(self.feeds)}")
        index = self.tensor(name, shape, kind, signature=signature)
        self.graph.inputs.append(index)
        self.feeds.append((shape, kind, below, scale, offset))
        return index

    def constant(self, value, kind=None, name=None, scales=None):
        value = np.asarray(value, kind)
        name = name or f"c{len(self.graph.tensors)}"
        return self.tensor(name, value.shape, value.dtype.type, value, scales=scales)

    def weight(self, *shape, name=None, scale=0.5, offset=0.0):
        return self.constant((self.random.standard_normal(shape) * scale + offset).astype(np.float32), name=name)

    def ints(self, *values, shape=None):
        return self.constant(np.array(values, np.int32).reshape(shape if shape is not None else [len(values)]))

    def node(self, code, *inputs, option=None, outputs=1, kind=np.float32, name=None, custom=None, scales=None):
        number = getattr(schema.BuiltinOperator, code)
        key = (number, custom)
        if key not in self.codes:
            entry = schema.OperatorCodeT()
            entry.builtinCode, entry.deprecatedBuiltinCode, entry.version = number, min(number, 127), 1
            entry.customCode = custom
            self.codes[key] = len(self.model.operatorCodes)
            self.model.operatorCodes.append(entry)
        operator = schema.OperatorT()
        operator.opcodeIndex = self.codes[key]
        operator.inputs = [-1 if each is None else each for each in inputs]
        kinds = kind if isinstance(kind, list) else [kind] * outputs
        results = [self.tensor(name or f"v{len(self.graph.tensors)}", [1], each, scales=scales) for each in kinds]
        operator.outputs = results
        if option is not None:
            operator.builtinOptionsType, operator.builtinOptions = option
        self.graph.operators.append(operator)
        return results[0] if len(results) == 1 else results

    def out(self, *values):
        self.graph.outputs += values
        return self

    def bytes(self):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output()) + self.behind

    def move_behind(self):
        """Puts all values behind the tables, as in files of more than 2 GB."""
        values = [buffer.data for buffer in self.model.buffers]
        for buffer, data in zip(self.model.buffers, values):
            if data is not None:
                buffer.data, buffer.offset, buffer.size = None, 1 << 20, len(data)
        position = -len(self.bytes()) % 16 + len(self.bytes())
        self.behind = bytes(position - len(self.bytes()))
        for buffer, data in zip(self.model.buffers, values):
            if data is not None:
                padded = bytes(data) + bytes(-len(data) % 16)
                buffer.offset = position
                self.behind += padded
                position += len(padded)
        return self

    # Integers with scales and zero points.

    def scaled(self, index, scale, zero=0, axis=0):
        """Gives a tensor its scales; one, or one for each index of an axis."""
        quantization = schema.QuantizationParametersT()
        quantization.scale = [float(each) for each in np.atleast_1d(np.float32(scale))]
        quantization.zeroPoint = [int(zero)] * len(quantization.scale)
        quantization.quantizedDimension = axis
        self.graph.tensors[index].quantization = quantization
        return index

    def feed_integers(self, *shape, kind=np.int8, scale=0.05, zero=0, name=None):
        """An input of integers, of which samples have all."""
        return self.scaled(self.feed(*shape, kind=kind, name=name, below=(np.iinfo(kind).min, np.iinfo(kind).max + 1)),
                           scale, zero)

    def kernel(self, *shape, axis=0, scales=None, kind=np.int8, zero=0):
        """A kernel of integers; `scales` are as many as it has output channels, or one."""
        low = 0 if kind == np.uint8 else -127
        value = self.constant(self.random.integers(low, np.iinfo(kind).max + 1, shape).astype(kind))
        return self.scaled(value, scales, zero, axis)

    def integer_bias(self, count, scales, kind=np.int32, largest=4000):
        """A bias of integers; `scales` are those of the products."""
        value = self.constant(self.random.integers(-largest, largest, count).astype(kind))
        return self.scaled(value, scales)

    def integers(self, code, *inputs, scale, zero=0, kind=np.int8, **rest):
        """An operator whose results are integers of one scale."""
        results = self.node(code, *inputs, kind=kind, **rest)
        for result in results if isinstance(results, list) else [results]:
            self.scaled(result, scale, zero)
        return results

    def samples(self):
        """Three samples for each input, each of the size that the graph has."""
        found = []
        for shape, kind, below, scale, offset in self.feeds:
            size = (SAMPLES, *shape)
            if below is not None:
                low, high = below if isinstance(below, tuple) else (0, below)
                found.append(self.random.integers(low, high, size).astype(kind))
            else:
                found.append((self.random.standard_normal(size) * scale + offset).astype(kind))
        return found

    def run(self):
        """The model with the shapes that its tensors get, its inputs and the interpreter's outputs."""
        interpreter = interpreted(self.bytes())
        shapes = {each["index"]: each["shape"] for each in interpreter.get_tensor_details()}
        for operator in self.graph.operators:
            for index in operator.outputs:
                if index in shapes:
                    self.graph.tensors[index].shape = [int(size) for size in shapes[index]]
        return self.bytes(), *stored(self.bytes(), self.samples(), self.is_whole)


def interpreted(content):
    """The reference kernels; the usual ones of a model with an operator that has no other, such as CEIL."""
    kinds = tf.lite.experimental.OpResolverType
    for kind in [kinds.BUILTIN_REF, kinds.BUILTIN_WITHOUT_DEFAULT_DELEGATES]:
        try:
            interpreter = tf.lite.Interpreter(model_content=content, experimental_op_resolver_type=kind)
            interpreter.allocate_tensors()
            return interpreter
        except (RuntimeError, ValueError) as error:
            if "Didn't find op" not in str(error) or kind != kinds.BUILTIN_REF:
                raise


def stored(content, samples, is_whole=False):
    """What each sample gives, one after the other."""
    interpreter = interpreted(content)
    results = []
    for sample in range(SAMPLES):
        interpreter.reset_all_variables()
        for detail, values in zip(interpreter.get_input_details(), samples):
            interpreter.set_tensor(detail["index"], values[sample])
        interpreter.invoke()
        results.append([real(interpreter.get_tensor(detail["index"]), detail)
                        for detail in interpreter.get_output_details()])
    join = np.stack if is_whole else np.concatenate
    inputs = [join([real(value, detail) for value in values])
              for values, detail in zip(samples, interpreter.get_input_details())]
    return inputs, [join([np.asarray(result[index]) for result in results]) for index in range(len(results[0]))]


def real(values, detail):
    """The numbers that integers with a scale stand for."""
    scale, zero = detail["quantization"]
    values = np.asarray(values)
    if scale == 0 or values.dtype.kind not in "iu":
        return values
    return (np.float64(np.float32(scale)) * (values.astype(np.float64) - zero)).astype(np.float32)


# Convolutions and their kin.


def conv(g, x, kernel, padding=SAME, stride=(1, 1), dilation=(1, 1), activation=0, name=None):
    return g.node("CONV_2D", x, kernel, g.weight(g.graph.tensors[kernel].shape[0]),
                  option=options("Conv2D", padding=padding, strideH=stride[0], strideW=stride[1],
                                 dilationHFactor=dilation[0], dilationWFactor=dilation[1],
                                 fusedActivationFunction=activation), name=name)


@model
def conv_same():
    g = Graph()
    return g.out(conv(g, g.feed(1, 7, 9, 3), g.weight(5, 3, 2, 3), stride=(2, 3), activation=RELU,
                      name="net/conv1/Relu;net/conv1/BiasAdd;net/conv1/Conv2D"))


@model
def conv_valid():
    g = Graph(2)
    return g.out(conv(g, g.feed(1, 7, 9, 3), g.weight(5, 2, 4, 3), padding=VALID, stride=(1, 2), activation=RELU6))


@model
def conv_dilated():
    g = Graph(3)
    return g.out(conv(g, g.feed(1, 11, 13, 2), g.weight(4, 3, 2, 2), dilation=(2, 3), activation=RELU_N1_TO_1))


@model
def conv_groups():
    g = Graph(4)
    return g.out(conv(g, g.feed(1, 5, 7, 6), g.weight(8, 3, 2, 3)))


@model
def conv_open_batch():
    g = Graph(6)
    x = conv(g, g.feed(1, 5, 7, 2, signature=[-1, 5, 7, 2]), g.weight(3, 2, 3, 2), padding=VALID)
    return g.out(g.node("RESHAPE", x, g.ints(-1, 60), option=options("Reshape", newShape=[-1, 60])))


def depthwise(g, x, kernel, multiplier, padding=SAME, stride=(1, 1), dilation=(1, 1), activation=0):
    return g.node("DEPTHWISE_CONV_2D", x, kernel, g.weight(g.graph.tensors[kernel].shape[3]),
                  option=options("DepthwiseConv2D", padding=padding, strideH=stride[0], strideW=stride[1],
                                 depthMultiplier=multiplier, dilationHFactor=dilation[0],
                                 dilationWFactor=dilation[1], fusedActivationFunction=activation))


@model
def depthwise_same():
    g = Graph(7)
    return g.out(depthwise(g, g.feed(1, 7, 8, 5), g.weight(1, 3, 2, 5), 1, stride=(2, 2), activation=RELU6))


@model
def depthwise_multiplier():
    g = Graph(8)
    return g.out(depthwise(g, g.feed(1, 7, 8, 2), g.weight(1, 3, 4, 6), 3, padding=VALID))


@model
def depthwise_dilated():
    g = Graph(9)
    return g.out(depthwise(g, g.feed(1, 9, 11, 3), g.weight(1, 3, 2, 6), 2, dilation=(2, 3), activation=RELU))


def transposed(g, size, kernel, x, bias, padding, stride, activation=0):
    return g.node("TRANSPOSE_CONV", g.ints(*size), kernel, x, *([bias] if bias is not None else []),
                  option=options("TransposeConv", padding=padding, strideH=stride[0], strideW=stride[1],
                                 fusedActivationFunction=activation))


@model
def transpose_conv_same():
    g = Graph(10)
    x, kernel = g.feed(1, 4, 5, 3), g.weight(2, 3, 4, 3)
    return g.out(transposed(g, (1, 8, 15, 2), kernel, x, None, SAME, (2, 3)))


@model
def transpose_conv_valid():
    g = Graph(11)
    x, kernel = g.feed(1, 4, 5, 3), g.weight(2, 3, 4, 3)
    return g.out(transposed(g, (1, 9, 16, 2), kernel, x, g.weight(2), VALID, (2, 3), RELU))


@model
def transpose_conv_odd():
    g = Graph(12)
    x, kernel = g.feed(1, 4, 5, 3), g.weight(2, 3, 3, 3)
    return g.out(transposed(g, (1, 7, 9, 2), kernel, x, g.weight(2), SAME, (2, 2)))


@model
def dealt_to_batches():
    g = Graph(13)
    x = g.node("SPACE_TO_BATCH_ND", g.feed(1, 8, 9, 2), g.ints(2, 3), g.ints(2, 2, 3, 3, shape=(2, 2)))
    x = g.node("CONV_2D", x, g.weight(4, 3, 3, 2), g.constant(np.zeros(4, np.float32)),
               option=options("Conv2D", padding=VALID, strideH=1, strideW=1))
    return g.out(g.node("BATCH_TO_SPACE_ND", x, g.ints(2, 3), g.ints(0, 0, 0, 0, shape=(2, 2))))


# Fully-connected layers and products.


def dense(g, x, kernel, bias=True, activation=0, keeps=False):
    return g.node("FULLY_CONNECTED", x, kernel, g.weight(g.graph.tensors[kernel].shape[0]) if bias else None,
                  option=options("FullyConnected", fusedActivationFunction=activation, keepNumDims=keeps))


@model
def dense_plain():
    g = Graph(14)
    return g.out(dense(g, g.feed(1, 6), g.weight(4, 6), activation=RELU))


@model
def dense_of_image():
    g = Graph(15)
    return g.out(dense(g, g.feed(1, 2, 3, 5), g.weight(4, 30), bias=False))


@model
def dense_keeps_axes():
    g = Graph(16)
    return g.out(dense(g, g.feed(1, 3, 5), g.weight(4, 5), keeps=True, activation=RELU6))


@model
def dense_merges_axes():
    g = Graph(17)
    x = dense(g, g.feed(1, 3, 5), g.weight(4, 5))
    return g.out(g.node("RESHAPE", x, g.ints(1, 3, 4)))


@model
def dense_half_weights():
    g = Graph(18)
    half = g.constant(g.random.standard_normal((4, 6)), np.float16, name="net/dense/kernel")
    bias = g.constant(g.random.standard_normal(4), np.float16)
    return g.out(g.node("FULLY_CONNECTED", g.feed(1, 6), g.node("DEQUANTIZE", half), g.node("DEQUANTIZE", bias),
                        option=options("FullyConnected")))


@model
def dense_dequantized():
    g = Graph(19)
    scales = [0.5, 0.01, 0.003, 0.07]
    kernel = g.constant(g.random.integers(-127, 128, (4, 6)), np.int8, scales=(scales, [0] * 4, 0))
    bias = g.constant(g.random.integers(0, 256, 4), np.uint8, scales=([0.02], [131], 0))
    return g.out(g.node("FULLY_CONNECTED", g.feed(1, 6), g.node("DEQUANTIZE", kernel), g.node("DEQUANTIZE", bias),
                        option=options("FullyConnected")))


@model
def batch_matmul():
    g = Graph(20)
    a, b = g.feed(1, 2, 3, 5), g.feed(1, 2, 4, 5)
    x = g.node("BATCH_MATMUL", a, b, option=options("BatchMatMul", adjY=True))
    return g.out(x, g.node("BATCH_MATMUL", x, b, option=options("BatchMatMul")))


# Windows.


def pool(g, code, x, size, stride, padding, activation=0):
    return g.node(code, x, option=options("Pool2D", padding=padding, filterHeight=size[0], filterWidth=size[1],
                                          strideH=stride[0], strideW=stride[1], fusedActivationFunction=activation))


@model
def pools():
    g = Graph(21)
    x = g.feed(1, 7, 9, 3)
    return g.out(pool(g, "MAX_POOL_2D", x, (2, 3), (2, 2), VALID), pool(g, "MAX_POOL_2D", x, (3, 2), (2, 3), SAME, RELU),
                 pool(g, "AVERAGE_POOL_2D", x, (3, 2), (2, 3), SAME, RELU6),
                 pool(g, "AVERAGE_POOL_2D", x, (2, 4), (1, 2), VALID))


@model
def resize_bilinear():
    g = Graph(22)
    x = g.feed(1, 4, 5, 3)
    return g.out(*[g.node("RESIZE_BILINEAR", x, g.ints(*size), option=options(
        "ResizeBilinear", alignCorners=align, halfPixelCenters=half))
        for size, align, half in [((8, 15), False, False), ((7, 6), True, False), ((9, 3), False, True)]])


@model
def resize_nearest():
    g = Graph(23)
    x = g.feed(1, 4, 5, 3)
    return g.out(*[g.node("RESIZE_NEAREST_NEIGHBOR", x, g.ints(*size), option=options(
        "ResizeNearestNeighbor", alignCorners=align, halfPixelCenters=half))
        for size, align, half in [((8, 15), False, False), ((8, 10), False, True), ((7, 6), True, False),
                                  ((9, 3), False, True), ((3, 7), False, False)]])


@model
def depth_and_space():
    g = Graph(24)
    x = g.node("DEPTH_TO_SPACE", g.feed(1, 2, 3, 12), option=options("DepthToSpace", blockSize=2))
    y = g.node("SPACE_TO_DEPTH", g.feed(1, 6, 9, 2), option=options("SpaceToDepth", blockSize=3))
    return g.out(x, y)


# Functions of values at one place.


@model
def unary():
    g = Graph(25)
    x = g.feed(1, 3, 5)
    for code in ["ABS", "CEIL", "COS", "ELU", "EXP", "FLOOR", "LOGISTIC", "NEG", "RELU", "RELU6", "RELU_N1_TO_1",
                 "RELU_0_TO_1", "ROUND", "SIN", "SQUARE", "TANH", "HARD_SWISH", "SIGN"]:
        g.out(g.node(code, x))
    return g


@model
def unary_positive():
    g = Graph(26)
    x = g.node("ADD", g.node("ABS", g.feed(1, 3, 5)), g.constant(np.float32(0.25)), option=options("Add"))
    return g.out(*[g.node(code, x) for code in ["LOG", "SQRT", "RSQRT"]])


@model
def activations():
    g = Graph(27)
    x = g.feed(1, 3, 5, scale=2.0)
    return g.out(g.node("LEAKY_RELU", x, option=options("LeakyRelu", alpha=0.3)),
                 g.node("GELU", x, option=options("Gelu", approximate=False)),
                 g.node("GELU", x, option=options("Gelu", approximate=True)),
                 g.node("SOFTMAX", x, option=options("Softmax", beta=1.0)),
                 g.node("SOFTMAX", x, option=options("Softmax", beta=0.7)),
                 g.node("LOG_SOFTMAX", x))


@model
def prelu():
    g = Graph(28)
    x, y = g.feed(1, 3, 4, 5), g.feed(1, 6)
    return g.out(g.node("PRELU", x, g.weight(1, 1, 5)), g.node("PRELU", y, g.weight(6)),
                 g.node("PRELU", x, g.weight(3, 4, 5)), g.node("PRELU", x, g.weight(1)))


@model
def l2_normalization():
    g = Graph(29)
    return g.out(g.node("L2_NORMALIZATION", g.feed(1, 3, 5), option=options("L2Norm")))


@model
def arithmetic():
    g = Graph(30)
    x, y = g.feed(1, 3, 5), g.feed(1, 3, 5)
    for code, name in [("ADD", "Add"), ("SUB", "Sub"), ("MUL", "Mul"), ("DIV", "Div")]:
        g.out(g.node(code, x, y, option=options(name)))
    for code in ["MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE"]:
        g.out(g.node(code, x, y))
    return g


@model
def arithmetic_fused():
    g = Graph(31)
    x, y = g.feed(1, 3, 5), g.feed(1, 3, 5)
    return g.out(g.node("ADD", x, y, option=options("Add", fusedActivationFunction=RELU)),
                 g.node("SUB", x, y, option=options("Sub", fusedActivationFunction=RELU6)),
                 g.node("MUL", x, y, option=options("Mul", fusedActivationFunction=RELU_N1_TO_1)),
                 g.node("DIV", x, y, option=options("Div", fusedActivationFunction=RELU)))


@model
def arithmetic_constants():
    g = Graph(32)
    x = g.feed(1, 3, 4, 5)
    for code, name in [("ADD", "Add"), ("SUB", "Sub"), ("MUL", "Mul"), ("DIV", "Div")]:
        for shape in [(), (5,), (4, 1), (3, 4, 5)]:
            c = g.weight(*shape, scale=0.2, offset=1.5)
            g.out(g.node(code, x, c, option=options(name)), g.node(code, c, x, option=options(name)))
    return g


@model
def broadcasts():
    g = Graph(33)
    x, y = g.feed(1, 3, 4, 5), g.feed(1, 1, 4, 1)
    return g.out(g.node("ADD", x, y, option=options("Add")), g.node("MUL", y, x, option=options("Mul")),
                 g.node("MAXIMUM", x, y), g.node("SUB", y, x, option=options("Sub")))


@model
def broadcasts_of_ranks():
    g = Graph(63)
    x, y = g.feed(1, 3, 5), g.feed(1, 5)
    return g.out(g.node("MUL", x, y, option=options("Mul")), g.node("SUB", y, x, option=options("Sub")))


@model
def numbers_of_rows():
    """A number of the only sample as a factor, as decoders of codebooks have it."""
    g = Graph(64, is_whole=True)
    x = g.feed(3, 5)
    first = g.node("STRIDED_SLICE", x, g.ints(0, 2), g.ints(1, 3), g.ints(1, 1),
                   option=options("StridedSlice", shrinkAxisMask=3))
    return g.out(g.node("MUL", x, first, option=options("Mul")))


@model
def powers():
    g = Graph(34)
    x, y = g.node("ABS", g.feed(1, 3, 5)), g.feed(1, 3, 5)
    return g.out(g.node("POW", x, y), g.node("POW", x, g.constant(np.float32(2.5))),
                 g.node("POW", g.constant(np.float32(1.5)), y))


@model
def comparisons():
    g = Graph(35)
    x, y = g.feed(1, 3, 5), g.feed(1, 3, 5)
    flags = [g.node(code, x, y, kind=np.bool_) for code in
             ["EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"]]
    both = g.node("LOGICAL_AND", flags[2], flags[1], kind=np.bool_)
    either = g.node("LOGICAL_OR", both, flags[4], kind=np.bool_)
    neither = g.node("LOGICAL_NOT", either, kind=np.bool_)
    for flag in flags + [both, either, neither]:
        g.out(g.node("CAST", flag, option=options("Cast", inDataType=6, outDataType=0)))
    return g


@model
def choices():
    g = Graph(36)
    x, y = g.feed(1, 3, 5), g.feed(1, 3, 5)
    flag = g.node("GREATER", x, y, kind=np.bool_)
    return g.out(g.node("SELECT", flag, x, y), g.node("SELECT_V2", flag, x, g.constant(np.float32(0.5))),
                 g.node("SELECT_V2", flag, g.weight(5), y))


@model
def integers():
    g = Graph(37)
    x = g.feed(1, 3, 5, kind=np.int32, below=20)
    y = g.node("ADD", x, g.ints(3, shape=()), option=options("Add"), kind=np.int32)
    floor = g.node("FLOOR_DIV", y, g.ints(4, shape=()), kind=np.int32)
    rest = g.node("FLOOR_MOD", y, g.ints(4, shape=()), kind=np.int32)
    return g.out(*[g.node("CAST", each, option=options("Cast", inDataType=2, outDataType=0))
                   for each in [y, floor, rest]])


@model
def casts():
    g = Graph(38)
    x = g.feed(1, 3, 5, scale=4.0)
    whole = g.node("CAST", x, option=options("Cast", inDataType=0, outDataType=2), kind=np.int32)
    return g.out(g.node("CAST", whole, option=options("Cast", inDataType=2, outDataType=0)))


# Other axes and shapes.


@model
def reshapes():
    g = Graph(39)
    x = g.feed(1, 2, 3, 5)
    flat = g.node("RESHAPE", x, g.ints(1, 30))
    # Only the option says the shape.
    old = g.node("RESHAPE", x, option=options("Reshape", newShape=[1, 6, 5]))
    wide = g.node("EXPAND_DIMS", flat, g.ints(2, shape=()))
    return g.out(flat, old, wide, g.node("SQUEEZE", wide, option=options("Squeeze", squeezeDims=[2])))


@model
def squeezes_all():
    g = Graph(40)
    x = g.node("SQUEEZE", g.feed(1, 3, 1, 5), option=options("Squeeze", squeezeDims=[]))
    return g.out(g.node("RESHAPE", x, g.ints(1, 3, 5)))


@model
def transposes():
    g = Graph(41)
    x = g.feed(1, 2, 3, 5)
    return g.out(g.node("TRANSPOSE", x, g.ints(0, 3, 1, 2)), g.node("TRANSPOSE", x, g.ints(0, 2, 1, 3)))


@model
def concatenations():
    g = Graph(42)
    x, y = g.feed(1, 2, 3, 5), g.feed(1, 2, 4, 5)
    return g.out(g.node("CONCATENATION", x, y, option=options("Concatenation", axis=2)),
                 g.node("CONCATENATION", x, x, option=options("Concatenation", axis=-1)),
                 g.node("CONCATENATION", x, g.weight(1, 2, 1, 5), option=options("Concatenation", axis=2)))


@model
def packs():
    g = Graph(43)
    x, y = g.feed(1, 3, 5), g.feed(1, 3, 5)
    for axis in [1, 2, 3, -1]:
        g.out(g.node("PACK", x, y, option=options("Pack", valuesCount=2, axis=axis)))
    for part in g.node("UNPACK", x, option=options("Unpack", num=3, axis=1), outputs=3):
        g.out(part)
    return g


@model
def splits():
    g = Graph(44)
    x = g.feed(1, 6, 5)
    for part in g.node("SPLIT", g.ints(1, shape=()), x, option=options("Split", numSplits=3), outputs=3):
        g.out(part)
    for part in g.node("SPLIT_V", x, g.ints(1, -1), g.ints(2, shape=()), option=options("SplitV", numSplits=2),
                       outputs=2):
        g.out(part)
    return g


@model
def slices():
    g = Graph(45)
    x = g.feed(1, 6, 7, 5)
    def strided(begin, end, strides, **masks):
        return g.node("STRIDED_SLICE", x, g.ints(*begin), g.ints(*end), g.ints(*strides),
                      option=options("StridedSlice", **masks))
    # The kernel takes the stated shape for the right one.
    part = g.node("SLICE", x, g.ints(0, 1, 2, 0), g.ints(-1, 3, 4, -1))
    g.graph.tensors[part].shape = [1, 3, 4, 5]
    return g.out(part,
                 strided([0, 1, 0, 1], [1, 5, 7, 4], [1, 2, 3, 1]),
                 strided([0, 4, 0, 0], [0, 0, 0, 0], [1, -1, 1, 1], beginMask=13, endMask=15),
                 strided([0, 2, 0, 0], [0, 3, 0, 0], [1, 1, 1, 1], beginMask=13, endMask=13, shrinkAxisMask=2))


@model
def paddings():
    g = Graph(46)
    x = g.feed(1, 4, 5, 3)
    pairs = [0, 0, 1, 2, 3, 0, 0, 1]
    return g.out(g.node("PAD", x, g.ints(0, 0, 1, 2, 3, 0, 0, 0, shape=(4, 2))),
                 g.node("PADV2", x, g.ints(*pairs, shape=(4, 2)), g.constant(np.float32(-1.5))),
                 g.node("MIRROR_PAD", x, g.ints(*pairs, shape=(4, 2)), option=options("MirrorPad", mode=0)),
                 g.node("MIRROR_PAD", x, g.ints(*pairs, shape=(4, 2)), option=options("MirrorPad", mode=1)))


@model
def reductions():
    g = Graph(47)
    x = g.feed(1, 3, 4, 5)
    for code in ["MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"]:
        for axes, keeps in [((1, 2), True), ((1, 2), False), ((-1,), False), ((2,), True)]:
            g.out(g.node(code, x, g.ints(*axes), option=options("Reducer", keepDims=keeps)))
    return g


@model
def indices():
    g = Graph(48)
    x = g.feed(1, 3, 5)
    for code, name in [("ARG_MAX", "ArgMax"), ("ARG_MIN", "ArgMin")]:
        for axis in [-1, 1]:
            found = g.node(code, x, g.ints(axis, shape=()), option=options(name, outputType=2), kind=np.int32)
            g.out(g.node("CAST", found, option=options("Cast", inDataType=2, outDataType=0)))
    return g


@model
def one_hot():
    g = Graph(49)
    x = g.feed(1, 4, kind=np.int32, below=7)
    return g.out(g.node("ONE_HOT", x, g.ints(6, shape=()), g.constant(np.float32(1)), g.constant(np.float32(0)),
                        option=options("OneHot", axis=-1)),
                 g.node("ONE_HOT", x, g.ints(6, shape=()), g.constant(np.float32(2)), g.constant(np.float32(-1)),
                        option=options("OneHot", axis=1)))


@model
def gathers():
    g = Graph(50)
    x = g.feed(1, 4, 5)
    return g.out(g.node("GATHER", x, g.ints(3, 0, 0), option=options("Gather", axis=1)),
                 g.node("GATHER", x, g.ints(2, shape=()), option=options("Gather", axis=2)))


@model
def embeddings():
    g = Graph(51)
    x = g.feed(1, 4, kind=np.int32, below=7)
    return g.out(g.node("GATHER", g.weight(7, 3), x, option=options("Gather", axis=0)))


@model
def embedding_lookup():
    g = Graph(52, is_whole=True)
    x = g.feed(4, kind=np.int32, below=7)
    return g.out(g.node("EMBEDDING_LOOKUP", x, g.weight(7, 3)))


@model
def tiles():
    g = Graph(53)
    return g.out(g.node("TILE", g.feed(1, 3, 5), g.ints(1, 2, 3)))


@model
def reverses():
    g = Graph(54)
    return g.out(g.node("REVERSE_V2", g.feed(1, 3, 5), g.ints(1)))


@model
def shapes():
    g = Graph(55)
    x = g.feed(1, 3, 5, signature=[-1, 3, 5])
    size = g.node("SHAPE", x, option=options("Shape", outType=2), kind=np.int32)
    batch = g.node("STRIDED_SLICE", size, g.ints(0), g.ints(1), g.ints(1), kind=np.int32,
                   option=options("StridedSlice", shrinkAxisMask=1))
    target = g.node("PACK", batch, g.ints(15, shape=()), option=options("Pack", valuesCount=2), kind=np.int32)
    return g.out(g.node("RESHAPE", x, target))


def lstm(g, x, units, channels, time_major=False, limit=10.0):
    weights = [g.weight(units, channels) for _ in range(4)] + [g.weight(units, units) for _ in range(4)]
    biases = [g.weight(units) for _ in range(4)]
    states = []
    for name in ["output_state", "cell_state"]:
        index = g.tensor(name, [1, units], np.float32)
        g.graph.tensors[index].isVariable = True
        states.append(index)
    return g.node("UNIDIRECTIONAL_SEQUENCE_LSTM", x, *weights, None, None, None, *biases, None, None, *states,
                  None, None, None, None, option=options(
                      "UnidirectionalSequenceLSTM", fusedActivationFunction=TANH, timeMajor=time_major, cellClip=limit))


@model
def lstm_batch_major():
    g = Graph(56)
    return g.out(lstm(g, g.feed(1, 6, 3), 4, 3))


@model
def lstm_time_major():
    g = Graph(57)
    x = g.node("TRANSPOSE", g.feed(1, 6, 3), g.ints(1, 0, 2))
    return g.out(g.node("TRANSPOSE", lstm(g, x, 4, 3, True), g.ints(1, 0, 2)))


@model
def lstm_limited():
    g = Graph(62)
    return g.out(lstm(g, g.feed(1, 6, 3), 4, 3, limit=5.5))


# Files.


@model
def batch_of_two():
    g = Graph(58)
    return g.out(dense(g, g.feed(2, 6), g.weight(4, 6)))


@model
def rows_are_mixed():
    g = Graph(59, is_whole=True)
    x = g.feed(3, 5)
    first = g.node("STRIDED_SLICE", x, g.ints(0, 0), g.ints(1, 5), g.ints(1, 1), option=options("StridedSlice"))
    return g.out(g.node("ADD", x, first, option=options("Add")))


@model
def values_behind():
    g = Graph(65)
    g.out(dense(g, g.feed(1, 6), g.weight(4, 6), activation=RELU))
    g.graph.tensors[-1].shape = [1, 4]
    return g.move_behind()


@model
def same_names():
    g = Graph(60)
    x = g.feed(1, 5)
    first, second = g.weight(5, 5, name="w"), g.weight(5, 5, name="w")
    g.graph.tensors[x].name = "x"
    for kernel in [first, second]:
        x = g.node("FULLY_CONNECTED", x, kernel, option=options("FullyConnected"), name="net/Dense")
    one, two = g.constant(np.float32([1, 2, 3, 4, 5]), name="t"), g.constant(np.float32([5, 3, 1, 2, 4]), name="t")
    x = g.node("MAXIMUM", x, one)
    return g.out(g.node("MINIMUM", x, two))


@model
def signature():
    g = Graph(61)
    x = g.feed(1, 5, name="serving_default_a:0")
    y = g.feed(1, 5, name="serving_default_b:0")
    z = g.node("SUB", x, y, option=options("Sub"), name="StatefulPartitionedCall:0")
    entry = schema.SignatureDefT()
    entry.signatureKey, entry.subgraphIndex = "serving_default", 0
    entry.inputs, entry.outputs = [], []
    for table, name, index in [(entry.inputs, "b", y), (entry.inputs, "a", x), (entry.outputs, "difference", z)]:
        tensor = schema.TensorMapT()
        tensor.name, tensor.tensorIndex = name, index
        table.append(tensor)
    g.model.signatureDefs = [entry]
    return g.out(z)


# Networks of Keras.


class Converted:
    """A network of Keras as TensorFlow's converter writes it."""

    def __init__(self, layers, *shape, seed=1, **settings):
        tf.keras.utils.set_random_seed(seed)
        tf.keras.backend.clear_session()
        self.network = tf.keras.Sequential([tf.keras.layers.Input(shape, name="image"), *layers], name="net")
        for index, weight in enumerate(self.network.weights):
            values = np.random.default_rng(seed + index).standard_normal(weight.shape) * 0.2 + 0.1
            weight.assign(np.abs(values) if "variance" in weight.path else values)
        self.shape = shape
        self.settings = settings
        self.content = None

    def bytes(self):
        # Another conversion may give constants other names.
        if self.content is None:
            self.content = self.convert()
        return self.content

    def convert(self):
        converter = tf.lite.TFLiteConverter.from_keras_model(self.network)
        for key, value in self.settings.items():
            if key == "types":
                converter.target_spec.supported_types = value
            else:
                setattr(converter, key, value)
        return converter.convert()

    def run(self):
        content = self.bytes()
        samples = np.random.default_rng(5).standard_normal((SAMPLES, 1, *self.shape)).astype(np.float32)
        return content, *stored(content, [samples])


def image_layers():
    layers = tf.keras.layers
    return [layers.Conv2D(4, (3, 2), strides=2, padding="same", activation="relu", name="conv1"),
            layers.BatchNormalization(name="norm"), layers.DepthwiseConv2D(3, name="depthwise"),
            layers.ReLU(6.0, name="clipped"), layers.MaxPooling2D(2, name="pool"), layers.Flatten(name="flat"),
            layers.Dense(6, activation="tanh", name="dense1"), layers.Dropout(0.5), layers.Dense(3, activation="softmax", name="classes")]


@model
def keras_image():
    """Its file of Keras is beside it."""
    net = Converted(image_layers(), 17, 15, 2)
    net.network.save(FOLDER / "keras-image.h5")
    return net


@model
def keras_image_half():
    return Converted(image_layers(), 17, 15, 2, optimizations=[tf.lite.Optimize.DEFAULT], types=[tf.float16])


@model
def keras_decoder():
    layers = tf.keras.layers
    return Converted([layers.Dense(24, name="dense"), layers.Reshape((2, 3, 4)),
                      layers.Conv2DTranspose(5, 3, strides=2, padding="same", name="up"), layers.LeakyReLU(0.1),
                      layers.UpSampling2D(2, interpolation="bilinear"), layers.Conv2D(2, 1, name="last")], 7)


@model
def keras_sequence():
    layers = tf.keras.layers
    return Converted([layers.Conv1D(4, 3, padding="same", activation="relu", name="conv"), layers.LayerNormalization(),
                      layers.GlobalAveragePooling1D(), layers.Dense(2, name="dense")], 9, 3)


# Integers.


@model
def integers_hybrid():
    """Real numbers that the interpreter rounds to integers row by row, with and without a zero point of the row."""
    g = Graph(89)
    x = g.feed(1, 30, scale=2.0, offset=0.7)
    scales = np.float32([0.5, 0.01, 0.003, 0.07, 0.2])
    y = g.node("FULLY_CONNECTED", x, g.kernel(5, 30, scales=0.01), g.weight(5),
               option=options("FullyConnected", fusedActivationFunction=RELU), name="net/dense/MatMul")
    return g.out(y, g.node("FULLY_CONNECTED", x, g.kernel(5, 30, scales=scales), None,
                           option=options("FullyConnected")),
                 g.node("FULLY_CONNECTED", x, g.kernel(5, 30, scales=0.02), g.weight(5),
                        option=options("FullyConnected", asymmetricQuantizeInputs=True)))


@model
def integers_keras():
    """A network that the converter quantised, with real inputs and outputs."""
    layers = tf.keras.layers
    net = Converted([layers.Conv2D(4, 3, activation="relu", name="conv1"), layers.MaxPooling2D(2), layers.Flatten(),
                     layers.Dense(3, activation="softmax", name="dense")], 7, 9, 2,
                    optimizations=[tf.lite.Optimize.DEFAULT])
    net.settings["representative_dataset"] = lambda: (
        [np.random.default_rng(k).standard_normal((1, 7, 9, 2)).astype(np.float32)] for k in range(9))
    return net


@model
def integers_conv():
    """Scales per channel, strides, dilation and an activation that cuts integers off."""
    g = Graph(90)
    x = g.feed_integers(1, 9, 7, 3, scale=0.05, zero=-17)
    scales = np.float32([0.002, 0.011, 0.0007, 0.004, 0.02])
    x = g.integers("CONV_2D", x, g.kernel(5, 3, 2, 3, scales=scales), g.integer_bias(5, np.float32(0.05) * scales),
                   option=options("Conv2D", padding=SAME, strideH=2, strideW=1, fusedActivationFunction=RELU6),
                   scale=0.03, zero=-128)
    return g.out(g.integers("CONV_2D", x, g.kernel(4, 2, 3, 5, scales=0.005), g.integer_bias(4, 0.00015),
                            option=options("Conv2D", padding=VALID, strideH=1, strideW=1, dilationHFactor=2,
                                           dilationWFactor=1), scale=0.06, zero=11))


@model
def integers_depthwise():
    g = Graph(91)
    x = g.feed_integers(1, 8, 6, 3, scale=0.03, zero=100)
    scales = np.float32([0.002, 0.011, 0.0007, 0.004, 0.02, 0.003])
    x = g.integers("DEPTHWISE_CONV_2D", x, g.kernel(1, 3, 2, 6, axis=3, scales=scales),
                   g.integer_bias(6, np.float32(0.03) * scales),
                   option=options("DepthwiseConv2D", padding=SAME, strideH=1, strideW=2, depthMultiplier=2),
                   scale=0.05, zero=-7)
    return g.out(g.integers("DEPTHWISE_CONV_2D", x, g.kernel(1, 2, 2, 6, axis=3, scales=0.01), g.integer_bias(6, 0.0005),
                            option=options("DepthwiseConv2D", padding=VALID, strideH=1, strideW=1, depthMultiplier=1,
                                           fusedActivationFunction=RELU), scale=0.04, zero=-100))


@model
def integers_dense():
    """An image that is flattened, one scale with a zero point, and scales per row."""
    g = Graph(92)
    x = g.integers("RESHAPE", g.feed_integers(1, 3, 4, 5, scale=0.02, zero=3), g.ints(1, 60), scale=0.02, zero=3)
    x = g.integers("FULLY_CONNECTED", x, g.kernel(7, 60, scales=0.004), g.integer_bias(7, 0.00008),
                   option=options("FullyConnected", fusedActivationFunction=RELU), scale=0.02, zero=-128)
    scales = np.float32([0.002, 0.011, 0.0007, 0.02])
    return g.out(g.integers("FULLY_CONNECTED", x, g.kernel(4, 7, scales=scales),
                            g.integer_bias(4, np.float32(0.02) * scales), option=options("FullyConnected"),
                            scale=0.05, zero=5))


@model
def integers_transposed():
    g = Graph(93)
    x = g.feed_integers(1, 4, 3, 3, scale=0.04, zero=-30)
    scales = np.float32([0.002, 0.011])
    x = g.integers("TRANSPOSE_CONV", g.ints(1, 8, 6, 2), g.kernel(2, 3, 3, 3, scales=scales), x,
                   g.integer_bias(2, np.float32(0.04) * scales),
                   option=options("TransposeConv", padding=SAME, strideH=2, strideW=2), scale=0.05, zero=9)
    return g.out(g.integers("TRANSPOSE_CONV", g.ints(1, 10, 13, 3), g.kernel(3, 3, 3, 2, scales=0.01), x,
                            option=options("TransposeConv", padding=VALID, strideH=1, strideW=2), scale=0.1, zero=0))


@model
def integers_arithmetic():
    """Sums, differences and products of values, and with constants that are broadcast."""
    g = Graph(94)
    a, b = g.feed_integers(1, 3, 4, 5, scale=0.05, zero=12), g.feed_integers(1, 3, 4, 5, scale=0.021, zero=-90)
    channels = g.kernel(5, scales=0.01)
    outs = [
        g.integers("ADD", a, b, option=options("Add"), scale=0.06, zero=-4),
        g.integers("ADD", channels, a, option=options("Add", fusedActivationFunction=RELU), scale=0.04, zero=-128),
        g.integers("SUB", a, b, option=options("Sub"), scale=0.06, zero=7),
        g.integers("SUB", channels, b, option=options("Sub"), scale=0.03, zero=7),
        g.integers("MUL", a, b, option=options("Mul", fusedActivationFunction=RELU6), scale=0.09, zero=-60),
        g.integers("MUL", a, g.kernel(1, 3, 4, 5, scales=0.02), option=options("Mul"), scale=0.1, zero=3),
    ]
    return g.out(*outs)


@model
def integers_pools():
    g = Graph(95)
    x = g.feed_integers(1, 9, 7, 3, scale=0.05, zero=13)
    def pool(code, size, stride, padding, activation=0):
        return g.integers(code, x, scale=0.05, zero=13, option=options(
            "Pool2D", padding=padding, strideH=stride[0], strideW=stride[1], filterHeight=size[0],
            filterWidth=size[1], fusedActivationFunction=activation))
    return g.out(pool("AVERAGE_POOL_2D", (3, 2), (2, 1), SAME), pool("AVERAGE_POOL_2D", (2, 4), (1, 3), VALID, RELU),
                 pool("MAX_POOL_2D", (3, 2), (2, 2), SAME), pool("MAX_POOL_2D", (2, 2), (1, 3), VALID, RELU_N1_TO_1))


@model
def integers_means():
    g = Graph(96)
    x = g.feed_integers(1, 7, 5, 6, scale=0.05, zero=13)
    def mean(*axes, keeps=False, scale=0.05, zero=13):
        return g.integers("MEAN", x, g.ints(*axes), option=options("Reducer", keepDims=keeps), scale=scale, zero=zero)
    return g.out(mean(1, 2), mean(1, 2, keeps=True, scale=0.01, zero=-5), mean(1), mean(-1, keeps=True, scale=0.03))


@model
def integers_functions():
    """Functions of single values; each input has all integers of 8 bits."""
    g = Graph(97)
    x = g.feed_integers(1, 4, 64, scale=0.05, zero=-20)
    outs = [
        g.integers("LOGISTIC", x, scale=1 / 256, zero=-128),
        g.integers("TANH", x, scale=1 / 128),
        g.integers("LEAKY_RELU", x, option=options("LeakyRelu", alpha=0.3), scale=0.07, zero=3),
        g.integers("HARD_SWISH", x, scale=0.06, zero=-100),
        g.integers("RELU", x, scale=0.03, zero=-128),
        g.integers("RELU6", x, scale=0.02, zero=-128),
        g.integers("RELU_N1_TO_1", x, scale=0.01, zero=4),
    ]
    return g.out(*outs)


@model
def integers_softmax():
    g = Graph(98)
    x = g.feed_integers(1, 5, 7, scale=0.02, zero=-20)
    y = g.feed_integers(1, 40, scale=0.2, zero=31, name="y")
    return g.out(*(g.integers("SOFTMAX", each, option=options("Softmax", beta=1.0), scale=1 / 256, zero=-128)
                   for each in (x, y)))


@model
def integers_resizing():
    g = Graph(99)
    x = g.feed_integers(1, 4, 5, 3, scale=0.05, zero=13)
    def resize(code, name, size, **fields):
        return g.integers(code, x, g.ints(*size), option=options(name, **fields), scale=0.05, zero=13)
    return g.out(resize("RESIZE_BILINEAR", "ResizeBilinear", (7, 11)),
                 resize("RESIZE_BILINEAR", "ResizeBilinear", (9, 3), alignCorners=True),
                 resize("RESIZE_BILINEAR", "ResizeBilinear", (3, 13), halfPixelCenters=True),
                 resize("RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighbor", (7, 11)))


@model
def integers_moved():
    """Values that are moved and selected keep their integers; padding is the zero point."""
    g = Graph(100)
    x = g.feed_integers(1, 4, 6, 8, scale=0.05, zero=13)
    def moved(code, *inputs, **rest):
        return g.integers(code, *inputs, scale=0.05, zero=13, **rest)
    sides = g.constant([[0, 0], [1, 2], [0, 1], [0, 0]], np.int32)
    same = lambda *shape: g.kernel(*shape, scales=0.05, zero=13)
    halves = moved("SPLIT", g.ints(3, shape=()), x, option=options("Split", numSplits=2), outputs=2)
    return g.out(moved("PAD", x, sides), moved("PADV2", x, sides, same(1)), moved("MAXIMUM", x, same(8)),
                 moved("CONCATENATION", halves[1], x, same(1, 4, 6, 2), halves[0],
                       option=options("Concatenation", axis=3)),
                 moved("TRANSPOSE", x, g.ints(0, 2, 1, 3)), moved("DEPTH_TO_SPACE", x,
                                                                  option=options("DepthToSpace", blockSize=2)),
                 moved("STRIDED_SLICE", x, g.ints(0, 1, 0, 0), g.ints(1, 4, 6, 8), g.ints(1, 2, 3, 1),
                       option=options("StridedSlice")))


@model
def integers_rescaled():
    """Real numbers to integers, to those of another scale and type, and back."""
    g = Graph(101)
    x = g.integers("QUANTIZE", g.feed(1, 300, scale=3.0), scale=0.05, zero=13)
    y = g.integers("QUANTIZE", x, scale=0.04, zero=120, kind=np.uint8)
    z = g.integers("QUANTIZE", g.feed(1, 300, scale=3.0), scale=0.0003, kind=np.int16)
    return g.out(x, y, z, g.node("DEQUANTIZE", g.integers("QUANTIZE", z, scale=0.07, zero=-3)))


@model
def integers_unsigned():
    """An old network of uint8, whose kernels have zero points."""
    g = Graph(102)
    kind = np.uint8
    x = g.feed_integers(1, 7, 6, 3, kind=kind, scale=1 / 128, zero=128)
    x = g.integers("CONV_2D", x, g.kernel(4, 3, 3, 3, kind=kind, scales=0.01, zero=121), g.integer_bias(4, 0.01 / 128),
                   option=options("Conv2D", padding=SAME, strideH=1, strideW=1, fusedActivationFunction=RELU6),
                   kind=kind, scale=6 / 255, zero=0)
    y = g.integers("DEPTHWISE_CONV_2D", x, g.kernel(1, 3, 3, 4, axis=3, kind=kind, scales=0.02, zero=140),
                   g.integer_bias(4, 0.02 * 6 / 255),
                   option=options("DepthwiseConv2D", padding=SAME, strideH=1, strideW=1, depthMultiplier=1),
                   kind=kind, scale=0.1, zero=100)
    z = g.integers("CONCATENATION", x, y, option=options("Concatenation", axis=3), kind=kind, scale=0.09, zero=90)
    z = g.integers("AVERAGE_POOL_2D", z, option=options("Pool2D", padding=VALID, strideH=3, strideW=2, filterHeight=3,
                                                        filterWidth=2), kind=kind, scale=0.09, zero=90)
    z = g.integers("RESHAPE", z, g.ints(1, 48), kind=kind, scale=0.09, zero=90)
    z = g.integers("FULLY_CONNECTED", z, g.kernel(9, 48, kind=kind, scales=0.01, zero=119), g.integer_bias(9, 0.0009),
                   option=options("FullyConnected"), kind=kind, scale=0.08, zero=77)
    return g.out(x, y, g.integers("SOFTMAX", z, option=options("Softmax", beta=1.0), kind=kind, scale=1 / 256))


@model
def integers_wide():
    """Values of 16 bits and weights of 8; a bias that float32 does not hold."""
    g = Graph(103)
    kind = np.int16
    x = g.feed_integers(1, 6, 5, 3, kind=kind, scale=0.0002)
    scales = np.float32([0.002, 0.011, 0.0007, 0.004])
    x = g.integers("CONV_2D", x, g.kernel(4, 3, 2, 3, scales=scales),
                   g.integer_bias(4, np.float32(0.0002) * scales, np.int64, 1 << 27),
                   option=options("Conv2D", padding=SAME, strideH=1, strideW=1), kind=kind, scale=0.001)
    y = g.integers("DEPTHWISE_CONV_2D", x, g.kernel(1, 3, 2, 4, axis=3, scales=scales),
                   g.integer_bias(4, np.float32(0.001) * scales, np.int64),
                   option=options("DepthwiseConv2D", padding=SAME, strideH=1, strideW=1, depthMultiplier=1,
                                  fusedActivationFunction=RELU), kind=kind, scale=0.0015)
    z = g.integers("ADD", x, y, option=options("Add", potScaleInt16=False), kind=kind, scale=0.002)
    z = g.integers("AVERAGE_POOL_2D", z, option=options("Pool2D", padding=VALID, strideH=2, strideW=2, filterHeight=2,
                                                        filterWidth=2), kind=kind, scale=0.002)
    z = g.integers("RESHAPE", z, g.ints(1, 24), kind=kind, scale=0.002)
    z = g.integers("FULLY_CONNECTED", z, g.kernel(9, 24, scales=0.004), g.integer_bias(9, 0.000008, np.int64),
                   option=options("FullyConnected"), kind=kind, scale=0.003)
    functions = [g.integers(code, z, kind=kind, scale=1 / 32768) for code in ("LOGISTIC", "TANH")]
    return g.out(x, y, *functions, g.integers("SOFTMAX", z, option=options("Softmax", beta=1.0), kind=kind,
                                              scale=1 / 32768))


def near_halves(g, code, kind, factor):
    """A layer whose sums are its biases, which come to halves of an integer, or nearly so."""
    scale, zero = 0.5 ** 5, 0 if kind != np.uint8 else 128
    halves = np.arange(-100, 100, 5) + 0.5
    bias = np.rint(halves / factor).astype(np.int64) + g.random.integers(-1, 2, len(halves))
    x = g.feed_integers(*((1, 3) if code == "FULLY_CONNECTED" else (1, 1, 1, 3)), kind=kind, scale=scale, zero=zero)
    shape = (len(halves), 3) if code == "FULLY_CONNECTED" else (len(halves), 1, 1, 3)
    kernel = g.constant(np.full(shape, 7 if kind == np.uint8 else 0, np.uint8 if kind == np.uint8 else np.int8))
    g.scaled(kernel, 0.25, 7 if kind == np.uint8 else 0)
    option = options("FullyConnected") if code == "FULLY_CONNECTED" else options("Conv2D", strideH=1, strideW=1)
    bias = g.scaled(g.constant(bias.astype(np.int64 if kind == np.int16 else np.int32)), scale * 0.25)
    return g.integers(code, x, kernel, bias, option=option, kind=kind, scale=np.float32(scale * 0.25 / factor), zero=zero)


@model
def integers_halves():
    """How sums are rounded, once and twice; a factor of a power of two has true halves."""
    g = Graph(104)
    return g.out(*(near_halves(g, code, kind, factor) for code in ("FULLY_CONNECTED", "CONV_2D")
                   for kind in (np.int8, np.uint8, np.int16) for factor in (2.0 ** -12, 1.7e-7)))


# What is refused.


@model
def refused_kinds():
    """Weights of every kind, in front of an operator that is not read."""
    g = Graph(69)
    x = g.feed(1, 7, 5, 4)
    x = conv(g, x, g.weight(6, 3, 2, 2), name="net/grouped/Conv2D")
    g.graph.tensors[x].shape = [1, 7, 5, 6]
    x = depthwise(g, x, g.weight(1, 3, 2, 18), 3)
    scales = ([0.25, 0.5, 0.125], [3, -5, 7], 0)
    kernel = g.constant(g.random.integers(-127, 128, (3, 2, 4, 18)), np.int8, scales=scales)
    x = transposed(g, (1, 14, 10, 3), g.node("DEQUANTIZE", kernel), x, g.weight(3), SAME, (2, 2))
    x = g.node("PRELU", x, g.weight(1, 1, 3))
    x = dense(g, x, g.weight(5, 3), keeps=True)
    x = g.node("ADD", x, g.constant(np.float32(0.5)), option=options("Add"))
    return g.out(g.node("CUSTOM", x, g.ints(3, 4), custom="SignalWindow"))



@model
def refused_hybrid():
    """A convolution of real numbers with a kernel of integers."""
    g = Graph(70)
    scales = np.float32([0.5, 0.01, 0.003, 0.07])
    return g.out(g.node("CONV_2D", g.feed(1, 5, 4, 3), g.kernel(4, 2, 3, 3, scales=scales), g.weight(4),
                        option=options("Conv2D", padding=SAME, strideH=1, strideW=1), name="net/conv/Conv2D"))


@model
def refused_integers():
    layers = tf.keras.layers
    net = Converted([layers.Conv2D(4, 3, activation="relu", name="conv1"), layers.Flatten(),
                     layers.Dense(3, name="dense"), layers.PReLU(name="prelu")], 7, 5, 2,
                    optimizations=[tf.lite.Optimize.DEFAULT])
    net.settings["representative_dataset"] = lambda: (
        [np.random.default_rng(k).standard_normal((1, 7, 5, 2)).astype(np.float32)] for k in range(9))
    return net


@model
def refused_moved_scale():
    """Kernels that move integers pass over a scale that differs."""
    g = Graph(110)
    x = g.feed_integers(1, 3, 4, scale=0.05, zero=3)
    return g.out(g.integers("RESHAPE", x, g.ints(1, 12), scale=0.06, zero=3))


@model
def refused_kernel_zero():
    """Kernels for int8 pass over the zero point of weights."""
    g = Graph(111)
    x = g.feed_integers(1, 5, 4, 3, scale=0.05, zero=3)
    return g.out(g.integers("CONV_2D", x, g.kernel(2, 2, 2, 3, scales=0.01, zero=4), g.integer_bias(2, 0.0005),
                            option=options("Conv2D", padding=SAME, strideH=1, strideW=1), scale=0.06, zero=3))


@model
def refused_shifted_sum():
    """Sums of 16 bits whose scales are powers of two are shifted, unless the options say that they are not."""
    g = Graph(112)
    a, b = (g.feed_integers(1, 6, kind=np.int16, scale=1 / 1024) for _ in range(2))
    return g.out(g.integers("ADD", a, b, option=options("Add"), kind=np.int16, scale=1 / 512))


@model
def refused_while():
    """The converter spells recurrent layers out unless it is told to keep them."""
    layers = tf.keras.layers
    net = Converted([layers.LSTM(5, return_sequences=True, name="lstm"), layers.LSTM(4, name="last"),
                     layers.Dense(2, name="dense")], 6, 3)
    inputs = tf.keras.layers.Input(batch_shape=(1, 6, 3))
    net.network = tf.keras.Model(inputs, net.network(inputs))
    return net


@model
def refused_custom():
    g = Graph(71)
    return g.out(g.node("CUSTOM", dense(g, g.feed(1, 6), g.weight(4, 6)), custom="SignalWindow"))


@model
def refused_variable():
    g = Graph(72)
    x = g.feed(1, 6)
    state = g.tensor("state", [1, 6], np.float32)
    g.graph.tensors[state].isVariable = True
    return g.out(g.node("ADD", x, state, option=options("Add")))


@model
def refused_unknown():
    g = Graph(73)
    return g.out(g.node("CUMSUM", g.feed(1, 6), g.ints(1, shape=()), option=options("Cumsum")))


@model
def refused_sparse():
    g = Graph(74)
    kernel = g.weight(4, 6)
    g.graph.tensors[kernel].sparsity = schema.SparsityParametersT()
    return g.out(dense(g, g.feed(1, 6), kernel))


@model
def refused_shuffled():
    g = Graph(75)
    return g.out(g.node("FULLY_CONNECTED", g.feed(1, 6), g.weight(4, 6), None,
                        option=options("FullyConnected", weightsFormat=1)))


@model
def refused_fused_tanh():
    g = Graph(76)
    return g.out(conv(g, g.feed(1, 5, 7, 2), g.weight(3, 2, 3, 2), activation=TANH))


@model
def refused_peephole():
    g = Graph(77)
    x = lstm(g, g.feed(1, 6, 3), 4, 3)
    g.graph.operators[-1].inputs[9] = g.weight(4)
    return g.out(x)


@model
def refused_slice_offset():
    g = Graph(78)
    return g.out(g.node("STRIDED_SLICE", g.feed(1, 6), g.ints(0, 1), g.ints(1, 2), g.ints(1, 1),
                        option=options("StridedSlice", offset=True)))


@model
def refused_select_rows():
    g = Graph(79)
    rows = g.constant(np.array([True, False, True]))
    return g.out(g.node("SELECT", rows, g.feed(3, 3), g.feed(3, 3)))


@model
def refused_other_options():
    g = Graph(80)
    return g.out(g.node("SOFTMAX", g.feed(1, 6), option=options("LeakyRelu", alpha=1.0)))


# Tensors of these models are stored as the numbers that their scales give.
WEIGHTS = ["depthwise-multiplier", "refused-hybrid", "refused-integers",
           "refused-kinds", "transpose-conv-valid"]


def numbers(content):
    """The constants of a model by name, but for integers that stand for themselves."""
    model = schema.ModelT.InitFromPackedBuf(content, 0)
    kinds = {number: kind for kind, number in TYPES.items()}
    found = {}
    for tensor in model.subgraphs[0].tensors:
        data = model.buffers[tensor.buffer].data
        if data is None or len(data) == 0:
            continue
        array = np.frombuffer(bytes(bytearray(data)), kinds[tensor.type]).reshape(tensor.shape)
        scales = tensor.quantization.scale if tensor.quantization is not None else None
        if array.dtype.kind in "iu":
            if scales is None or len(scales) == 0:
                continue
            axes = [1] * array.ndim
            if len(scales) > 1:
                axes[tensor.quantization.quantizedDimension] = len(scales)
            scale = np.float64(np.float32(scales)).reshape(axes)
            array = scale * (array.astype(np.float64) - np.reshape(tensor.quantization.zeroPoint, axes))
        found[tensor.name.decode()] = array.astype(np.float32)
    return found


def main():
    for name, function in MODELS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        made = function()
        if name in WEIGHTS:
            np.savez(FOLDER / f"{name}.weights.npz", **numbers(made.bytes()))
        if name.startswith("refused-"):
            (FOLDER / f"{name}.tflite").write_bytes(made.bytes())
            continue
        content, inputs, outputs = made.run()
        (FOLDER / f"{name}.tflite").write_bytes(content)
        arrays = {f"in{index}": array for index, array in enumerate(inputs)}
        arrays |= {f"out{index}": array for index, array in enumerate(outputs)}
        assert all(np.isfinite(array).all() for array in arrays.values()), name
        np.savez(FOLDER / f"{name}.npz", **arrays)


if __name__ == "__main__":
    main()
