"""Saves some of the Keras 3 fixtures in Keras 3's own format.

Usage: python make_archives.py [OUT_DIR]     (needs keras, tf_keras, tensorflow-cpu, h5py, ml_dtypes)

archive-NAME.keras holds the model of keras3-NAME.h5; keras3-NAME.npz is its reference. Besides:
archive-deflated.keras      batch-norm, its entries compressed
archive-unnamed.keras       conv-same as releases before 3.4 wrote it, without the layers' names
archive-keras2-NAME.keras   the model of keras2-NAME.h5 as the last release of Keras 2 wrote it
archive-training-only.keras training-only, with the layers that Keras 3 cannot save in HDF5
bad-config.keras, no-config.keras  conv-same with 200 bytes of its configuration, and without it
archive-weights.weights.h5  batch-norm's weights alone, and archive-weights.json, its architecture
"""
import functools
import json
import pathlib
import sys
import tempfile
import zipfile

import h5py
import keras
import ml_dtypes
import numpy as np
import tf_keras
from keras.src.legacy.saving import saving_utils

import make_fixtures
from archives import rewrite

NAMES = [
    "conv-same", "batch-norm", "nested", "shared-layer", "residual", "two-inputs",
    "concatenate", "activation-layers", "bfloat16", "mixed-bfloat16",
]
KERAS2_NAMES = ["bfloat16"]
# Made as make_fixtures.py makes them: Keras 3 does not load all of its own HDF5 files.
BUILT = [
    make_fixtures.group_normalizations, make_fixtures.axis_normalizations, make_fixtures.data_normalizations,
    make_fixtures.dots, make_fixtures.resizings, make_fixtures.application_layers,
    functools.partial(make_fixtures.training_only, unpicklable=True),
]
def drop_names(path):
    """Removes the attribute that notes a layer's name."""
    with h5py.File(path, "r+") as file:
        file.visititems(lambda _, node: node.attrs.pop("name", None) and None)


def loaded(k, path):
    """The model of a checkpoint; Keras itself cannot load the opaque bfloat16 that it has saved there."""
    if "bfloat16" not in path.name or "mixed" in path.name:
        return k.models.load_model(path, compile=False)
    with h5py.File(path) as file:
        config = json.loads(file.attrs["model_config"])
        model = (saving_utils if k is keras else tf_keras.models).model_from_config(config)
        for layer in model.layers:
            group = file["model_weights"][layer.name]
            values = [group[name][()] for name in group.attrs["weight_names"]]
            layer.set_weights(
                [v.view(ml_dtypes.bfloat16) if v.dtype.kind == "V" else v for v in values])
    return model


def with_config(archive: pathlib.Path, out: pathlib.Path, length) -> None:
    """Copies an archive with the first bytes of its configuration, or without it."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "config.json":
                if length is None:
                    continue
                data = data[:length]
            new.writestr(zipfile.ZipInfo(entry.filename, (2020, 1, 1, 0, 0, 0)), data)


def main():
    here = pathlib.Path(__file__).parent
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            model = loaded(keras, here / f"keras3-{name}.h5")
            saved = pathlib.Path(folder) / f"{name}.keras"
            model.save(saved)
            rewrite(saved, out / f"archive-{name}.keras", zipfile.ZIP_STORED)
            if name == "batch-norm":
                rewrite(saved, out / "archive-deflated.keras", zipfile.ZIP_DEFLATED)
                model.save_weights(out / "archive-weights.weights.h5")
                (out / "archive-weights.json").write_text(model.to_json() + "\n")
            if name == "conv-same":
                rewrite(saved, out / "archive-unnamed.keras", zipfile.ZIP_STORED, drop_names)
                with_config(out / "archive-conv-same.keras", out / "bad-config.keras", 200)
                with_config(out / "archive-conv-same.keras", out / "no-config.keras", None)
        for name in KERAS2_NAMES:
            model = loaded(tf_keras, here / f"keras2-{name}.h5")
            saved = pathlib.Path(folder) / f"keras2-{name}.keras"
            model.save(saved)
            rewrite(saved, out / f"archive-keras2-{name}.keras", zipfile.ZIP_STORED)
        for build in BUILT:
            name = getattr(build, "func", build).__name__.replace("_", "-")
            keras.backend.clear_session()
            model = build(keras)
            make_fixtures.randomise(model, np.random.default_rng(sum(map(ord, f"keras3-{name}"))))
            saved = pathlib.Path(folder) / f"{name}.keras"
            model.save(saved)
            rewrite(saved, out / f"archive-{name}.keras", zipfile.ZIP_STORED)


main()
