#!/usr/bin/env python3
"""Runs every architecture of keras.applications through netconv and compares the results with Keras's.

Usage: applications.py NETCONV_BINARY [--scratch FOLDER] [--keep] [NAME ...]

Each architecture gets random weights, and the statistics of its normalisations from a forward pass. It is
saved as `.h5` and as `.keras`; netconv inspects, converts and runs both. A line of the table holds:

  spread   how much the outputs of two inputs differ, relative to the largest: a network that ignores its
           input proves nothing, so less than 1e-2 does not count
  gap      how far Keras's own float32 is from the same model in float64, relative to the largest output
  h5       how far netconv on the `.h5` is from float64
  keras    the same on the `.keras`
  seconds  of `netconv run` on two inputs, the `.h5` file

A difference may be max(1e-5, 4 * gap). Shapes and parameter counts of `inspect` must equal Keras's.
The exit status is 1 if an architecture fails. Needs the packages of requirements.txt.
"""
import argparse
import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras  # noqa: E402
import numpy as np  # noqa: E402

LEAST_SPREAD = 1e-2
LARGEST_GAP = 2e-4
ATTEMPTS = 4


def architectures() -> list[str]:
    return [name for name in dir(keras.applications) if name[0].isupper()]


def build(name: str, dtype: str) -> keras.Model:
    """The architecture without its last activation: compared are the logits."""
    keras.config.set_dtype_policy(dtype)
    keras.config.set_floatx(dtype)
    keras.backend.clear_session()
    try:
        return getattr(keras.applications, name)(weights=None, classifier_activation=None)
    finally:
        keras.config.set_dtype_policy("float32")
        keras.config.set_floatx("float32")


def convolve(layer, inputs, kernel):
    """A convolution with a group for each channel is a depthwise one; TensorFlow takes minutes for the former."""
    if layer.groups > 1 and layer.groups == layer.filters == inputs.shape[-1]:
        return keras.ops.depthwise_conv(
            inputs, keras.ops.transpose(kernel, (0, 1, 3, 2)), strides=layer.strides, padding=layer.padding,
            dilation_rate=layer.dilation_rate)
    return CONVOLVE(layer, inputs, kernel)


CONVOLVE = keras.layers.Conv2D.convolution_op
keras.layers.Conv2D.convolution_op = convolve


