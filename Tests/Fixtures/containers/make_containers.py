#!/usr/bin/env python3
"""Writes the containers of this folder with numpy and safetensors.

The kernel of a fully-connected layer from 6 to 2 values has 2 i + o + 0.5 at (i, o), in every type and order.
"""
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

HERE = Path(__file__).parent
kernel = np.arange(12, dtype=np.float32).reshape(6, 2) + np.float32(0.5)
arrays = {
    "c": kernel,
    "fortran": np.asfortranarray(kernel),
    "big": kernel.astype(">f4"),
    "big-fortran": np.asfortranarray(kernel.astype(">f8")),
    "half": kernel.astype("<f2"),
    "fc/kernel": kernel.T.copy(),
}
np.savez(HERE / "arrays.npz", **arrays)
np.savez_compressed(HERE / "deflated.npz", **arrays)
np.savez(HERE / "pickled.npz", objects=np.array([kernel, None], dtype=object), allow_pickle=True)
save_file({"fc.weight": kernel.T.copy(), "half": kernel.astype(np.float16),
           "count": np.arange(3, dtype=np.int64)},
          HERE / "tensors.safetensors", metadata={"format": "pt"})
