#!/usr/bin/env python3
"""The script one would write instead of netconv: transposes every weight with numpy and dumps it.

Usage: h5py_convert.py H5 OUT_DIR

Convolution kernels become OHWI, dense kernels OI; biases stay as they are.
Needs: h5py, numpy.
"""
import sys
from pathlib import Path

import h5py
import numpy as np

AXES = {4: (3, 0, 1, 2), 2: (1, 0), 1: (0,)}


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    with h5py.File(sys.argv[1]) as file:
        for layer, group in file["model_weights"].items():
            for weight in group.attrs.get("weight_names", []):
                name = weight.decode() if isinstance(weight, bytes) else weight
                values = group[name][()]
                suffix = "W" if "kernel" in name else "b"
                moved = np.ascontiguousarray(values.transpose(AXES[values.ndim]), "<f4")
                moved.tofile(out / f"{layer}_{suffix}.bin")


if __name__ == "__main__":
    main()
