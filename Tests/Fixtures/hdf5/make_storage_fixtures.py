#!/usr/bin/env python3
"""Builds the HDF5 fixtures that look at how values are read, and what is refused.

Usage: make_storage_fixtures.py [OUT_DIR]

    values.h5    every float16; integers and doubles that have to be rounded; a rank-3 array in uneven
                 chunks (value = linear index); odd number formats
    texts.h5     string attributes with space padding, invalid UTF-8 and embedded zeros; an enumeration
    deep.h5      257 groups inside each other, one more than is read
    lying-length.h5   an attribute of two strings whose second says that it is 2 GiB long
    bfloat16.h5  the same six bfloat16 as numbers of either byte order, and as opaque values
    short.h5     a whole file by its superblock whose contiguous dataset `data` ends past the file's end
    bad-checksum.h5   a chunk that does not match its Fletcher-32 checksum
Needs: h5py, numpy.
"""
import sys
from pathlib import Path

import h5py
import numpy as np
from h5py import h5a, h5s, h5t

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent).resolve()


def values() -> None:
    with h5py.File(OUT / "values.h5", "w") as file:
        bits = np.arange(65536, dtype="<u2").reshape(256, 256)
        for name, order in (("float16_little", "<"), ("float16_big", ">")):
            file.create_dataset(name, data=bits.view("<f2").astype(order + "f2"), chunks=(256, 256),
                                compression="gzip", shuffle=True)
        for order, word in (("<", "little"), (">", "big")):
            # 2^24 + 1 and 2^24 + 3 are halfway between two float32.
            near = [2**24 + 1, 2**24 + 3, -(2**24) - 1, 2**53 + 1, 2**40 + 2**16, 2**40 + 2**16 + 1]
            file[f"int64_{word}"] = np.array(near, order + "i8")
            file[f"uint64_{word}"] = np.array([2**64 - 1, 2**63 + 2**39, 2**63 + 2**39 + 1],
                                              order + "u8")
            # The last two lie between the largest float32 and infinity.
            file[f"float64_{word}"] = np.array(
                [1 + 2**-24, 1 + 2**-24 + 2**-52, 1 + 3 * 2**-24, 2**-149, 2**-150,
                 2**-150 * 1.5, 2**128 - 2**104 + 2**102, 2**128 - 2**103], order + "f8")
        cube = np.arange(5 * 7 * 11, dtype="<f4").reshape(5, 7, 11)
        file.create_dataset("cube_chunked", data=cube, chunks=(2, 3, 4))
        file.create_dataset("cube_big", data=cube.astype(">f4"))
        file.create_dataset("cube_int16", data=cube.astype("<i2"), chunks=(5, 1, 11))

        twelve = h5t.STD_I16LE.copy()
        twelve.set_precision(12)
        h5py.h5d.create(file.id, b"int12", twelve, h5s.create_simple((2,)))
        brain = h5t.IEEE_F32LE.copy()
        brain.set_fields(15, 7, 8, 0, 7)
        brain.set_size(2)
        brain.set_ebias(127)
        h5py.h5d.create(file.id, b"bfloat16", brain, h5s.create_simple((2,)))


def brain_floats() -> None:
    """bfloat16 as a type of HDF5 and as h5py writes the one of ml_dtypes: opaque, without a tag."""
    patterns = np.array([0x3FC0, 0xC000, 0x0001, 0xFF80, 0x7F7F, 0x0000], "<u2")
    with h5py.File(OUT / "bfloat16.h5", "w") as file:
        for name, integers in (("little", patterns), ("big", patterns.astype(">u2"))):
            brain = (h5t.IEEE_F32LE if name == "little" else h5t.IEEE_F32BE).copy()
            brain.set_fields(15, 7, 8, 0, 7)
            brain.set_size(2)
            brain.set_ebias(127)
            dataset = h5py.h5d.create(file.id, name.encode(), brain, h5s.create_simple((6,)))
            dataset.write(h5s.ALL, h5s.ALL, integers, mtype=brain)
        file["opaque"] = patterns.view("V2")
        file.create_dataset("chunked", data=patterns.view("V2"), chunks=(4,), compression="gzip")


def texts() -> None:
    with h5py.File(OUT / "texts.h5", "w") as file:
        def add(name: str, raw: bytes, size: int, padding: int, shape=None) -> None:
            kind = h5t.C_S1.copy()
            kind.set_size(size)
            kind.set_strpad(padding)
            space = h5s.create_simple(shape) if shape else h5s.create(h5s.SCALAR)
            attribute = h5a.create(file.id, name.encode(), kind, space)
            attribute.write(np.frombuffer(raw, f"V{size}").reshape(shape or ()), kind)
        add("space_padded", b"ab  c       ", 6, h5t.STR_SPACEPAD, (2,))
        add("null_terminated", b"ab\0cdefgh\0ij", 6, h5t.STR_NULLTERM, (2,))
        add("null_padded", b"a\0b\0\0\0", 6, h5t.STR_NULLPAD)
        add("invalid_utf8", b"a\xffb\xc3", 4, h5t.STR_NULLPAD)
        file.attrs["color"] = np.array([1], h5py.enum_dtype({"RED": 0, "GREEN": 1}, "i1"))
        file.attrs["pair"] = np.array((1, 2.0), [("a", "<i4"), ("b", "<f4")])
        h5py.Group.create_group(file, "caf\u00e9")
        file.id.links.create_soft(b"bad\xff", b"/caf\xc3\xa9")


def deep() -> None:
    with h5py.File(OUT / "deep.h5", "w", libver="latest") as file:
        group = file
        for _ in range(257):
            group = group.create_group("g")


def lying_length() -> None:
    path = OUT / "lying-length.h5"
    with h5py.File(path, "w") as file:
        file.attrs.create("names", ["first", "second"], dtype=h5py.string_dtype())
    data = bytearray(path.read_bytes())
    # A reference is a length, the address of a heap and a number in it.
    place = next(i for i in range(len(data)) if data[i:i + 4] == b"\6\0\0\0"
                 and data[i - 16:i - 12] == b"\5\0\0\0" and data[i - 12:i - 4] == data[i + 4:i + 12])
    data[place:place + 4] = (2**31 - 1).to_bytes(4, "little")
    path.write_bytes(data)


def short() -> None:
    path = OUT / "short.h5"
    with h5py.File(path, "w") as file:
        file["data"] = np.arange(1000, dtype="<f4")
        file["double"] = np.arange(1000, dtype="<f8")
        offset = max(file["data"].id.get_offset(), file["double"].id.get_offset())
    data = bytearray(path.read_bytes()[: offset - 100])
    data[40:48] = len(data).to_bytes(8, "little")     # superblock 0: the end of the file
    path.write_bytes(data)


def bad_checksum() -> None:
    path = OUT / "bad-checksum.h5"
    with h5py.File(path, "w") as file:
        set_ = file.create_dataset("data", data=np.arange(16, dtype="<f4"), chunks=(8,),
                                   fletcher32=True)
        offset = set_.id.get_chunk_info(1).byte_offset
    data = bytearray(path.read_bytes())
    data[offset] ^= 1
    path.write_bytes(data)


def main() -> int:
    for make in (values, brain_floats, texts, deep, lying_length, short, bad_checksum):
        make()
    return 0


if __name__ == "__main__":
    sys.exit(main())
