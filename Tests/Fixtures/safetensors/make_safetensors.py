#!/usr/bin/env python3
"""Writes safetensors files with every type of the format, checked with the format's own library.

Values of floating-point codes of 8 bits are those of ml_dtypes: each of the 256 codes once.
"""
import json
import struct
from pathlib import Path

import ml_dtypes
import numpy as np
import safetensors

HERE = Path(__file__).parent
FLOAT8 = {
    "F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}
INTEGERS = {"U8": np.uint8, "U16": np.uint16, "U32": np.uint32, "U64": np.uint64,
            "I8": np.int8, "I16": np.int16, "I32": np.int32, "I64": np.int64}


def contents(tensors, metadata=None, hole=b""):
    """A file with `tensors` of name, dtype, shape and bytes, and a hole behind the first."""
    header = {"__metadata__": metadata} if metadata else {}
    data = b""
    for name, dtype, shape, values in tensors:
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [len(data), len(data) + len(values)]}
        data += values
        if hole:
            data, hole = data + hole, b""
    text = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text)) + text + data


def write(name, *arguments, **keywords):
    file = contents(*arguments, **keywords)
    (HERE / name).write_bytes(file)
    return file


codes = np.arange(256, dtype=np.uint8)
numbers, expected = [], {}
for dtype, kind in FLOAT8.items():
    name = dtype.lower() + ".weight"
    numbers.append((name, dtype, (8, 32), codes.tobytes()))
    expected[name] = codes.view(kind).astype(np.float32).reshape(8, 32)
for dtype, kind in INTEGERS.items():
    limits = np.iinfo(kind)
    values = np.array([limits.min, limits.max, 1, 2, 100, 77], dtype=kind)
    numbers.append((dtype.lower() + ".weight", dtype, (2, 3), values.tobytes()))
    expected[dtype.lower() + ".weight"] = values.reshape(2, 3).astype(np.float64).astype(np.float32)
numbers.append(("bool.weight", "BOOL", (4,), bytes([0, 1, 1, 0])))
expected["bool.weight"] = np.array([0, 1, 1, 0], dtype=np.float32)
numbers.append(("scalar.weight", "BF16", (), np.array(-1.5, dtype=ml_dtypes.bfloat16).tobytes()))
expected["scalar.weight"] = np.float32(-1.5)
numbers.append(("empty.weight", "F32", (0, 3), b""))
expected["empty.weight"] = np.zeros((0, 3), dtype=np.float32)
found = dict(safetensors.deserialize(write("numbers.safetensors", numbers, {"made": "by hand"})))
assert {name: tuple(tensor["shape"]) for name, tensor in found.items()} == {n: tuple(s) for n, _, s, _ in numbers}
np.savez_compressed(HERE / "numbers.npz", **expected)

packed = [
    ("f4.weight", "F4", (3, 6), bytes(range(9))), ("f6.weight", "F6_E2M3", (2, 4), bytes(range(6))),
    ("f6b.weight", "F6_E3M2", (4,), bytes(range(3))),
    ("c64.weight", "C64", (2,), np.array([1 + 2j, 3], dtype=np.complex64).tobytes()),
    ("plain.weight", "F32", (2,), np.array([1, 2], dtype=np.float32).tobytes()),
]
safetensors.deserialize(write("listed.safetensors", packed))

# What the library refuses, and other programs write.
two = [("a", "F32", (2,), np.array([1, 2], dtype=np.float32).tobytes()),
       ("b", "F32", (1,), np.array([3], dtype=np.float32).tobytes())]
try:
    safetensors.deserialize(write("hole.safetensors", two, hole=bytes(8)))
    raise SystemExit("the library takes holes")
except safetensors.SafetensorError:
    pass
