#!/usr/bin/env python3
"""Writes small frozen graphs of TensorFlow, one operation, option or spelling each, and a few whole networks.

Usage: make_graphs.py [OUT_DIR]     (needs tensorflow-cpu, tf_keras, numpy)

graph-NAME.pb    the graph: a binary GraphDef, its variables frozen
graph-NAME.npz   `in0`, `in1`, … in the order of the graph's placeholders (two images, float32 but for placeholders of whole
                 numbers), and `out0`, …: what TensorFlow computes in float64 from the same nodes and values (twins.py)
graphs.json      of each: what it is, the names of its inputs and outputs, and what else is fed, as a dropout's probability

No two axes of an input have the same size.
"""
import functools
import json
import sys
from pathlib import Path

from twins import Network, expected, frozen, save_arrays, tf, v1

import numpy as np
from tf_keras.src.legacy_tf_layers import convolutional, core, normalization, pooling

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
LIMIT = 20_000
GRAPHS = {}


def graph(function=None, *, control_flow_v2=False, rows=True):
    """Names a builder of a graph: a function from a network to its output, or to several."""
    if function is None:
        return functools.partial(graph, control_flow_v2=control_flow_v2, rows=rows)
    GRAPHS[function.__name__.replace("_", "-")] = (function, control_flow_v2, rows)
    return function


# Convolutions

@graph
def conv_same(n):
    """Conv2D, SAME, strides 2 and 3"""
    return tf.nn.conv2d(n.input(7, 8, 3), n.variable("conv1/W", 3, 5, 3, 4), (1, 2, 3, 1), "SAME")


@graph
def conv_valid(n):
    """Conv2D, VALID, with BiasAdd"""
    x = tf.nn.conv2d(n.input(6, 7, 2), n.variable("conv1/W", 3, 2, 2, 5), 1, "VALID")
    return tf.nn.bias_add(x, n.variable("conv1/b", 5))


@graph
def conv_explicit(n):
    """Conv2D, EXPLICIT: 2 rows above, 1 below, 0 columns left, 3 right"""
    return tf.nn.conv2d(n.input(5, 6, 3), n.variable("W", 3, 4, 3, 2), 1, [[0, 0], [2, 1], [0, 3], [0, 0]])


@graph
def conv_dilations(n):
    """Conv2D, the attribute dilations is 2, 3"""
    return tf.nn.conv2d(n.input(9, 10, 2), n.variable("W", 3, 2, 2, 3), 1, "SAME", dilations=(2, 3))


@graph
def conv_dilations_valid(n):
    """Conv2D, VALID, the attribute dilations is 3, 2"""
    return tf.nn.conv2d(n.input(9, 10, 2), n.variable("W", 2, 3, 2, 3), 1, "VALID", dilations=(3, 2))


def space_to_batch(n, height, width, padding, rate, kernel=(3, 2)):
    weights = n.variable("W", *kernel, 2, 3)
    return v1.nn.with_space_to_batch(
        n.input(height, width, 2), rate, padding,
        lambda x, spatial, inner: tf.nn.conv2d(x, weights, 1, inner), filter_shape=[*kernel, 2, 3])


@graph
def conv_space_to_batch_valid(n):
    """SpaceToBatchND, Conv2D, BatchToSpaceND: a dilation of 2, VALID; the sizes need no crops"""
    return space_to_batch(n, 8, 10, "VALID", [2, 2])


@graph
def conv_space_to_batch_crops(n):
    """the same with VALID, sizes that blocks of 2 and 3 do not divide, and so paddings and crops"""
    return space_to_batch(n, 9, 11, "VALID", [2, 3])


@graph
def conv_space_to_batch_same(n):
    """the same with SAME: the padding is in SpaceToBatchND, the convolution inside is VALID"""
    return space_to_batch(n, 9, 11, "SAME", [2, 3], (3, 3))


@graph
def conv_space_to_batch_open(n):
    """the same with SAME, where height and width are open: paddings and crops are computed in the graph"""
    x = n.input(9, 11, 2)
    x.set_shape([None, 9, 11, 2])
    open_size = v1.placeholder_with_default(x, [None, None, None, 2], name="open")
    weights = n.variable("W", 3, 3, 2, 3)
    return v1.nn.with_space_to_batch(
        open_size, [2, 3], "SAME", lambda x, spatial, inner: tf.nn.conv2d(x, weights, 1, inner), filter_shape=[3, 3, 2, 3])


@graph
def conv_atrous(n):
    """tf.nn.atrous_conv2d"""
    return tf.nn.atrous_conv2d(n.input(8, 9, 2), n.variable("W", 3, 2, 2, 3), 2, "VALID")


@graph
def conv_layers_dilation(n):
    """tf.layers.conv2d with dilation_rate, bias and relu"""
    return convolutional.conv2d(n.input(8, 9, 2), 3, (3, 2), padding="same", dilation_rate=(2, 3), activation=tf.nn.relu,
                                name="conv1")


@graph
def conv_groups(n):
    """Conv2D in 3 groups: the kernel has 2 of 6 input channels"""
    return tf.nn.conv2d(n.input(4, 5, 6), n.variable("W", 2, 3, 2, 9), 1, "SAME")


@graph
def conv_nchw(n):
    """Conv2D and BiasAdd, NCHW, strides 2 and 1, SAME"""
    x = n.input(3, 6, 7)
    x = tf.nn.conv2d(x, n.variable("W", 3, 2, 3, 4), (1, 1, 2, 1), "SAME", data_format="NCHW")
    return tf.nn.bias_add(x, n.variable("b", 4), "NCHW")


@graph
def conv_nchw_explicit(n):
    """Conv2D, NCHW, EXPLICIT paddings and dilations 1, 2"""
    paddings = [[0, 0], [0, 0], [1, 2], [0, 3]]
    return tf.nn.conv2d(n.input(2, 5, 6), n.variable("W", 3, 2, 2, 4), 1, paddings, data_format="NCHW", dilations=(1, 2))


@graph
def conv_resource(n):
    """Conv2D whose kernel and bias were resource variables: Const, ReadVariableOp as Identity"""
    x = tf.nn.conv2d(n.input(5, 6, 2), n.variable("conv/kernel", 3, 2, 2, 4, resource=True), 1, "SAME")
    return tf.nn.relu(tf.nn.bias_add(x, n.variable("conv/bias", 4, resource=True)))


@graph
def conv_one(n):
    """Conv2D, 1 by 1"""
    return tf.nn.conv2d(n.input(4, 5, 3), n.variable("W", 1, 1, 3, 6), 1, "VALID")


@graph
def depthwise(n):
    """DepthwiseConv2dNative, multiplier 1, SAME"""
    return tf.nn.depthwise_conv2d(n.input(6, 7, 3), n.variable("W", 3, 2, 3, 1), (1, 1, 1, 1), "SAME")


@graph
def depthwise_multiplier(n):
    """DepthwiseConv2dNative, multiplier 2, VALID, bias"""
    x = tf.nn.depthwise_conv2d(n.input(6, 7, 3), n.variable("W", 2, 3, 3, 2), (1, 1, 1, 1), "VALID")
    return tf.nn.bias_add(x, n.variable("b", 6))


@graph
def depthwise_strides(n):
    """DepthwiseConv2dNative, strides 2, SAME on an even and an odd size"""
    return tf.nn.depthwise_conv2d(n.input(6, 9, 2), n.variable("W", 3, 5, 2, 2), (1, 2, 2, 1), "SAME")


@graph
def depthwise_dilation(n):
    """tf.nn.depthwise_conv2d with dilations: SpaceToBatchND around DepthwiseConv2dNative"""
    return tf.nn.depthwise_conv2d(n.input(8, 9, 2), n.variable("W", 3, 2, 2, 2), (1, 1, 1, 1), "SAME", dilations=(2, 3))


@graph
def depthwise_dilations_attribute(n):
    """DepthwiseConv2dNative, the attribute dilations is 2; what it computes is the kernel with zeros in between"""
    x, weights = n.input(8, 9, 2), n.variable("W", 3, 2, 2, 2)
    return tf.raw_ops.DepthwiseConv2dNative(input=x, filter=weights, strides=[1] * 4, padding="VALID", dilations=[1, 2, 2, 1])


@graph
def depthwise_nchw(n):
    """DepthwiseConv2dNative, NCHW, strides 2, VALID"""
    return tf.raw_ops.DepthwiseConv2dNative(input=n.input(3, 6, 8), filter=n.variable("W", 3, 2, 3, 2),
                                            strides=[1, 1, 2, 2], padding="VALID", data_format="NCHW")


@graph
def separable(n):
    """tf.layers.separable_conv2d: depthwise, pointwise, bias"""
    return convolutional.separable_conv2d(n.input(6, 7, 3), 5, (3, 2), depth_multiplier=2, name="separable")


@graph
def transposed_same(n):
    """tf.layers.conv2d_transpose, SAME, strides 2, 3: output_shape is Shape, StridedSlice, Pack"""
    return convolutional.conv2d_transpose(n.input(3, 4, 2), 5, (3, 4), (2, 3), "same", name="up")


@graph
def transposed_valid(n):
    """tf.layers.conv2d_transpose, VALID, strides 2"""
    return convolutional.conv2d_transpose(n.input(3, 4, 2), 3, (3, 5), 2, "valid", name="up")


@graph
def transposed_constant(n):
    """Conv2DBackpropInput, output_shape is a constant with a batch of 2; the other of the two sizes SAME allows"""
    return tf.nn.conv2d_transpose(n.input(3, 4, 2, batch=2), n.variable("W", 3, 2, 5, 2), [2, 5, 7, 5], 2, "SAME")


