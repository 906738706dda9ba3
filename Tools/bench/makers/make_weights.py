#!/usr/bin/env python3
"""Writes random weights, and the same transposed for another framework, into the folder OUT.

Usage: make_weights.py OUT --tensors N --megabytes M [--torch]

`a.npz` has N tensors of M megabytes together: HWIO kernels, matrices of IO and vectors. `b.safetensors` has the same as
OHWI and OI, under other names and in another order. With --torch there are `a.pt` and `a.safetensors` too.
Needs: numpy; torch for --torch.
"""
import argparse
import json
from pathlib import Path

import numpy as np

# Shares of the parameters, for a kernel, a matrix and a vector in turn.
SHARES = (6, 5, 1)


def shape(index: int, share: int) -> tuple[int, ...]:
    """The shape of tensor `index`, of about `share` values; kernels, matrices and vectors take turns."""
    match index % 3:
        case 0:
            inputs = max(2, round((share / 18) ** 0.5))
            return 3, 3, inputs, max(1, share // (9 * inputs))
        case 1:
            inputs = max(2, round((share / 2) ** 0.5))
            return inputs, max(1, share // inputs)
        case _:
            return (max(1, share),)


def moved(array: np.ndarray) -> np.ndarray:
    """OHWI of HWIO, OI of IO."""
    return np.ascontiguousarray(np.moveaxis(array, -1, 0)) if array.ndim > 1 else array


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    header, offset = {}, 0
    for name, array in tensors.items():
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in tensors.values():
            file.write(array.tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--tensors", type=int, required=True)
    parser.add_argument("--megabytes", type=int, required=True)
    parser.add_argument("--torch", action="store_true")
    options = parser.parse_args()
    options.out.mkdir()

    random = np.random.default_rng(1)
    values = options.megabytes * 250_000 / options.tensors
    tensors = {}
    for index in range(options.tensors):
        share = round(values * 3 * SHARES[index % 3] / sum(SHARES))
        tensors[f"layers.{index:05}"] = 0.05 * random.standard_normal(shape(index, share), dtype=np.float32)
    np.savez(options.out / "a.npz", **tensors)

    order = random.permutation(options.tensors)
    names = list(tensors)
    write_safetensors(options.out / "b.safetensors",
                      {f"part{place}": moved(tensors[names[index]]) for place, index in enumerate(order)})
    if options.torch:
        import torch
        torch.save({name: torch.from_numpy(array) for name, array in tensors.items()}, options.out / "a.pt")
        write_safetensors(options.out / "a.safetensors", tensors)


if __name__ == "__main__":
    main()
