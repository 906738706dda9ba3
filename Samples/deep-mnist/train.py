#!/usr/bin/env python3
"""Trains the network of the "Deep MNIST" tutorial in Keras 2 and saves it as a legacy .h5 file.

Usage: train.py IDX_DIR [OUT.h5] [--epochs N] [--threads N]

IDX_DIR holds the MNIST files, plain or gzipped: train-*, t10k-* and, if the 60,000 training images
were split, valid-*. OUT.h5 is deep-mnist.h5 next to this script unless given.
Needs: tensorflow (or tensorflow-cpu), tf_keras, numpy.
"""
import argparse
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
        layers.Conv2D(32, 5, padding="same", activation="relu", name="conv1"),
        layers.MaxPooling2D(2, name="pool1"),
        layers.Conv2D(64, 5, padding="same", activation="relu", name="conv2"),
        layers.MaxPooling2D(2, name="pool2"),
        layers.Flatten(name="flatten"),
        layers.Dense(1024, activation="relu", name="fc1"),
        layers.Dropout(0.5, name="dropout"),
        layers.Dense(10, activation="softmax", name="fc2"),
    ], name="deep_mnist")


def shifted(images: np.ndarray, rng: np.random.Generator, reach: int = 2) -> np.ndarray:
    """Every image moved by up to `reach` pixels in each direction."""
    padded = np.pad(images, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, images.shape[1:3], axis=(1, 2))
    dy, dx = rng.integers(0, 2 * reach + 1, (2, len(images)))
    return windows[np.arange(len(images)), dy, dx].transpose(0, 2, 3, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("idx_dir", type=Path)
    parser.add_argument("out", type=Path, nargs="?",
                        default=Path(__file__).resolve().parent / "deep-mnist.h5")
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    tf.config.threading.set_intra_op_parallelism_threads(args.threads)
    keras.utils.set_random_seed(SEED)
    rng = np.random.default_rng(SEED)
    parts = mnist.training_parts(args.idx_dir)
    images, labels = load(args.idx_dir, parts)
    test_images, test_labels = load(args.idx_dir, ["t10k"])

    steps = len(images) // BATCH
    rate = keras.optimizers.schedules.CosineDecay(1e-3, args.epochs * steps, alpha=0.01)
    model = make_model()
    model.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy", ["accuracy"])
    for epoch in range(args.epochs):
        reach = 0 if epoch == args.epochs - 1 else 2
        model.fit(shifted(images, rng, reach), labels, batch_size=BATCH, epochs=epoch + 1,
                  initial_epoch=epoch, verbose=2)
    _, accuracy = model.evaluate(test_images, test_labels, batch_size=500, verbose=0)
    model.save(args.out, save_format="h5", include_optimizer=False)
    right = round(accuracy * len(test_labels))
    print(f"{args.out.name}: test accuracy {accuracy:.4f} ({right} of {len(test_labels)}), "
          f"keras {keras.__version__}, tensorflow {tf.__version__}, numpy {np.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
