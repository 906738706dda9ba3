#!/usr/bin/env python3
"""Writes graphs of TensorFlow that netconv cannot take, each for one reason.

Usage: make_refused.py [OUT_DIR]     (needs tensorflow-cpu, tf_keras, numpy)

graph-refused-NAME.pb   the graph: a binary GraphDef
refused.json            of each: what is in it
"""
import json
import sys
from pathlib import Path

from twins import Network, frozen, ordered, tf, v1

import numpy as np
from tensorflow.compiler.tf2xla.ops import gen_xla_ops
from tf_keras.src.layers.rnn import legacy_cells

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
REFUSED = {}


def refused(function):
    """Names a builder of a graph: a function from a network to its output, or to several."""
    REFUSED[function.__name__.replace("_", "-")] = function
    return function


def convolved(n, x=None):
    return tf.nn.conv2d(n.input(5, 6, 2) if x is None else x, n.variable("conv1/W", 3, 2, 2, 4), 1, "SAME")


@refused
def pad_batch(n):
    """Pad of the batch axis"""
    return tf.pad(convolved(n), [[0, 1], [0, 0], [0, 0], [0, 0]])


@refused
def mean_of_integers(n):
    """a Mean of int32, which cuts fractions off"""
    return tf.cast(tf.reduce_mean(n.whole(tf.int32, 9, 4, 5, 3), [1, 2]), tf.float32)


@refused
def divided_integers(n):
    """a Div of int32"""
    return tf.cast(tf.raw_ops.Div(x=n.whole(tf.int32, 9, 4), y=2), tf.float32)


@refused
def wrapping_sums(n):
    """a difference of uint8"""
    return tf.cast(n.whole(tf.uint8, 255, 4) - tf.constant(128, tf.uint8), tf.float32)


@refused
def narrower_cast(n):
    """a Cast of int32 to uint8"""
    return tf.cast(tf.cast(n.whole(tf.int32, 999, 4), tf.uint8), tf.float32)


@refused
def constant_too_large(n):
    """a constant 300 as uint8"""
    small = tf.cast(tf.raw_ops.Cast(x=[300, 1, 2], DstT=tf.uint8), tf.float32)
    return n.input(5, 3) * small


@refused
def fill_alone(n):
    """a Fill without a value; see damaged()"""
    return n.input(2, 3) + tf.raw_ops.Fill(dims=[2, 3], value=1.5)


@refused
def far_output(n):
    """an output of a normalisation that is counted too far; see damaged()"""
    result = tf.raw_ops.FusedBatchNormV3(
        x=n.input(4, 5, 2), scale=[1.0, 2], offset=[0.0, 1], mean=[0.0, 1], variance=[1.0, 2], is_training=False)
    return tf.identity(result.y, "result")


def split_graph(n, sizes):
    x = convolved(n)
    return tf.split(x, sizes, axis=-1)[0]


@refused
def split_too_far(n):
    """SplitV whose sizes are -2^63 each; see damaged()"""
    return split_graph(n, [2, 2])


@refused
def batch_of_none(n):
    """a Reshape to as many samples as a batch of none has; see damaged()"""
    return tf.reshape(n.input(4, batch=3), [3, 4])


@refused
def padded_too_far(n):
    """SpaceToBatchND whose paddings are 2^62; see damaged()"""
    return tf.batch_to_space(tf.nn.conv2d(
        tf.space_to_batch(n.input(4, 6, 2), [2, 2], [[0, 0], [0, 0]]), n.variable("W", 1, 1, 2, 3), 1, "VALID"),
        [2, 2], [[0, 0], [0, 0]])


def lstm(n):
    return v1.nn.dynamic_rnn(legacy_cells.LSTMCell(7), n.input(4, 5), dtype=tf.float32)[0][:, -1, :]


@refused
def while_loop(n):
    """an LSTM as a While with functions, as dynamic_rnn writes it from TensorFlow 2 on"""
    v1.enable_control_flow_v2()
    return lstm(n)


@refused
def while_frames(n):
    """an LSTM as a loop of Enter, Merge, LoopCond, Switch, NextIteration and Exit, as dynamic_rnn of TensorFlow 1 writes it"""
    return lstm(n)


@refused
def lookup(n):
    """a lookup table: HashTableV2, LookupTableFindV2"""
    keys = v1.placeholder(tf.string, [None, 3], name="words")
    table = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name="words")
    default = tf.constant(2, tf.int64)
    numbers = tf.raw_ops.LookupTableFindV2(table_handle=table, keys=keys, default_value=default)
    return tf.reduce_mean(tf.gather(n.constant("embedding", 3, 5), numbers), 1)


@refused
def if_data(n):
    """an If whose condition depends on the data"""
    v1.enable_control_flow_v2()
    x = convolved(n)
    return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.nn.relu(x), lambda: tf.tanh(x))


