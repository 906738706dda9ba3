"""Makes checkpoints whose graph netconv cannot read, and what `convert --weights-only` must write of them.

Usage: python make_weights_only.py [OUT_DIR]     (needs keras, tf_keras, tensorflow-cpu, h5py)

KERAS-mixed-layers.h5, archive-mixed-layers.keras   a functional model with a Lambda, a custom layer and an LSTM
keras2-subclassed-weights.h5                        `save_weights` of a subclassed model of Keras 2
subclassed.weights.h5, archive-subclassed.keras     the same model of Keras 3
weights/NAME.npz holds an array for each file that a conversion of NAME for Metal writes, called like the file,
in the layout that is written.
"""
import pathlib
import sys
import tempfile
import zipfile

import keras as keras3
import numpy as np
import tf_keras as keras2

OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
DATE = (1980, 1, 1, 0, 0, 0)


def block_of(k):
    """A custom layer with a weight of its own and layers in it."""
    L = k.layers

    class Block(L.Layer):
        def __init__(self, **settings):
            super().__init__(**settings)
            self.norm = L.BatchNormalization(name="norm")
            self.fc = L.Dense(4, name="inside")

        def build(self, shape):
            self.scale = self.add_weight(name="scale", shape=(1, int(shape[-1])), initializer="ones")
            super().build(shape)

        def call(self, x):
            return self.fc(self.norm(x) * self.scale)

        def get_config(self):
            return super().get_config()

    return Block


def mixed(k):
    """Three layers that netconv does not support, among some that it does."""
    L = k.layers
    image = L.Input((6, 5, 2), name="image")
    x = L.Conv2D(4, (3, 2), padding="same", name="conv")(image)
    x = L.DepthwiseConv2D((2, 3), padding="same", name="depthwise")(x)
    x = L.SeparableConv2D(4, (2, 2), padding="same", name="separable")(x)
    x = L.Conv2DTranspose(3, (2, 3), padding="same", name="transposed")(x)
    x = L.BatchNormalization(name="bn")(x)
    x = block_of(k)(name="block")(x)
    x = L.Lambda(lambda t: t * 2, output_shape=(6, 5, 4), name="double")(x)
    x = L.Reshape((6, 20), name="rows")(x)
    x = L.LSTM(5, name="lstm")(x)
    return k.Model(image, L.Dense(7, name="fc")(x), name="mixed")


def subclassed(k):
    """A model whose graph is code."""
    L, block = k.layers, block_of(k)

    class Net(k.Model):
        def __init__(self, **settings):
            super().__init__(**settings)
            self.conv = L.Conv2D(4, (3, 2), name="first")
            self.block = block(name="block")
            self.tail = k.Sequential([L.Flatten(name="flat"), L.Dense(3, name="last")], name="tail")

        def call(self, x):
            return self.tail(self.block(self.conv(x)))

    net = Net(name="net")
    net(np.zeros((1, 6, 5, 2), np.float32))
    return net


def randomise(model, seed):
    rng = np.random.default_rng(seed)
    for weight in model.weights:
        weight.assign(rng.normal(size=tuple(weight.shape)).astype(np.float32))


def mps(kind, value):
    """A kernel as Metal takes it; source: MPSCNNConvolution.h."""
    match kind:
        case "convolution": return value.transpose(3, 0, 1, 2)          # HWIO -> OHWI
        case "depthwise": return value.transpose(2, 3, 0, 1)            # HWIM -> IMHW
        case "transposed": return value.transpose(2, 0, 1, 3)[:, ::-1, ::-1]  # HWOI -> OHWI, rotated
        case "matrix": return value.T[:, None, None, :]                 # IO -> OHWI with H = W = 1
    return value


def layer_files(layer, name, roles):
    """The files of a layer's weights, in Keras's order; `roles` says how each ends and what it is."""
    assert len(layer.weights) == len(roles), (name, layer.weights)
    return {f"{name}_{role}": np.ascontiguousarray(mps(kind, np.asarray(weight)))
            for weight, (role, kind) in zip(layer.weights, roles)}


PAIR = [("W", ""), ("b", "")]
NORM = [("gamma", ""), ("beta", ""), ("mean", ""), ("variance", "")]


def numbered(count):
    return [(f"vars_{index}", "") for index in range(count)]


def write(name, files):
    np.savez(OUT / "weights" / f"{name}.npz", **files)


def mixed_files(model, is_numbered):
    layer = model.get_layer
    block = layer("block")
    return {
        **layer_files(layer("conv"), "conv", [("W", "convolution"), ("b", "")]),
        **layer_files(layer("depthwise"), "depthwise", [("W", "depthwise"), ("b", "")]),
        **layer_files(layer("separable"), "separable",
                      [("depthwise", "depthwise"), ("pointwise", "convolution"), ("b", "")]),
        **layer_files(layer("transposed"), "transposed", [("W", "transposed"), ("b", "")]),
        **layer_files(layer("bn"), "bn", NORM),
        f"block_{'vars_0' if is_numbered else 'scale'}": np.asarray(block.scale),
        **layer_files(block.norm, "block_norm", numbered(4) if is_numbered else NORM),
        **layer_files(block.fc, "block_inside", numbered(2) if is_numbered else PAIR),
        **layer_files(layer("lstm"), "lstm", numbered(3) if is_numbered else
                      [("W", ""), ("recurrent", ""), ("b", "")]),
        **layer_files(layer("fc"), "fc", [("W", "matrix"), ("b", "")]),
    }


def subclassed_files(model, is_numbered):
    pair, norm = (numbered(2), numbered(4)) if is_numbered else (PAIR, NORM)
    return {
        **layer_files(model.conv, "first", pair),
        f"block_{'vars_0' if is_numbered else 'scale'}": np.asarray(model.block.scale),
        **layer_files(model.block.norm, "block_norm", norm),
        **layer_files(model.block.fc, "block_inside", pair),
        **layer_files(model.tail.layers[-1], "tail_last", pair),
    }


def save_archive(model, path):
    """An archive whose bytes are those of the model alone: entries without dates."""
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "model.keras"
        model.save(saved)
        with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w") as new:
            for entry in old.infolist():
                new.writestr(zipfile.ZipInfo(entry.filename, DATE), old.read(entry))


def main():
    for name, k in {"keras2": keras2, "keras3": keras3}.items():
        k.backend.clear_session()
        model = mixed(k)
        randomise(model, 21)
        model.save(OUT / f"{name}-mixed-layers.h5")
        write(f"{name}-mixed-layers", mixed_files(model, False))
        if k is keras3:
            save_archive(model, OUT / "archive-mixed-layers.keras")
            write("archive-mixed-layers", mixed_files(model, True))
        k.backend.clear_session()
        model = subclassed(k)
        randomise(model, 22)
        if k is keras2:
            model.save_weights(OUT / "keras2-subclassed-weights.h5", save_format="h5")
            write("keras2-subclassed-weights", subclassed_files(model, False))
        else:
            model.save_weights(OUT / "subclassed.weights.h5")
            save_archive(model, OUT / "archive-subclassed.keras")
            write("subclassed", subclassed_files(model, True))


main()
