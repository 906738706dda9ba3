#!/usr/bin/env python3
"""Writes the same value in each protocol of Python's pickles, and what only newer ones have."""
import pathlib
import pickle

HERE = pathlib.Path(__file__).resolve().parent

shared = ["a", "b"]
itself = [1]
itself.append(itself)
value = {
    "none": None, "truth": [True, False], "floats": [1.5, -0.0, 1e300],
    "integers": [0, 255, 256, 65535, 65536, -1, -129, 2**31, -(2**31), -(2**40), 2**62, -(2**63), 2**63, 2**70],
    "text": "größe\n\\u0041 '\" 😀", "tuples": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)],
    "empty": [[], {}], "shared": [shared, shared], 7: "seven",
}
for protocol in range(6):
    (HERE / f"value-protocol{protocol}.pkl").write_bytes(pickle.dumps(value, protocol))
    (HERE / f"itself-protocol{protocol}.pkl").write_bytes(pickle.dumps(itself, protocol))
for protocol in (4, 5):
    newer = [b"\x00\xff'", {7}, frozenset({8}), bytearray(b"ab") if protocol == 5 else b""]
    (HERE / f"newer-protocol{protocol}.pkl").write_bytes(pickle.dumps(newer, protocol))
