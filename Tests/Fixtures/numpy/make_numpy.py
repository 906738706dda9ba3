"""Writes small .npy and .npz files of every type that netconv reads, and some that it refuses.

    python make_numpy.py    (numpy)

Every array of `types.npz` and `big-endian.npz` holds VALUES (or what its type can hold of them), 2 x 3.
"""
import io
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent
VALUES = np.array([[0, 1, 2], [100, 3, 127]])
TYPES = ["f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


def versioned(array, version):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=version)
    return buffer.getvalue()


def fixed(path, arrays, compressed=False, trailing=b""):
    """An .npz without times, so that the same arrays give the same bytes; `trailing` follows each array."""
    import zipfile
    with zipfile.ZipFile(path, "w") as file:
        for name, array in arrays.items():
            info = zipfile.ZipInfo(name + ".npy")
            info.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
            file.writestr(info, versioned(array, (1, 0)) + trailing)


little = {name: VALUES.astype("<" + name) for name in TYPES}
little["b1"] = VALUES.astype(bool)
fixed(FOLDER / "types.npz", little)
fixed(FOLDER / "big-endian.npz", {name: VALUES.astype(">" + name) for name in TYPES})
fixed(FOLDER / "deflated.npz", {"a": VALUES.astype("<f4"), "b": np.zeros((30, 40), "<f4")}, compressed=True)

# Values that do not survive float32: rounded to nearest, ties to even.
fixed(FOLDER / "rounded.npz", {
    "f8": np.array([0.1, 1e300, -1e-300, 16777217.0, 16777219.0, np.nan, -np.inf], "<f8"),
    "i4": np.array([16777217, 16777219, -16777217, -2**31, 2**31 - 1], "<i4"),
    "i8": np.array([2**53 + 1, -2**63, 2**63 - 1, -1], "<i8"),
    "u8": np.array([2**64 - 1, 2**63, 255], "<u8"),
    "f2": np.array([65504, 2**-24, 0.1, np.inf], "<f2"),
})

fortran = np.arange(24, dtype="<f4").reshape(2, 3, 4)
fixed(FOLDER / "orders.npz", {
    "c": fortran, "fortran": np.asfortranarray(fortran),
    "fortran2": np.asfortranarray(np.arange(6, dtype="<i2").reshape(3, 2)),
    "fortran-with-1": np.asfortranarray(np.arange(6, dtype="<f4").reshape(3, 1, 2)),
})
fixed(FOLDER / "shapes.npz", {
    "scalar": np.array(2.5, "<f4"), "vector": np.arange(3, dtype="<f4"), "empty": np.zeros((0, 3), "<f4"),
})
for version in [(1, 0), (2, 0), (3, 0)]:
    (FOLDER / f"version{version[0]}.npy").write_bytes(versioned(fortran, version))

fixed(FOLDER / "longer.npz", {"a": np.zeros(2, "<f4")}, compressed=True, trailing=bytes(1 << 20))
(FOLDER / "complex.npy").write_bytes(versioned(np.zeros(2, "<c8"), (1, 0)))
(FOLDER / "text.npy").write_bytes(versioned(np.array(["a", "b"]), (1, 0)))
(FOLDER / "record.npy").write_bytes(versioned(np.zeros(2, [("a", "<f4"), ("b", "<i2")]), (1, 0)))

fixed(FOLDER / "images.npz", {
    "x_test": np.arange(2 * 3 * 4, dtype="u1").reshape(2, 3, 4), "y_test": np.array([7, 1], "<i8"),
})

# Names of classes beside weights, and a shape as Python 2 wrote it.
fixed(FOLDER / "text.npz", {
    "fc.weight": np.arange(24, dtype="<f4").reshape(6, 4), "classes": np.array(["cat", "dog"]),
    "bytes": np.array([b"cat", b"dog"]),
})
fixed(FOLDER / "only-text.npz", {"classes": np.array(["cat", "dog"])})
header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (6L, 4L), }"
header += b" " * (117 - len(header)) + b"\n"
(FOLDER / "python2.npy").write_bytes(
    b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + np.arange(24, dtype="<f4").tobytes())
