"""Saves a model as releases of Keras 2 wrote `.keras`, each of which names groups in its own way.

Usage: python make_older_archives.py [OUT_DIR]      once with each of these, in an environment of its own:
    tensorflow-cpu 2.13.1, keras 2.13.1     keras213-numbered.h5, .npz and archive-keras213-numbered.keras
    tensorflow-cpu 2.15.1, keras 2.15.0     keras215-numbered.h5, .npz and archive-keras215-numbered.keras

Besides, for either: archive-KERAS-windows.keras, as the same release writes it on Windows. There os.path.join puts
a backslash between the parts of a path, so that `layers\\conv2d` is one group at the root; here the groups are
renamed in the file that this system wrote.

NAME.npz holds `input` and the prediction of a float64 clone of the model, as for every fixture.
"""
import pathlib
import sys
import tempfile
import zipfile

import h5py
import keras
import numpy as np
import tensorflow as tf

OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
DATE = (1980, 1, 1, 0, 0, 0)


def numbered():
    """Several layers of each class, with weights and without, and models in models."""
    L = keras.layers
    inner_input = L.Input((4, 4, 4), name="inner_image")
    x = L.Conv2D(3, (1, 2), name="inner_a")(inner_input)
    x = L.LayerNormalization(center=False, scale=False, name="inner_plain")(x)
    x = L.Conv2D(4, (2, 1), name="inner_b")(x)
    inner = keras.Model(inner_input, x, name="inner")
    empty = keras.Sequential([L.ReLU(name="half"), L.Dropout(0.5, name="drop")], name="empty")
    tail = keras.Sequential(
        [L.Flatten(name="flat"), L.Dense(5, name="tail_a"), L.Dense(3, name="tail_b")], name="tail")
    image = L.Input((6, 5, 2), name="image")
    x = L.Conv2D(3, (2, 2), padding="same", name="conv_a")(image)
    x = L.LayerNormalization(name="norm_a")(x)
    x = L.Activation("tanh", name="tanh")(x)
    x = L.LayerNormalization(center=False, scale=False, name="norm_plain")(x)
    x = L.Conv2D(3, (2, 2), padding="same", name="conv_b")(x)
    x = L.LayerNormalization(name="norm_b")(x)
    x = empty(x)
    x = L.Conv2D(4, (3, 2), name="conv_c")(x)
    x = L.BatchNormalization(name="bn_a")(x)
    x = inner(x)
    x = L.BatchNormalization(name="bn_b")(x)
    return keras.Model(image, tail(x), name="net")


def randomise(model, rng):
    for weight in model.weights:
        shape = tuple(weight.shape)
        if weight.name.split("/")[-1].split(":")[0] in ("gamma", "moving_variance"):
            value = rng.uniform(0.5, 1.5, shape)
        else:
            value = rng.normal(0, 0.5, shape)
        weight.assign(value.astype(np.float32))


def rewrite(source, target, change=lambda file: None):
    """Copies an archive with dates that do not change."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename.endswith(".h5"):
                with tempfile.NamedTemporaryFile(suffix=".h5") as file:
                    pathlib.Path(file.name).write_bytes(data)
                    with h5py.File(file.name, "r+") as weights:
                        change(weights)
                    data = pathlib.Path(file.name).read_bytes()
            new.writestr(zipfile.ZipInfo(entry.filename, DATE), data)


def rename_as_on_windows(file):
    """Moves each group that holds `vars` to the root, under its path with backslashes."""
    groups = []
    file.visititems(lambda name, node: groups.append(name) if name.endswith("/vars") else None)
    for name in groups:
        path = name.removesuffix("/vars")
        file.move(name, path.replace("/", "\\") + "/vars")
    for root in list(file):
        if root != "vars" and "\\" not in root:
            del file[root]


def main():
    version = "keras" + "".join(keras.__version__.split(".")[:2])
    rng = np.random.default_rng(213)
    model = numbered()
    randomise(model, rng)
    x = rng.uniform(-1, 1, (2, 6, 5, 2)).astype(np.float32)
    keras.backend.set_floatx("float64")
    exact = keras.models.model_from_json(model.to_json().replace('"float32"', '"float64"'))
    exact.set_weights([np.asarray(weight, np.float64) for weight in model.get_weights()])
    result = np.asarray(exact(tf.constant(x, tf.float64), training=False))
    keras.backend.set_floatx("float32")
    assert result.dtype == np.float64
    assert np.abs(result - model.predict(x, verbose=0)).max() < 1e-5
    np.savez(OUT / f"{version}-numbered.npz", **{"input": x, "tail/tail_b": result})
    model.save(OUT / f"{version}-numbered.h5", include_optimizer=False)
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "model.keras"
        model.save(saved)
        rewrite(saved, OUT / f"archive-{version}-numbered.keras")
        rewrite(saved, OUT / f"archive-{version}-windows.keras", rename_as_on_windows)


main()
