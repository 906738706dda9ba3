#!/usr/bin/env python3
"""Writes the first 20 MNIST test images as PNG: `digits` has a folder for each class, `digits.csv` lists them in their order.

Usage: make_digits.py MNIST_FOLDER
Needs: numpy, pillow.
"""
import gzip
import sys
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
COUNT = 20
NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def read(name: str, offset: int) -> np.ndarray:
    with gzip.open(Path(sys.argv[1]) / name) as file:
        return np.frombuffer(file.read(), np.uint8, offset=offset)


images = read("t10k-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28)
labels = read("t10k-labels-idx1-ubyte.gz", 8)
lines = ["picture,label"]
for index in range(COUNT):
    folder = HERE / "digits" / str(labels[index])
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(images[index]).save(folder / f"{index:02}.png")
    lines.append(f"digits/{labels[index]}/{index:02}.png,{NAMES[labels[index]]}")
(HERE / "digits.csv").write_text("\n".join(lines) + "\n")
(HERE / "digits.txt").write_text("\n".join(NAMES) + "\n")
