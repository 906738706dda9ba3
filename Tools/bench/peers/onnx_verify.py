#!/usr/bin/env python3
"""Measures a network's accuracy on MNIST with onnxruntime: the peer of `netconv verify`.

Usage: onnx_verify.py ONNX IMAGES LABELS --threads N [--limit N] [--batch N]

IMAGES and LABELS are IDX files, not packed.
Needs: numpy, onnxruntime.
"""
import argparse

import numpy as np
import onnxruntime

from mnist_files import print_accuracy, read_idx


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("onnx")
    parser.add_argument("images")
    parser.add_argument("labels")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--batch", type=int, default=200)
    args = parser.parse_args()

    images, labels = read_idx(args.images)[:args.limit], read_idx(args.labels)[:args.limit]
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
    print_accuracy(right, len(images))


if __name__ == "__main__":
    main()
