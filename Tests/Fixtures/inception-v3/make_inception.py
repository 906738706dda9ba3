"""Makes layers.txt and logits.npy: what Keras says of Inception-v3.

The weights are no file: each is a number that a hash of its layer, role and index gives, here and in
Tests/ModelDSLTests/HashedParameters.swift. Keras runs in float64.

    pip install tensorflow-cpu==2.21.0 tf_keras==2.21.0
    python make_inception.py
"""

import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import tf_keras as keras

HERE = os.path.dirname(os.path.abspath(__file__))
ROLES = {
    "kernel": "kernel", "bias": "bias", "gamma": "gamma", "beta": "beta", "moving_mean": "mean",
    "moving_variance": "variance",
}


def hashed(text, count):
    """`count` numbers from 0 to 1: FNV-1a of the text, then SplitMix64 of each index."""
    seed = 0xCBF29CE484222325
    for byte in text.encode():
        seed = (seed ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    with np.errstate(over="ignore"):
        x = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15)
        x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    return (x >> np.uint64(40)).astype(np.float64) / 2**24


def values(layer, role, shape):
    numbers = hashed(f"{layer}/{role}", int(np.prod(shape)))
    if role == "variance":
        numbers = 0.5 + numbers
    elif role == "kernel":
        # What keeps the size of activations behind a rectifier the same.
        numbers = (2 * numbers - 1) * np.sqrt(6 / np.prod(shape[:-1]))
    else:
        numbers = (2 * numbers - 1) * 0.1
    return numbers.astype(np.float32).reshape(shape)


keras.backend.clear_session()
keras.backend.set_floatx("float64")
model = keras.applications.InceptionV3(weights=None, classifier_activation=None)
with open(os.path.join(HERE, "layers.txt"), "w") as file:
    for layer in model.layers:
        shape = layer.output_shape[0] if isinstance(layer.output_shape, list) else layer.output_shape
        # Keras chooses the names of activations and poolings.
        own = layer.name if layer.weights or layer.name.startswith("mixed") else "-"
        print(type(layer).__name__, own, *shape[1:], layer.count_params(), file=file)
    print("total", model.count_params(), file=file)
for layer in model.layers:
    if layer.weights:
        layer.set_weights([
            values(layer.name, ROLES[weight.name.split("/")[-1].split(":")[0]], tuple(weight.shape))
            for weight in layer.weights
        ])
image = (2 * hashed("image", 299 * 299 * 3) - 1).astype(np.float32).reshape(1, 299, 299, 3)
logits = model.predict(image.astype(np.float64), verbose=0)
print(logits.shape, logits.mean(), logits.std(), model.count_params())
np.save(os.path.join(HERE, "logits.npy"), logits.astype(np.float32))