@graph
def transposed_open(n):
    """Conv2DBackpropInput, output_shape is Pack(batch, 6, 8, 5) of the input's Shape"""
    x = n.input(3, 4, 2)
    size = tf.stack([tf.shape(x)[0], 6, 8, 5])
    return tf.nn.conv2d_transpose(x, n.variable("W", 3, 4, 5, 2), size, 2, "SAME")


@graph
def transposed_nchw(n):
    """Conv2DBackpropInput, NCHW"""
    x = n.input(2, 3, 4)
    size = tf.stack([tf.shape(x)[0], 5, 7, 9])
    return tf.nn.conv2d_transpose(x, n.variable("W", 3, 3, 5, 2), size, 2, "VALID", "NCHW")


@graph
def volumes(n):
    """Conv3D with VALID and SAME, MaxPool3D, AvgPool3D"""
    x = n.input(5, 6, 7, 2)
    x = tf.nn.relu(tf.nn.conv3d(x, n.variable("W", 2, 3, 1, 2, 4), [1, 1, 2, 1, 1], "SAME") + n.variable("b", 4))
    x = tf.nn.max_pool3d(x, [2, 1, 3], [1, 1, 2], "SAME")
    x = tf.nn.conv3d(x, n.variable("V", 2, 2, 2, 4, 3), [1] * 5, "VALID")
    return tf.nn.avg_pool3d(x, [1, 2, 2], [2, 1, 1], "SAME")


@graph
def volumes_transposed(n):
    """Conv3DBackpropInputV2, output_shape is Pack of the batch and the larger of the sizes that SAME allows"""
    x = n.input(2, 3, 4, 2)
    size = tf.stack([tf.shape(x)[0], 4, 9, 4, 5])
    return tf.nn.conv3d_transpose(x, n.variable("W", 3, 4, 2, 5, 2), size, [2, 3, 1], "SAME")


@graph
def conv1d(n):
    """tf.nn.conv1d: ExpandDims, Conv2D, Squeeze"""
    return tf.nn.conv1d(n.input(8, 3), n.variable("W", 4, 3, 5), 2, "SAME")


@graph
def conv1d_layers(n):
    """tf.layers.conv1d, valid, bias, relu"""
    return convolutional.conv1d(n.input(8, 3), 5, 4, activation=tf.nn.relu, name="conv1")


@graph
def conv1d_dilated(n):
    """tf.layers.conv1d, causal by hand: Pad in front, dilation 2"""
    x = tf.pad(n.input(8, 3), [[0, 0], [4, 0], [0, 0]])
    return convolutional.conv1d(x, 5, 3, dilation_rate=2, name="conv1")


# Biases, scales, products

@graph
def bias_add(n):
    """BiasAdd on rank 2 and relu"""
    return tf.nn.relu(tf.nn.bias_add(tf.matmul(n.input(5), n.variable("W", 5, 3)), n.variable("b", 3)))


@graph
def bias_add_old(n):
    """Add, as `x + b` was written until TensorFlow 1.14"""
    x = tf.nn.conv2d(n.input(5, 6, 2), n.variable("W", 3, 3, 2, 4), 1, "SAME")
    return tf.raw_ops.Add(x=x, y=n.variable("b", 4))


@graph
def bias_add_v2(n):
    """AddV2 with a vector, the constant on the left"""
    x = tf.nn.conv2d(n.input(5, 6, 2), n.variable("W", 3, 3, 2, 4), 1, "SAME")
    return n.variable("b", 4) + x


@graph
def bias_subtracted(n):
    """Sub of a vector behind a convolution"""
    return tf.nn.conv2d(n.input(5, 6, 2), n.variable("W", 3, 3, 2, 4), 1, "SAME") - n.variable("b", 4)


@graph
def channel_scale(n):
    """Mul by a vector of the channels, and AddV2 of one"""
    return n.input(3, 5, 4) * n.variable("gamma", 4) + n.variable("beta", 4)


@graph
def channel_scale_rank_four(n):
    """Mul by constants of shape [1, 1, 1, 4], and RealDiv by one"""
    return n.input(3, 5, 4) * n.variable("gamma", 1, 1, 1, 4) / n.variable("variance", 1, 1, 1, 4)


@graph
def channel_scale_nchw(n):
    """Mul by [4, 1, 1] on channels-first data between NCHW convolutions"""
    x = tf.nn.conv2d(n.input(2, 5, 6), n.variable("W", 3, 3, 2, 4), 1, "SAME", data_format="NCHW")
    return x * n.variable("gamma", 4, 1, 1) + n.variable("beta", 1, 4, 1, 1)


@graph
def scalar_scale(n):
    """preprocessing in the graph: x / 127.5 - 1, then a convolution"""
    x = n.input(5, 6, 3, above=0, scale=255) / 127.5 - 1.0
    return tf.nn.conv2d(x, n.variable("W", 3, 3, 3, 4), 1, "VALID")


@graph
def scalar_product(n):
    """Mul by a scalar, on the left"""
    return 2.5 * n.input(3, 5, 4)


@graph
def one_minus(n):
    """1 - x"""
    return 1.0 - n.input(3, 5, 4)


@graph
def negative(n):
    """Neg and AddN of three"""
    x = n.input(3, 5, 4)
    return tf.add_n([-x, tf.nn.relu(x), tf.nn.sigmoid(x)])


@graph
def arithmetic(n):
    """sums, differences, products and quotients of two inputs; four outputs"""
    x, y = n.input(3, 5, 4), n.input(3, 5, 4, above=0.5)
    return x + y, x - y, x * y, x / y


@graph
def extremes(n):
    """Maximum and Minimum of two inputs; two outputs"""
    x, y = n.input(3, 5, 4), n.input(3, 5, 4)
    return tf.maximum(x, y), tf.minimum(x, y)


@graph
def spatial_gate(n):
    """squeeze and excitation: [batch, 1, 1, channels] multiplied onto an image; one channel onto all"""
    x = n.input(4, 5, 6)
    s = tf.reduce_mean(x, [1, 2], keepdims=True)
    s = tf.nn.relu(tf.nn.conv2d(s, n.variable("squeeze/W", 1, 1, 6, 2), 1, "SAME"))
    s = tf.sigmoid(tf.nn.conv2d(s, n.variable("excite/W", 1, 1, 2, 6), 1, "SAME"))
    return x * s


@graph
def matmul(n):
    """MatMul and a bias"""
    return tf.matmul(n.input(5), n.variable("fc/W", 5, 3)) + n.variable("fc/b", 3)


@graph
def matmul_transposed(n):
    """MatMul, transpose_b: the kernel is [outputs, inputs]"""
    return tf.matmul(n.input(5), n.variable("fc/W", 3, 5), transpose_b=True)


@graph
def matmul_swapped(n):
    """MatMul, transpose_a: the data is [5, batch] after a Transpose"""
    x = tf.transpose(n.input(5), [1, 0])
    return tf.matmul(x, n.variable("fc/W", 5, 3), transpose_a=True)


@graph
def batch_matmul(n):
    """BatchMatMulV2 of rank 3 with a constant of rank 2"""
    return tf.raw_ops.BatchMatMulV2(x=n.input(4, 5), y=n.variable("W", 5, 3)) + n.variable("b", 3)


@graph
def batch_matmul_transposed(n):
    """BatchMatMulV2, adj_y, its constant [3, 5]"""
    return tf.raw_ops.BatchMatMulV2(x=n.input(4, 5), y=n.variable("W", 3, 5), adj_y=True)


@graph
def tensordot(n):
    """tf.tensordot of rank 3 and 2, as tf.layers.dense wrote it: Reshape, MatMul, Reshape"""
    return core.dense(n.input(4, 5), 3, name="fc")


@graph
def einsum(n):
    """Einsum of rank 3 with a matrix: abc,cd->abd"""
    return tf.einsum("abc,cd->abd", n.input(4, 5), n.variable("W", 5, 3)) + n.variable("b", 3)


@graph
def attention(n):
    """scaled products of a sequence with itself: BatchMatMulV2 of data, Softmax, BatchMatMulV2"""
    x = n.input(4, 5)
    query, key, value = (tf.einsum("abc,cd->abd", x, n.variable(f"{name}/W", 5, size))
                         for name, size in (("query", 3), ("key", 3), ("value", 6)))
    return tf.matmul(tf.nn.softmax(tf.matmul(query, key, transpose_b=True) / np.float32(np.sqrt(3))), value)


def heads(n, x, name):
    return tf.einsum("abc,cde->abde", x, n.variable(f"{name}/W", 5, 2, 3)) + n.variable(f"{name}/b", 2, 3)


@graph
def attention_heads(n):
    """attention of two heads as Keras spells it, behind a table of positions: Einsum with constants and of two values"""
    x = n.input(4, 5) + n.variable("positions", 1, 4, 5)
    query, key, value = (heads(n, x, name) for name in ("query", "key", "value"))
    scores = tf.einsum("aecd,abcd->acbe", key, query / np.float32(np.sqrt(3)))
    found = tf.einsum("acbe,aecd->abcd", tf.nn.softmax(scores), value)
    return tf.einsum("abcd,cde->abe", found, n.variable("out/W", 2, 3, 5)) + x


