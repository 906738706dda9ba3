#!/usr/bin/env python3
"""Runs architectures of Keras 2 and Keras 3, in TensorFlow's files, through netconv and compares the results.

Usage: graphs.py NETCONV_BINARY [--scratch FOLDER] [--writers NAME,…] [NAME ...]

Weights, inputs, tolerance and the columns spread and gap are those of applications.py. The expected outputs are
those of the same model in float64, by the Keras that wrote the file; `off` is how far netconv is from them. Counts of
parameters must equal Keras's. The writers:

  simple_save   Keras 2 in a graph of TensorFlow 1, tf.compat.v1.saved_model.simple_save
  switches      the same without a word on training: normalisations have a branch for it
  keras2        Keras 2, model.save(save_format="tf")
  keras3        Keras 3, model.export()
  frozen1       Keras 2 in a graph of TensorFlow 1, convert_variables_to_constants
  frozen2       Keras 2 in a function, convert_variables_to_constants_v2
  frozen3       Keras 3 in a function, convert_variables_to_constants_v2
  nchw          as frozen1, with images as channels, rows, columns; TensorFlow cannot run it on a CPU, so that the
                expected outputs are those of the same weights with channels last

The exit status is 1 if a file fails.
"""
import argparse
import contextlib
import gc
import json
import os
import shutil
import sys
import time
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tf_keras  # noqa: E402
import tf_keras.api._v1.keras.backend as backend  # noqa: E402
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2  # noqa: E402

import applications as keras3  # noqa: E402

SAVED = ["simple_save", "keras2", "keras3"]
# What each architecture has that others have not, and its writers.
CASES = {
    "VGG16": SAVED + ["frozen1", "nchw"],  # a flattened image
    "ResNet50": SAVED + ["switches", "frozen1", "frozen2", "frozen3", "nchw"],  # sums of branches
    "ResNet50V2": SAVED + ["frozen1", "nchw"],  # normalisations in front of activations
    "ResNetRS50": ["simple_save", "keras2", "frozen2"],  # squeeze and excitation
    "InceptionV3": SAVED + ["frozen1", "frozen2", "frozen3"],  # concatenated branches, averages of padded windows
    "InceptionResNetV2": SAVED,  # scaled branches
    "Xception": SAVED + ["frozen1", "frozen2", "frozen3"],  # separable convolutions
    "MobileNet": SAVED + ["frozen1", "frozen2", "frozen3", "nchw"],  # ReLU up to 6, depthwise convolutions
    "MobileNetV2": SAVED + ["frozen1", "frozen2", "frozen3"],  # inverted bottlenecks
    "MobileNetV3Small": SAVED + ["frozen1", "frozen2", "frozen3"],  # hard swish, hard sigmoid, images of any size
    "DenseNet121": SAVED + ["frozen1", "frozen2", "frozen3", "nchw"],  # an image concatenated over and over
    "NASNetMobile": SAVED + ["frozen1", "frozen2", "frozen3"],  # cells with crops
    "EfficientNetB0": SAVED + ["frozen1", "frozen2", "frozen3"],  # Swish, normalised inputs
    "EfficientNetV2B0": SAVED,
    "ConvNeXtTiny": SAVED + ["frozen1", "frozen2", "frozen3"],  # LayerNormalization, GELU, scaled layers
    "RegNetX002": ["simple_save", "keras2", "frozen1", "frozen2"],  # convolutions in groups
    "RegNetY002": ["simple_save", "keras2", "frozen1", "frozen2"],  # both
}
KERAS3_WRITERS = {"keras3", "frozen3"}


@contextlib.contextmanager
def fast_groups():
    """Depthwise convolutions for convolutions with a group for each channel, which TensorFlow takes minutes for.

    Only while outputs are computed; a graph that is written has what the layer asks for.
    """
    layer_type = tf_keras.layers.Conv2D
    original = layer_type._jit_compiled_convolution_op

    def convolve(layer, inputs, kernel):
        if layer.groups == layer.filters == inputs.shape[-1] and layer.dilation_rate == (1, 1):
            strides = (1, *layer.strides, 1)
            return tf.nn.depthwise_conv2d(inputs, tf.transpose(kernel, (0, 1, 3, 2)), strides, layer.padding.upper())
        return original(layer, inputs, kernel)

    layer_type._jit_compiled_convolution_op = convolve
    keras3.keras.layers.Conv2D.convolution_op = keras3.convolve
    try:
        yield
    finally:
        layer_type._jit_compiled_convolution_op = original
        keras3.keras.layers.Conv2D.convolution_op = keras3.CONVOLVE


