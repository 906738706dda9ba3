#!/usr/bin/env python3
"""Measures a checkpoint's accuracy on MNIST with TensorFlow: the peer of `netconv verify`.

Usage: keras_verify.py CHECKPOINT IMAGES LABELS [--batch N]

IMAGES and LABELS are IDX files, not packed. TensorFlow uses all cores.
Needs: numpy, tensorflow, keras.
"""
import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

from mnist_files import print_accuracy, read_idx


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint")
    parser.add_argument("images")
    parser.add_argument("labels")
    parser.add_argument("--batch", type=int, default=200)
    args = parser.parse_args()

    model = keras.models.load_model(args.checkpoint, compile=False)
    images, labels = read_idx(args.images), read_idx(args.labels)
    pixels = images[..., None].astype(np.float32) * np.float32(1 / 255)
    scores = model.predict(pixels, batch_size=args.batch, verbose=0)
    print_accuracy(int((scores.argmax(axis=1) == labels).sum()), len(labels))


if __name__ == "__main__":
    main()