@graph
def attention_causal(n):
    """attention in which a mask, a constant matrix with the least float32, hides what comes later"""
    x = n.input(4, 5)
    mask = np.where(np.tri(4, dtype=bool), np.float32(0), np.finfo(np.float32).min)
    scores = tf.matmul(x, x, transpose_b=True) + tf.constant(mask)
    return tf.matmul(tf.nn.softmax(scores), x)


@graph
def matmul_values(n):
    """BatchMatMulV2 of two values, the first transposed, and of a constant matrix and a value"""
    x, y = n.input(4, 5), n.input(4, 3)
    return tf.matmul(x, y, transpose_a=True), tf.matmul(n.variable("W", 6, 4), x)


@graph
def einsum_orders(n):
    """Einsum: a turned matrix, an ellipsis, axes of the result in another order, a product along the first axis"""
    x, y = n.input(4, 5), n.input(4, 3)
    return (tf.einsum("abc,dc->abd", x, n.variable("W1", 2, 5)), tf.einsum("...x,xy->...y", x, n.variable("W2", 5, 3)),
            tf.einsum("cd,abc->adb", n.variable("W3", 5, 2), x), tf.einsum("atc,ats->asc", x, y))


@graph
def tables(n):
    """constants that differ along several axes: added, subtracted from, multiplied, divided by, as limits"""
    x = n.input(4, 5)
    first = n.variable("first", 4, 5)
    second = n.variable("second", 1, 4, 1)
    return (first - x, x * first, x / (2 + tf.abs(second)), tf.maximum(x, first), tf.minimum(second, x))


@graph
def tables_of_images(n):
    """a table for the places of an image, and one for all of it, in front of a flatten"""
    x = tf.nn.conv2d(n.input(4, 5, 2), n.variable("conv1/W", 3, 2, 2, 3), 1, "SAME")
    x = tf.nn.relu((x + n.variable("places", 4, 5, 1)) * n.variable("all", 1, 4, 5, 3))
    return head(n, tf.reshape(x, [-1, 60]), 60)


@graph
def tables_nchw(n):
    """the same with channels first"""
    x = tf.transpose(n.input(4, 5, 2), [0, 3, 1, 2])
    x = tf.nn.conv2d(x, n.variable("conv1/W", 3, 2, 2, 3), 1, "SAME", data_format="NCHW")
    x = tf.nn.relu(x + n.variable("all", 3, 4, 5))
    return head(n, tf.reshape(x, [-1, 60]), 60)


@graph
def tokens(n):
    """a token in front of a sequence: Tile of it to the batch, and one behind it: BroadcastTo"""
    x = n.input(4, 5)
    batch = tf.shape(x)[0]
    before = tf.tile(n.variable("before", 1, 1, 5), tf.stack([batch, 1, 1]))
    behind = tf.broadcast_to(n.variable("behind", 1, 2, 5), tf.stack([batch, 2, 5]))
    return tf.concat([before, x, behind], 1)


@graph
def slices(n):
    """places in steps, from the end, and parts of values of four axes: StridedSlice and Split"""
    x = n.input(4, 5, 3, 2)
    first, second = tf.split(x, [2, 3], 2)
    return x[:, ::-1, 1::2, tf.newaxis, :2, 1], tf.concat([tf.tanh(second), tf.nn.relu(first)], 2)


@graph
def reductions(n):
    """sums, means, largest, smallest and products along other axes than places"""
    x = n.input(4, 5, 3, 2)
    return (tf.reduce_min(x, [1, 3]), tf.reduce_prod(x, -1, keepdims=True), tf.reduce_max(x, [2, 4]),
            x - tf.reduce_mean(x, [1, 2, 3], keepdims=True), tf.reduce_sum(x, [1, 2, 4]))


@graph
def dense(n):
    """two tf.layers.dense, relu and softmax"""
    x = core.dense(n.input(5), 7, tf.nn.relu, name="fc1")
    return tf.nn.softmax(core.dense(x, 3, name="fc2"))


# Flattening and other shapes

def head(n, x, size):
    return tf.matmul(x, n.variable("fc/W", size, 5)) + n.variable("fc/b", 5)


@graph
def flatten_constant(n):
    """Reshape to the constant [-1, 24], MatMul"""
    return head(n, tf.reshape(n.input(2, 4, 3), [-1, 24]), 24)


@graph
def flatten_shape(n):
    """Reshape to Pack([Shape's first, 24])"""
    x = n.input(2, 4, 3)
    return head(n, tf.reshape(x, tf.stack([tf.shape(x)[0], 24])), 24)


@graph
def flatten_open(n):
    """Reshape to Pack([Shape's first, -1])"""
    x = n.input(2, 4, 3)
    x = tf.reshape(x, tf.stack([tf.shape(x)[0], -1]))
    return tf.matmul(tf.ensure_shape(x, [None, 24]), n.variable("fc/W", 24, 5))


@graph
def flatten_long(n):
    """Shape as int64, StridedSlice, Pack, Reshape"""
    x = n.input(2, 4, 3)
    batch = tf.shape(x, out_type=tf.int64)[0]
    return head(n, tf.reshape(x, tf.stack([batch, tf.constant(24, tf.int64)])), 24)


@graph
def flatten_product(n):
    """Reshape to Pack([-1, Prod of StridedSlice of Shape])"""
    x = n.input(2, 4, 3)
    return head(n, tf.reshape(x, tf.stack([-1, tf.reduce_prod(tf.shape(x)[1:])])), 24)


@graph
def flatten_concat(n):
    """Reshape to ConcatV2 of the batch's slice and [-1], as slim's flatten"""
    x = n.input(2, 4, 3)
    batch = tf.slice(tf.shape(x), [0], [1])
    return head(n, tf.reshape(x, tf.concat([batch, [-1]], 0)), 24)


@graph
def flatten_layers(n):
    """tf.layers.flatten and tf.layers.dense"""
    x = core.flatten(n.input(2, 4, 3), name="flatten")
    return core.dense(x, 5, name="fc")


@graph
def flatten_nchw(n):
    """NCHW: a convolution, pooling, Reshape, MatMul; the kernel's rows are channels first"""
    x = tf.nn.conv2d(n.input(2, 5, 7), n.variable("conv/W", 3, 2, 2, 3), 1, "VALID", data_format="NCHW")
    x = tf.nn.max_pool2d(tf.nn.relu(x), (1, 1, 1, 2), (1, 1, 1, 2), "VALID", "NCHW")
    return head(n, tf.reshape(x, [-1, 27]), 27)


@graph
def flatten_transposed(n):
    """an NHWC convolution, Transpose to NCHW, Reshape, MatMul"""
    x = tf.nn.conv2d(n.input(3, 5, 2), n.variable("conv/W", 2, 2, 2, 3), 1, "VALID")
    return head(n, tf.reshape(tf.transpose(x, [0, 3, 1, 2]), [-1, 24]), 24)


@graph
def reshape_image(n):
    """a flat input, Reshape to [-1, 4, 3, 2], Conv2D, as in the tutorial of MNIST"""
    x = tf.reshape(n.input(24), [-1, 4, 3, 2])
    return tf.nn.conv2d(x, n.variable("W", 3, 2, 2, 5), 1, "SAME")


@graph
def reshape_pack(n):
    """Reshape to Pack([Shape's first, 4, 3, 2]), as the layer Reshape of Keras, Conv2D"""
    x = n.input(24)
    x = tf.reshape(x, tf.stack([tf.shape(x)[0], 4, 3, 2]))
    return tf.nn.conv2d(x, n.variable("W", 3, 2, 2, 5), 1, "SAME")


@graph
def channel_shuffle(n):
    """Reshape of the channels to groups, Transpose of the two, Reshape back"""
    x = tf.transpose(tf.reshape(n.input(4, 5, 6), [-1, 4, 5, 2, 3]), [0, 1, 2, 4, 3])
    return tf.nn.conv2d(tf.reshape(x, [-1, 4, 5, 6]), n.variable("W", 1, 1, 3, 4), 1, "SAME")


@graph
def reshape_rows(n):
    """Reshape of an image to [-1, 12, 2], MatMul of rank 3 after a Reshape to [-1, 2] and back"""
    x = tf.reshape(n.input(3, 4, 2), [-1, 12, 2])
    x = tf.matmul(tf.reshape(x, [-1, 2]), n.variable("W", 2, 5))
    return tf.reshape(x, [-1, 12, 5])


@graph
def squeeze_all(n):
    """Squeeze without axes, of [batch, 1, 1, 3]"""
    return tf.squeeze(tf.reduce_mean(n.input(4, 5, 3), [1, 2], keepdims=True))


@graph
def open_length(n):
    """a sequence of open length: conv1d, Max over the steps, a dense layer"""
    x = v1.placeholder(tf.float32, [None, None, 3], name="steps")
    n.inputs.append((x, n.rng.normal(0, 1, (2, 8, 3)).astype(np.float32)))
    x = tf.nn.relu(tf.nn.conv1d(x, n.variable("conv1/W", 4, 3, 5), 1, "VALID"))
    return head(n, tf.reduce_max(x, 1), 5)


@graph
def image_bytes(n):
    """a placeholder of uint8, Cast to float32, a scale, Conv2D"""
    x = tf.cast(n.whole(tf.uint8, 256, 5, 6, 3), tf.float32) * (1 / 255)
    return tf.nn.conv2d(x, n.variable("W", 3, 2, 3, 4), 1, "SAME")


@graph
def embedding(n):
    """a placeholder of int32, GatherV2 of rows of a matrix, Mean over the steps, a dense layer"""
    x = tf.gather(n.variable("embedding", 7, 5), n.whole(tf.int32, 7, 4))
    return head(n, tf.reduce_mean(x, 1), 5)


