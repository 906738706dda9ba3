"""What the scripts of this folder share: networks with numbers, frozen graphs, and the same graphs in float64.

The oracle of a graph is TensorFlow itself, run with the same nodes and the same values, every float32 of them a float64.
TensorFlow has no such kernel for seven kinds of node; the twin spells them with others:
FusedBatchNorm*                    products and sums
MaxPool3D and AvgPool3D            the operator between conversions to float32
LRN                                a product with a matrix of ones near its diagonal, and a power
NCHW on a processor                NHWC between two transpositions
DepthwiseConv2dNative, dilated     a kernel with zeros in between
ResizeBilinear and ResizeBicubic   two products with the matrices that TensorFlow's own operator gives of an identity
"""
import os
import re

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1

# How far TensorFlow's own float32 may be from the twin, of an output's largest value: sums of a few hundred products.
AGREEMENT = 1e-5
NCHW_TO_NHWC = [0, 2, 3, 1]
NHWC_TO_NCHW = [0, 3, 1, 2]
NORMALIZATIONS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
RESIZES = ("ResizeBilinear", "ResizeBicubic")


def generator(name):
    return np.random.default_rng(sum(index * ord(letter) for index, letter in enumerate(name, 1)))


def value_of(name, shape, rng):
    """Values for a variable by what it is; no two roles have the same range, so that two that change places show."""
    role = re.split(r"[/.]", name.split(":")[0])[-1]
    if "variance" in role:
        value = rng.uniform(0.5, 2, shape)
    elif "gamma" in role or role == "scale":
        value = rng.uniform(0.6, 1.4, shape)
    elif len(shape) < 2:
        value = rng.normal(0, 0.3, shape)
    else:
        value = rng.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape)
    return np.asarray(value, np.float32)


class Network:
    """What a builder of a graph gets: inputs and variables; all numbers are of one generator."""

    def __init__(self, name):
        self.rng = generator(name)
        self.inputs = []
        self.fed = {}

    def input(self, *shape, batch=None, scale=1.0, above=None, name=None):
        """A placeholder; its values are of a normal distribution, or uniform from `above` to `above` + `scale`."""
        tensor = v1.placeholder(tf.float32, [batch, *shape], name=name)
        shape = (batch or 2, *shape)
        drawn = self.rng.normal(0, scale, shape) if above is None else self.rng.uniform(above, above + scale, shape)
        self.inputs.append((tensor, drawn.astype(np.float32)))
        return tensor

    def whole(self, kind, below, *shape):
        """A placeholder of whole numbers."""
        tensor = v1.placeholder(kind, [None, *shape])
        self.inputs.append((tensor, self.rng.integers(0, below, (2, *shape)).astype(kind.as_numpy_dtype)))
        return tensor

    def feed(self, tensor, value):
        """Feeds what is no input of the network, such as the probability of a dropout."""
        self.fed[tensor.op.name] = value

    def variable(self, name, *shape, resource=None):
        return v1.get_variable(name, shape, tf.float32, v1.zeros_initializer(), use_resource=resource)

    def constant(self, name, *shape):
        return tf.constant(value_of(name, shape, self.rng), name=name.split("/")[-1])

    def load(self, session):
        """Gives every variable of the graph its values."""
        for variable in v1.global_variables():
            value = value_of(variable.name, variable.shape, self.rng)
            initial = variable.initializer.inputs[1]
            session.run(variable.initializer, {initial: value.astype(initial.dtype.as_numpy_dtype)})


def frozen(session, outputs):
    names = [tensor.op.name for tensor in outputs]
    return ordered(v1.graph_util.convert_variables_to_constants(session, session.graph_def, names))


def ordered(graph_def):
    """Puts the functions of a graph in the order of their names; TensorFlow has them in no order."""
    functions = sorted(graph_def.library.function, key=lambda function: function.signature.name)
    functions = [function.SerializeToString() for function in functions]
    del graph_def.library.function[:]
    for function in functions:
        graph_def.library.function.add().ParseFromString(function)
    return graph_def


def tensor_name(reference):
    """A tensor as a session names it, of an input as a node names it."""
    reference = reference.lstrip("^")
    return reference if ":" in reference else reference + ":0"


