#!/usr/bin/env python3
"""Writes one network in every form: the network of TensorFlow's tutorial "Deep MNIST" with fewer channels.

Usage: make_deep.py [OUT_DIR]     (needs tensorflow-cpu, tf_keras, keras, numpy)

All have the same eight tensors of float32: conv1/kernel, conv1/bias, conv2/…, fc1/…, fc2/….

deep.h5                            Keras 2, as Samples/deep-mnist/train.py saves it
deep.keras                         Keras 3
deep.weights.h5, deep.json         Keras 3: weights alone, and the architecture
deep-v1.ckpt                       a checkpoint of version 1: the eight tensors
deep-v2.ckpt.*                     a checkpoint of version 2: the eight tensors
deep-meta.*                        a meta graph with what training adds, and its checkpoint
deep-frozen.pb                     a frozen graph of TensorFlow 1; deep-frozen.pbtxt, the same as text
deep-frozen-v2.pb                  a frozen graph of a function of TensorFlow 2, which calls the model of Keras 3
deep-saved-tf1/, -keras2/, -keras3/   SavedModels
deep.npz                           `in0`, two images, and `out0`, what TensorFlow computes in float64 (twins.py)
deep-tensors.npz                   the eight tensors
"""
import itertools
import os
import shutil
import sys
import tempfile
import uuid
import zipfile
from pathlib import Path

os.environ["KERAS_BACKEND"] = "tensorflow"

from make_saved_models import settled
from twins import expected, frozen, generator, ordered, save_arrays, tf, v1, value_of

import keras as keras3
import numpy as np
import tf_keras as keras2
from google.protobuf import text_format
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "keras"))
from archives import rewrite

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
SHAPES = {"conv1": (5, 5, 1, 3), "conv2": (5, 5, 3, 5), "fc1": (245, 11), "fc2": (11, 10)}


def tensors():
    rng = generator("deep")
    made = {}
    for layer, shape in SHAPES.items():
        made[f"{layer}/kernel"] = value_of(f"{layer}/kernel", shape, rng)
        made[f"{layer}/bias"] = value_of(f"{layer}/bias", shape[-1:], rng)
    return made


def keras_network(keras, values):
    """The network of Samples/deep-mnist/train.py."""
    layers = keras.layers
    model = keras.Sequential([
        layers.Input((28, 28, 1), name="image"),
        layers.Conv2D(3, 5, padding="same", activation="relu", name="conv1"),
        layers.MaxPooling2D(2, name="pool1"),
        layers.Conv2D(5, 5, padding="same", activation="relu", name="conv2"),
        layers.MaxPooling2D(2, name="pool2"),
        layers.Flatten(name="flatten"),
        layers.Dense(11, activation="relu", name="fc1"),
        layers.Dropout(0.5, name="dropout"),
        layers.Dense(10, activation="softmax", name="fc2"),
    ], name="deep_mnist")
    for layer in SHAPES:
        model.get_layer(layer).set_weights([values[f"{layer}/kernel"], values[f"{layer}/bias"]])
    return model


def variable(name, shape):
    return v1.get_variable(name, shape, tf.float32, v1.zeros_initializer(), use_resource=False)


def convolution(x, name, pool):
    with v1.variable_scope(name):
        x = tf.nn.conv2d(x, variable("kernel", SHAPES[name]), 1, "SAME") + variable("bias", SHAPES[name][-1:])
        x = tf.nn.relu(x)
    return tf.nn.max_pool2d(x, 2, 2, "SAME", name=pool)


def dense(x, name):
    with v1.variable_scope(name):
        return tf.matmul(x, variable("kernel", SHAPES[name])) + variable("bias", SHAPES[name][-1:])


def graph_network():
    """The image, the logits and the output."""
    v1.set_random_seed(1)
    image = v1.placeholder(tf.float32, [None, 28, 28, 1], name="image")
    keep = v1.placeholder_with_default(1.0, [], name="keep_prob")
    x = convolution(convolution(image, "conv1", "pool1"), "conv2", "pool2")
    x = tf.nn.relu(dense(tf.reshape(x, [-1, 245], name="flatten"), "fc1"))
    logits = dense(v1.nn.dropout(x, keep_prob=keep, seed=1, name="dropout"), "fc2")
    return image, logits, tf.nn.softmax(logits, name="probabilities")


