"""Writes the first eight MNIST test images as an array that `netconv run` takes.

Usage: python make_digits.py ../mnist/t10k-images-idx3-ubyte.gz digits.npy
Shape (8, 28, 28, 1), float32, pixels / 255; the digits are 7 2 1 0 4 1 4 9.
"""
import gzip
import sys

import numpy as np

with gzip.open(sys.argv[1]) as file:
    pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28, 1)
np.save(sys.argv[2], pixels[:8].astype(np.float32) / 255)
