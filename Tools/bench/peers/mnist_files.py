"""MNIST's IDX files as arrays."""
from pathlib import Path

import numpy as np


def read_idx(path: str | Path) -> np.ndarray:
    data = Path(path).read_bytes()
    rank = data[3]
    shape = np.frombuffer(data, ">i4", rank, offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape)


def print_accuracy(right: int, count: int) -> None:
    print(f"accuracy {right / count:.4f} ({right} of {count})")
