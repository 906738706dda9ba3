#!/usr/bin/env python3
"""Writes a Keras checkpoint without Keras.

Usage: make_checkpoint.py VGG16|ResNet50|MobileNetV2|small|tiny OUT.h5 [--units N]

The file is what Keras 2 writes for a functional model saved as .h5 without optimizer state, with
contiguous float32 datasets. Weights are random, of a size that lets values pass all layers; no
statistic of a normalisation is 0 or 1. A tensor is never held whole.
Needs: h5py, numpy.
"""
import argparse
import json

import h5py
import numpy as np

from networks import NETWORKS, Network, vgg16

VALUES_AT_ONCE = 1 << 22


def random_values(random: np.random.Generator, role: str, shape: tuple[int, ...],
                  whole: tuple[int, ...]) -> np.ndarray:
    """Values of `shape` for a part of a weight whose shape is `whole`."""
    if role == "moving_variance":
        return random.uniform(0.5, 1.5, shape).astype(np.float32)
    if role == "gamma":
        return random.uniform(0.4, 0.8, shape).astype(np.float32)
    values = random.standard_normal(shape, np.float32)
    if "kernel" not in role:
        return values * np.float32(0.1)
    inputs = np.prod(whole[:2] if role == "depthwise_kernel" else whole[:-1])
    return values * np.float32(np.sqrt(2 / inputs))


def fill(dataset: h5py.Dataset, role: str, random: np.random.Generator) -> None:
    """Fills a dataset with random values, some rows of its first axis at a time."""
    shape = dataset.shape
    rows = max(1, VALUES_AT_ONCE // int(np.prod(shape[1:])))
    for start in range(0, shape[0], rows):
        count = min(rows, shape[0] - start)
        dataset[start:start + count] = random_values(random, role, (count, *shape[1:]), shape)


def write(network: Network, path: str) -> None:
    random = np.random.default_rng(1)
    names = [layer["name"] for layer in network.layers]
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = "2.15.0"
        file.attrs["backend"] = "tensorflow"
        file.attrs["model_config"] = json.dumps(network.model_config())
        weights = file.create_group("model_weights")
        weights.attrs["layer_names"] = np.array(names, "S")
        weights.attrs["backend"] = "tensorflow"
        weights.attrs["keras_version"] = "2.15.0"
        for name in names:
            group = weights.create_group(name)
            shapes = network.weights.get(name, {})
            group.attrs["weight_names"] = np.array([f"{name}/{role}:0" for role in shapes], "S")
            for role, shape in shapes.items():
                fill(group.create_dataset(f"{name}/{role}:0", shape, "<f4"), role, random)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("out")
    parser.add_argument("--units", type=int, help="hidden units of VGG16, to choose the file's size")
    args = parser.parse_args()
    network = vgg16(args.units) if args.units else NETWORKS[args.network]()
    write(network, args.out)


if __name__ == "__main__":
    main()