def images(count: int, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Pictures in 0 ... 255 that differ in colour, in coarse structure and in noise."""
    height, width, channels = shape
    result = np.empty((count, height, width, channels), np.float32)
    for image in result:
        coarse = rng.uniform(0, 255, (5, 5, channels))
        rows = np.arange(height) * 5 // height
        columns = np.arange(width) * 5 // width
        image[:] = coarse[rows][:, columns] * rng.uniform(0.2, 1)
        image += rng.normal(0, 20, image.shape)
    return result.clip(0, 255)


def randomize(model, rng: np.random.Generator) -> None:
    """Gives each weight values that a mistake would show in. The model is one of Keras 2 or 3."""
    for weight in model.weights:
        shape = weight.shape
        path = weight.path if hasattr(weight, "path") else weight.name.removesuffix(":0")
        name = path.rsplit("/", 1)[-1]
        if name == "kernel" or name.endswith("_kernel"):
            per_channel = "depthwise" in path or "dwconv" in path
            fan_in = int(np.prod(shape[:2] if per_channel else shape[:-1]))
            value = rng.normal(0, np.sqrt(2 / fan_in), shape)
        elif name == "bias" or name == "beta":
            value = rng.normal(0, 0.05, shape)
        elif name == "gamma":
            value = rng.uniform(0.5, 1.5, shape)
        else:
            continue
        weight.assign(value.astype(np.float32))


def calibrate(model, x: np.ndarray, keras=keras) -> None:
    """Sets the statistics of every normalisation from a forward pass, by the Keras that the model is of."""
    norms = [layer for layer in model.layers if isinstance(layer, keras.layers.BatchNormalization)]
    momenta = [layer.momentum for layer in norms]
    rates = [(layer, layer.rate) for layer in model.layers if hasattr(layer, "rate")]
    for layer in norms:
        layer.momentum = 0.0
    for layer, _ in rates:
        layer.rate = 0.0
    model(x, training=bool(norms))
    for layer, momentum in zip(norms, momenta):
        layer.momentum = momentum
        variance = np.array(layer.moving_variance)
        layer.moving_variance.assign(np.maximum(variance, 1e-2 * variance.mean() + 1e-6))
    for layer, rate in rates:
        layer.rate = rate


def difference(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max() / np.abs(b).max())


def expected_layers(model: keras.Model, path: str = "") -> dict[str, dict]:
    """Shape without the batch, and parameter count, by layer; a model in the model as its layers."""
    layers = {}
    for layer in model.layers:
        if isinstance(layer, keras.Model):
            layers |= expected_layers(layer, f"{path}{layer.name}/")
            continue
        if path and isinstance(layer, keras.layers.InputLayer):
            continue
        output = layer.output
        shape = output[0].shape if isinstance(output, (list, tuple)) else output.shape
        layers[path + layer.name] = {"shape": list(shape[1:]), "parameters": layer.count_params()}
    return layers


def prepare(name: str, folder: Path) -> dict:
    """Builds, saves both checkpoints, and stores inputs and outputs next to them."""
    for seed in range(ATTEMPTS):
        rng = np.random.default_rng(seed)
        model = build(name, "float32")
        randomize(model, rng)
        shape = tuple(size or 224 for size in model.input_shape[1:])
        calibrate(model, images(4, shape, rng))
        x = images(2, shape, rng)
        single = np.array(model(x, training=False), np.float64)
        weights = model.get_weights()
        case = {"layers": expected_layers(model), "parameters": model.count_params()}
        model.save(folder / f"{name}.h5")
        model.save(folder / f"{name}.keras")
        del model
        exact = build(name, "float64")
        exact.set_weights(weights)
        del weights
        double = np.array(exact(x.astype(np.float64), training=False))
        del exact
        gc.collect()
        case["spread"] = difference(double[0], double[1])
        case["gap"] = difference(single, double)
        if case["spread"] >= LEAST_SPREAD and case["gap"] <= LARGEST_GAP:
            break
    np.save(folder / f"{name}.input.npy", x)
    np.save(folder / f"{name}.output.npy", double)
    (folder / f"{name}.json").write_text(json.dumps(case))
    return case


def netconv(*arguments) -> str:
    result = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip()[:2000])
    return result.stdout


def check_inspect(binary: str, checkpoint: Path, case: dict) -> list[str]:
    report = json.loads(netconv(binary, "inspect", "--json", checkpoint))
    problems = []
    if report["parameterCount"] != case["parameters"]:
        problems.append(f"inspect counts {report['parameterCount']} parameters, not {case['parameters']}")
    seen = {layer["name"]: layer for layer in report["layers"]}
    seen.update({layer["name"]: layer for layer in report["inputs"]})
    for layer, expected in case["layers"].items():
        if layer not in seen:
            problems.append(f"inspect does not list {layer}")
            continue
        shape = seen[layer].get("outputShape", seen[layer].get("shape"))
        if shape != expected["shape"]:
            problems.append(f"inspect says {shape} for {layer}, not {expected['shape']}")
        if seen[layer].get("parameterCount", 0) != expected["parameters"]:
            problems.append(f"inspect counts {seen[layer].get('parameterCount', 0)} parameters in {layer}, "
                            f"not {expected['parameters']}")
    return problems


def check(binary: str, name: str, folder: Path) -> bool:
    case = json.loads((folder / f"{name}.json").read_text())
    expected = np.load(folder / f"{name}.output.npy")
    tolerance = max(1e-5, 4 * case["gap"])
    problems = []
    if case["spread"] < LEAST_SPREAD:
        problems.append(f"the outputs of two inputs differ by {case['spread']:.1e} only")
    if case["gap"] > LARGEST_GAP:
        problems.append(f"Keras's own float32 is {case['gap']:.1e} off")
    differences, seconds = [], 0.0
    for ending in ("h5", "keras"):
        checkpoint = folder / f"{name}.{ending}"
        converted = folder / f"{name}-{ending}"
        output = folder / f"{name}-{ending}.npz"
        try:
            problems += [f"{ending}: {problem}" for problem in check_inspect(binary, checkpoint, case)]
            netconv(binary, "convert", "--force", "--formats", "bin", checkpoint, converted)
            start = time.perf_counter()
            netconv(binary, "run", converted, "--input", folder / f"{name}.input.npy",
                    "--output", output, "--force")
            seconds = seconds or time.perf_counter() - start
            (found,) = np.load(output).values()
            differences.append(difference(found.astype(np.float64), expected))
            if not differences[-1] <= tolerance:
                problems.append(f"{ending}: off by {differences[-1]:.1e}, allowed {tolerance:.1e}")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure of this one
            differences.append(float("nan"))
            problems.append(f"{ending}: {error}")
        finally:
            subprocess.run(["rm", "-rf", str(converted)], check=False)
    h5, archive = differences
    print(f"{'ok' if not problems else 'FAILED':6} {name:18} {case['spread']:8.1e} {case['gap']:8.1e} "
          f"{h5:8.1e} {archive:8.1e} {seconds:7.2f}", flush=True)
    for problem in problems[:10]:
        print("         " + problem.replace("\n", "\n         "), flush=True)
    return not problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", help="the program")
    parser.add_argument("names", nargs="*", help="architectures; all without any")
    parser.add_argument("--scratch", type=Path, default=Path("applications"), help="for the checkpoints")
    parser.add_argument("--keep", action="store_true", help="keep the checkpoints for another run")
    parser.add_argument("--prepare-only", action="store_true", help="make the checkpoints and stop")
    options = parser.parse_intermixed_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    names = options.names or architectures()
    failed = 0
    if not options.prepare_only:
        print(f"{'':6} {'architecture':18} {'spread':>8} {'gap':>8} {'h5':>8} {'keras':>8} {'seconds':>7}",
              flush=True)
    for name in names:
        if not (options.scratch / f"{name}.json").exists():
            prepare(name, options.scratch)
        if options.prepare_only:
            continue
        failed += not check(options.netconv, name, options.scratch)
        if not options.keep:
            for path in options.scratch.glob(f"{name}.*"):
                path.unlink()
    if not options.prepare_only:
        print(f"{len(names) - failed} of {len(names)} architectures pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