@graph(rows=False)
def batch_of_one(n):
    """a placeholder whose batch is 1"""
    return tf.nn.conv2d(n.input(5, 6, 2, batch=1), n.variable("W", 3, 2, 2, 4), 1, "SAME")


@graph(rows=False)
def reshape_batch_of_one(n):
    """a batch of 1, and Reshape to the constant [1, 24]"""
    return head(n, tf.reshape(n.input(2, 4, 3, batch=1), [1, 24]), 24)


@graph
def expand_squeeze(n):
    """ExpandDims of a flat input to [batch, 1, 1, 5], a convolution, Squeeze of axes 1 and 2"""
    x = tf.expand_dims(tf.expand_dims(n.input(5), 1), 1)
    x = tf.nn.conv2d(x, n.variable("W", 1, 1, 5, 3), 1, "SAME")
    return tf.squeeze(x, [1, 2])


@graph
def squeeze_global(n):
    """as slim's classifiers end: AvgPool of the whole image, 1 x 1 convolution, Squeeze, Softmax"""
    x = tf.nn.avg_pool2d(n.input(4, 5, 3), (4, 5), 1, "VALID")
    x = tf.nn.conv2d(x, n.variable("logits/weights", 1, 1, 3, 6), 1, "SAME")
    return tf.nn.softmax(tf.squeeze(tf.nn.bias_add(x, n.variable("logits/biases", 6)), [1, 2]))


@graph
def transpose(n):
    """Transpose of an image to [batch, channels, height, width], as an output"""
    return tf.transpose(n.input(3, 5, 4), [0, 3, 1, 2])


@graph
def transpose_first(n):
    """a channels-first input, Transpose to NHWC, Conv2D, Transpose back"""
    x = tf.transpose(n.input(3, 5, 6), [0, 2, 3, 1])
    x = tf.nn.conv2d(x, n.variable("W", 3, 2, 3, 4), 1, "SAME")
    return tf.transpose(x, [0, 3, 1, 2])


@graph
def transpose_sides(n):
    """Transpose of height and width"""
    return tf.transpose(n.input(3, 5, 4), [0, 2, 1, 3])


@graph
def pad(n):
    """Pad with zeros, then a VALID convolution with stride 2, as ResNets begin"""
    x = tf.pad(n.input(6, 7, 2), [[0, 0], [1, 2], [3, 1], [0, 0]])
    return tf.nn.conv2d(x, n.variable("W", 3, 3, 2, 4), 2, "VALID")


@graph
def pad_v2_zero(n):
    """PadV2 whose constant is 0"""
    return tf.raw_ops.PadV2(input=n.input(3, 5, 2), paddings=[[0, 0], [1, 0], [2, 3], [0, 0]], constant_values=0.0)


@graph
def pad_channels(n):
    """Pad of the channels, and a sum: a shortcut without weights"""
    x = n.input(3, 5, 2)
    return tf.pad(x, [[0, 0], [0, 0], [0, 0], [1, 3]]) + tf.nn.conv2d(x, n.variable("W", 3, 3, 2, 6), 1, "SAME")


@graph
def concat_channels(n):
    """ConcatV2, axis 3, of two convolutions and the input"""
    x = n.input(4, 5, 2)
    a = tf.nn.conv2d(x, n.variable("a/W", 3, 3, 2, 3), 1, "SAME")
    b = tf.nn.conv2d(x, n.variable("b/W", 1, 1, 2, 4), 1, "SAME")
    return tf.concat([a, x, b], 3)


@graph
def concat_last(n):
    """ConcatV2, axis -1, of flat vectors"""
    return tf.concat([n.input(3), n.input(5)], -1)


@graph
def concat_rows(n):
    """ConcatV2, axis 1"""
    return tf.concat([n.input(3, 5, 2), n.input(4, 5, 2)], 1)


@graph
def concat_old(n):
    """Concat, as TensorFlow before 1.0 wrote it: the axis is the first input"""
    return tf.raw_ops.Concat(concat_dim=3, values=[n.input(3, 5, 2), n.input(3, 5, 4)])


@graph
def split(n):
    """Split of the channels into two, both used"""
    a, b = tf.split(n.input(3, 5, 4), 2, 3)
    return a * tf.sigmoid(b)


@graph
def split_outputs(n):
    """Split of the channels into three; two of them are outputs"""
    a, b, c = tf.split(n.input(4, 5, 6), 3, -1)
    return tf.nn.relu(a), tf.tanh(c - b)


@graph
def split_v(n):
    """SplitV of the channels into 3 and 2"""
    a, b = tf.split(n.input(3, 4, 5), [3, 2], 3)
    return tf.concat([tf.nn.relu(b), tf.tanh(a)], 3)


@graph
def crop(n):
    """StridedSlice: rows 1 to 4, columns from 2 on"""
    return n.input(6, 7, 2)[:, 1:4, 2:, :]


@graph
def crop_negative(n):
    """StridedSlice with an Ellipsis, negative ends"""
    return n.input(6, 7, 2)[:, 1:-2, :-1, ...]


@graph
def crop_slice(n):
    """Slice: begin [0, 1, 2, 0], size [-1, 3, 4, -1]"""
    return tf.slice(n.input(6, 7, 2), [0, 1, 2, 0], [-1, 3, 4, -1])


@graph
def slice_strided(n):
    """StridedSlice with strides 2 and 3: every second row, every third column"""
    return n.input(6, 7, 2)[:, ::2, 1::3, :]


@graph
def slice_channels(n):
    """StridedSlice of channels, as a split by hand"""
    x = n.input(3, 4, 5)
    return tf.nn.relu(x[..., :2]) * tf.sigmoid(x[..., 2:4])


@graph
def slice_last_step(n):
    """StridedSlice that takes the last step of a sequence and drops its axis"""
    return n.input(4, 5)[:, -1, :]


@graph
def identities(n):
    """Identity, StopGradient, CheckNumerics, PreventGradient, Snapshot, PlaceholderWithDefault, control dependencies"""
    x = tf.identity(n.input(3, 5, 2), "same")
    x = tf.stop_gradient(x)
    x = tf.debugging.check_numerics(x, "not a number")
    x = tf.raw_ops.PreventGradient(input=x)
    x = tf.raw_ops.Snapshot(input=x)
    x = v1.placeholder_with_default(x, [None, 3, 5, 2], name="replaceable")
    with tf.control_dependencies([tf.no_op("nothing")]):
        return tf.identity(x * 3.0, "result")


@graph
def weights_computed(n):
    """constants that the graph computes from constants: Reshape, Transpose, Mul, Sqrt of kernels and biases"""
    kernel = tf.transpose(tf.reshape(n.variable("W", 4, 18), [4, 3, 3, 2]), [1, 2, 3, 0]) * n.variable("gamma", 4)
    return tf.nn.conv2d(n.input(5, 6, 2), kernel, 1, "SAME") + tf.sqrt(n.variable("variance", 4))


@graph
def weights_half(n):
    """a kernel stored as float16, with a Cast to float32"""
    half = tf.constant(n.rng.normal(0, 0.3, (3, 2, 2, 4)).astype(np.float16), name="W")
    return tf.nn.conv2d(n.input(5, 6, 2), tf.cast(half, tf.float32), 1, "SAME")


@graph
def weights_encoded(n):
    """constants in each encoding: bytes, a list of floats, one float for all, a list whose last value repeats"""
    x = n.input(6)
    as_bytes = tf.constant(n.rng.normal(0, 1, (6, 5)).astype(np.float32), name="bytes")
    as_list = tf.constant(n.rng.normal(0, 1, (5, 4)).astype(np.float32), name="list")
    as_one = tf.constant(np.full((4, 3), 0.75, np.float32), name="one")
    as_repeated = tf.constant(np.array([0.5, -1, 2], np.float32), name="repeated")
    return tf.matmul(tf.nn.relu(tf.matmul(tf.tanh(tf.matmul(x, as_bytes)), as_list)), as_one) + as_repeated


def encode_weights(graph_def):
    for node in graph_def.node:
        tensor = node.attr["value"].tensor
        array = tf.make_ndarray(tensor) if node.op == "Const" else None
        if node.name in ("list", "one", "repeated"):
            tensor.ClearField("tensor_content")
            del tensor.float_val[:]
            tensor.float_val.extend({"list": array.ravel(), "one": [0.75], "repeated": [0.5, -1, 2]}[node.name])
        if node.name == "repeated":
            # [0.5, -1, -1]: two numbers for three places.
            del tensor.float_val[2:]


def leave_out(graph_def, attribute):
    """Removes an attribute, as a SavedModel does with those that have the value of their default."""
    for node in graph_def.node:
        if attribute in node.attr:
            del node.attr[attribute]


# Normalisations

def normalized(n, op, shape, epsilon, data_format="NHWC"):
    channels = shape[2] if data_format == "NHWC" else shape[0]
    x = n.input(*shape)
    names = ("gamma", "beta", "mean", "variance")
    scale, offset, mean, variance = (n.variable(f"bn/{name}", channels) for name in names)
    return getattr(tf.raw_ops, op)(x=x, scale=scale, offset=offset, mean=mean, variance=variance, epsilon=epsilon,
                                   data_format=data_format, is_training=False)[0]


@graph
def batch_norm_fused(n):
    """FusedBatchNorm, epsilon 0.001"""
    return normalized(n, "FusedBatchNorm", (3, 5, 4), 0.001)


