#!/usr/bin/env python3
"""Measures a network's accuracy on the MNIST test set with onnxruntime: the peer of `netconv verify`.

Usage: onnx_verify.py ONNX IDX_DIR [--batch N] [--threads N]

IDX_DIR holds t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, plain or gzipped.
Needs: numpy, onnxruntime.
"""
import argparse
import gzip
from pathlib import Path

import numpy as np
import onnxruntime


def read_idx(directory: Path, name: str) -> np.ndarray:
    path = directory / name
    data = path.read_bytes() if path.exists() else gzip.open(f"{path}.gz").read()
    rank = data[3]
    shape = np.frombuffer(data, ">i4", rank, offset=4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * rank).reshape(shape)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("onnx")
    parser.add_argument("idx_dir", type=Path)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()

    images = read_idx(args.idx_dir, "t10k-images-idx3-ubyte")
    labels = read_idx(args.idx_dir, "t10k-labels-idx1-ubyte")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = args.threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(args.onnx, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    right = 0
    for start in range(0, len(images), args.batch):
        batch = images[start:start + args.batch, None].astype(np.float32) * np.float32(1 / 255)
        scores = session.run(None, {name: batch})[0]
        right += int((scores.argmax(axis=1) == labels[start:start + args.batch]).sum())
    print(f"accuracy {right / len(images):.4f} ({right} of {len(images)})")


if __name__ == "__main__":
    main()
