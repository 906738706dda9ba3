"""TensorFlow Lite: its own converter must put the same bytes into a model as netconv into files."""
import contextlib
import json
import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np


def constants(model) -> list:
    """The constants of a Keras model that TensorFlow's converter has brought into the form of TensorFlow Lite."""
    import tensorflow as tf

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), \
            contextlib.redirect_stderr(nowhere):
        content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
        interpreter = tf.lite.Interpreter(model_content=content)
        interpreter.allocate_tensors()
    found = []
    for detail in interpreter.get_tensor_details():
        with contextlib.suppress(ValueError):  # no constant
            found.append(interpreter.get_tensor(detail["index"]))
    return found


def check(interop, folder: Path, model) -> None:
    found = constants(model)
    for record in json.loads((folder / "manifest.json").read_text())["tensors"]:
        # The normalisation is folded into the convolution, whose values are others then.
        if record["layer"] in ("conv", "bn"):
            continue
        values = (folder / record["places"]["bin"]["file"]).read_bytes()
        shapes = [list(constant.shape) for constant in found if constant.tobytes() == values]
        # A fully-connected kernel has no name for what a flatten has merged, nor slopes for shared axes.
        interop.check(f"tflite: {record['name']} is in TensorFlow Lite's own model",
                      record["shape"] in shapes, f"{record['shape']}, found {shapes}")


def check_lstm(interop, folder: Path, source: Path) -> None:
    """An LSTM of tf_keras becomes one operator, which has a kernel and a bias for each gate.

    Of a simple recurrent layer, and of Keras 3, the converter makes a loop.
    """
    if find_spec("tf_keras") is None:
        print("SKIPPED tflite: tf_keras could not be installed")
        return
    import tf_keras

    layers = {layer["name"]: layer for layer in json.loads((source / "model.json").read_text())["layers"]}
    units = layers["lstm"]["attributes"]["units"]
    stored = {parameter["role"]: np.fromfile(source / parameter["file"], "<f4")
              for parameter in layers["lstm"]["parameters"]}
    inputs = tf_keras.Input((8, stored["kernel"].size // (4 * units)), batch_size=1)
    model = tf_keras.Model(inputs, tf_keras.layers.LSTM(units, unit_forget_bias=False)(inputs))
    kernel, recurrent, bias = model.weights
    kernel.assign(stored["kernel"].reshape(kernel.shape))
    recurrent.assign(stored["recurrent"].reshape(recurrent.shape))
    bias.assign(stored["bias"])
    # By their numbers, which are in the order of the operator's inputs.
    found = [constant.tobytes() for constant in constants(model)]
    for role in ("lstm_W", "lstm_recurrent", "lstm_b"):
        values = (folder / f"weights/{role}.bin").read_bytes()
        size = len(values) // 4
        gates = [values[gate * size:(gate + 1) * size] for gate in range(4)]
        places = [found.index(gate) if gate in found else -1 for gate in gates]
        interop.check(f"tflite: the gates of {role} are the inputs of TensorFlow Lite's own LSTM, in order",
                      -1 not in places and places == list(range(places[0], places[0] + 4)), f"{places}")
