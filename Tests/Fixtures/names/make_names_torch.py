#!/usr/bin/env python3
"""names.pt: the weights of names.npz, as torch.save writes them.

Usage: make_names_torch.py [OUT_DIR]     (needs torch, numpy)
"""
import sys
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).resolve().parent
OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE

with np.load(HERE / "names.npz") as arrays:
    torch.save({name: torch.from_numpy(arrays[name]) for name in arrays.files}, OUT / "names.pt")
