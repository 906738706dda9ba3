#!/usr/bin/env python3
"""Writes the weights of Samples/lenet-blobs as a checkpoint of Keras, Sources/Digits/lenet.h5.

Usage: make_lenet.py

The model is the one that Samples/lenet-blobs/train.py trains, without the permutation in front of the flatten: the rows
of fc1's kernel are in channels-last order here. Needs: tensorflow (or tensorflow-cpu), tf_keras, numpy.
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BLOBS = HERE.parent / "lenet-blobs"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BLOBS))

import numpy as np
from tf_keras import Sequential, layers
from train import make_model

# The shapes that the blobs have, and the order of axes that Keras wants.
KERNELS = {
    "conv1": ((8, 1, 5, 3), (2, 3, 1, 0)),
    "conv2": ((16, 8, 5, 3), (2, 3, 1, 0)),
    "fc1": ((16, 4, 5, 64), (1, 2, 0, 3)),
    "fc2": ((10, 64), (1, 0)),
}


def main() -> int:
    kept = [layer for layer in make_model().layers if layer.name != "channels_first"]
    model = Sequential([layers.Input((28, 28, 1), name="image"), *kept], name="lenet")
    for name, (shape, order) in KERNELS.items():
        layer = model.get_layer(name)
        kernel, bias = (np.fromfile(BLOBS / f"{name}_{part}.bin", "<f4") for part in "Wb")
        kernel = kernel.reshape(shape).transpose(order).reshape(layer.kernel.shape)
        layer.set_weights([kernel, bias])
    model.save(HERE / "Sources/Digits/lenet.h5", include_optimizer=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
