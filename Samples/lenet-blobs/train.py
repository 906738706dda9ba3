#!/usr/bin/env python3
"""Trains a small channels-first LeNet and writes its weights as raw blobs beside a model.json.

Usage: train.py IDX_DIR [OUT_DIR] [--epochs N] [--threads N]

IDX_DIR holds the MNIST files, plain or gzipped: train-*, t10k-* and, if the 60,000 training images
were split, valid-*. OUT_DIR is the directory of this script unless given.

TensorFlow has no channels-first convolution on a CPU, so the network is trained channels-last with
a permutation to (channel, row, column) in front of the flatten: the rows of fc1's kernel come out
in channels-first order, as they would from a channels-first framework. The export stores
convolution kernels as OIHW, fc1 as [C*H*W, units] and fc2 as [units, inputs].
Needs: tensorflow (or tensorflow-cpu), tf_keras, numpy.
"""
import argparse
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mnist"))

import mnist
import numpy as np
import tensorflow as tf
import tf_keras as keras
from tf_keras import layers

SEED = 20
BATCH = 100


def load(directory: Path, parts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    images, labels = mnist.load(directory, parts)
    return images[..., None], labels.astype(np.int32)


def make_model() -> keras.Model:
    return keras.Sequential([
        layers.Input((28, 28, 1), name="image"),
        layers.Conv2D(8, (5, 3), activation="relu", name="conv1"),       # 24 x 26 x 8
        layers.MaxPooling2D(2, name="pool1"),                            # 12 x 13 x 8
        layers.Conv2D(16, (5, 3), activation="relu", name="conv2"),      # 8 x 11 x 16
        layers.MaxPooling2D(2, name="pool2"),                            # 4 x 5 x 16
        layers.Permute((3, 1, 2), name="channels_first"),                # 16 x 4 x 5
        layers.Flatten(name="flatten"),
        layers.Dense(64, activation="relu", name="fc1"),
        layers.Dense(10, activation="softmax", name="fc2"),
    ], name="lenet")


def export(model: keras.Model, out: Path) -> None:
    """Writes the blobs (little-endian float32) and model.json."""
    stored = {
        "conv1": ("OIHW", lambda kernel: kernel.transpose(3, 2, 0, 1)),
        "conv2": ("OIHW", lambda kernel: kernel.transpose(3, 2, 0, 1)),
        "fc1": ("(IHW)O", lambda kernel: kernel),
        "fc2": ("OI", lambda kernel: kernel.T),
    }

    def parameters(name: str) -> list[dict]:
        layout, rearranged = stored[name]
        kernel, bias = model.get_layer(name).get_weights()
        rearranged(kernel).astype("<f4").tofile(out / f"{name}_W.bin")
        bias.astype("<f4").tofile(out / f"{name}_b.bin")
        return [
            {"role": "kernel", "file": f"{name}_W.bin", "dtype": "float32", "layout": layout},
            {"role": "bias", "file": f"{name}_b.bin", "dtype": "float32", "layout": "O"},
        ]

    def convolution(name: str, source: str, channels: int) -> dict:
        attributes = {"outputChannels": channels, "kernelSize": [5, 3], "strides": [1, 1],
                      "dilation": [1, 1], "groups": 1, "padding": "valid", "activation": "relu"}
        return {"name": name, "operator": "Convolution2D", "inputs": [source],
                "attributes": attributes, "parameters": parameters(name)}

    def pooling(name: str, source: str) -> dict:
        attributes = {"poolSize": [2, 2], "strides": [2, 2], "padding": "valid"}
        return {"name": name, "operator": "MaxPooling2D", "inputs": [source],
                "attributes": attributes}

    def dense(name: str, source: str, units: int, activation: str) -> dict:
        return {"name": name, "operator": "Dense", "inputs": [source],
                "attributes": {"units": units, "activation": activation},
                "parameters": parameters(name)}

    document = {
        "format": "netconv-model",
        "version": 1,
        "name": "lenet",
        "inputs": [{"name": "image", "shape": [28, 28, 1], "scale": 1 / 255, "offset": 0}],
        "outputs": ["fc2"],
        "layers": [
            convolution("conv1", "image", 8),
            pooling("pool1", "conv1"),
            convolution("conv2", "pool1", 16),
            pooling("pool2", "conv2"),
            {"name": "flatten", "operator": "Flatten", "inputs": ["pool2"]},
            dense("fc1", "flatten", 64, "relu"),
            dense("fc2", "fc1", 10, "softmax"),
        ],
    }
    (out / "model.json").write_text(json.dumps(document, indent=2) + "\n")


def shifted(images: np.ndarray, rng: np.random.Generator, reach: int) -> np.ndarray:
    """Every image moved by up to `reach` pixels in each direction."""
    padded = np.pad(images, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, images.shape[1:3], axis=(1, 2))
    dy, dx = rng.integers(0, 2 * reach + 1, (2, len(images)))
    return windows[np.arange(len(images)), dy, dx].transpose(0, 2, 3, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("idx_dir", type=Path)
    parser.add_argument("out_dir", type=Path, nargs="?", default=Path(__file__).resolve().parent)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    tf.config.threading.set_intra_op_parallelism_threads(args.threads)
    keras.utils.set_random_seed(SEED)
    rng = np.random.default_rng(SEED)
    parts = mnist.training_parts(args.idx_dir)
    images, labels = load(args.idx_dir, parts)
    test_images, test_labels = load(args.idx_dir, ["t10k"])

    steps = len(images) // BATCH
    rate = keras.optimizers.schedules.CosineDecay(2e-3, args.epochs * steps, alpha=0.01)
    model = make_model()
    model.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", ["accuracy"])
    for epoch in range(args.epochs):
        reach = 0 if epoch == args.epochs - 1 else 1
        model.fit(shifted(images, rng, reach), labels, batch_size=BATCH, epochs=epoch + 1,
                  initial_epoch=epoch, verbose=2)
    _, accuracy = model.evaluate(test_images, test_labels, batch_size=500, verbose=0)
    args.out_dir.mkdir(parents=True, exist_ok=True)
    export(model, args.out_dir)
    right = round(accuracy * len(test_labels))
    print(f"test accuracy {accuracy:.4f} ({right} of {len(test_labels)}), "
          f"keras {keras.__version__}, tensorflow {tf.__version__}, numpy {np.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
