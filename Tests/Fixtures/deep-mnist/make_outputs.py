#!/usr/bin/env python3
"""Records what Keras predicts for 64 MNIST test images: the reference of the end-to-end tests.

Usage: make_outputs.py H5 IDX_DIR OUT.npz

OUT.npz (stored, not compressed) holds `images` [64,28,28,1] float32 (pixel / 255), `fc2` [64,10]
float32 and `labels` [64] uint8. The images are spread evenly over the test set: 0, 156, 312, ...
Needs: tensorflow (or tensorflow-cpu), tf_keras, numpy.
"""
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "Samples/mnist"))

import mnist
import numpy as np
import tf_keras as keras

COUNT = 64


def main() -> int:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    directory = Path(sys.argv[2])
    images = mnist.read_idx(directory, "t10k-images-idx3-ubyte")
    labels = mnist.read_idx(directory, "t10k-labels-idx1-ubyte")
    chosen = np.arange(COUNT) * (len(images) // COUNT)
    batch = images[chosen][..., None].astype(np.float32) / np.float32(255)
    model = keras.models.load_model(sys.argv[1], compile=False)
    predictions = model.predict(batch, verbose=0)
    np.savez(sys.argv[3], images=batch, fc2=predictions, labels=labels[chosen])
    right = int((predictions.argmax(axis=1) == labels[chosen]).sum())
    print(f"{sys.argv[3]}: {right} of {COUNT} images recognised")
    return 0


if __name__ == "__main__":
    sys.exit(main())
