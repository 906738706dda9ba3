#!/usr/bin/env python3
"""Writes the probe of target mps as a Keras checkpoint, and what Keras makes of it.

Usage: make_probe.py [FOLDER]

FOLDER, by default that of this script, gets probe.h5 and expected.npz: the input `image` and the output
of every layer. Every weight of a kernel is the number of its place in Keras's order; vectors count from
100, 200, … in the order of the layers.
Needs: tensorflow (or tensorflow-cpu), tf_keras, numpy.
"""
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tf_keras as keras
from tf_keras import layers


def make_model() -> keras.Model:
    image = keras.Input((4, 6, 2), name="image")
    conv = layers.Conv2D(5, (3, 4), name="conv")(image)
    norm = layers.BatchNormalization(name="norm")(conv)
    depthwise = layers.DepthwiseConv2D((3, 2), padding="same", name="depthwise")(norm)
    transposed = layers.Conv2DTranspose(2, (3, 4), name="transposed")(norm)
    flatten = layers.Flatten(name="flatten")(norm)
    dense = layers.Dense(4, name="dense")(flatten)
    return keras.Model(image, [depthwise, transposed, dense], name="probe")


def number_places(model: keras.Model) -> None:
    vectors = 0
    for name in ["conv", "norm", "depthwise", "transposed", "dense"]:
        values = []
        for weight in model.get_layer(name).get_weights():
            first = 0
            if weight.ndim == 1:
                vectors += 1
                first = 100 * vectors
            values.append(np.arange(first, first + weight.size, dtype=np.float32).reshape(weight.shape))
        model.get_layer(name).set_weights(values)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    model = make_model()
    number_places(model)
    image = ((np.arange(48) * 7 % 48 - 24) / 64).astype(np.float32).reshape(1, 4, 6, 2)
    names = [layer.name for layer in model.layers if layer.name != "image"]
    outputs = keras.Model(model.input, [model.get_layer(name).output for name in names])(image)
    np.savez(folder / "expected.npz", image=image,
             **{name: output.numpy() for name, output in zip(names, outputs)})
    model.save(folder / "probe.h5")


if __name__ == "__main__":
    main()