class Keras2:
    """Keras 2 as applications.py uses Keras 3."""

    keras = tf_keras

    @staticmethod
    def build(name: str, dtype: str):
        tf_keras.backend.clear_session()
        tf_keras.backend.set_floatx(dtype)
        try:
            return getattr(tf_keras.applications, name)(weights=None, classifier_activation=None)
        finally:
            tf_keras.backend.set_floatx("float32")


def parameter_counts(model, layers) -> list[int]:
    """What netconv may count in a graph of a model."""
    if any(isinstance(layer, layers.Normalization) for layer in model.layers):
        return []  # it is arithmetic in a graph, and its count of samples is not there
    # TensorFlow's own normalisation has a factor and an offset, be they ones and zeros.
    norms = [layer for layer in model.layers if isinstance(layer, layers.BatchNormalization)]
    added = sum(int(layer.moving_mean.shape[0]) * ((not layer.scale) + (not layer.center)) for layer in norms)
    return [model.count_params(), model.count_params() + added]


def prepare(name: str, framework) -> dict:
    """Weights, inputs, outputs in float64, and how much these say."""
    for seed in range(keras3.ATTEMPTS):
        rng = np.random.default_rng(seed)
        model = framework.build(name, "float32")
        keras3.randomize(model, rng)
        shape = tuple(size or 224 for size in model.input_shape[1:])
        with fast_groups():
            keras3.calibrate(model, keras3.images(4, shape, rng), framework.keras)
            x = keras3.images(2, shape, rng)
            single = np.array(model(x, training=False), np.float64)
            weights = model.get_weights()
            parameters = parameter_counts(model, framework.keras.layers)
            del model
            exact = framework.build(name, "float64")
            exact.set_weights(weights)
            double = np.array(exact(x.astype(np.float64), training=False))
        del exact
        gc.collect()
        case = {"weights": weights, "parameters": parameters, "input": x, "output": double,
                "spread": keras3.difference(double[0], double[1]), "gap": keras3.difference(single, double)}
        if case["spread"] >= keras3.LEAST_SPREAD and case["gap"] <= keras3.LARGEST_GAP:
            break
    return case


def remember(case: dict, path: Path) -> None:
    weights = {f"weight{index}": value for index, value in enumerate(case["weights"])}
    np.savez(path, **weights, **{key: value for key, value in case.items() if key != "weights"})


def recall(path: Path) -> dict:
    with np.load(path) as arrays:
        weights = [arrays[f"weight{index}"] for index in range(sum(key.startswith("weight") for key in arrays))]
        return {"weights": weights, "parameters": arrays["parameters"].tolist(),
                "input": arrays["input"], "output": arrays["output"], "spread": float(arrays["spread"]),
                "gap": float(arrays["gap"])}


@contextlib.contextmanager
def graph_of_tensorflow_1(name: str, weights: list, switches: bool = False):
    """Keras 2 in a graph of TensorFlow 1: a session, the input and the output."""
    tf_keras.backend.clear_session()
    with tf.Graph().as_default() as graph, tf.compat.v1.Session(graph=graph) as session:
        backend.set_session(session)
        if switches:
            tf.compat.v1.disable_control_flow_v2()
        else:
            backend.set_learning_phase(0)
        try:
            model = getattr(tf_keras.applications, name)(weights=None, classifier_activation=None)
            model.set_weights(weights)
            yield session, model.inputs[0], model.outputs[0]
        finally:
            tf.compat.v1.enable_control_flow_v2()
    tf_keras.backend.clear_session()


def write_simple_save(name: str, weights: list, path: Path, switches: bool = False) -> None:
    with graph_of_tensorflow_1(name, weights, switches) as (session, image, logits):
        tf.compat.v1.saved_model.simple_save(session, str(path), {"image": image}, {"logits": logits})


def write_switches(name: str, weights: list, path: Path) -> None:
    write_simple_save(name, weights, path, switches=True)


def write_keras2(name: str, weights: list, path: Path) -> None:
    model = Keras2.build(name, "float32")
    model.set_weights(weights)
    model.save(path, save_format="tf")


def write_keras3(name: str, weights: list, path: Path) -> None:
    model = keras3.build(name, "float32")
    model.set_weights(weights)
    model.export(path, verbose=False)


def write_frozen1(name: str, weights: list, path: Path) -> None:
    with graph_of_tensorflow_1(name, weights) as (session, image, logits):
        frozen = tf.compat.v1.graph_util.convert_variables_to_constants(
            session, session.graph.as_graph_def(), [logits.op.name])
    path.write_bytes(frozen.SerializeToString())


def write_nchw(name: str, weights: list, path: Path) -> None:
    tf_keras.backend.set_image_data_format("channels_first")
    try:
        write_frozen1(name, weights, path)
    finally:
        tf_keras.backend.set_image_data_format("channels_last")


