"""Saves some of the Keras 3 fixtures in Keras 3's own format.

Usage: python make_archives.py [OUT_DIR]     (needs keras, tensorflow-cpu, h5py)

archive-NAME.keras holds the model of keras3-NAME.h5; keras3-NAME.npz is its reference. Besides:
archive-deflated.keras      batch-norm, its entries compressed
archive-unnamed.keras       conv-same as releases before 3.4 wrote it, without the layers' names
archive-training-only.keras training-only, with the layers that Keras 3 cannot save in HDF5
archive-weights.weights.h5  batch-norm's weights alone, and archive-weights.json, its architecture
"""
import functools
import pathlib
import sys
import tempfile
import zipfile

import h5py
import keras
import numpy as np

import make_fixtures

NAMES = [
    "conv-same", "batch-norm", "nested", "shared-layer", "residual", "two-inputs",
    "concatenate", "activation-layers",
]
# Made as make_fixtures.py makes them: Keras 3 does not load all of its own HDF5 files.
BUILT = [
    make_fixtures.group_normalizations, make_fixtures.axis_normalizations, make_fixtures.data_normalizations,
    make_fixtures.dots, make_fixtures.resizings, make_fixtures.application_layers,
    functools.partial(make_fixtures.training_only, unpicklable=True),
]
DATE = (1980, 1, 1, 0, 0, 0)


def rewrite(source, target, compression, change_weights=lambda path: None):
    """Copies an archive entry by entry, with dates that do not change."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename.endswith(".h5"):
                with tempfile.NamedTemporaryFile(suffix=".h5") as file:
                    pathlib.Path(file.name).write_bytes(data)
                    change_weights(file.name)
                    data = pathlib.Path(file.name).read_bytes()
            info = zipfile.ZipInfo(entry.filename, DATE)
            info.compress_type = compression
            new.writestr(info, data)


def drop_names(path):
    """Removes the attribute that notes a layer's name."""
    with h5py.File(path, "r+") as file:
        file.visititems(lambda _, node: node.attrs.pop("name", None) and None)


def main():
    here = pathlib.Path(__file__).parent
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            model = keras.models.load_model(here / f"keras3-{name}.h5", compile=False)
            saved = pathlib.Path(folder) / f"{name}.keras"
            model.save(saved)
            rewrite(saved, out / f"archive-{name}.keras", zipfile.ZIP_STORED)
            if name == "batch-norm":
                rewrite(saved, out / "archive-deflated.keras", zipfile.ZIP_DEFLATED)
                model.save_weights(out / "archive-weights.weights.h5")
                (out / "archive-weights.json").write_text(model.to_json() + "\n")
            if name == "conv-same":
                rewrite(saved, out / "archive-unnamed.keras", zipfile.ZIP_STORED, drop_names)
        for build in BUILT:
            name = getattr(build, "func", build).__name__.replace("_", "-")
            keras.backend.clear_session()
            model = build(keras)
            make_fixtures.randomise(model, np.random.default_rng(sum(map(ord, f"keras3-{name}"))))
            saved = pathlib.Path(folder) / f"{name}.keras"
            model.save(saved)
            rewrite(saved, out / f"archive-{name}.keras", zipfile.ZIP_STORED)


main()
