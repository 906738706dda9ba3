#!/usr/bin/env python3
"""Writes graphs of TensorFlow 1 as training leaves them: with losses, metrics, gradients and what they change.

Usage: make_training.py [OUT_DIR]     (needs tensorflow-cpu, numpy)

training-NAME.pb   the graph: a binary GraphDef with variables that have no values
training.json      of each: what it is, and the nodes that are the network's result, the likeliest first
"""
import json
import sys
from pathlib import Path

from twins import Network, ordered, tf, v1

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
TRAINED = {}


def trained(*outputs):
    """Names a builder: a function from a network to its loss."""
    def note(function):
        TRAINED[function.__name__.replace("_", "-")] = (function, outputs)
        return function
    return note


def logits(n):
    x = tf.nn.relu(tf.nn.conv2d(n.input(4, 5, 2, name="x"), n.variable("conv1/W", 3, 2, 2, 3), 1, "SAME")
                   + n.variable("conv1/b", 3))
    x = tf.reshape(x, [-1, 60])
    return tf.add(tf.matmul(x, n.variable("fc1/W", 60, 3)), n.variable("fc1/b", 3), name="logits")


def accuracy(values, labels):
    right = tf.equal(tf.argmax(values, 1), tf.argmax(labels, 1))
    return tf.reduce_mean(tf.cast(right, tf.float32), name="accuracy")


def labels(kind=tf.float32, *shape):
    return v1.placeholder(kind, [None, *shape], name="y")


@trained("prob")
def probabilities(n):
    """a softmax that an accuracy reads, beside a loss of the values before it"""
    x, y = logits(n), labels(tf.float32, 3)
    accuracy(tf.nn.softmax(x, name="prob"), y)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x))


@trained("prob")
def unread(n):
    """a softmax that nothing reads"""
    x, y = logits(n), labels(tf.float32, 3)
    tf.nn.softmax(x, name="prob")
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x))


@trained("logits")
def numbered(n):
    """sums that a loss of class numbers and a count of right ones read"""
    x, y = logits(n), labels(tf.int64)
    tf.reduce_mean(tf.cast(tf.nn.in_top_k(predictions=x, targets=y, k=1), tf.float32))
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x))


@trained("prob")
def spelled_out(n):
    """a cross entropy of a limited softmax, as tutorials write it"""
    x, y = tf.nn.softmax(logits(n), name="prob"), labels(tf.float32, 3)
    accuracy(x, y)
    return tf.reduce_mean(-tf.reduce_sum(y * tf.math.log(tf.clip_by_value(x, 1e-10, 1.0)), [1]))


@trained("prob")
def several(n):
    """probabilities of their own, with a loss that is spelled out, and rounded for an accuracy"""
    x, y = logits(n), labels(tf.float32, 3)
    probabilities = tf.sigmoid(x, name="prob")
    tf.reduce_mean(tf.cast(tf.equal(tf.round(probabilities), y), tf.float32))
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x))


@trained("out")
def regression(n):
    """a number whose name somebody gave it, and two errors"""
    x, y = tf.squeeze(logits(n)[:, :1], 1, name="out"), labels()
    tf.reduce_mean(tf.abs(x - y))
    return tf.reduce_mean(tf.square(x - y)) + 1e-4 * tf.nn.l2_loss(v1.trainable_variables()[0])


@trained("prob")
def averaged(n):
    """a normalisation whose statistics training moves on"""
    x = tf.nn.conv2d(n.input(4, 5, 2, name="x"), n.variable("conv1/W", 3, 2, 2, 3), 1, "SAME")
    mean, variance = tf.nn.moments(x, [0, 1, 2])
    stored = [v1.get_variable(name, [3], trainable=False) for name in ("mean", "variance")]
    for value, variable in zip((mean, variance), stored):
        v1.assign(variable, variable * 0.9 + value * 0.1)
    x = tf.nn.batch_normalization(x, *stored, None, None, 1e-3)
    x = tf.matmul(tf.reshape(x, [-1, 60]), n.variable("fc1/W", 60, 3))
    x, y = tf.nn.bias_add(x, n.variable("fc1/b", 3)), labels(tf.float32, 3)
    accuracy(tf.nn.softmax(x, name="prob"), y)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x))


def main():
    v1.disable_eager_execution()
    v1.disable_resource_variables()
    listing = {}
    for name, (build, outputs) in TRAINED.items():
        with tf.Graph().as_default() as graph:
            loss = build(Network(name))
            v1.summary.scalar("loss", loss)
            v1.train.AdamOptimizer(1e-3).minimize(loss)
            graph_def = ordered(graph.as_graph_def())
        (OUT / f"training-{name}.pb").write_bytes(graph_def.SerializeToString(deterministic=True))
        listing[name] = {"what": build.__doc__, "outputs": outputs}
    (OUT / "training.json").write_text(json.dumps(listing, indent=1) + "\n")


main()
