#!/usr/bin/env python3
"""Writes a large Keras checkpoint without TensorFlow: VGG16, 138 million parameters, 553 MB.

Usage: make_large_checkpoint.py OUT.h5

The file is what Keras 2 writes for a Sequential model saved as .h5 without optimizer state, with
contiguous float32 datasets.
Needs: h5py, numpy.
"""
import json
import sys

import h5py
import numpy as np

BLOCKS = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))
UNITS = (("fc1", 4096, "relu"), ("fc2", 4096, "relu"), ("predictions", 1000, "softmax"))
ROWS_AT_ONCE = 1024


def architecture() -> tuple[list[dict], dict[str, tuple[int, ...]]]:
    """Keras's layer list, and the shape of every kernel."""
    layers = [{"class_name": "InputLayer",
               "config": {"batch_input_shape": [None, 224, 224, 3], "dtype": "float32",
                          "sparse": False, "ragged": False, "name": "image"}}]
    kernels = {}

    def add(kind: str, name: str, **config) -> None:
        layers.append({"class_name": kind,
                       "config": {"name": name, "trainable": True, "dtype": "float32", **config}})

    size, channels = 224, 3
    for block, (filters, count) in enumerate(BLOCKS, start=1):
        for index in range(1, count + 1):
            name = f"block{block}_conv{index}"
            kernels[name] = (3, 3, channels, filters)
            add("Conv2D", name, filters=filters, kernel_size=[3, 3], strides=[1, 1],
                padding="same", data_format="channels_last", dilation_rate=[1, 1], groups=1,
                activation="relu", use_bias=True)
            channels = filters
        add("MaxPooling2D", f"block{block}_pool", pool_size=[2, 2], padding="valid",
            strides=[2, 2], data_format="channels_last")
        size //= 2
    add("Flatten", "flatten", data_format="channels_last")
    features = size * size * channels
    for name, units, activation in UNITS:
        kernels[name] = (features, units)
        add("Dense", name, units=units, activation=activation, use_bias=True)
        features = units
    return layers, kernels


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    layers, kernels = architecture()
    rng = np.random.default_rng(1)
    names = [layer["config"]["name"] for layer in layers[1:]]
    with h5py.File(sys.argv[1], "w") as file:
        file.attrs["keras_version"] = "2.15.0"
        file.attrs["backend"] = "tensorflow"
        file.attrs["model_config"] = json.dumps(
            {"class_name": "Sequential", "config": {"name": "vgg16", "layers": layers}})
        weights = file.create_group("model_weights")
        weights.attrs["layer_names"] = np.array([name.encode() for name in names])
        weights.attrs["backend"] = "tensorflow"
        weights.attrs["keras_version"] = "2.15.0"
        for name in names:
            group = weights.create_group(name)
            parts = ["kernel", "bias"] if name in kernels else []
            group.attrs["weight_names"] = np.array([f"{name}/{part}:0" for part in parts], "S")
            if not parts:
                continue
            shape = kernels[name]
            spread = np.float32(np.sqrt(2 / np.prod(shape[:-1])))
            kernel = group.create_dataset(f"{name}/kernel:0", shape, "<f4")
            for start in range(0, shape[0], ROWS_AT_ONCE):
                rows = min(ROWS_AT_ONCE, shape[0] - start)
                values = rng.standard_normal((rows, *shape[1:]), np.float32)
                kernel[start:start + rows] = values * spread
            group.create_dataset(f"{name}/bias:0", data=np.zeros(shape[-1], "<f4"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