def freeze(model, path: Path) -> None:
    image = tf.TensorSpec(model.inputs[0].shape, tf.float32, name="image")
    function = tf.function(lambda image: model(image, training=False), autograph=False)
    frozen = convert_variables_to_constants_v2(function.get_concrete_function(image))
    path.write_bytes(frozen.graph.as_graph_def().SerializeToString())


def write_frozen2(name: str, weights: list, path: Path) -> None:
    model = Keras2.build(name, "float32")
    model.set_weights(weights)
    freeze(model, path)


def write_frozen3(name: str, weights: list, path: Path) -> None:
    model = keras3.build(name, "float32")
    model.set_weights(weights)
    freeze(model, path)


def write(writer: str, name: str, case: dict, path: Path) -> None:
    """Files of one architecture by one writer."""
    writers = {"simple_save": write_simple_save, "switches": write_switches, "keras2": write_keras2,
               "keras3": write_keras3, "frozen1": write_frozen1, "frozen2": write_frozen2,
               "frozen3": write_frozen3, "nchw": write_nchw}
    unfinished = path.with_name("unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    writers[writer](name, case["weights"], unfinished)
    unfinished.rename(path)
    gc.collect()


def check(binary: str, name: str, writer: str, case: dict, folder: Path, keep: bool) -> bool:
    """Writes a file, takes it through netconv, and prints its line."""
    path = folder / f"{name}-{writer}{'' if writer in SAVED + ['switches'] else '.pb'}"
    array, output = folder / f"{name}-{writer}.npy", folder / f"{name}-{writer}.npz"
    converted = folder / f"{name}-{writer}-converted"
    tolerance = max(1e-5, 4 * case["gap"])
    off, seconds, problems = float("nan"), float("nan"), []
    if case["spread"] < keras3.LEAST_SPREAD:
        problems.append(f"the outputs of two inputs differ by {case['spread']:.1e} only")
    if case["gap"] > keras3.LARGEST_GAP:
        problems.append(f"Keras's own float32 is {case['gap']:.1e} off")
    try:
        if not path.exists():
            write(writer, name, case, path)
        np.save(array, case["input"].transpose(0, 3, 1, 2) if writer == "nchw" else case["input"])
        report = json.loads(keras3.netconv(binary, "inspect", "--json", path))
        if case["parameters"] and report["parameterCount"] not in case["parameters"]:
            problems.append(f"inspect counts {report['parameterCount']} parameters, not {case['parameters'][0]}")
        keras3.netconv(binary, "convert", "--force", "--formats", "bin", path, converted)
        start = time.perf_counter()
        keras3.netconv(binary, "run", converted, "--input", array, "--output", output, "--force")
        seconds = time.perf_counter() - start
        (found,) = np.load(output).values()
        off = keras3.difference(found.astype(np.float64), case["output"])
        if not off <= tolerance:
            problems.append(f"off by {off:.1e}, allowed {tolerance:.1e}")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure of this one
        problems.append(f"{type(error).__name__}: {error}")
    finally:
        for leftover in [converted, array, output] + ([] if keep else [path]):
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink(missing_ok=True)
    print(f"{'ok' if not problems else 'FAILED':6} {name:18} {writer:12} {case['spread']:8.1e} {case['gap']:8.1e} "
          f"{off:8.1e} {seconds:7.2f}", flush=True)
    for problem in problems:
        print("         " + problem[:2000].replace("\n", "\n         "), flush=True)
    return not problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", help="the program")
    parser.add_argument("names", nargs="*", help="architectures; all without any")
    parser.add_argument("--scratch", type=Path, default=Path("applications"), help="for the files")
    parser.add_argument("--writers", type=lambda text: text.split(","), help="these, for each architecture")
    parser.add_argument("--keep", action="store_true", help="keep the files for another run")
    options = parser.parse_intermixed_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    print(f"{'':6} {'architecture':18} {'writer':12} {'spread':>8} {'gap':>8} {'off':>8} {'seconds':>7}", flush=True)
    passed = total = 0
    for name in options.names or CASES:
        chosen = options.writers or CASES[name]
        for framework in (Keras2, keras3):
            writers = [writer for writer in chosen if (writer in KERAS3_WRITERS) == (framework is keras3)]
            if not writers:
                continue
            remembered = options.scratch / f"{name}-case{3 if framework is keras3 else 2}.npz"
            if not remembered.exists():
                remember(prepare(name, framework), remembered)
            case = recall(remembered)
            total += len(writers)
            passed += sum(check(options.netconv, name, writer, case, options.scratch, options.keep)
                          for writer in writers)
            if not options.keep:
                remembered.unlink()
    print(f"{passed} of {total} files pass")
    return 0 if passed == total else 1


if __name__ == "__main__":
    sys.exit(main())
