#!/usr/bin/env python3
"""Writes the weights of Samples/lenet-blobs as a checkpoint of Keras, Sources/Digits/lenet.h5.

Usage: make_lenet.py

The model is the one that Samples/lenet-blobs/train.py trains; what it has stored in other layouts is put back.
Needs: tensorflow (or tensorflow-cpu), tf_keras, numpy.
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BLOBS = HERE.parent / "lenet-blobs"
sys.path.insert(0, str(BLOBS))

import numpy as np
from train import make_model


def main() -> int:
    model = make_model()
    restored = {
        "conv1": lambda kernel, shape: kernel.reshape(shape[3], shape[2], *shape[:2]).transpose(2, 3, 1, 0),
        "conv2": lambda kernel, shape: kernel.reshape(shape[3], shape[2], *shape[:2]).transpose(2, 3, 1, 0),
        "fc1": lambda kernel, shape: kernel.reshape(shape),
        "fc2": lambda kernel, shape: kernel.reshape(shape[::-1]).T,
    }
    for name, restore in restored.items():
        layer = model.get_layer(name)
        kernel, bias = (np.fromfile(BLOBS / f"{name}_{part}.bin", "<f4") for part in "Wb")
        layer.set_weights([restore(kernel, tuple(layer.kernel.shape)), bias])
    model.save(HERE / "Sources/Digits/lenet.h5", include_optimizer=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
