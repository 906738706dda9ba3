"""Small colour networks, each trained with another preparation of pixels, and the images for them.

Images are bars: upright or lying, reddish or bluish, at one of five levels, which are the 20 classes. A transposed
image, exchanged colours, another offset or another factor is therefore another class. The level is a distance from
what the preparation makes zero: black, grey, or ImageNet's means. A network that is blind to a factor cannot tell it.

    python3 make_networks.py FOLDER [NAME [IMAGES]]

writes NAME.h5, NAME-images.npy and NAME-labels.npy of every network; of one alone NAME.h5, images.npy and labels.npy,
with its first images. The fixture is `make_networks.py . conv 300`.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras
import numpy as np

SIDE = 8
LEVELS = [30, 80, 130, 180, 230]
CONTRASTS = [8, 15, 28, 53, 100]
MEANS = np.array([123.68, 116.779, 103.939])
UNIT_MEANS = np.array([0.485, 0.456, 0.406])
UNIT_DEVIATIONS = np.array([0.229, 0.224, 0.225])


def bars(count, seed, colors, finish):
    """Bytes of shape (count, SIDE, SIDE, 3), and labels.

    `colors(index, is_red)` gives the colours of background and bar at a level; `finish(image, index, random)` changes
    what was drawn.
    """
    random = np.random.default_rng(seed)
    labels = random.integers(0, 20, count)
    pixels = np.empty((count, SIDE, SIDE, 3))
    for image, label in zip(pixels, labels):
        index, is_upright, is_red = label // 4, label // 2 % 2, label % 2
        image[:], bar = colors(index, is_red)
        start = random.integers(1, SIDE - 3)
        (image.swapaxes(0, 1) if is_upright else image)[start : start + 2] = bar
        finish(image, index, random)
    return np.clip(np.round(pixels), 0, 255).astype(np.uint8), labels.astype(np.uint8)


def images(count, seed):
    """Bars whose levels are distances from black."""

    def colors(index, is_red):
        color = LEVELS[index] + np.array([20, 0, -20] if is_red else [-20, 0, 20])
        return color, np.clip(color + (60 if LEVELS[index] < 128 else -60), 0, 255)

    def finish(image, index, random):
        image += random.normal(0, 3, image.shape)

    return bars(count, seed, colors, finish)


def contrasts(count, seed, zero):
    """Bars whose levels are distances from the color `zero`: an image is a multiple of the others of its kind."""

    def colors(index, is_red):
        color = np.array([1, 0.2, -1] if is_red else [-1, 0.2, 1])
        return 0.5 * color, color

    def finish(image, index, random):
        image *= CONTRASTS[index] * random.uniform(0.95, 1.05)
        image += zero + random.normal(0, 0.5, image.shape)

    return bars(count, seed, colors, finish)


NATIVE = {
    "unit": lambda x: x / 255,
    "signed": lambda x: x / 127.5 - 1,
    "torch": lambda x: (x / 255 - UNIT_MEANS) / UNIT_DEVIATIONS,
    "caffe": lambda x: x[..., ::-1] - MEANS[::-1],
    "bytes": lambda x: x,
}

# What a preparation makes zero, where that is not black.
ZERO = {"signed": 127.5, "torch": MEANS, "caffe": MEANS}


def network(kind):
    """A model, and the preparation that it is trained with."""
    layers = keras.layers
    shape = (SIDE * SIDE * 3,) if kind == "vector" else (SIDE, SIDE, 3)
    x = y = keras.Input(shape, name="image")
    native = "unit"
    if kind == "conv":
        y = layers.Conv2D(8, 3, activation="relu")(y)
        y = layers.Flatten()(y)
    elif kind == "signed":
        native = "signed"
        y = layers.Conv2D(8, 3, strides=2, activation="tanh")(y)
        y = layers.Flatten()(y)
    elif kind == "torch":
        native = "torch"
        y = layers.Conv2D(6, 3, activation="relu")(y)
        y = layers.MaxPooling2D()(y)
        y = layers.Flatten()(y)
    elif kind == "caffe":
        native = "caffe"
        y = layers.BatchNormalization()(y)
        y = layers.Conv2D(8, 3, activation="relu")(y)
        y = layers.Flatten()(y)
    elif kind == "bytes":
        native = "bytes"
        y = layers.Rescaling(1 / 255)(y)
        y = layers.DepthwiseConv2D(3, depth_multiplier=3, activation="relu")(y)
        y = layers.Flatten()(y)
    elif kind == "residual":
        native = "signed"
        y = start = layers.Conv2D(8, 3, padding="same", activation="relu")(y)
        y = layers.Conv2D(8, 3, padding="same", activation="relu")(y)
        y = layers.Conv2D(8, 3, padding="same")(y)
        y = layers.ReLU()(layers.Add()([start, y]))
        y = layers.MaxPooling2D()(y)
        y = layers.Flatten()(y)
    elif kind == "deep":
        y = layers.Conv2D(8, 3, activation="relu")(y)
        y = layers.Conv2D(8, 3, activation="relu")(y)
        y = layers.Flatten()(y)
    y = layers.Dense(32, activation="relu")(y)
    return keras.Model(x, layers.Dense(20, activation="softmax")(y)), native


KINDS = ["conv", "signed", "torch", "caffe", "bytes", "vector", "deep", "residual"]


def data(native, count, seed):
    """Images for a network that is trained with a preparation, and labels."""
    return contrasts(count, seed, ZERO[native]) if native in ZERO else images(count, seed)


def main(folder, only=None, images=None):
    images = images and int(images)
    for index, kind in enumerate(KINDS):
        if only not in (None, kind):
            continue
        keras.utils.set_random_seed(index)
        model, native = network(kind)
        x, labels = data(native, 4000, 1)
        held, held_labels = data(native, 600, 2)
        prefix = "" if only else f"{kind}-"
        np.save(f"{folder}/{prefix}images.npy", held[:images])
        np.save(f"{folder}/{prefix}labels.npy", held_labels[:images])
        prepare = lambda a: NATIVE[native](a.astype(np.float64)).reshape(-1, *model.input_shape[1:])
        model.compile(keras.optimizers.Adam(0.003), "sparse_categorical_crossentropy", metrics=["accuracy"])
        for rate, epochs in ((0.003, 15), (0.0005, 5)):
            model.optimizer.learning_rate = rate
            model.fit(prepare(x), labels, epochs=epochs, batch_size=64, verbose=0)
        accuracy = model.evaluate(prepare(held), held_labels, verbose=0)[1]
        print(f"{kind}: trained with {native}, {accuracy:.4f}", flush=True)
        keras.Model(model.inputs, model.outputs).save(f"{folder}/{kind}.h5")


if __name__ == "__main__":
    main(*sys.argv[1:])