def load(session, values):
    rng = generator("deep training")
    for variable in v1.global_variables():
        name = variable.op.name
        value = values[name] if name in values else value_of(name, variable.shape, rng)
        session.run(variable.initializer, {variable.initializer.inputs[1]: value})


def saved(session, path, version, **options):
    """A checkpoint without the file named checkpoint, of which a folder has one."""
    with tempfile.TemporaryDirectory() as folder:
        saver = v1.train.Saver(write_version=version)
        saver.save(session, str(Path(folder) / path.name), **options)
        for file in Path(folder).iterdir():
            if file.name != "checkpoint":
                shutil.copy(file, path.parent / file.name)


def write_graphs(values, image_value):
    with tf.Graph().as_default(), v1.Session() as session:
        image, _, probabilities = graph_network()
        load(session, values)
        saved(session, OUT / "deep-v1.ckpt", v1.train.SaverDef.V1, write_meta_graph=False)
        saved(session, OUT / "deep-v2.ckpt", v1.train.SaverDef.V2, write_meta_graph=False)
        graph_def = frozen(session, [probabilities])
        (OUT / "deep-frozen.pb").write_bytes(graph_def.SerializeToString(deterministic=True))
        (OUT / "deep-frozen.pbtxt").write_text(text_format.MessageToString(graph_def))
    with tf.Graph().as_default(), v1.Session() as session:
        image, _, probabilities = graph_network()
        load(session, values)
        folder = emptied("deep-saved-tf1")
        v1.saved_model.simple_save(session, str(folder), {"image": image}, {"probabilities": probabilities})
        settled(folder)
    with tf.Graph().as_default(), v1.Session() as session:
        _, logits, _ = graph_network()
        label = v1.placeholder(tf.int32, [None], name="label")
        loss = v1.losses.sparse_softmax_cross_entropy(label, logits)
        v1.train.AdamOptimizer().minimize(loss, v1.train.get_or_create_global_step())
        load(session, values)
        saved(session, OUT / "deep-meta", v1.train.SaverDef.V2)
    results = expected("deep", graph_def, ["probabilities"], {"image": image_value})
    save_arrays(OUT / "deep.npz", [image_value], results)
    return results[0]


def emptied(name):
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def write_keras(values, image_value, result):
    model = keras_network(keras2, values)
    assert np.allclose(model(image_value), result, atol=1e-5)
    model.save(OUT / "deep.h5", save_format="h5", include_optimizer=False)
    folder = emptied("deep-saved-keras2")
    model.save(folder, save_format="tf", include_optimizer=False)
    settled(folder)
    model = keras_network(keras3, values)
    assert np.allclose(model(image_value), result, atol=1e-5)
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "deep.keras"
        model.save(path)
        rewrite(path, OUT / "deep.keras", zipfile.ZIP_STORED)
    model.save_weights(OUT / "deep.weights.h5")
    (OUT / "deep.json").write_text(model.to_json() + "\n")
    image = tf.TensorSpec([None, 28, 28, 1], tf.float32, "image")
    function = convert_variables_to_constants_v2(tf.function(model).get_concrete_function(image))
    graph_def = ordered(function.graph.as_graph_def())
    (OUT / "deep-frozen-v2.pb").write_bytes(graph_def.SerializeToString(deterministic=True))
    again, = expected("deep", graph_def, [tensor.name for tensor in function.outputs], {"image": image_value})
    assert np.allclose(again, result, atol=1e-12)
    folder = emptied("deep-saved-keras3")
    model.export(folder, verbose=False)
    settled(folder)


def main():
    v1.disable_resource_variables()
    v1.disable_control_flow_v2()
    # The names of temporary files have a random number, which is written into the graph.
    numbers = itertools.count(1)
    uuid.uuid4 = lambda: uuid.UUID(int=next(numbers))
    keras2.utils.set_random_seed(1)
    values = tensors()
    np.savez(OUT / "deep-tensors.npz", **values)
    image_value = generator("deep image").uniform(0, 1, (2, 28, 28, 1)).astype(np.float32)
    result = write_graphs(values, image_value)
    write_keras(values, image_value, result)


main()
