#!/usr/bin/env python3
"""Writes random images of 224 x 224 pixels and three channels, channels last.

Usage: make_images.py OUT.npy COUNT
Needs: numpy.
"""
import sys

import numpy as np


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    random = np.random.default_rng(1)
    images = random.uniform(-1, 1, (int(sys.argv[2]), 224, 224, 3))
    with open(sys.argv[1], "wb") as file:
        np.save(file, images.astype(np.float32))


if __name__ == "__main__":
    main()