@graph
def batch_norm_fused_v2(n):
    """FusedBatchNormV2, epsilon 0.1"""
    return normalized(n, "FusedBatchNormV2", (3, 5, 4), 0.1)


@graph
def batch_norm_fused_v3(n):
    """FusedBatchNormV3, epsilon 0.01"""
    return normalized(n, "FusedBatchNormV3", (3, 5, 4), 0.01)


@graph
def batch_norm_nchw(n):
    """FusedBatchNormV3, NCHW"""
    return normalized(n, "FusedBatchNormV3", (4, 3, 5), 0.01, "NCHW")


@graph
def batch_norm_layers(n):
    """tf.layers.batch_normalization, training=False, behind a convolution without bias"""
    x = convolutional.conv2d(n.input(5, 6, 2), 3, 3, use_bias=False, name="conv1")
    return tf.nn.relu(normalization.batch_normalization(x, name="bn1"))


@graph
def batch_norm_layers_plain(n):
    """the same without scale and center: gamma and beta are constants"""
    x = convolutional.conv2d(n.input(5, 6, 2), 3, 3, use_bias=False, name="conv1")
    return tf.nn.relu(normalization.batch_normalization(x, scale=False, center=False, name="bn1"))


def spelled_normalization(n, center=True, scale=True, x=None, channels=4):
    x = n.input(3, 5, 4) if x is None else x
    mean, variance = n.variable("bn/moving_mean", channels), n.variable("bn/moving_variance", channels)
    beta = n.variable("bn/beta", channels) if center else None
    gamma = n.variable("bn/gamma", channels) if scale else None
    return tf.nn.batch_normalization(x, mean, variance, beta, gamma, 0.01)


@graph
def batch_norm_spelled(n):
    """tf.nn.batch_normalization: AddV2, Rsqrt, Mul, Mul, Mul, Sub, AddV2"""
    return spelled_normalization(n)


@graph
def batch_norm_spelled_unscaled(n):
    """the same without gamma"""
    return spelled_normalization(n, scale=False)


@graph
def batch_norm_spelled_uncentered(n):
    """the same without beta"""
    return spelled_normalization(n, center=False)


@graph
def batch_norm_spelled_flat(n):
    """the same behind a MatMul, on rank 2"""
    x = tf.matmul(n.input(5), n.variable("fc/W", 5, 4))
    return tf.nn.relu(spelled_normalization(n, x=x))


