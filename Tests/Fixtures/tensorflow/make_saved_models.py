#!/usr/bin/env python3
"""Writes small SavedModels of TensorFlow, and meta graphs with their checkpoints.

Usage: make_saved_models.py [OUT_DIR]     (needs tensorflow-cpu, tf_keras, keras, numpy)

saved-NAME/        a SavedModel as TensorFlow or Keras writes it, without fingerprint.pb, which has random numbers
meta-NAME/         a meta graph (model.ckpt.meta) and its checkpoint
saved-NAME.npz,    `in0`, … and `out0`, … of each signature: the inputs (float32, two images), and what TensorFlow computes in
meta-NAME.npz      float64 from the same nodes and values (twins.py)
saved.json         of each: what it is, and of each signature the inputs and outputs by their names there, with the tensors of
                   the graph and the arrays
"""
import itertools
import json
import os
import shutil
import sys
import uuid
from pathlib import Path

os.environ["KERAS_BACKEND"] = "tensorflow"

from twins import Network, expected, frozen, generator, ordered, tensor_name, tf, v1, value_of

import keras as keras3
import numpy as np
import tf_keras as keras2
from keras.src.export import saved_model_export_archive
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
from tf_keras.src.export import export_lib
from tf_keras.src.legacy_tf_layers import core, normalization

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
LIMIT = 180_000
MODELS = {}


def model(function):
    """Names a builder: a function from a folder to what is noted of its signatures, and the arrays."""
    MODELS[function.__name__.replace("_", "-")] = function
    return function


def settled(folder):
    """Brings a SavedModel into an order, and removes what is random."""
    (folder / "fingerprint.pb").unlink(missing_ok=True)
    path = folder / "saved_model.pb"
    whole = saved_model_pb2.SavedModel()
    whole.ParseFromString(path.read_bytes())
    for part in whole.meta_graphs:
        ordered(part.graph_def)
    path.write_bytes(whole.SerializeToString(deterministic=True))
    if (folder / "assets").is_dir():
        (folder / "assets").rmdir()


class Arrays:
    """The inputs and outputs of signatures: numbered in the order of signatures and of names."""

    def __init__(self):
        self.inputs = []
        self.outputs = []

    def numbered(self, name, inputs, outputs, graph_def, fed=None):
        """Notes a signature: `inputs` are names with tensors and arrays, `outputs` names with tensors."""
        feeds = {tensor: array for tensor, array in inputs.values()}
        results = expected(name, graph_def, list(outputs.values()), {**feeds, **(fed or {})})
        noted = {"inputs": {}, "outputs": {}}
        for key, (tensor, array) in inputs.items():
            noted["inputs"][key] = {"tensor": tensor_name(tensor), "array": f"in{len(self.inputs)}"}
            self.inputs.append(array)
        for (key, tensor), array in zip(outputs.items(), results):
            noted["outputs"][key] = {"tensor": tensor_name(tensor), "array": f"out{len(self.outputs)}"}
            self.outputs.append(array)
        return noted


# TensorFlow 1

def classifier(n):
    """A convolution, batch normalisation, a dense layer; two outputs."""
    x = n.input(6, 5, 2, name="image")
    with v1.variable_scope("conv1"):
        x = tf.nn.conv2d(x, n.variable("W", 3, 2, 2, 4), 1, "SAME") + n.variable("b", 4)
    x = tf.nn.relu(normalization.batch_normalization(x, name="bn1"))
    features = core.dense(core.flatten(x, name="flatten"), 7, tf.nn.relu, name="fc1")
    return x, features, tf.nn.softmax(core.dense(features, 3, name="fc2"), name="probabilities")


def simply_saved(folder, resource):
    network, arrays = Network("saved-tf1"), Arrays()
    with tf.Graph().as_default(), v1.Session() as session, v1.variable_scope("", use_resource=resource):
        _, features, kind = classifier(network)
        network.load(session)
        (image, values), = network.inputs
        outputs = {"features": features, "kind": kind}
        v1.saved_model.simple_save(session, str(folder), {"image": image}, outputs)
        graph_def = frozen(session, list(outputs.values()))
        noted = arrays.numbered(folder.name, {"image": (image.name, values)},
                                {key: tensor.name for key, tensor in outputs.items()}, graph_def)
    return {"serving_default": noted}, arrays


