#!/usr/bin/env python3
"""Files of formats that netconv knows and does not read, each made by the library that owns the format.

    python3 make_foreign.py        # needs TensorFlow 2.21 and tf_keras

Formats whose library is not here are written byte by byte in the tests.
"""

import os
import pathlib
import re
import shutil

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))


def path(name: str) -> str:
    return os.path.join(HERE, name)


class Doubling(tf.Module):
    """One variable and one function, so that the files stay small."""

    def __init__(self) -> None:
        super().__init__()
        self.factor = tf.Variable([2.0], name="factor")

    @tf.function(input_signature=[tf.TensorSpec([None, 1], tf.float32)])
    def __call__(self, x):
        return x * self.factor


def saved_model() -> None:
    shutil.rmtree(path("saved_model"), ignore_errors=True)
    tf.saved_model.save(Doubling(), path("saved_model"))
    # Not needed to recognise the folder.
    os.remove(path("saved_model/fingerprint.pb"))
    shutil.rmtree(path("saved_model/assets"), ignore_errors=True)


def checkpoint() -> None:
    shutil.rmtree(path("checkpoint"), ignore_errors=True)
    os.makedirs(path("checkpoint"))
    value = tf.Variable(np.arange(3, dtype=np.float32))
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(value=value), path("checkpoint"), max_to_keep=1)
    manager.save()
    # The times of saving.
    index = pathlib.Path(path("checkpoint/checkpoint"))
    index.write_text(re.sub(r"(timestamps?): [0-9.]+", r"\1: 0", index.read_text()))


def first_version() -> None:
    """A checkpoint in one file, with the graph beside it."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.compat.v1.get_variable("value", initializer=[0.5, 1.5, 2.5])
        saver = tf.compat.v1.train.Saver(write_version=tf.compat.v1.train.SaverDef.V1)
        session.run(tf.compat.v1.global_variables_initializer())
        saver.save(session, path("v1.ckpt"), latest_filename="v1")
    os.remove(path("v1"))


def frozen_graph() -> None:
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None, 1], name="x")
        tf.multiply(x, tf.constant([2.0]), name="y")
    with open(path("frozen.pb"), "wb") as file:
        file.write(graph.as_graph_def().SerializeToString(deterministic=True))
    tf.io.write_graph(graph.as_graph_def(), HERE, "frozen.pbtxt", as_text=True)


def lite() -> None:
    # The function does not keep its module alive.
    module = Doubling()
    function = module.__call__.get_concrete_function()
    with open(path("model.tflite"), "wb") as file:
        file.write(tf.lite.TFLiteConverter.from_concrete_functions([function]).convert())


if __name__ == "__main__":
    saved_model()
    checkpoint()
    first_version()
    frozen_graph()
    lite()