@graph
def batch_norm_by_hand(n):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta"""
    x = n.input(3, 5, 4)
    normal = (x - n.variable("mean", 4)) / tf.sqrt(n.variable("variance", 4) + 1e-3)
    return normal * n.variable("gamma", 4) + n.variable("beta", 4)


@graph
def batch_norm_old(n):
    """BatchNormWithGlobalNormalization, as TensorFlow before 0.8 wrote it"""
    x = n.input(3, 5, 4)
    names = ("mean", "variance", "beta", "gamma")
    return tf.nn.batch_normalization(x, *(n.variable(name, 4) for name in names), 0.001, name="bn")


def older_normalization(graph_def):
    """Puts the operator in the place of its parts: TensorFlow has not made it since version 9 of graphs."""
    parts = [node for node in graph_def.node if node.name.startswith("bn/")]
    for node in parts:
        graph_def.node.remove(node)
    inputs = [node.name for node in graph_def.node if node.op == "Placeholder"]
    inputs += [f"{name}/read" for name in ("mean", "variance", "beta", "gamma")]
    node = graph_def.node.add(name="bn/add_1", op="BatchNormWithGlobalNormalization", input=inputs)
    node.attr["T"].type = tf.float32.as_datatype_enum
    node.attr["variance_epsilon"].f = 0.001
    node.attr["scale_after_normalization"].b = True
    graph_def.versions.producer = 8


@graph
def layer_norm(n):
    """a layer normalisation over the last axis by hand: Mean, SquaredDifference, Mean, Rsqrt"""
    x = n.input(4, 6)
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, n.variable("beta", 6), n.variable("gamma", 6), 1e-3)


@graph
def layer_norm_limited(n):
    """a layer normalisation by hand whose results are beyond the limits behind it"""
    x = n.input(4, 6)
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    result = tf.nn.batch_normalization(x, mean, variance, 60 * n.variable("beta", 6), None, 1e-3)
    return tf.clip_by_value(result, -12.0, 9.0)


@graph
def limits(n):
    """Minimum and Maximum with limits far larger than the values, and with both signs"""
    x = n.input(5, 3, scale=1e-3)
    small = tf.maximum(tf.minimum(x, 1e8), -1e9)
    return small, tf.minimum(x * 1e6, 100.0), tf.maximum(x * 1e6, 50.0), tf.minimum(x * 1e6, -30.0)


@graph(control_flow_v2=True)
def branch_in_function(n):
    """an If in a function, whose condition is called like another constant outside"""
    x = n.input(4)
    tf.constant(True, name="condition")

    @tf.function(autograph=False)
    def inner(a):
        condition = tf.constant(False, name="condition")
        return tf.cond(condition, lambda: tf.nn.relu(a), lambda: tf.tanh(a))
    return inner(x)


@graph
def constant_casts(n):
    """constants that are cast: to truth values, and whole numbers that are divided"""
    truth = tf.cast(tf.cast(tf.raw_ops.Identity(input=[0, 2, 3]), tf.bool), tf.float32)
    mean = tf.cast(tf.raw_ops.Mean(input=[1, 2], axis=[0]), tf.float32)
    return n.input(5, 3) * truth + mean


@graph
def instance_norm(n):
    """an instance normalisation: tf.nn.moments over height and width"""
    x = n.input(4, 5, 3)
    mean, variance = tf.nn.moments(x, [1, 2], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-3) * n.variable("gamma", 3) + n.variable("beta", 3)


@graph
def group_norm(n):
    """a group normalisation: Reshape to groups of channels, moments, tf.nn.batch_normalization, Reshape back"""
    x = tf.reshape(n.input(4, 5, 6), [-1, 4, 5, 2, 3])
    mean, variance = tf.nn.moments(x, [1, 2, 4], keepdims=True)
    gamma, beta = (tf.reshape(n.variable(name, 6), [1, 1, 1, 2, 3]) for name in ("gamma", "beta"))
    return tf.reshape(tf.nn.batch_normalization(x, mean, variance, beta, gamma, 1e-3), [-1, 4, 5, 6])


@graph
def l2_normalize(n):
    """tf.nn.l2_normalize of rank 2: Square, Sum, Maximum, Rsqrt, Mul"""
    return tf.nn.l2_normalize(n.input(5), 1)


@graph
def l2_normalize_by_hand(n):
    """x / sqrt(sum(x * x) + epsilon) over the channels of an image"""
    x = n.input(3, 5, 4)
    return x / tf.sqrt(tf.reduce_sum(x * x, -1, keepdims=True) + 1e-6)


@graph
def local_response(n):
    """LRN, as AlexNet and the first Inception have"""
    return tf.nn.lrn(n.input(3, 5, 6), 2, bias=1.5, alpha=0.3, beta=0.75)


# Pooling

@graph
def max_pool_same(n):
    """MaxPool, SAME, 3 x 2 with strides 2 and 3; negative values at the edges"""
    return tf.nn.max_pool2d(n.input(7, 8, 2) - 3.0, (3, 2), (2, 3), "SAME")


@graph
def max_pool_valid(n):
    """MaxPool, VALID, overlapping"""
    return tf.nn.max_pool2d(n.input(7, 8, 2), (3, 2), (2, 1), "VALID")


@graph
def avg_pool_same(n):
    """AvgPool, SAME: the padding is not counted"""
    return tf.nn.avg_pool2d(n.input(7, 8, 2), (3, 4), (2, 3), "SAME")


@graph
def avg_pool_valid(n):
    """AvgPool, VALID"""
    return tf.nn.avg_pool2d(n.input(7, 8, 2), (3, 2), 2, "VALID")


@graph
def pool_nchw(n):
    """MaxPool SAME and AvgPool VALID, NCHW"""
    x = tf.nn.max_pool2d(n.input(2, 7, 9), (1, 1, 3, 2), (1, 1, 2, 1), "SAME", "NCHW")
    return tf.nn.avg_pool2d(x, (1, 1, 2, 3), (1, 1, 1, 2), "VALID", "NCHW")


@graph
def max_pool_explicit(n):
    """MaxPool, EXPLICIT paddings"""
    return tf.nn.max_pool2d(n.input(6, 7, 2) - 3.0, (3, 4), 2, [[0, 0], [1, 0], [0, 2], [0, 0]])


@graph
def pool_layers(n):
    """tf.layers.max_pooling2d and average_pooling2d"""
    x = pooling.max_pooling2d(n.input(8, 9, 2), (2, 3), 2)
    return pooling.average_pooling2d(x, 2, 1, "same")


@graph
def global_mean(n):
    """Mean over [1, 2], axes dropped, then a dense layer"""
    return head(n, tf.reduce_mean(n.input(4, 5, 3), [1, 2]), 3)


@graph
def global_mean_kept(n):
    """Mean over [1, 2], axes kept"""
    return tf.reduce_mean(n.input(4, 5, 3), [1, 2], keepdims=True)


@graph
def global_mean_nchw(n):
    """Mean over [2, 3] behind an NCHW convolution"""
    x = tf.nn.conv2d(n.input(2, 5, 6), n.variable("W", 3, 3, 2, 4), 1, "SAME", data_format="NCHW")
    return tf.reduce_mean(x, [2, 3])


@graph
def global_mean_negative(n):
    """Mean over [-2, -3]"""
    return tf.reduce_mean(n.input(4, 5, 3), [-2, -3])


@graph
def global_max(n):
    """Max over [1, 2]"""
    return tf.reduce_max(n.input(4, 5, 3), [1, 2])


@graph
def mean_last(n):
    """Mean over the last axis"""
    return tf.reduce_mean(n.input(4, 5, 3), -1)


@graph
def mean_sequence(n):
    """Mean over axis 1 of a sequence"""
    return tf.reduce_mean(n.input(6, 3), 1)


@graph
def sums(n):
    """Sum over [1, 2] and over the channels, kept; two outputs"""
    x = n.input(4, 5, 3)
    return tf.reduce_sum(x, [1, 2]), tf.reduce_sum(x, 3, keepdims=True)


# Activations

def activation(function, what, name=None, **inputs):
    """A graph of one input, [batch, 4, 3, 5], and a function."""
    def build(n):
        return function(n.input(4, 3, 5, **{"scale": 3.0, **inputs}))
    build.__doc__ = what
    build.__name__ = name or function.__name__
    graph(build)


def parameterised(function):
    """A graph of one input and a vector of its channels."""
    def build(n):
        return function(n.input(4, 3, 5, scale=3.0), n.variable("alpha", 5))
    build.__doc__ = function.__doc__
    build.__name__ = function.__name__
    graph(build)


activation(tf.nn.relu, "Relu", "relu")
activation(tf.nn.relu6, "Relu6", "relu6", scale=6.0)
activation(tf.nn.leaky_relu, "LeakyRelu, its alpha the default of 0.2, which is left out", "leaky_relu")
activation(lambda x: tf.nn.leaky_relu(x, 0.3), "LeakyRelu, alpha 0.3", "leaky_relu_alpha")
activation(tf.nn.elu, "Elu", "elu")
activation(tf.nn.selu, "Selu", "selu")
activation(tf.nn.sigmoid, "Sigmoid", "sigmoid")
activation(tf.nn.tanh, "Tanh", "tanh")
activation(tf.nn.softmax, "Softmax of rank 4", "softmax")
activation(tf.nn.log_softmax, "LogSoftmax", "log_softmax")
activation(tf.nn.softplus, "Softplus", "softplus")
activation(tf.nn.softsign, "Softsign", "softsign")
activation(tf.exp, "Exp", "exp", scale=1.0)
activation(tf.abs, "Abs", "abs")
activation(tf.square, "Square", "square")
activation(lambda x: x * x, "Mul of a tensor by itself", "square_product")
activation(tf.sqrt, "Sqrt", "sqrt", above=0.1)
activation(tf.math.rsqrt, "Rsqrt", "rsqrt", above=0.1)
activation(tf.math.log, "Log", "log", above=0.1)
activation(lambda x: tf.pow(x, 3.0), "Pow with the exponent 3", "pow")
activation(tf.math.reciprocal, "Reciprocal", "reciprocal", above=0.1)
activation(lambda x: tf.maximum(x, 0.1 * x), "a leaky relu as Maximum(x, 0.1 x)", "leaky_maximum")
activation(lambda x: tf.maximum(0.1 * x, x), "the same, the two changed about", "leaky_maximum_swapped")
activation(lambda x: tf.nn.relu(x) - 0.1 * tf.nn.relu(-x), "a leaky relu as relu(x) - 0.1 relu(-x)", "leaky_difference")
activation(lambda x: 0.6 * x + 0.4 * tf.abs(x), "a leaky relu as 0.6 x + 0.4 |x|", "leaky_abs")
activation(lambda x: x * tf.nn.relu6(x + 3.0) / 6.0, "hard swish: (x * relu6(x + 3)) / 6", "hard_swish")
activation(lambda x: x * (tf.nn.relu6(x + 3.0) * (1 / 6)), "hard swish: x * (relu6(x + 3) * 0.16667)", "hard_swish_product")
activation(lambda x: x * (tf.nn.relu6(x + 3.0) / 6.0), "hard swish: x * (relu6(x + 3) / 6)", "hard_swish_quotient")
activation(lambda x: tf.nn.relu6(x + 3.0) / 6.0, "hard sigmoid: relu6(x + 3) / 6", "hard_sigmoid")
activation(lambda x: tf.clip_by_value(0.2 * x + 0.5, 0.0, 1.0), "hard sigmoid of Keras 2: clip(0.2 x + 0.5)",
           "hard_sigmoid_clip")
activation(lambda x: tf.maximum(0.0, tf.minimum(1.0, x * 0.2 + 0.5)), "the same as Maximum and Minimum, constants first",
           "hard_sigmoid_minimum")
activation(lambda x: tf.nn.gelu(x), "tf.nn.gelu, exact", "gelu")
activation(lambda x: 0.5 * x * (1.0 + tf.math.erf(x / tf.cast(1.4142135623730951, x.dtype))),
           "tf.nn.gelu of TensorFlow 2.4: halves first, Erf", "gelu_erf")
activation(lambda x: tf.nn.gelu(x, approximate=True), "tf.nn.gelu, tanh", "gelu_tanh")
activation(lambda x: x * 0.5 * (1.0 + tf.math.erf(x / np.sqrt(2.0).astype(np.float32))), "gelu by hand, as BERT has it",
           "gelu_by_hand")
activation(lambda x: x * (0.5 * (1.0 + tf.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + 0.044715 * tf.pow(x, 3.0))))),
           "gelu by hand, tanh, as BERT has it: the halved sum first", "gelu_tanh_by_hand")
activation(tf.nn.silu, "tf.nn.silu: Mul by beta 1, Sigmoid, Mul, IdentityN", "silu")
activation(lambda x: x * tf.sigmoid(x), "x * sigmoid(x)", "silu_product")
activation(lambda x: tf.sigmoid(x * 1.702) * x, "sigmoid(1.702 x) * x", "silu_scaled")
activation(lambda x: tf.math.log(1.0 + tf.exp(x)), "softplus: log(1 + exp(x))", "softplus_log")
activation(lambda x: tf.math.log1p(tf.exp(x)), "softplus: Log1p(Exp(x))", "softplus_log1p")
activation(lambda x: x * tf.tanh(tf.nn.softplus(x)), "mish: x * tanh(softplus(x))", "mish")
activation(lambda x: x * tf.tanh(tf.math.log(1.0 + tf.exp(x))), "mish, its softplus spelled out", "mish_log")
activation(lambda x: x / (1.0 + tf.abs(x)), "softsign by hand", "softsign_by_hand")
activation(lambda x: 1.0 / (1.0 + tf.exp(-x)), "sigmoid by hand", "sigmoid_by_hand")
activation(lambda x: tf.minimum(tf.maximum(x, 0.0), 6.0), "relu6 by Maximum and Minimum", "clip_six", scale=6.0)
activation(lambda x: tf.clip_by_value(x, -1.5, 2.5), "tf.clip_by_value", "clip")
activation(lambda x: tf.raw_ops.ClipByValue(t=x, clip_value_min=-1.0, clip_value_max=1.0), "ClipByValue", "clip_op")
activation(lambda x: tf.nn.relu(x) * tf.cast(x > 1.0, tf.float32), "a thresholded relu: Greater, Cast, Mul", "thresholded")
activation(lambda x: tf.where(tf.logical_not(x > 0.5), x, 0.25 * x * x), "a choice: Greater, LogicalNot, SelectV2", "negated")
activation(lambda x: tf.floor(x) + tf.math.ceil(2.0 * x) * tf.round(3.0 * x) - tf.sign(x), "Floor, Ceil, Round, Sign", "steps")
activation(lambda x: tf.math.floormod(x, 0.75) + tf.math.floordiv(x, 0.5), "FloorMod, FloorDiv", "floor_mod")
activation(lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32) + tf.cast(tf.cast(x, tf.bool), tf.float32),
           "casts to integers and truth values", "casts")
activation(lambda x: tf.cast(tf.argmax(x, -1), tf.float32) * tf.cast(tf.argmin(x, 2), tf.float32)[..., :3],
           "ArgMax and ArgMin along two axes", "arg_max")
activation(lambda x: tf.one_hot(tf.argmax(x, 1), 4, on_value=2.0, off_value=-1.0, axis=1), "OneHot of indices", "one_hot")
activation(lambda x: tf.where((x > 0.0) & (x < 1.0) | tf.equal(tf.round(x), 2.0), x, np.float32(-9)),
           "LogicalAnd, LogicalOr, Equal and a choice", "masked_range")
activation(lambda x: tf.where(x > 0.0, x, tf.exp(x) - 1.0), "elu by hand: Greater, Exp, Sub, SelectV2", "elu_select")
activation(lambda x: tf.math.expm1(x), "Expm1", "expm1", scale=1.0)
activation(lambda x: x - tf.tanh(x), "tanhshrink", "tanhshrink")
activation(lambda x: tf.exp(x) / tf.reduce_sum(tf.exp(x), -1, keepdims=True), "softmax by hand: Exp, Sum, RealDiv",
           "softmax_by_hand", scale=1.0)


@parameterised
def prelu(x, alpha):
    """relu(x) - alpha * relu(-x), as Keras writes it with its alpha negated"""
    return tf.nn.relu(x) + -alpha * tf.nn.relu(-x)


@parameterised
def prelu_abs(x, alpha):
    """relu(x) + alpha * (x - |x|) * 0.5"""
    return tf.nn.relu(x) + alpha * (x - tf.abs(x)) * 0.5


@parameterised
def prelu_minimum(x, alpha):
    """Maximum(0, x) + alpha * Minimum(0, x)"""
    return tf.maximum(0.0, x) + alpha * tf.minimum(0.0, x)


@graph
def softmax_axis(n):
    """tf.nn.softmax over axis 1: Transpose, Softmax, Transpose"""
    return tf.nn.softmax(n.input(4, 3, 5), 1)


@graph
def softmax_flat(n):
    """tf.nn.softmax of rank 2"""
    return tf.nn.softmax(n.input(6))


# Dropout, and what else differs in training

def dense_pair(n, between):
    x = tf.nn.relu(tf.matmul(n.input(5, name="x"), n.variable("fc1/W", 5, 7)) + n.variable("fc1/b", 7))
    return tf.matmul(between(x), n.variable("fc2/W", 7, 3)) + n.variable("fc2/b", 3)


def old_dropout(x, keep):
    """As tf.nn.dropout was until TensorFlow 1.12."""
    with tf.name_scope("dropout"):
        uniform = tf.random.uniform(tf.shape(x), seed=1)
        return tf.raw_ops.RealDiv(x=x, y=keep) * tf.floor(tf.raw_ops.Add(x=uniform, y=keep))


def mask_dropout(x, rate):
    """As tf.nn.dropout was from TensorFlow 1.13 to 2.11."""
    with tf.name_scope("dropout"):
        mask = tf.random.uniform(tf.shape(x), seed=1) >= rate
        return x * (1 / (1 - rate)) * tf.cast(mask, tf.float32)


@graph
def dropout_keep(n):
    """tf.nn.dropout of TensorFlow 1.12, keep_prob a Placeholder that is fed 1"""
    keep = v1.placeholder(tf.float32, [], name="keep_prob")
    n.feed(keep, 1.0)
    return dense_pair(n, lambda x: old_dropout(x, keep))


@graph
def dropout_keep_default(n):
    """the same, keep_prob a PlaceholderWithDefault of 1"""
    keep = v1.placeholder_with_default(1.0, [], name="keep_prob")
    return dense_pair(n, lambda x: old_dropout(x, keep))


@graph
def dropout_rate(n):
    """tf.nn.dropout of TensorFlow 1.15: rate = 1 - keep_prob, a mask by GreaterEqual, Cast"""
    keep = v1.placeholder(tf.float32, [], name="keep_prob")
    n.feed(keep, 1.0)
    return dense_pair(n, lambda x: mask_dropout(x, 1 - keep))


@graph
def dropout_today(n):
    """tf.compat.v1.nn.dropout of today, keep_prob a Placeholder: SelectV2"""
    keep = v1.placeholder(tf.float32, [], name="keep_prob")
    n.feed(keep, 1.0)
    return dense_pair(n, lambda x: v1.nn.dropout(x, keep_prob=keep, seed=1))


@graph
def dropout_constant(n):
    """tf.nn.dropout whose rate is a constant tensor of 0"""
    return dense_pair(n, lambda x: tf.nn.dropout(x, tf.constant(0.0), seed=1))


@graph
def dropout_zero(n):
    """tf.nn.dropout whose rate is the number 0: nothing is written"""
    return dense_pair(n, lambda x: tf.nn.dropout(x, 0.0))


@graph
def dropout_layers(n):
    """tf.layers.dropout, training=False: Identity"""
    return dense_pair(n, lambda x: core.dropout(x, 0.4, training=False))


@graph
def dropout_switch(n):
    """tf.layers.dropout, training a PlaceholderWithDefault of False: Switch, Merge"""
    training = v1.placeholder_with_default(False, [], name="is_training")
    return dense_pair(n, lambda x: core.dropout(x, 0.4, seed=1, training=training))


@graph
def dropout_switch_placeholder(n):
    """the same, training a Placeholder that is fed False"""
    training = v1.placeholder(tf.bool, [], name="is_training")
    n.feed(training, False)
    return dense_pair(n, lambda x: core.dropout(x, 0.4, seed=1, training=training))


@graph(control_flow_v2=True)
def dropout_if(n):
    """tf.layers.dropout, training a PlaceholderWithDefault of False: If or StatelessIf and functions"""
    training = v1.placeholder_with_default(False, [], name="is_training")
    return dense_pair(n, lambda x: core.dropout(x, 0.4, seed=1, training=training))


def normalized_in_training(n):
    training = v1.placeholder_with_default(False, [], name="is_training")
    x = convolutional.conv2d(n.input(5, 6, 2), 3, 3, use_bias=False, name="conv1")
    return tf.nn.relu(normalization.batch_normalization(x, training=training, name="bn1"))


@graph
def batch_norm_switch(n):
    """tf.layers.batch_normalization, training a PlaceholderWithDefault of False: Switch, two FusedBatchNormV3, Merge"""
    return normalized_in_training(n)


@graph(control_flow_v2=True)
def batch_norm_if(n):
    """tf.layers.batch_normalization, training a PlaceholderWithDefault of False: If and functions"""
    return normalized_in_training(n)


# Resizing

def resized(n, op, size=(7, 11), **options):
    return getattr(tf.raw_ops, op)(images=n.input(4, 5, 3), size=list(size), **options)


@graph
def bilinear(n):
    """ResizeBilinear, neither aligned corners nor half pixels"""
    return resized(n, "ResizeBilinear")


@graph
def bilinear_corners(n):
    """ResizeBilinear, align_corners"""
    return resized(n, "ResizeBilinear", align_corners=True)


@graph
def bilinear_half_pixels(n):
    """ResizeBilinear, half_pixel_centers"""
    return resized(n, "ResizeBilinear", half_pixel_centers=True)


@graph
def bilinear_smaller(n):
    """ResizeBilinear to fewer rows and columns, half_pixel_centers: no antialiasing"""
    return resized(n, "ResizeBilinear", (3, 2), half_pixel_centers=True)


@graph
def bilinear_doubled(n):
    """ResizeBilinear whose size is StridedSlice of Shape, times 2"""
    x = tf.nn.relu(n.input(4, 5, 3))
    return tf.raw_ops.ResizeBilinear(images=x, size=tf.shape(x)[1:3] * 2, half_pixel_centers=True)


@graph
def nearest(n):
    """ResizeNearestNeighbor, neither aligned corners nor half pixels"""
    return resized(n, "ResizeNearestNeighbor")


@graph
def nearest_corners(n):
    """ResizeNearestNeighbor, align_corners"""
    return resized(n, "ResizeNearestNeighbor", align_corners=True)


@graph
def nearest_half_pixels(n):
    """ResizeNearestNeighbor, half_pixel_centers"""
    return resized(n, "ResizeNearestNeighbor", half_pixel_centers=True)


@graph
def nearest_doubled(n):
    """ResizeNearestNeighbor whose size is Pack of Shape's numbers, times 2 and 3, as detectors have it"""
    x = n.input(4, 5, 3)
    shape = tf.shape(x)
    x = tf.raw_ops.ResizeNearestNeighbor(images=x, size=tf.stack([shape[1] * 2, shape[2] * 3]), half_pixel_centers=True)
    return tf.nn.conv2d(x, n.variable("W", 3, 3, 3, 2), 1, "SAME")