@refused
def switch_data(n):
    """Switch and Merge whose condition depends on the data"""
    x = convolved(n)
    return tf.cond(tf.reduce_sum(x) > 0, lambda: tf.nn.relu(x), lambda: tf.tanh(x))


@refused
def training(n):
    """FusedBatchNormV3 with is_training=True: the mean and the variance are those of the batch"""
    x = convolved(n)
    return tf.raw_ops.FusedBatchNormV3(x=x, scale=n.variable("gamma", 4), offset=n.variable("beta", 4), mean=[],
                                       variance=[], is_training=True)[0]


@refused
def batch_size(n):
    """the output is multiplied by the size of the batch"""
    x = convolved(n)
    return x * tf.cast(tf.shape(x)[0], tf.float32)


@refused
def batch_mean(n):
    """Mean over the batch axis, subtracted"""
    x = convolved(n)
    return x - tf.reduce_mean(x, 0)


@refused
def batch_reshape(n):
    """a Reshape that moves numbers between images: [batch, 5, 6, 4] to [-1, 8]"""
    return tf.nn.softmax(tf.reshape(convolved(n), [-1, 8]))


@refused
def batch_transpose(n):
    """a Transpose that moves the batch axis, as an output"""
    return tf.transpose(convolved(n), [1, 0, 2, 3])


@refused
def batch_concat(n):
    """ConcatV2 along the batch axis"""
    x = convolved(n)
    return tf.concat([x, tf.nn.relu(x)], 0)


@refused
def batch_reverse(n):
    """ReverseV2 of the batch"""
    return tf.reverse(convolved(n), [0])


@refused
def batch_slice(n):
    """StridedSlice that takes the first image alone"""
    return convolved(n)[0:1]


@refused
def unknown(n):
    """two operators that nobody converts: Cumsum, TopKV2"""
    x = tf.cumsum(convolved(n), 3)
    return tf.math.top_k(x, 2)[0]


@refused
def unnamed_operator(n):
    """an operator of somebody's own: ShinyThreshold in the place of Relu"""
    return tf.nn.relu(convolved(n), name="shiny")


@refused
def random(n):
    """RandomStandardNormal added to the data"""
    x = convolved(n)
    return x + tf.random.normal(tf.shape(x), seed=1)


@refused
def dropout(n):
    """a dropout that is still on: its rate is a constant of 0.4"""
    return tf.nn.dropout(convolved(n), 0.4, seed=1)


@refused
def kernel_data(n):
    """a Conv2D whose kernel is an input"""
    kernel = v1.placeholder(tf.float32, [3, 2, 2, 4], name="kernel")
    return tf.nn.conv2d(n.input(5, 6, 2), kernel, 1, "SAME")


@refused
def reshape_data(n):
    """a Reshape to sizes that are an input"""
    sizes = v1.placeholder(tf.int32, [4], name="sizes")
    return tf.nn.relu(tf.reshape(convolved(n), sizes))


@refused
def unknown_shape(n):
    """a Placeholder without a shape"""
    return tf.nn.relu(convolved(n, v1.placeholder(tf.float32, name="image")))


@refused
def open_size(n):
    """a Placeholder whose height and width are open, in front of a dense layer on a flattened image"""
    x = convolved(n, v1.placeholder(tf.float32, [None, None, None, 2], name="image"))
    return tf.matmul(tf.reshape(x, [-1, 120]), n.variable("fc/W", 120, 3))


@refused
def open_image(n):
    """a Placeholder whose height and width are open, in front of convolutions alone"""
    return tf.nn.relu(convolved(n, v1.placeholder(tf.float32, [None, None, None, 2], name="image")))


@refused
def morphology(n):
    """Dilation2D"""
    return tf.nn.dilation2d(n.input(3, 4, 2), n.variable("W", 2, 2, 2), [1] * 4, "SAME", "NHWC", [1] * 4)


@refused
def decoded(n):
    """an image that the graph decodes: DecodeJpeg of a string"""
    text = v1.placeholder(tf.string, [], name="contents")
    image = tf.cast(tf.io.decode_jpeg(text, channels=2), tf.float32)
    image = v1.image.resize_bilinear(tf.expand_dims(image, 0), [5, 6])
    return tf.nn.relu(convolved(n, image))


@refused
def quantized(n):
    """FakeQuantWithMinMaxVars behind a convolution"""
    x = convolved(n)
    return tf.quantization.fake_quant_with_min_max_vars(x, -1.0, 2.0)


@refused
def crossing(n):
    """a MatMul of two inputs' images with each other, over the batch"""
    x, y = n.input(5), n.input(5)
    return tf.matmul(x, y, transpose_b=True)


@refused
def python(n):
    """PyFunc: a function of Python that only the process which made it has"""
    x = v1.py_func(lambda image: image, [convolved(n)], tf.float32)
    x.set_shape([None, 5, 6, 4])
    return tf.nn.relu(x)