@model
def saved_tf1(folder):
    """tf.compat.v1.saved_model.simple_save, variables as VariableV2"""
    return simply_saved(folder, False)


@model
def saved_tf1_resources(folder):
    """the same network, its variables as VarHandleOp"""
    return simply_saved(folder, True)


@model
def saved_tf1_signatures(folder):
    """SavedModelBuilder with two meta graphs: tag serve, with two signatures; and before it tag train, with a loss, its
    gradients and AdamOptimizer; keep_prob is no input of a signature"""
    arrays = Arrays()
    builder = v1.saved_model.Builder(str(folder))
    signatures = {}
    for tags in ("train", "serve"):
        network = Network("saved-tf1-signatures")
        with tf.Graph().as_default(), v1.Session() as session:
            v1.set_random_seed(1)
            x = network.input(5, name="x")
            keep = v1.placeholder_with_default(1.0, [], name="keep_prob")
            hidden = tf.nn.relu(tf.matmul(x, network.variable("fc1/W", 5, 7)) + network.variable("fc1/b", 7))
            hidden = v1.nn.dropout(hidden, keep_prob=keep, seed=1)
            logits = tf.matmul(hidden, network.variable("fc2/W", 7, 3)) + network.variable("fc2/b", 3)
            kind = tf.nn.softmax(logits, name="kind")
            if tags == "train":
                label = v1.placeholder(tf.int32, [None], name="label")
                loss = v1.losses.sparse_softmax_cross_entropy(label, logits)
                v1.train.AdamOptimizer().minimize(loss)
            network.load(session)
            build = v1.saved_model.signature_def_utils.predict_signature_def
            made = {"serving_default": build({"x": x}, {"kind": kind}), "hidden": build({"x": x}, {"values": hidden})}
            if tags == "train":
                builder.add_meta_graph_and_variables(session, [tags])
                continue
            builder.add_meta_graph([tags], made)
            graph_def = frozen(session, [hidden, kind])
            values = network.inputs[0][1]
            for key, signature in made.items():
                outputs = {name: tensor.name for name, tensor in signature.outputs.items()}
                signatures[key] = arrays.numbered(folder.name, {"x": (x.name, values)}, outputs, graph_def)
    builder.save()
    return signatures, arrays


def meta_graph(folder, resource):
    network, arrays = Network("meta-plain"), Arrays()
    with tf.Graph().as_default(), v1.Session() as session, v1.variable_scope("", use_resource=resource):
        _, _, kind = classifier(network)
        network.load(session)
        (image, values), = network.inputs
        v1.train.Saver(save_relative_paths=True).save(session, str(folder / "model.ckpt"))
        noted = arrays.numbered(folder.name, {"image": (image.name, values)}, {"probabilities": kind.name},
                                frozen(session, [kind]))
    notes = folder / "checkpoint"
    lines = [line for line in notes.read_text().splitlines() if "timestamp" not in line]
    notes.write_text("\n".join(lines) + "\n")
    return {"": noted}, arrays


@model
def meta_plain(folder):
    """a meta graph beside a checkpoint, of Saver.save; no signature"""
    return meta_graph(folder, False)


@model
def meta_resources(folder):
    """the same with resource variables"""
    return meta_graph(folder, True)


# TensorFlow 2