@graph
def nearest_layers(n):
    """as UpSampling2D of Keras: Shape, StridedSlice of two numbers, Mul by [2, 3]"""
    x = n.input(4, 5, 3)
    size = tf.shape(x)[1:3] * tf.constant([2, 3])
    return tf.raw_ops.ResizeNearestNeighbor(images=x, size=size, half_pixel_centers=True)


@graph
def nearest_tiled(n):
    """doubled rows and columns by ExpandDims, Tile and Reshape"""
    x = n.input(4, 5, 3)
    x = tf.tile(tf.reshape(x, [-1, 4, 1, 5, 1, 3]), [1, 1, 2, 1, 2, 1])
    return tf.reshape(x, [-1, 8, 10, 3])


@graph
def bicubic(n):
    """ResizeBicubic, half_pixel_centers"""
    return resized(n, "ResizeBicubic", half_pixel_centers=True)


@graph
def depth_to_space(n):
    """DepthToSpace, blocks of 2, and SpaceToDepth back; two outputs"""
    x = tf.nn.depth_to_space(n.input(3, 5, 12), 2)
    return x, tf.nn.space_to_depth(tf.nn.relu(x), 2)


# Whole networks

@graph
def network_residual(n):
    """a residual network: three blocks in scopes, fused batch normalisation, a projection, a global mean, a dense layer"""
    def conv(x, outputs, stride=1, kernel=3):
        x = convolutional.conv2d(x, outputs, kernel, stride, "same", use_bias=False, name="conv")
        return normalization.batch_normalization(x, name="bn")

    def block(x, outputs, stride, name):
        with v1.variable_scope(name):
            shortcut = x
            if stride != 1 or x.shape[-1] != outputs:
                with v1.variable_scope("shortcut"):
                    shortcut = conv(x, outputs, stride, 1)
            with v1.variable_scope("a"):
                y = tf.nn.relu(conv(x, outputs, stride))
            with v1.variable_scope("b"):
                y = conv(y, outputs)
            return tf.nn.relu(y + shortcut)

    x = n.input(9, 11, 3, name="images")
    with v1.variable_scope("first"):
        x = tf.nn.relu(conv(x, 4))
    x = block(x, 4, 1, "block1")
    x = block(x, 6, 2, "block2")
    x = tf.reduce_mean(x, [1, 2], name="pool")
    return tf.nn.softmax(core.dense(x, 5, name="logits"), name="probabilities")


