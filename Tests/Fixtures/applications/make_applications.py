#!/usr/bin/env python3
"""Writes architectures of keras.applications without their weights: HDF5 files whose datasets have shapes and no values.

Values of such datasets are zeros that nobody stored. The tests of emitted code ask only whether the networks can be
written, which no value decides.
"""
import gzip
import io
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import h5py  # noqa: E402
import keras  # noqa: E402

NAMES = ("ConvNeXtTiny", "MobileNetV3Small", "NASNetMobile")


def copy(source: h5py.Group, target: h5py.Group) -> None:
    """All but the values."""
    for name, value in source.attrs.items():
        target.attrs[name] = value
    for name, item in source.items():
        if isinstance(item, h5py.Group):
            copy(item, target.create_group(name))
        else:
            target.create_dataset(name, item.shape, item.dtype)


def main(folder: Path) -> None:
    for name in NAMES:
        keras.backend.clear_session()
        make = getattr(keras.applications, name)
        model = make(weights=None)
        if None in model.input_shape[1:]:
            # As Tools/applications/emission.py has them.
            keras.backend.clear_session()
            model = make(weights=None, input_shape=(224, 224, 3))
        model.save(folder / "whole.h5")
        buffer = io.BytesIO()
        with h5py.File(folder / "whole.h5") as whole, h5py.File(buffer, "w", libver="latest") as file:
            copy(whole["model_weights"], file.create_group("model_weights"))
            for attribute, value in whole.attrs.items():
                file.attrs[attribute] = value
        (folder / "whole.h5").unlink()
        (folder / f"{name}.h5.gz").write_bytes(gzip.compress(buffer.getvalue(), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