def called(folder, arrays, keys):
    """Notes the signatures of a SavedModel by running it, frozen; its functions are put into the graph in freezing."""
    loaded = tf.saved_model.load(str(folder))
    rng = generator(folder.name)
    signatures = {}
    for key in keys:
        signature = loaded.signatures[key]
        frozen_function = convert_variables_to_constants_v2(signature)
        graph_def = frozen_function.graph.as_graph_def()
        names = sorted(signature.structured_input_signature[1])
        tensors = {tensor.op.name.removesuffix("_frozen"): tensor for tensor in frozen_function.inputs}
        inputs = {}
        for name in names:
            tensor = next(found for place, found in tensors.items() if place.endswith(name))
            inputs[name] = (tensor.name, rng.normal(0, 1, (2, *tensor.shape[1:])).astype(np.float32))
        outputs = dict(zip(sorted(signature.structured_outputs), (tensor.name for tensor in frozen_function.outputs)))
        signatures[key] = arrays.numbered(folder.name, inputs, outputs, graph_def)
        called_by_name = signature(**{name: tf.constant(array) for name, (_, array) in inputs.items()})
        for name, noted in signatures[key]["outputs"].items():
            array = arrays.outputs[int(noted["array"].removeprefix("out"))]
            assert np.allclose(called_by_name[name], array, atol=1e-5), (folder.name, key, name)
        # The tensors above are of the frozen graph; those of the file are in its signatures.
        whole = saved_model_pb2.SavedModel()
        whole.ParseFromString((folder / "saved_model.pb").read_bytes())
        written = whole.meta_graphs[0].signature_def[key]
        for kind in ("inputs", "outputs"):
            for name, noted in signatures[key][kind].items():
                noted["tensor"] = getattr(written, kind)[name].name
    return signatures, arrays


def keras_network(keras, rng):
    layers = keras.layers
    image, numbers = layers.Input((6, 5, 2), name="image"), layers.Input((4,), name="numbers")
    x = layers.Conv2D(3, 3, padding="same", use_bias=False, name="conv1")(image)
    x = layers.Activation("relu", name="relu1")(layers.BatchNormalization(name="bn1")(x))
    x = layers.Flatten(name="flatten")(layers.MaxPooling2D(2, name="pool1")(x))
    x = layers.Concatenate(name="both")([layers.Dropout(0.4, name="dropout")(x), numbers])
    hidden = layers.Dense(7, "gelu", name="fc1")(x)
    model = keras.Model([image, numbers], [layers.Dense(3, "softmax", name="kind")(hidden), layers.Dense(
        2, "sigmoid", name="box")(hidden)], name="small")
    for variable in model.weights:
        variable.assign(value_of(getattr(variable, "path", variable.name), variable.shape, rng))
    return model


def exports_in_order(module):
    """Both Kerases list the variables of an export in the order of their places in memory."""
    listed = module._list_variables_used_by_fns
    module._list_variables_used_by_fns = lambda functions: tuple(
        sorted(part, key=lambda variable: variable.name) for part in listed(functions))


exports_in_order(saved_model_export_archive)
exports_in_order(export_lib)


@model
def saved_keras2(folder):
    """model.save of Keras 2, compiled, in the format of SavedModels"""
    keras2.backend.clear_session()
    network = keras_network(keras2, generator(folder.name))
    network.compile("sgd", "mse")
    network.save(folder, save_format="tf")
    return called(folder, Arrays(), ["serving_default"])


def keras2_line(rng):
    keras2.backend.clear_session()
    layers = keras2.layers
    network = keras2.Sequential([
        layers.Input((6, 5, 2), name="image"), layers.DepthwiseConv2D((3, 2), depth_multiplier=2, name="depthwise1"),
        layers.LeakyReLU(0.3, name="leaky"), layers.SeparableConv2D(5, 2, name="separable1", activation="swish"),
        layers.PReLU(shared_axes=[1, 2], name="prelu"), layers.GlobalAveragePooling2D(name="pool"),
        layers.Dense(3, name="fc1")], name="line")
    for variable in network.weights:
        variable.assign(value_of(variable.name, variable.shape, rng))
    return network


@model
def saved_keras2_exported(folder):
    """model.export of Keras 2: a depthwise convolution, leaky and parametric rectifiers, a swish and global pooling"""
    keras2_line(generator(folder.name)).export(str(folder))
    return called(folder, Arrays(), ["serving_default"])