@graph
def network_mobile(n):
    """a network of MobileNet's blocks: depthwise, batch normalisation, relu6, inverted residuals"""
    def norm(x, name):
        return normalization.batch_normalization(x, name=f"{name}/BatchNorm")

    def depthwise_layer(x, stride, name):
        weights = n.variable(f"{name}/depthwise_weights", 3, 3, x.shape[-1], 1)
        x = tf.nn.depthwise_conv2d(x, weights, (1, stride, stride, 1), "SAME", name=f"{name}/depthwise")
        return tf.nn.relu6(norm(x, name))

    def pointwise(x, outputs, name):
        return norm(convolutional.conv2d(x, outputs, 1, use_bias=False, name=name), name)

    x = n.input(9, 11, 3, name="input")
    x = tf.nn.relu6(norm(convolutional.conv2d(x, 4, 3, 2, "same", use_bias=False, name="Conv"), "Conv"))
    x = pointwise(depthwise_layer(x, 1, "expanded_conv/depthwise"), 5, "expanded_conv/project")
    y = tf.nn.relu6(pointwise(x, 10, "expanded_conv_1/expand"))
    x = x + pointwise(depthwise_layer(y, 1, "expanded_conv_1/depthwise"), 5, "expanded_conv_1/project")
    x = depthwise_layer(x, 2, "last/depthwise")
    x = tf.nn.avg_pool2d(x, (3, 3), 1, "VALID", name="AvgPool")
    x = convolutional.conv2d(x, 6, 1, name="Logits")
    return tf.nn.softmax(tf.squeeze(x, [1, 2], name="Squeeze"), name="Predictions")


@graph
def network_inputs(n):
    """two inputs, an image and numbers, that meet in a concatenation"""
    x, y = n.input(5, 6, 2, name="image"), n.input(4, name="numbers")
    x = convolutional.conv2d(x, 3, 3, 2, "same", activation=tf.nn.relu, name="conv1")
    x = tf.concat([core.flatten(x, name="flatten"), core.dense(y, 7, tf.tanh, name="fc1")], 1)
    return core.dense(x, 3, name="fc2")


@graph
def network_outputs(n):
    """two outputs: classes and a box"""
    x = convolutional.conv2d(n.input(5, 6, 2, name="image"), 3, 3, 2, "same", activation=tf.nn.relu, name="conv1")
    x = core.flatten(x, name="flatten")
    return tf.nn.softmax(core.dense(x, 3, name="fc"), name="kind"), core.dense(x, 4, tf.sigmoid, name="box")


@graph
def network_inner_output(n):
    """two outputs, one of which another node reads: features and classes"""
    x = tf.nn.relu(core.dense(n.input(5), 7, name="fc1"), name="features")
    return x, tf.nn.softmax(core.dense(x, 3, name="fc2"), name="classes")


@graph
def network_named(n):
    """variables conv1/W, conv1/b, fc1/W, fc1/b in variable scopes"""
    x = n.input(6, 8, 1, name="x")
    with v1.variable_scope("conv1"):
        x = tf.nn.conv2d(x, n.variable("W", 3, 5, 1, 4), 1, "SAME")
        x = tf.nn.max_pool2d(tf.nn.relu(x + n.variable("b", 4)), 2, 2, "SAME")
    with v1.variable_scope("fc1"):
        x = tf.reshape(x, [-1, 3 * 4 * 4])
        return tf.nn.softmax(tf.matmul(x, n.variable("W", 48, 5)) + n.variable("b", 5))


@graph
def network_unnamed(n):
    """the tutorial "Deep MNIST" with few channels: variables without names, so Variable to Variable_7; keep_prob"""
    def variable(*shape):
        return v1.Variable(tf.zeros(shape), use_resource=False)

    def conv(x, *shape):
        weights, bias = variable(*shape), variable(shape[-1])
        x = tf.nn.relu(tf.nn.conv2d(x, weights, [1, 1, 1, 1], "SAME") + bias)
        return tf.nn.max_pool2d(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")

    x = tf.reshape(n.input(80), [-1, 8, 10, 1])
    x = conv(conv(x, 5, 5, 1, 3), 5, 5, 3, 4)
    weights, bias = variable(2 * 3 * 4, 11), variable(11)
    x = tf.nn.relu(tf.matmul(tf.reshape(x, [-1, 2 * 3 * 4]), weights) + bias)
    keep = v1.placeholder(tf.float32, name="keep_prob")
    n.feed(keep, 1.0)
    x = v1.nn.dropout(x, keep_prob=keep, seed=1)
    weights, bias = variable(11, 6), variable(6)
    return tf.matmul(x, weights) + bias


@graph
def network_nchw(n):
    """NCHW from the input to the flatten: convolution, batch normalisation, pooling, dense"""
    x = tf.nn.conv2d(n.input(3, 8, 10, name="image"), n.variable("conv1/W", 3, 5, 3, 4), 1, "SAME", data_format="NCHW")
    names = ("gamma", "beta", "mean", "variance")
    scale, offset, mean, variance = (n.variable(f"bn1/{name}", 4) for name in names)
    x = tf.raw_ops.FusedBatchNormV3(x=x, scale=scale, offset=offset, mean=mean, variance=variance, epsilon=0.001,
                                    data_format="NCHW", is_training=False)[0]
    x = tf.nn.max_pool2d(tf.nn.relu(x), (1, 1, 2, 2), (1, 1, 2, 2), "VALID", "NCHW")
    x = tf.reshape(x, [-1, 4 * 4 * 5])
    return tf.matmul(x, n.variable("fc/W", 80, 6)) + n.variable("fc/b", 6)


@graph
def network_unet(n):
    """down and up again with a shortcut: pooling, transposed convolution, ConcatV2, a mask as output"""
    x = n.input(6, 8, 2, name="image")
    left = convolutional.conv2d(x, 3, 3, padding="same", activation=tf.nn.relu, name="down1")
    x = pooling.max_pooling2d(left, 2, 2)
    x = convolutional.conv2d(x, 5, 3, padding="same", activation=tf.nn.relu, name="down2")
    x = convolutional.conv2d_transpose(x, 4, 2, 2, "same", name="up1")
    x = tf.concat([x, left], -1)
    return tf.sigmoid(convolutional.conv2d(x, 1, 1, name="mask"), name="probability")


def built(name, control_flow_v2):
    """The network, its frozen graph and its outputs."""
    (v1.enable_control_flow_v2 if control_flow_v2 else v1.disable_control_flow_v2)()
    build, network = GRAPHS[name][0], Network(name)
    with tf.Graph().as_default(), v1.Session() as session:
        v1.set_random_seed(1)
        outputs = build(network)
        outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
        network.load(session)
        return network, frozen(session, outputs), outputs


@graph
def pad_value(n):
    """PadV2 whose constant is 3.5"""
    return tf.pad(n.input(5, 6, 2), [[0, 0], [1, 2], [0, 3], [0, 0]], constant_values=3.5)


@graph
def pad_mirror(n):
    """MirrorPad, mode REFLECT"""
    return tf.pad(n.input(5, 6, 2), [[0, 0], [1, 2], [0, 3], [0, 0]], "REFLECT")


@graph
def pad_symmetric(n):
    """MirrorPad, mode SYMMETRIC"""
    return tf.pad(n.input(5, 6, 2), [[0, 0], [1, 2], [0, 3], [0, 0]], "SYMMETRIC")


@graph
def variance_limit(n):
    """a layer normalisation whose variance has a lower limit in the place of an epsilon"""
    x = n.input(5, 6)
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(tf.maximum(variance, 1e-6))


@graph
def limited_log(n):
    """log(sigmoid(x) + 1e-30), which is not log-sigmoid below -69"""
    return tf.math.log(tf.sigmoid(n.input(5)) + 1e-30)


def write(name, out):
    build, control_flow_v2, rows = GRAPHS[name]
    plain = built(name, False)[1] if control_flow_v2 else None
    network, graph_def, outputs = built(name, control_flow_v2)
    if name == "weights-encoded":
        encode_weights(graph_def)
    places = {node.name: place for place, node in enumerate(graph_def.node)}
    inputs = sorted(network.inputs, key=lambda pair: places[pair[0].op.name])
    outputs = sorted(outputs, key=lambda tensor: places[tensor.op.name])
    names = [tensor.op.name if tensor.name.endswith(":0") else tensor.name for tensor in outputs]
    feeds = {tensor.op.name: value for tensor, value in inputs}
    results = expected(name, graph_def, names, {**feeds, **network.fed}, rows, plain)
    if name == "batch-norm-old":
        older_normalization(graph_def)
    if name == "leaky-relu":
        leave_out(graph_def, "alpha")
    data = graph_def.SerializeToString(deterministic=True)
    assert len(data) < LIMIT, f"{name}: {len(data)} bytes"
    (out / f"graph-{name}.pb").write_bytes(data)
    save_arrays(out / f"graph-{name}.npz", feeds.values(), results)
    listing = {"what": build.__doc__, "inputs": list(feeds), "outputs": names}
    return {**listing, "fed": network.fed} if network.fed else listing


def main():
    v1.disable_eager_execution()
    v1.disable_resource_variables()
    only = sys.argv[2:]
    listing = {name: write(name, OUT) for name in GRAPHS if not only or name in only}
    if not only:
        (OUT / "graphs.json").write_text(json.dumps(listing, indent=1) + "\n")


if __name__ == "__main__":
    main()
