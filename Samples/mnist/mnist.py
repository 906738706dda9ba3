"""MNIST's files in IDX format, plain or gzipped, as the scripts beside this folder read them.

The training images are train-*, the test images t10k-*; if the 60,000 training images were split, the others are valid-*.
"""
import gzip
from pathlib import Path

import numpy as np


def read_idx(directory: Path, name: str) -> np.ndarray:
    path = directory / name
    data = path.read_bytes() if path.exists() else gzip.open(f"{path}.gz").read()
    rank = data[3]
    shape = np.frombuffer(data, ">i4", rank, offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape)


def training_parts(directory: Path) -> list[str]:
    return ["train"] + (["valid"] if any(directory.glob("valid-images-idx3-ubyte*")) else [])


def load(directory: Path, parts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Images of 28 rows and 28 columns of pixels from 0 to 1, and their digits."""
    images = np.concatenate([read_idx(directory, f"{p}-images-idx3-ubyte") for p in parts])
    labels = np.concatenate([read_idx(directory, f"{p}-labels-idx1-ubyte") for p in parts])
    return images.astype(np.float32) / 255, labels
