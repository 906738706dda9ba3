#!/usr/bin/env python3
"""Writes graphs that were frozen with a loss or a metric beside the network's result, as evaluation scripts leave them.

Usage: make_measured.py [OUT_DIR]     (needs tensorflow-cpu, numpy)

measured-NAME.pb    the graph: a binary GraphDef whose variables are constants
measured-NAME.npz   in0: what was fed to x, out0: what TensorFlow makes of it
measured.json       of each: what it is, the node that is the network's result, and the losses and metrics beside it
"""
import json
import sys
from pathlib import Path

from twins import Network, frozen, np, run, tf, v1

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
MEASURED = {}


def measured(output, *measures):
    """Names a builder: a function from a network to the nodes that it was frozen with."""
    def note(function):
        MEASURED[function.__name__.replace("_", "-")] = (function, output, measures)
        return function
    return note


def logits(n):
    x = tf.nn.relu(tf.nn.conv2d(n.input(4, 5, 2, name="x"), n.variable("conv1/W", 3, 2, 2, 3), 1, "SAME")
                   + n.variable("conv1/b", 3))
    return tf.add(tf.matmul(tf.reshape(x, [-1, 60]), n.variable("fc1/W", 60, 3)), n.variable("fc1/b", 3), name="logits")


def labels(kind=tf.float32, *shape):
    return v1.placeholder(kind, [None, *shape], name="y")


def accuracy(values, labels):
    right = tf.equal(tf.argmax(values, 1), tf.argmax(labels, 1))
    return tf.reduce_mean(tf.cast(right, tf.float32), name="accuracy")


@measured("prob", "accuracy")
def probabilities(n):
    """a softmax that an accuracy reads"""
    prob = tf.nn.softmax(logits(n), name="prob")
    return [prob, accuracy(prob, labels(tf.float32, 3))]


@measured("prob", "accuracy", "loss")
def loss(n):
    """a softmax that nothing reads, beside an accuracy and a loss of what is in front of it"""
    x, y = logits(n), labels(tf.float32, 3)
    entropy = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x)
    return [tf.nn.softmax(x, name="prob"), accuracy(x, y), tf.reduce_mean(entropy, name="loss")]


@measured("logits", "accuracy")
def numbered(n):
    """sums of which the right classes are counted by their numbers"""
    right = tf.nn.in_top_k(predictions=logits(n), targets=labels(tf.int32), k=1)
    return [tf.reduce_mean(tf.cast(right, tf.float32), name="accuracy")]


@measured("prob", "class", "accuracy")
def classes(n):
    """a softmax, the class that follows from it, and an accuracy"""
    prob = tf.nn.softmax(logits(n), name="prob")
    return [prob, tf.argmax(prob, 1, name="class"), accuracy(prob, labels(tf.float32, 3))]


@measured("out", "error")
def regression(n):
    """numbers whose distance from others is squared"""
    x = tf.identity(logits(n), name="out")
    return [tf.reduce_mean(tf.square(x - labels(tf.float32, 3)), name="error")]


def main():
    v1.disable_eager_execution()
    v1.disable_resource_variables()
    listing = {}
    for name, (build, output, measures) in MEASURED.items():
        with tf.Graph().as_default(), v1.Session() as session:
            network = Network(f"measured {name}")
            ends = build(network)
            network.load(session)
            graph_def = frozen(session, ends)
        tensor, value = network.inputs[0]
        (OUT / f"measured-{name}.pb").write_bytes(graph_def.SerializeToString(deterministic=True))
        np.savez(OUT / f"measured-{name}.npz", in0=value, out0=run(graph_def, [output], {tensor.op.name: value})[0])
        listing[name] = {"what": build.__doc__, "output": output, "measures": measures}
    (OUT / "measured.json").write_text(json.dumps(listing, indent=1) + "\n")


main()
