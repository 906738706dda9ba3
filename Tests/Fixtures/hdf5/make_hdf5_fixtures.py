#!/usr/bin/env python3
"""Builds the HDF5 fixtures: files with unusual links, storage, types and attributes.

Usage: make_hdf5_fixtures.py [OUT_DIR]

Every NAME.h5 comes with the values a reader should find: numbers in NAME.npz (one array per
dataset, named by its path without the leading slash and with `/` as `.`), the rest in NAME.json.
README.md in this directory says what each one is for.
Needs: h5py, numpy.
"""
import json
import os
import sys
from pathlib import Path

import h5py
import numpy as np

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent).resolve()
VALUES = np.random.default_rng(17).normal(size=(5, 3)).astype("<f4")


def write_json(name: str, facts) -> None:
    (OUT / f"{name}.json").write_text(json.dumps(facts, indent=1, ensure_ascii=True) + "\n")


def write_npz(name: str, arrays: dict[str, np.ndarray]) -> None:
    """The values in the machine's byte order."""
    native = {key: np.asarray(a, a.dtype.newbyteorder("=")) for key, a in arrays.items()}
    np.savez(OUT / f"{name}.npz", **native)


def types() -> None:
    """Every number type in both byte orders, with its extreme values."""
    arrays = {}
    with h5py.File(OUT / "types.h5", "w") as file:
        for code in ("f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
            kind = np.dtype(code)
            if kind.kind == "f":
                info = np.finfo(kind)
                values = [0, -0.0, 1, -1.5, info.max, info.min, info.tiny, info.smallest_subnormal,
                          1 / 3, np.inf, -np.inf, np.nan]
                data = np.array(values, kind).reshape(4, 3)
            else:
                info = np.iinfo(kind)
                values = [0, 1, 2, 100, info.max, info.max - 1, info.min, info.min + 1,
                          3, 5, 7, info.max // 3]
                data = np.array(values, kind).reshape(4, 3)
            for order, word in (("<", "little"), (">", "big")):
                name = f"{word}_{code}"
                file.create_dataset(name, data=data.astype(kind.newbyteorder(order)))
                arrays[name] = data
        for name, data in (("bool", np.array([True, False, True])),
                           ("scalar_f4", np.float32(2.5)),
                           ("empty_f4", np.zeros((0, 3), np.float32))):
            file[name] = data
            arrays[name] = np.asarray(data, np.int8 if name == "bool" else None)
        file["rank5_f4"] = np.arange(720, dtype="<f4").reshape(2, 3, 4, 5, 6)
        arrays["rank5_f4"] = file["rank5_f4"][()]
        file["null_f4"] = h5py.Empty("<f4")
        file["compound"] = np.array([(1, 2.5)], [("a", "<i4"), ("b", "<f4")])
        file["complex"] = np.array([1 + 2j], np.complex64)
        file["strings"] = np.array([b"one", b"three"])
        file["text"] = np.array(["one", "three"], h5py.string_dtype())
    write_npz("types", arrays)
    write_json("types", {
        "little_* and big_*": "see types.npz",
        "bool": "an enumeration over int8; types.npz has the int8 values",
        "null_f4": {"dataspace": "null"},
        "notNumbers": ["compound", "complex", "strings", "text"]})


def storage() -> None:
    """One array stored with every layout and filter; `external` names a file beside this one."""
    data = np.arange(7 * 10, dtype="<f4").reshape(7, 10) / 4
    whole = (data * 4).astype("<i4")
    arrays, not_made = {}, []
    with h5py.File(OUT / "storage.h5", "w", libver=("earliest", "v110")) as file:
        def add(name: str, values=data, **options) -> None:
            try:
                file.create_dataset(name, data=values, **options)
                arrays[name] = values
            except (ValueError, OSError):
                not_made.append(name)

        add("contiguous")
        add("chunked", chunks=(3, 4))
        add("gzip", chunks=(3, 4), compression="gzip")
        add("gzip_shuffle_fletcher32", chunks=(3, 4), compression="gzip", shuffle=True,
            fletcher32=True)
        add("shuffle", chunks=(3, 4), shuffle=True)
        add("fletcher32", chunks=(3, 4), fletcher32=True)
        add("lzf", chunks=(3, 4), compression="lzf")
        add("szip", chunks=(4, 8), compression="szip", compression_opts=("nn", 8))
        add("scaleoffset_int", whole, chunks=(3, 4), scaleoffset=0)
        add("scaleoffset_float", chunks=(3, 4), scaleoffset=2)
        add("resizable", chunks=(3, 4), maxshape=(None, None))

        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_layout(h5py.h5d.COMPACT)
        plist.set_obj_track_times(False)
        space = h5py.h5s.create_simple(data.shape)
        compact = h5py.h5d.create(file.id, b"compact", h5py.h5t.IEEE_F32LE, space, plist)
        compact.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
        arrays["compact"] = data

        file.create_dataset("never_written", (7, 10), "<f4", fillvalue=0.5)
        arrays["never_written"] = np.full((7, 10), 0.5, "<f4")
        part = file.create_dataset("partly_written", (7, 10), "<f4", chunks=(3, 4), fillvalue=-2)
        part[:3, :4] = data[:3, :4]
        arrays["partly_written"] = part[()]

        file.create_dataset("external", data=data, external=[("external.bin", 0, data.nbytes)])
        arrays["external"] = data
        layout = h5py.VirtualLayout((7, 10), "<f4")
        layout[:, :5] = h5py.VirtualSource(file["contiguous"])[:, :5]
        layout[:, 5:] = h5py.VirtualSource("storage-part.h5", "part", (7, 5), "<f4")
        file.create_virtual_dataset("virtual", layout, fillvalue=0)
        arrays["virtual"] = data
        layout = h5py.VirtualLayout((7, 10), "<f4")
        layout[...] = h5py.VirtualSource("no-such-file.h5", "part", (7, 10), "<f4")
        file.create_virtual_dataset("virtual_missing", layout, fillvalue=9)
        arrays["virtual_missing"] = np.full((7, 10), 9, "<f4")
        file.create_dataset("external_missing", (7, 10), "<f4",
                            external=[("no-such-file.bin", 0, data.nbytes)])
    with h5py.File(OUT / "storage-part.h5", "w") as file:
        file["part"] = data[:, 5:]
    write_npz("storage", arrays)
    write_json("storage", {
        "datasets": sorted(arrays),
        "unreadable": ["external_missing"],
        "outside": {"external": "external.bin", "external_missing": "no-such-file.bin",
                    "virtual": "storage-part.h5", "virtual_missing": "no-such-file.h5"},
        "filters": {"gzip": ["deflate"],
                    "gzip_shuffle_fletcher32": ["shuffle", "deflate", "fletcher32"],
                    "shuffle": ["shuffle"], "fletcher32": ["fletcher32"], "lzf": ["lzf"],
                    "szip": ["szip"], "scaleoffset_int": ["scaleoffset"],
                    "scaleoffset_float": ["scaleoffset"]},
        "notMade": not_made})


def links() -> None:
    """Hard, soft and external links; cycles; two names for one dataset."""
    with h5py.File(OUT / "links-target.h5", "w") as file:
        file["values"] = VALUES
        file["group/values"] = VALUES * 2
    with h5py.File(OUT / "links.h5", "w") as file:
        file["a/values"] = VALUES
        file["a/b/again"] = file["a/values"]
        file["a/b/up"] = file["a"]
        file["a/b/self"] = file["a/b"]
        file["root"] = file["/"]
        file["soft_ok"] = h5py.SoftLink("/a/values")
        file["a/soft_relative"] = h5py.SoftLink("b/again")
        file["soft_group"] = h5py.SoftLink("/a/b")
        file["soft_dangling"] = h5py.SoftLink("/no/such/object")
        file["soft_self"] = h5py.SoftLink("/soft_self")
        file["soft_one"] = h5py.SoftLink("/soft_two")
        file["soft_two"] = h5py.SoftLink("/soft_one")
        file["external_ok"] = h5py.ExternalLink("links-target.h5", "/values")
        file["external_group"] = h5py.ExternalLink("links-target.h5", "/group")
        file["external_no_file"] = h5py.ExternalLink("no-such-file.h5", "/values")
        file["external_no_object"] = h5py.ExternalLink("links-target.h5", "/no/such/object")
        file["named_type"] = np.dtype("<f8")
    write_npz("links", {"a.values": VALUES, "external_ok": VALUES,
                        "external_group.values": VALUES * 2})
    write_json("links", {
        "hard": {"/a/values": "dataset", "/a/b/again": "same dataset as /a/values",
                 "/a/b/up": "same group as /a", "/a/b/self": "same group as /a/b",
                 "/root": "same group as /"},
        "soft": {"/soft_ok": "/a/values", "/a/soft_relative": "b/again", "/soft_group": "/a/b",
                 "/soft_dangling": "/no/such/object", "/soft_self": "/soft_self",
                 "/soft_one": "/soft_two", "/soft_two": "/soft_one"},
        "external": {"/external_ok": ["links-target.h5", "/values"],
                     "/external_group": ["links-target.h5", "/group"],
                     "/external_no_file": ["no-such-file.h5", "/values"],
                     "/external_no_object": ["links-target.h5", "/no/such/object"]},
        "unresolvable": ["/soft_dangling", "/soft_self", "/soft_one", "/soft_two",
                         "/external_no_file", "/external_no_object"],
        "namedTypes": ["/named_type"],
        "distinctDatasets": ["/a/values"],
        "distinctGroups": ["/", "/a", "/a/b"]})


def keras_links() -> None:
    """A Keras-like checkpoint whose kernel is a soft link and whose bias is an external link."""
    layers = [{"class_name": "InputLayer",
               "config": {"name": "image", "batch_input_shape": [None, 3], "dtype": "float32"}},
              {"class_name": "Dense",
               "config": {"name": "fc", "units": 2, "activation": "linear", "use_bias": True}}]
    config = {"class_name": "Sequential", "config": {"name": "net", "layers": layers}}
    kernel, bias = VALUES[:3, :2], VALUES[3, :2]
    with h5py.File(OUT / "keras-links-target.h5", "w") as file:
        file["bias"] = bias
    with h5py.File(OUT / "keras-links.h5", "w") as file:
        file.attrs["keras_version"] = "2.15.0"
        file.attrs["backend"] = "tensorflow"
        file.attrs["model_config"] = json.dumps(config)
        weights = file.create_group("model_weights")
        weights.attrs["layer_names"] = np.array([b"image", b"fc"])
        weights.create_group("image").attrs["weight_names"] = np.array([], "S1")
        weights.create_group("fc").attrs["weight_names"] = np.array([b"fc/kernel:0", b"fc/bias:0"])
        file["shared"] = kernel
        file["model_weights/fc/fc/kernel:0"] = h5py.SoftLink("/shared")
        file["model_weights/fc/fc/bias:0"] = h5py.ExternalLink("keras-links-target.h5", "/bias")
    write_npz("keras-links", {"kernel": kernel, "bias": bias})


def normal_forms() -> None:
    """Weights of two layers whose names are equal but for the Unicode normal form."""
    with h5py.File(OUT / "normal-forms.h5", "w") as file:
        names = ["e\u0301", "\u00e9"]
        file.attrs["layer_names"] = np.array([name.encode() for name in names])
        for index, name in enumerate(names):
            group = file.create_group(name)
            group.attrs["weight_names"] = np.array([f"{name}/kernel:0".encode()])
            group[f"{name}/kernel:0"] = VALUES[index:index + 2]


def attributes() -> None:
    """Attributes of every kind on the root group, some on a group and a dataset."""
    text = "Gr\u00fc\u00dfe \u4e16\u754c \U0001f600"
    with h5py.File(OUT / "attributes.h5", "w", track_order=True) as file:
        a = file.attrs
        a["fixed_ascii"] = np.bytes_("fixed")
        a["variable_utf8"] = text
        a.create("variable_ascii", "plain", dtype=h5py.string_dtype("ascii"))
        a.create("fixed_utf8", text.encode(), dtype=h5py.string_dtype("utf-8", 40))
        a.create("fixed_padded", b"ab", dtype="S8")
        a.create("fixed_full", b"abcdefgh", dtype="S8")
        a["empty_variable"] = ""
        a["fixed_array"] = np.array([b"one", b"three", b""])
        a.create("variable_array", ["one", text, ""], dtype=h5py.string_dtype())
        a.create("string_matrix", [["a", "b", "c"], ["d", "e", "f"]], dtype=h5py.string_dtype())
        a.create("no_strings", np.array([], "S4"))
        a["int8"] = np.int8(-5)
        a["uint8"] = np.uint8(250)
        a["int32_big"] = np.array(-70000, ">i4")
        a["int64"] = np.int64(-2**62)
        a["uint64"] = np.uint64(2**63 + 1)
        a["int_array"] = np.arange(6, dtype="<i2").reshape(2, 3)
        a["float16"] = np.float16(0.333)
        a["float32"] = np.float32(0.1)
        a["float64"] = 0.1
        a["float64_big_array"] = np.array([0.25, -1e300], ">f8")
        a["nan"] = np.float32("nan")
        a["flag"] = np.bool_(True)
        a["null_float"] = h5py.Empty("<f4")
        a["null_string"] = h5py.Empty("S10")
        a["empty_array"] = np.zeros((0, 3), "<f4")
        a["long"] = "x" * 40000
        a["name with / and \u00e4"] = np.int32(1)
        group = file.create_group("group")
        for index in range(40):                       # beyond 8: dense attribute storage
            group.attrs[f"number{index:02d}"] = np.int32(index * index)
        file["data"] = VALUES
        file["data"].attrs["unit"] = "mm"
    write_json("attributes", {
        "/": {
            "fixed_ascii": "fixed", "variable_utf8": text, "variable_ascii": "plain",
            "fixed_utf8": text, "fixed_padded": "ab", "fixed_full": "abcdefgh",
            "empty_variable": "", "fixed_array": ["one", "three", ""],
            "variable_array": ["one", text, ""],
            "string_matrix": [["a", "b", "c"], ["d", "e", "f"]], "no_strings": [],
            "int8": -5, "uint8": 250, "int32_big": -70000, "int64": -2**62, "uint64": 2**63 + 1,
            "int_array": [[0, 1, 2], [3, 4, 5]], "float16": float(np.float16(0.333)),
            "float32": float(np.float32(0.1)), "float64": 0.1, "float64_big_array": [0.25, -1e300],
            "nan": "NaN", "flag": True, "null_float": None, "null_string": None, "empty_array": [],
            "long": "x" * 40000, "name with / and \u00e4": 1},
        "/group": {f"number{index:02d}": index * index for index in range(40)},
        "/data": {"unit": "mm"}})


def user_block() -> None:
    """A file whose HDF5 signature is at byte 512, behind a user block."""
    with h5py.File(OUT / "user-block.h5", "w", userblock_size=512) as file:
        file["values"] = VALUES
    with open(OUT / "user-block.h5", "r+b") as file:
        file.write(b"user block\n")
    write_npz("user-block", {"values": VALUES})


def narrow() -> None:
    """Texts of variable length where addresses take 4 bytes, lengths 2, and a user block comes first."""
    creation = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    creation.set_sizes(4, 2)
    creation.set_userblock(512)
    identifier = h5py.h5f.create(str(OUT / "narrow.h5").encode(), h5py.h5f.ACC_TRUNC, creation)
    with h5py.File(identifier) as file:
        file.attrs["names"] = np.array(["one", "", "Gr\u00fc\u00dfe"], h5py.string_dtype())
        file.attrs["text"] = "text " * 1000


def endless() -> None:
    """A Keras checkpoint whose kernel has 2^36 values, none of them written; no .h5, lest something reads it."""
    with h5py.File(OUT / "endless", "w") as file:
        file.attrs["layer_names"] = np.array([b"dense"])
        file.attrs["backend"] = b"tensorflow"
        file.attrs["keras_version"] = b"2.15.0"
        group = file.create_group("dense")
        group.attrs["weight_names"] = np.array([b"dense/kernel:0"])
        group.create_dataset("dense/kernel:0", (1 << 16, 1 << 20), "<f4", chunks=(1, 1 << 16))


def latest_format() -> None:
    """The newest object headers and indexes: version 2+ superblock, dense links, chunk indexes."""
    data = np.arange(24, dtype="<f4").reshape(4, 6)
    arrays = {}
    with h5py.File(OUT / "latest.h5", "w", libver="latest") as file:
        def add(name: str, **options) -> None:
            file.create_dataset(name, data=data, **options)
            arrays[name.replace("/", ".")] = data
        add("contiguous")
        add("single_chunk", chunks=(4, 6))
        add("fixed_array", chunks=(2, 3), compression="gzip")
        add("extensible_array", chunks=(2, 3), maxshape=(None, 6))
        add("tree", chunks=(2, 3), maxshape=(None, None))
        for index in range(20):
            add(f"many/d{index:02d}")
    write_npz("latest", arrays)


def main() -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    os.chdir(OUT)                                     # HDF5 looks for external storage from here
    for make in (types, storage, links, keras_links, normal_forms, attributes, user_block, narrow, endless,
                 latest_format):
        make()
    # Damaged files: cut short, and not HDF5 at all.
    whole = (OUT / "storage.h5").read_bytes()
    (OUT / "truncated.h5").write_bytes(whole[: len(whole) // 2])
    (OUT / "not-hdf5.h5").write_bytes(b"This is not an HDF5 file.\n" * 40)
    (OUT / "empty.h5").write_bytes(b"")
    names = [f for f in OUT.iterdir() if f.suffix in (".h5", ".npz", ".json", ".bin")]
    print(f"{len(names)} files, {sum(f.stat().st_size for f in names)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