@refused
def compiled(n):
    """XlaCallModule, as Keras 3 on JAX exports networks: StableHLO instead of operators"""
    x = n.input(5, 6, 2)
    return gen_xla_ops.xla_call_module(args=[x, n.variable("W", 3, 2, 2, 4)], version=9, module=b"ML\xefR\x01StableHLO_v1.0.0",
                                    Sout=[[None, 5, 6, 4]], Tout=[tf.float32], platforms=["CPU"])[0]


@refused
def not_frozen(n):
    """VariableV2 without values: a graph as it is in training, not frozen"""
    return tf.nn.relu(convolved(n))


@refused
def not_frozen_resources(n):
    """VarHandleOp and ReadVariableOp without values: the same with resource variables"""
    return tf.nn.conv2d(n.input(5, 6, 2), n.variable("W", 3, 2, 2, 4, resource=True), 1, "SAME")


@refused
def training_graph(n):
    """a frozen graph with a loss and its gradients: Conv2DBackpropFilter as the output"""
    x = convolved(n)
    loss = tf.reduce_mean(tf.square(tf.nn.relu(x)))
    return v1.gradients(loss, v1.global_variables())[0]


@refused
def constant_only(n):
    """no Placeholder: the output is a constant"""
    return tf.nn.relu(n.variable("W", 3, 2))


@refused
def double(n):
    """a network in float64"""
    x = v1.placeholder(tf.float64, [None, 5], name="x")
    return tf.matmul(x, tf.constant(n.rng.normal(0, 1, (5, 3)), name="W"))


# Damage that TensorFlow never writes

def damaged(name, graph_def):
    node = {node.name: node for node in graph_def.node}
    if name == "unnamed-operator":
        node["shiny"].op = "ShinyThreshold"
    if name == "circle":
        node["circle"].input[0] = "result"
    if name == "missing-node":
        node["result"].input[0] = "nowhere"
    if name == "missing-output":
        node["result"].input[0] = "circle:3"
    if name == "same-names":
        node["circle"].name = "result"
    if name == "wrong-size":
        node["conv1/W"].attr["value"].tensor.tensor_content = node["conv1/W"].attr["value"].tensor.tensor_content[:-4]
    if name == "hidden-size":
        tensor = node["conv1/W"].attr["value"].tensor
        tensor.ClearField("tensor_content")
        for dimension, size in zip(tensor.tensor_shape.dim, (0, 1 << 40, 1 << 40, 4)):
            dimension.size = size
    if name == "no-values":
        node["conv1/W"].attr["value"].tensor.ClearField("tensor_content")
    if name == "split-too-far":
        numbers(node["Const"], np.int64, -1 << 63)
        node["split"].attr["Tlen"].type = tf.int64.as_datatype_enum
    if name == "fill-alone":
        del node["Fill"].input[1:]
    if name == "far-output":
        node["result"].input[0] = "FusedBatchNormV3:batch_mean:9223372036854775807"
    if name == "batch-of-none":
        node["Placeholder"].attr["shape"].shape.dim[0].size = 0
    if name == "padded-too-far":
        padded = node[next(key for key in node if "SpaceToBatchND/paddings" in key)]
        numbers(padded, np.int64, 1 << 62)
        node["SpaceToBatchND"].attr["Tpaddings"].type = tf.int64.as_datatype_enum


def numbers(node, kind, value):
    """Makes each number of a constant the same one."""
    old = tf.make_ndarray(node.attr["value"].tensor)
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(np.full(old.shape, value, kind)))
    node.attr["dtype"].type = tf.as_dtype(kind).as_datatype_enum


def chain(n):
    return tf.identity(tf.nn.relu(convolved(n), name="circle"), "result")


for what, text in {"circle": "two nodes that read each other", "missing_node": "an input that no node is",
                   "missing_output": "the fourth output of a node that has one", "same_names": "two nodes of one name",
                   "wrong_size": "a kernel of 47 numbers for 48 places",
                   "hidden_size": "a kernel of no values, whose other sizes cannot be counted",
                   "no_values": "a kernel without values: zeros, as TensorFlow reads it"}.items():
    def builder(n):
        return chain(n)
    builder.__name__, builder.__doc__ = what, text
    refused(builder)


def built(name):
    v1.disable_control_flow_v2()
    network = Network(name)
    with tf.Graph().as_default() as graph, v1.Session() as session:
        outputs = REFUSED[name](network)
        network.load(session)
        if name.startswith("not-frozen") or name == "lookup":
            return ordered(v1.graph_util.extract_sub_graph(graph.as_graph_def(), [outputs.op.name]))
        return frozen(session, [outputs])


def main():
    v1.disable_eager_execution()
    v1.disable_resource_variables()
    listing = {}
    for name, build in REFUSED.items():
        graph_def = built(name)
        damaged(name, graph_def)
        (OUT / f"graph-refused-{name}.pb").write_bytes(graph_def.SerializeToString(deterministic=True))
        listing[name] = build.__doc__
    (OUT / "refused.json").write_text(json.dumps(listing, indent=1) + "\n")


main()
