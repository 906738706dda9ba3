"""Times OpenCV's separable filter on a picture of random float32 with three channels, with replicated borders.

Usage: cv2_blur.py HEIGHT WIDTH RADIUS --threads N --repeat N

Prints JSON with the median of milliseconds, the filter alone.
"""
import argparse
import json
import math
import statistics
import time

import cv2
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("height", type=int)
parser.add_argument("width", type=int)
parser.add_argument("radius", type=float)
parser.add_argument("--threads", type=int, required=True)
parser.add_argument("--repeat", type=int, required=True)
arguments = parser.parse_args()

cv2.setNumThreads(arguments.threads)
reach = math.ceil(arguments.radius)
taps = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * (arguments.radius / 2) ** 2))
taps = (taps / taps.sum()).astype(np.float32)
picture = np.random.default_rng(1).random((arguments.height, arguments.width, 3), np.float32) * 255
times = []
for _ in range(arguments.repeat + 1):
    start = time.perf_counter()
    cv2.sepFilter2D(picture, -1, taps, taps, borderType=cv2.BORDER_REPLICATE)
    times.append(1000 * (time.perf_counter() - start))
print(json.dumps({"medianMilliseconds": statistics.median(times[1:])}))
