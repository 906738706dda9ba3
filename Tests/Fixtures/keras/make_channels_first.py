#!/usr/bin/env python3
"""Builds the fixtures with channels first, which TensorFlow does not compute on a CPU: JAX does.

Usage: make_channels_first.py [OUT_DIR]

Writes keras3-first-NAME.h5 and .npz as make_fixtures.py does, keras2-first-NAME.h5 with the same weights
(and a copy of the .npz), and archive-first-NAME.keras. Needs: keras (Keras 3), jax, tf_keras, h5py, numpy.
"""
import os
import shutil
import sys
from pathlib import Path

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras as keras3
import numpy as np
import tf_keras as keras2

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
FIRST = {"data_format": "channels_first"}


def layers(k):
    """Every kind of layer that has a data format, and what may stand between them."""
    L = k.layers
    image = L.Input((3, 11, 14), name="image")
    x = L.Conv2D(4, (3, 2), strides=(2, 1), padding="same", name="conv", **FIRST)(image)
    x = L.BatchNormalization(axis=1, name="norm")(x)
    x = a = L.ReLU(name="relu")(x)
    x = L.MaxPooling2D((2, 3), name="max", **FIRST)(x)
    x = L.DepthwiseConv2D((2, 3), depth_multiplier=2, name="depthwise", **FIRST)(x)
    x = L.SeparableConv2D(5, (1, 2), name="separable", activation="softplus", **FIRST)(x)
    x = L.Conv2DTranspose(4, (2, 3), strides=(3, 2), name="transposed", **FIRST)(x)
    x = L.ZeroPadding2D(((1, 0), (2, 1)), name="pad", **FIRST)(x)
    x = L.AveragePooling2D(2, padding="same", name="mean", **FIRST)(x)
    x = L.UpSampling2D((1, 2), name="up", **FIRST)(x)
    x = L.Cropping2D(((0, 1), (1, 2)), name="crop", **FIRST)(x)
    squeezed = L.GlobalAveragePooling2D(name="squeeze", **FIRST)(a)
    squeezed = L.Reshape((4, 1, 1), name="pixel")(squeezed)
    excited = L.Conv2D(4, 1, activation="sigmoid", name="excite", **FIRST)(squeezed)
    scaled = L.Multiply(name="scale")([a, excited])
    joined = L.Concatenate(axis=1, name="join")([a, scaled])
    return k.Model(image, [
        x, joined, L.GlobalMaxPooling2D(name="largest", **FIRST)(joined),
        L.GlobalAveragePooling2D(keepdims=True, name="kept", **FIRST)(joined),
        L.Softmax(axis=1, name="softmax")(scaled), L.LayerNormalization(axis=1, name="layer_norm")(a),
        L.PReLU(shared_axes=[2, 3], name="prelu")(a), L.Dense(3, name="dense")(a),
        L.Permute((2, 3, 1), name="turned")(a), L.Concatenate(axis=-1, name="wide")([a, scaled]),
        L.BatchNormalization(axis=2, name="rows")(a), L.Add(name="sum")([scaled, a]),
        # The last axis, of which the softmax is, is not the channels.
        L.Conv2D(3, (2, 1), activation="softmax", name="conv_softmax", **FIRST)(a),
        L.GroupNormalization(2, axis=1, name="groups")(a),
        L.UnitNormalization(axis=1, name="unit")(a),
        *([L.RMSNormalization(name="rms")(a)] if k is keras3 else []),
    ], name="net")


def flattened(k):
    """Flattens in Keras's order and with the channels last, with what may follow them."""
    L = k.layers
    image = L.Input((2, 5, 7), name="image")
    x = L.Conv2D(3, (2, 3), activation="relu", name="conv", **FIRST)(image)
    own = L.Flatten(name="own", data_format="channels_last")(x)
    norm = L.BatchNormalization(name="norm")(L.Dropout(0.5, name="drop")(own))
    shared = L.Dense(5, name="shared")
    return k.Model(image, [
        L.Dense(6, activation="softplus", name="plain")(own), L.Dense(4, name="behind_norm")(norm),
        L.Dense(4, name="last")(L.Flatten(name="flatten_last", **FIRST)(x)),
        L.Dense(4, name="reshaped")(L.Reshape((-1,), name="reshape")(x)), own,
        L.Dense(4, name="merged")(L.Add(name="sum")([own, norm])), shared(own), shared(norm),
        L.Dense(3, name="grouped")(L.GroupNormalization(4, name="groups")(own)),
        L.Dense(3, name="scaled")(L.Rescaling(np.arange(1, 61).tolist(), name="scale")(own)),
        L.Dense(3, name="layer_normed")(L.LayerNormalization(name="layer_norm")(own)),
        L.Dense(3, name="from_image")(L.Flatten(name="image_flat", data_format="channels_last")(image)),
    ], name="net")


def randomise(model, rng: np.random.Generator) -> None:
    for layer in model.layers:
        values = []
        for weight in layer.weights:
            role, shape = weight.name.split("/")[-1].split(":")[0], tuple(weight.shape)
            if role in ("gamma", "moving_variance"):
                value = rng.uniform(0.5, 1.5, shape)
            elif len(shape) == 1:
                value = rng.normal(0, 0.2, shape)
            else:
                value = rng.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape)
            values.append(value.astype(np.float32))
        if values:
            layer.set_weights(values)


def write(name, build, with_keras2=True) -> None:
    """Saves a model of both Kerases with the same weights, and its outputs in float64."""
    rng = np.random.default_rng(sum(map(ord, name)))
    model = build(keras3)
    randomise(model, rng)
    model.save(OUT / f"keras3-{name}.h5")
    model.save(OUT / f"archive-{name}.keras")
    x = rng.uniform(-1, 1, (2, *model.input_shape[1:])).astype(np.float32)
    exact = keras3.models.model_from_json(model.to_json().replace('"float32"', '"float64"'))
    exact.set_weights([np.asarray(weight, np.float64) for weight in model.get_weights()])
    results = exact(x.astype(np.float64), training=False)
    results = [np.asarray(result) for result in (results if isinstance(results, list) else [results])]
    assert all(result.dtype == np.float64 for result in results), [r.dtype for r in results]
    names = [tensor._keras_history.operation.name for tensor in model.outputs]
    counts: dict[str, int] = {}
    outputs = {}
    for output, result in zip(names, results):
        counts[output] = counts.get(output, -1) + 1
        outputs[output + (f":{counts[output]}" if counts[output] else "")] = result
    np.savez(OUT / f"keras3-{name}.npz", input=x, **outputs)
    if not with_keras2:
        return
    older = build(keras2)
    by_name = {layer.name: layer for layer in model.layers}
    for layer in older.layers:
        layer.set_weights(by_name[layer.name].get_weights())
    older.save(OUT / f"keras2-{name}.h5", save_format="h5", include_optimizer=False)
    shutil.copy(OUT / f"keras3-{name}.npz", OUT / f"keras2-{name}.npz")


def main() -> int:
    for build in (layers, flattened):
        write("first-" + build.__name__, build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