def run(graph_def, outputs, feeds):
    """The outputs of a graph."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        options = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        # What is fed is float32 or float64: as the placeholder has it.
        feeds = {tensor_name(name): np.asarray(value, graph.get_tensor_by_name(tensor_name(name)).dtype.as_numpy_dtype)
                 for name, value in feeds.items()}
        with v1.Session(config=options) as session:
            return session.run([tensor_name(output) for output in outputs], feeds)


# The twin

def doubled(value):
    """An attribute with every float32 a float64."""
    if value.type == tf.float32.as_datatype_enum:
        value.type = tf.float64.as_datatype_enum
    for index, kind in enumerate(value.list.type):
        if kind == tf.float32.as_datatype_enum:
            value.list.type[index] = tf.float64.as_datatype_enum
    if value.HasField("tensor") and value.tensor.dtype == tf.float32.as_datatype_enum:
        array = tf.make_ndarray(value.tensor).astype(np.float64)
        value.tensor.CopyFrom(tf.make_tensor_proto(array, tf.float64))


def dilated_depthwise(node):
    return node.op == "DepthwiseConv2dNative" and any(rate > 1 for rate in node.attr["dilations"].list.i)


class Twin:
    """A graph in float64."""

    def __init__(self, graph_def, feeds):
        self.source = graph_def
        self.feeds = feeds
        self.graph = v1.GraphDef()
        self.graph.versions.CopyFrom(graph_def.versions)
        self.graph.library.CopyFrom(graph_def.library)
        for function in self.graph.library.function:
            for argument in [*function.signature.input_arg, *function.signature.output_arg]:
                if argument.type == tf.float32.as_datatype_enum:
                    argument.type = tf.float64.as_datatype_enum
            for node in function.node_def:
                for value in node.attr.values():
                    doubled(value)
        for node in graph_def.node:
            self.take(node)

    def take(self, source):
        node = v1.NodeDef()
        node.CopyFrom(source)
        for value in node.attr.values():
            doubled(value)
        if source.attr["data_format"].s == b"NCHW" and source.op != "BiasAdd":
            self.channels_last(node)
        else:
            self.spelled(node)

    def spelled(self, node):
        if node.op in NORMALIZATIONS:
            self.normalization(node)
        elif node.op in RESIZES:
            self.resize(node)
        elif node.op in ("MaxPool3D", "AvgPool3D"):
            self.narrow(node)
        elif node.op == "LRN":
            self.local_response(node)
        elif dilated_depthwise(node):
            self.dilated(node)
        else:
            self.graph.node.append(node)

    def add(self, name, op, *inputs, **attributes):
        node = self.graph.node.add(name=name, op=op, input=inputs)
        for key, value in attributes.items():
            if isinstance(value, tf.DType):
                node.attr[key].type = value.as_datatype_enum
            elif isinstance(value, str):
                node.attr[key].s = value.encode()
            elif isinstance(value, int):
                node.attr[key].i = value
            else:
                node.attr[key].tensor.CopyFrom(tf.make_tensor_proto(value))
        return name

    def constant(self, name, array):
        return self.add(name, "Const", value=array, dtype=tf.as_dtype(array.dtype))

    def transposed(self, name, source, order):
        places = self.constant(f"{name}/order", np.array(order, np.int32))
        return self.add(name, "Transpose", source, places, T=tf.float64, Tperm=tf.int32)

    def channels_last(self, node):
        name = node.name
        data = 2 if node.op == "Conv2DBackpropInput" else 0
        node.name = f"{name}/nhwc"
        node.input[data] = self.transposed(f"{name}/data", node.input[data], NCHW_TO_NHWC)
        if data:
            places = self.constant(f"{name}/places", np.array(NCHW_TO_NHWC, np.int32))
            axis = self.constant(f"{name}/axis", np.array(0, np.int32))
            node.input[0] = self.add(f"{name}/sizes", "GatherV2", node.input[0], places, axis, Tparams=tf.int32,
                                     Tindices=tf.int32, Taxis=tf.int32)
        node.attr["data_format"].s = b"NHWC"
        for key in ("strides", "ksize", "dilations", "explicit_paddings"):
            numbers = node.attr[key].list.i
            if numbers:
                each = len(numbers) // 4
                pairs = [numbers[each * axis:each * (axis + 1)] for axis in NCHW_TO_NHWC]
                node.attr[key].list.i[:] = [number for pair in pairs for number in pair]
            else:
                del node.attr[key]
        self.spelled(node)
        self.transposed(name, node.name, NHWC_TO_NCHW)

    def binary(self, name, op, left, right):
        return self.add(name, op, left, right, T=tf.float64)

    def normalization(self, node):
        name, (x, gamma, beta, mean, variance) = node.name, node.input[:5]
        binary = self.binary
        epsilon = self.constant(f"{name}/epsilon", np.array(node.attr["epsilon"].f, np.float64))
        deviation = self.add(f"{name}/rsqrt", "Rsqrt", binary(f"{name}/var", "AddV2", variance, epsilon), T=tf.float64)
        scale = binary(f"{name}/scale", "Mul", deviation, gamma)
        shift = binary(f"{name}/shift", "Sub", beta, binary(f"{name}/moved", "Mul", mean, scale))
        binary(name, "AddV2", binary(f"{name}/scaled", "Mul", x, scale), shift)

    def narrow(self, node):
        name = node.name
        node.name, node.attr["T"].type = f"{name}/pool", tf.float32.as_datatype_enum
        node.input[0] = self.add(f"{name}/narrow", "Cast", node.input[0], SrcT=tf.float64, DstT=tf.float32)
        self.graph.node.append(node)
        self.add(name, "Cast", node.name, SrcT=tf.float32, DstT=tf.float64)

    def local_response(self, node):
        name, x = node.name, node.input[0]
        number = {key: self.constant(f"{name}/{key}", np.float64(node.attr[key].f)) for key in ("bias", "alpha", "beta")}
        places = np.arange(run(self.source, [x], self.feeds)[0].shape[3])
        near = np.abs(places[:, None] - places) <= node.attr["depth_radius"].i
        self.constant(f"{name}/near", near.astype(np.float64))
        self.einsum(f"{name}/sum", "cd,bhwd->bhwc", f"{name}/near", self.binary(f"{name}/square", "Mul", x, x))
        power = self.binary(f"{name}/scaled", "Mul", f"{name}/sum", number["alpha"])
        power = self.binary(f"{name}/moved", "AddV2", power, number["bias"])
        self.binary(name, "RealDiv", x, self.binary(f"{name}/power", "Pow", power, number["beta"]))

    def dilated(self, node):
        kernel, = run(self.source, [node.input[1]], self.feeds)
        rates = node.attr["dilations"].list.i
        sizes = [(kernel.shape[axis] - 1) * rates[1 + axis] + 1 for axis in (0, 1)]
        spread = np.zeros((*sizes, *kernel.shape[2:]))
        spread[::rates[1], ::rates[2]] = kernel
        node.input[1] = self.constant(f"{node.name}/spread", spread)
        rates[:] = [1, 1, 1, 1]
        self.graph.node.append(node)

    def resize(self, node):
        name, (image, size) = node.name, node.input
        image_value, size_value = run(self.source, [image, size], self.feeds)
        for axis, part in ((0, "rows"), (1, "columns")):
            length = image_value.shape[1 + axis]
            identity = np.eye(length, dtype=np.float32).reshape((1, length, 1, length) if axis == 0 else
                                                               (1, 1, length, length))
            wanted = np.array([size_value[0], 1] if axis == 0 else [1, size_value[1]], np.int32)
            matrix = self.operator(node, identity, wanted)
            self.constant(f"{name}/{part}", matrix.astype(np.float64))
        first = self.einsum(f"{name}/first", "yh,bhwc->bywc", f"{name}/rows", image)
        self.einsum(name, "xw,bywc->byxc", f"{name}/columns", first)

    def einsum(self, name, equation, left, right):
        node = self.graph.node.add(name=name, op="Einsum", input=[left, right])
        node.attr["equation"].s = equation.encode()
        node.attr["N"].i = 2
        node.attr["T"].type = tf.float64.as_datatype_enum
        return name

    def operator(self, node, image, size):
        """The matrix by which the operator multiplies one axis: [outputs, inputs]."""
        alone = v1.GraphDef()
        for part, array in (("image", image), ("size", size)):
            constant = alone.node.add(name=part, op="Const")
            constant.attr["dtype"].type = tf.as_dtype(array.dtype).as_datatype_enum
            constant.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(array))
        copy = alone.node.add(name="resized", op=node.op, input=["image", "size"])
        for key in node.attr:
            copy.attr[key].CopyFrom(node.attr[key])
        copy.attr["T"].type = tf.float32.as_datatype_enum
        result = run(alone, ["resized"], {})[0]
        return result.reshape(max(size), -1)


def runs_here(node):
    """Whether TensorFlow has a float32 kernel of a node for a processor."""
    return not dilated_depthwise(node) and node.attr["data_format"].s != b"NCHW"


def expected(name, graph_def, outputs, feeds, rows=True, plain=None):
    """The outputs in float64; checked against the float32 of TensorFlow, where it has the kernels.

    `plain` is the graph without functions, whose nodes the twin cannot spell.
    """
    results = run(Twin(plain or graph_def, feeds).graph, outputs, feeds)
    assert all(result.dtype == np.float64 and np.isfinite(result).all() for result in results), name
    if all(runs_here(node) for node in graph_def.node):
        for result, single in zip(results, run(graph_def, outputs, feeds)):
            assert result.shape == single.shape, name
            distance = np.abs(result - single).max() / max(np.abs(result).max(), 1e-30)
            assert distance < AGREEMENT, (name, distance)
    if rows:
        assert all(not np.allclose(result[0], result[1]) for result in results), f"{name}: rows are the same"
    return results


def save_arrays(path, inputs, outputs):
    np.savez(path, **{f"in{index}": array for index, array in enumerate(inputs)},
             **{f"out{index}": array for index, array in enumerate(outputs)})
