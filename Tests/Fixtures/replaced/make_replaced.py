#!/usr/bin/env python3
"""Models with Lambda and custom layers, and what Keras makes of random inputs.

    python3 make_replaced.py        # needs TensorFlow 2.21 with Keras 3, and tf_keras
"""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import h5py
import keras
import numpy as np
import tf_keras

HERE = os.path.dirname(os.path.abspath(__file__))


def path(name: str) -> str:
    return os.path.join(HERE, name)


def lambdas(k):
    """Pixels to -1…1, and twice their values in a model in the model."""
    body = k.Sequential(
        [k.layers.Input((4, 2, 2)), k.layers.Lambda(lambda x: 2 * x, name="twice"),
         k.layers.Flatten(name="flatten")], name="body")
    return k.Sequential([
        k.layers.Input((5, 4, 1)),
        k.layers.Lambda(lambda x: x / 127.5 - 1, name="lambda_1"),
        k.layers.Conv2D(2, (2, 3), name="conv"),
        body,
        k.layers.Dense(3, name="fc"),
    ], name="net")


@keras.saving.register_keras_serializable("custom")
class Weighted(keras.layers.Layer):
    """A layer with a weight of its own, and one in a layer inside it."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.inside = keras.layers.Dense(2, name="inside")

    def build(self, shape):
        self.inside.build(shape)

    def call(self, x):
        return self.inside(x)


@keras.saving.register_keras_serializable("custom")
class Halves(keras.layers.Layer):
    """A layer that gives two values."""

    def call(self, x):
        return x / 2, -x / 2

    def compute_output_shape(self, shape):
        return shape, shape


@keras.saving.register_keras_serializable("custom")
class Bare(keras.layers.Layer):
    """A layer whose configuration is not that of Keras."""

    def call(self, x):
        return 2 * x

    def get_config(self):
        return {"factor": 2}


def main() -> None:
    keras.utils.set_random_seed(1)
    x = np.random.default_rng(1).integers(0, 256, (3, 5, 4, 1)).astype(np.float32)
    model = lambdas(keras)
    model.save(path("lambda.keras"))
    model.save(path("lambda.h5"))
    np.savez(path("lambda.npz"), x=x, y=model.predict(x, verbose=0))
    old = lambdas(tf_keras)
    old.set_weights(model.get_weights())
    old.save(path("lambda-keras2.h5"))

    inputs = keras.Input((4,), name="input")
    y = keras.layers.Dense(2, name="fc")(Weighted(name="weighted")(inputs))
    weighted = keras.Model(inputs, y, name="net")
    weighted.save(path("weighted.keras"))
    weighted.save(path("weighted.h5"))

    first, second = Halves(name="halves")(inputs)
    keras.Model(inputs, keras.layers.Add(name="sum")([first, second]), name="net").save(
        path("halves.keras"))

    bare = keras.Sequential(
        [keras.Input((4,)), Bare(name="bare"), keras.layers.Dense(2, name="fc")], name="net")
    bare.save(path("bare.h5"))

    for name in ["lambda.h5", "lambda-keras2.h5", "weighted.h5", "bare.h5"]:
        with h5py.File(path(name), "a") as file:
            file.attrs.pop("training_config", None)


if __name__ == "__main__":
    main()
