#!/usr/bin/env python3
"""Measures a network's latency with onnxruntime: the peer of `netconv run --repeat`.

Usage: onnx_latency.py ONNX IMAGES.npy --repeat N --threads N [--expect OUTPUTS.npz] [--as-it-is]

Images are brought into the order channels first, other inputs stay --as-it-is. Runs them as one batch, once to warm up and N times more, and prints the median as JSON.
Exits with 1 if the outputs are not those that `netconv run --output` wrote to OUTPUTS.npz, within
1e-4 of the largest: sums of another order, rounded to float32.
Needs: numpy, onnxruntime.
"""
import argparse
import json
import statistics
import sys
import time

import numpy as np
import onnxruntime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("onnx")
    parser.add_argument("images")
    parser.add_argument("--repeat", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--expect")
    parser.add_argument("--as-it-is", action="store_true")
    args = parser.parse_args()

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = args.threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(args.onnx, options, providers=["CPUExecutionProvider"])
    given = np.load(args.images)
    if not args.as_it_is:
        given = np.ascontiguousarray(given.transpose(0, 3, 1, 2))
    feed = {session.get_inputs()[0].name: given}
    outputs = session.run(None, feed)[0]
    if args.expect:
        expected, = np.load(args.expect).values()
        difference = np.abs(outputs - expected).max()
        if not difference <= 1e-4 * np.abs(outputs).max():
            sys.exit(f"the outputs differ by {difference}")
    milliseconds = []
    for _ in range(args.repeat):
        start = time.perf_counter()
        session.run(None, feed)
        milliseconds.append(1e3 * (time.perf_counter() - start))
    print(json.dumps({"medianMilliseconds": statistics.median(milliseconds)}))


if __name__ == "__main__":
    main()
