#!/usr/bin/env python3
"""Writes a network of Keras, and what it gives for pixels that were prepared as it wants them.

Usage: make_reference.py [OUT_DIR]     (needs keras with tensorflow-cpu, h5py, numpy)

pixels.h5    the network, whose first layer has more than forty ways to be wrong
pixels.npz   of each KIND of mistake in feeding pixels: fed_KIND, what was fed, and right_KIND, what Keras gives for the
             pixels as they should have been
"""
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import keras
import numpy as np
from keras import layers

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
CAFFE = np.array([103.939, 116.779, 123.68])


def network():
    keras.utils.set_random_seed(7)
    model = keras.Sequential([
        layers.Input((8, 7, 3), name="image"),
        layers.Conv2D(5, (3, 2), activation="relu", name="conv1"),
        layers.BatchNormalization(name="norm"),
        layers.Conv2D(4, 3, activation="tanh", name="conv2"),
        layers.GlobalAveragePooling2D(name="pool"),
        layers.Dense(6, name="fc"),
    ], name="pixels")
    rng = np.random.default_rng(8)
    for weight in model.weights:
        if weight.name in ("moving_variance", "gamma"):
            weight.assign(rng.uniform(0.5, 1.5, weight.shape))
        elif len(weight.shape) == 1:
            weight.assign(rng.normal(0, 0.2, weight.shape))
    # Pixels of 0 to 255 must not drive every value to the ends of the tangent.
    model.get_layer("conv2").kernel.assign(model.get_layer("conv2").kernel * 0.02)
    return model


def main():
    model = network()
    pixels = np.random.default_rng(9).integers(0, 256, (6, 8, 7, 3)).astype(np.float64)
    # What was fed, and what should have been.
    kinds = {
        "unit": (pixels / 255, pixels / 127.5 - 1),
        "signed": (pixels / 127.5 - 1, pixels / 255),
        "bytes": (pixels, pixels / 255),
        "twice": (pixels / 255 / 255, pixels / 255),
        "inverted": (1 - pixels / 255, pixels / 255),
        "caffe": (pixels, pixels - CAFFE),
    }
    arrays = {}
    for kind, (fed, right) in kinds.items():
        arrays[f"fed_{kind}"] = fed.astype(np.float32)
        arrays[f"right_{kind}"] = model.predict(right.astype(np.float32), verbose=0)
    np.savez(OUT / "pixels.npz", **arrays)
    model.save(OUT / "pixels.h5")


main()
