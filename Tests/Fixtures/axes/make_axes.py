#!/usr/bin/env python3
"""Builds networks with channels first, and what Keras gives for every layer of them.

Usage: make_axes.py [OUT_DIR]

Writes NAME.h5 and NAME.npz: arrays called like the inputs and layers, in Keras's order of axes, as float32 of what a clone
in float64 gives. TensorFlow does not compute such networks on a CPU: JAX does. Needs: keras (Keras 3), jax, h5py, numpy.
"""
import os
import sys
from pathlib import Path

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
FIRST = {"data_format": "channels_first"}
L = keras.layers


def image():
    """All sizes are different; an image and a vector as outputs, and a flatten in Keras's order."""
    image = L.Input((3, 9, 12), name="image")
    x = L.Conv2D(6, (2, 3), name="conv", activation="relu", **FIRST)(image)
    x = L.BatchNormalization(axis=1, name="norm")(x)
    pooled = L.MaxPooling2D(2, name="pool", **FIRST)(x)
    x = L.Flatten(name="flat", data_format="channels_last")(pooled)
    x = L.Dropout(0.5, name="drop")(x)
    return keras.Model(image, [L.Dense(5, name="fc")(x), L.Conv2D(2, (2, 1), name="map", **FIRST)(pooled)])


def cube():
    """All sizes are equal, so that no shape tells the order; both kinds of flatten."""
    image = L.Input((4, 4, 4), name="image")
    x = L.Conv2D(4, 3, padding="same", name="conv", activation="relu", **FIRST)(image)
    own = L.Flatten(name="own", data_format="channels_last")(x)
    last = L.Flatten(name="last", **FIRST)(x)
    return keras.Model(image, [
        L.Dense(3, name="behind_own")(own), L.Dense(3, name="behind_last")(last),
        L.Conv2D(4, 3, padding="same", name="map", **FIRST)(x)])


def sequence():
    """Channels and steps."""
    steps = L.Input((3, 11), name="steps")
    x = L.Conv1D(4, 2, name="conv", activation="relu", **FIRST)(steps)
    return keras.Model(steps, L.Conv1D(5, 3, name="line", **FIRST)(x))


def classes():
    """Images of three colours and their classes."""
    image = L.Input((3, 8, 10), name="image")
    x = L.Conv2D(6, (3, 2), name="conv", activation="relu", **FIRST)(image)
    x = L.GlobalAveragePooling2D(name="mean", **FIRST)(x)
    return keras.Model(image, L.Dense(5, activation="softmax", name="fc")(x))


def randomise(model, rng: np.random.Generator) -> None:
    for layer in model.layers:
        values = []
        for weight in layer.weights:
            role, shape = weight.name.split("/")[-1], tuple(weight.shape)
            if role in ("gamma", "moving_variance"):
                values.append(rng.uniform(0.5, 1.5, shape))
            elif len(shape) == 1:
                values.append(rng.normal(0, 0.2, shape))
            else:
                values.append(rng.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape))
        if values:
            layer.set_weights([value.astype(np.float32) for value in values])


def activations(model, x: np.ndarray) -> dict[str, np.ndarray]:
    """What every layer gives, in float64."""
    exact = keras.models.model_from_json(model.to_json().replace('"float32"', '"float64"'))
    exact.set_weights([np.asarray(weight, np.float64) for weight in model.get_weights()])
    layers = [layer for layer in exact.layers if not isinstance(layer, L.InputLayer)]
    values = keras.Model(exact.inputs, [layer.output for layer in layers])(x.astype(np.float64), training=False)
    assert all(value.dtype == np.float64 for value in values)
    return {layer.name: np.asarray(value, np.float32) for layer, value in zip(layers, values)}


def spread(model, x: np.ndarray) -> None:
    """Makes the classes as likely as each other."""
    means = activations(model, x)["mean"]
    kernel = model.get_layer("fc").get_weights()[0]
    kernel = (kernel / (means @ kernel).std(axis=0)).astype(np.float32)
    model.get_layer("fc").set_weights([kernel, -(means @ kernel).mean(axis=0)])


def main() -> int:
    for build in (image, cube, sequence, classes):
        name = build.__name__
        rng = np.random.default_rng(sum(map(ord, name)))
        model = build()
        randomise(model, rng)
        size = (2 if build is not classes else 16, *model.input_shape[1:])
        x = rng.uniform(-1, 1, size).astype(np.float32)
        fed = x
        if build is classes:
            # Bytes, each image with a colour and a slope of its own, that netconv multiplies by 1/255.
            colours = rng.uniform(0, 1, (size[0], 3, 1, 1))
            slopes = rng.uniform(0, 1, (size[0], 3, 8, 1))
            x = np.round(255 * (0.7 * colours + 0.2 * slopes + 0.1 * np.abs(x))).astype(np.uint8)
            fed = x * np.float32(1 / 255)
            spread(model, fed)
        model.save(OUT / f"{name}.h5")
        values = activations(model, fed)
        np.savez(OUT / f"{name}.npz", **{model.inputs[0].name: x}, **values)
        print(name, {key: value.shape for key, value in values.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