@model
def saved_keras2_untraced(folder):
    """model.save of Keras 2 with save_traces=False: variables and keras_metadata.pb, neither functions nor signatures"""
    keras2_line(generator(folder.name)).save(folder, save_format="tf", include_optimizer=False, save_traces=False)
    return {}, Arrays()


@model
def saved_keras3(folder):
    """model.export of Keras 3: the signatures serve and serving_default"""
    keras3.backend.clear_session()
    network = keras_network(keras3, generator(folder.name))
    network.export(folder, verbose=False)
    return called(folder, Arrays(), ["serving_default"])


class Small(tf.Module):
    """A module whose function calls others, which call others."""

    def __init__(self, rng):
        super().__init__("small")
        self.w1 = tf.Variable(value_of("w", (3, 2, 2, 4), rng), name="conv1/kernel")
        self.b1 = tf.Variable(value_of("b", (4,), rng), name="conv1/bias")
        self.w2 = tf.Variable(value_of("w", (5, 120), rng), name="fc1/kernel")
        self.heads = {"kind": tf.Variable(value_of("w", (5, 3), rng), name="kind/kernel")}
        self.scale = tf.constant(value_of("w", (5,), rng))

    @tf.function
    def inner(self, x):
        return tf.nn.relu(x)

    @tf.function
    def block(self, x):
        return self.inner(tf.nn.conv2d(x, self.w1, 1, "SAME") + self.b1)

    @tf.function
    def features(self, x):
        x = tf.reshape(self.block(x), [-1, 120])
        return self.inner(tf.matmul(x, self.w2, transpose_b=True)) * self.scale

    @tf.function(input_signature=[tf.TensorSpec([None, 6, 5, 2], tf.float32, "image")])
    def classify(self, image):
        return {"kind": tf.nn.softmax(tf.matmul(self.features(image), self.heads["kind"]))}

    @tf.function(input_signature=[tf.TensorSpec([None, 6, 5, 2], tf.float32, "left"),
                                  tf.TensorSpec([None, 6, 5, 2], tf.float32, "right")])
    def compare(self, left, right):
        left, right = self.features(left), self.features(right)
        return {"difference": left - right, "sum": left + right}


@model
def saved_function(folder):
    """a tf.Module: functions that call functions, a kernel used twice, two signatures"""
    module = Small(generator(folder.name))
    signatures = {"serving_default": module.classify, "compare": module.compare}
    tf.saved_model.save(module, str(folder), signatures)
    return called(folder, Arrays(), ["serving_default", "compare"])


@model
def saved_no_signature(folder):
    """a tf.Module without a function: variables alone"""
    rng = generator(folder.name)
    module = tf.Module("weights")
    module.w = tf.Variable(value_of("w", (5, 3), rng), name="fc1/kernel")
    module.b = tf.Variable(value_of("b", (3,), rng), name="fc1/bias")
    tf.saved_model.save(module, str(folder))
    return {}, Arrays()


def main():
    listing = {}
    v1.disable_resource_variables()
    v1.disable_control_flow_v2()
    for name, build in MODELS.items():
        # The names of temporary files have a random number, which is written into the graph.
        numbers = itertools.count(1)
        uuid.uuid4 = lambda: uuid.UUID(int=next(numbers))
        # So have initial values, which Keras draws by seeds of its own.
        keras2.utils.set_random_seed(1)
        folder = OUT / name
        shutil.rmtree(folder, ignore_errors=True)
        if name.startswith("meta"):
            folder.mkdir()
        signatures, arrays = build(folder)
        if name.startswith("saved"):
            settled(folder)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        assert size < LIMIT, (name, size)
        np.savez(OUT / f"{name}.npz", **{f"in{index}": array for index, array in enumerate(arrays.inputs)},
                 **{f"out{index}": array for index, array in enumerate(arrays.outputs)})
        listing[name] = {"what": " ".join(build.__doc__.split()), "signatures": signatures}
    (OUT / "saved.json").write_text(json.dumps(listing, indent=1) + "\n")


if __name__ == "__main__":
    main()
