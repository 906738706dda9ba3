#!/usr/bin/env python3
"""Writes GGUF files with gguf-py, and what its `dequantize` makes of their blocks.

Blocks are random bytes with scales that are finite; of each kind the first has the smallest scale that is not 0.
"""
import struct
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import GGUFEndian, GGUFValueType

HERE = Path(__file__).parent
# Where the scales of half precision lie in a block.
SCALES = {
    Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2], Type.Q8_0: [0], Type.Q2_K: [80, 82],
    Type.Q3_K: [108], Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208], Type.IQ4_NL: [0], Type.IQ4_XS: [0],
    Type.TQ1_0: [52], Type.TQ2_0: [64], Type.MXFP4: [], Type.NVFP4: [],
}
# Kinds that gguf-py converts to the other byte order, and where their scales are.
BOTH_ORDERS = [Type.Q4_0, Type.Q8_0, Type.Q4_K, Type.Q6_K, Type.MXFP4, Type.NVFP4]
# Kinds that are listed; of Q8_1 gguf-py has another size than GGML.
LISTED = [Type.Q8_K, Type.IQ2_XXS, Type.IQ2_XS, Type.IQ3_XXS, Type.IQ1_S, Type.IQ3_S, Type.IQ2_S,
          Type.IQ1_M, Type.Q1_0]


def blocks(kind, rows, random):
    """Rows of two blocks."""
    _, size = gguf.GGML_QUANT_SIZES[kind]
    data = random.integers(0, 256, (rows * 2, size), dtype=np.uint8)
    for number, block in enumerate(data):
        for place in SCALES[kind]:
            scale = np.float16(6e-8 if number == 0 else random.normal())
            block[place:place + 2] = np.frombuffer(scale.tobytes(), dtype=np.uint8)
    if kind == Type.MXFP4:
        data[:4, 0] = [0, 1, 255, 127]
    if kind == Type.NVFP4:
        data[0, :4] = [0, 1, 0x7f, 0xff]
    return data.reshape(rows, -1)


def write(name, fill, parts=0, endian=GGUFEndian.LITTLE):
    writer = gguf.GGUFWriter(HERE / name, "llama", endianess=endian, split_max_tensors=parts)
    fill(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def everything(writer):
    for kind in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"):
        limits = np.iinfo(kind)
        getattr(writer, f"add_{kind}")(f"test.{kind}", int(limits.max if kind[0] == "u" else limits.min))
    writer.add_float32("test.float32", 1e-5)
    writer.add_float64("test.float64", 0.1)
    writer.add_bool("test.bool", True)
    writer.add_string("test.string", "Grüße\n")
    writer.add_array("test.numbers", list(range(100)))
    writer.add_array("test.texts", [f"token {i}" for i in range(9)])
    writer.add_key_value("test.nested", [[1, 2], [3]], GGUFValueType.ARRAY, sub_type=GGUFValueType.ARRAY)


def numbers(writer, expected, endian=GGUFEndian.LITTLE):
    for kind in (np.float32, np.float16, np.float64, np.int8, np.int16, np.int32, np.int64):
        values = np.arange(-6, 6).reshape(1, 4, 3).astype(kind)
        name = f"{np.dtype(kind).name}.weight"
        writer.add_tensor(name, values)
        expected[name] = values.astype(np.float32)
    halves = np.array([[1.5, -2, 3e38, 1e-40]], dtype=np.float32)
    raw = gguf.quantize(halves, Type.BF16)
    expected["bfloat16.weight"] = gguf.dequantize(raw, Type.BF16)
    if endian == GGUFEndian.BIG:
        raw = raw.view(np.uint16).byteswap().view(np.uint8)
    writer.add_tensor("bfloat16.weight", raw, raw_dtype=Type.BF16)


def quantised(writer, kinds, expected, swapped=False):
    random = np.random.default_rng(48)
    for kind in kinds:
        raw = blocks(kind, 2, random)
        name = f"{kind.name.lower()}.weight"
        with np.errstate(over="ignore", invalid="ignore"):
            expected[name] = gguf.dequantize(raw, kind)
        if swapped:
            _, size = gguf.GGML_QUANT_SIZES[kind]
            raw = raw.reshape(-1, size).copy()
            for place in SCALES[kind]:
                raw[:, place:place + 2] = raw[:, place:place + 2][:, ::-1]
            raw = raw.reshape(2, -1)
        writer.add_tensor(name, raw, raw_dtype=kind)


def listed(writer):
    for kind in LISTED:
        _, size = gguf.GGML_QUANT_SIZES[kind]
        writer.add_tensor(f"{kind.name.lower()}.weight", np.zeros((3, 2 * size), dtype=np.uint8), raw_dtype=kind)
    writer.add_tensor("plain.weight", np.ones((2, 2), dtype=np.float32))


expected = {}


def all_kinds(writer):
    everything(writer)
    numbers(writer, expected)
    quantised(writer, SCALES, expected)


write("kinds.gguf", all_kinds)
np.savez_compressed(HERE / "kinds.npz", **expected)
# Versions 2 and 3 differ in their number alone, and in what big-endian files are.
contents = (HERE / "kinds.gguf").read_bytes()
small = {}
write("version2.gguf", lambda writer: numbers(writer, small))
contents = (HERE / "version2.gguf").read_bytes()
(HERE / "version2.gguf").write_bytes(contents[:4] + struct.pack("<I", 2) + contents[8:])

big = {}


def other_order(writer):
    everything(writer)
    numbers(writer, big, GGUFEndian.BIG)
    quantised(writer, BOTH_ORDERS, big, swapped=True)


write("big-endian.gguf", other_order, endian=GGUFEndian.BIG)
np.savez_compressed(HERE / "big-endian.npz", **big)
write("big-endian-undefined.gguf", lambda writer: quantised(writer, [Type.Q2_K], {}), endian=GGUFEndian.BIG)
write("listed.gguf", listed)
scaled = {}


def with_scales(writer):
    """Weights whose scale is stored apart, as conversions of NVFP4 store it; and a parameter that is called like one."""
    random = np.random.default_rng(49)
    for name, kind, shape, scales in (("attn_q", Type.NVFP4, (2,), [0.0137]), ("ffn_up_exps", Type.NVFP4, (3, 2), [0.5, 2, 0.3]),
                                      ("attn_k", Type.TQ2_0, (2,), [0.7])):
        raw = np.concatenate([blocks(kind, 2, random) for _ in range(int(np.prod(shape)) // 2)])
        raw = raw.reshape(*shape, -1)
        scales = np.array(scales, dtype=np.float32)
        writer.add_tensor(f"blk.0.{name}.weight", raw, raw_dtype=kind)
        writer.add_tensor(f"blk.0.{name}.scale", scales)
        with np.errstate(over="ignore", invalid="ignore"):
            values = gguf.dequantize(raw, kind)
        scaled[f"blk.0.{name}.weight"] = values * scales.reshape(-1, *[1] * (values.ndim - 1))
    for name in ("attn_q.input_scale", "ffn_gate_inp.weight", "ffn_gate_inp.scale"):
        scaled[f"blk.0.{name}"] = np.arange(9, 12, dtype=np.float32)
        writer.add_tensor(f"blk.0.{name}", scaled[f"blk.0.{name}"])


write("scaled.gguf", with_scales)
np.savez_compressed(HERE / "scaled.npz", **scaled)
write("wrong-scale.gguf", lambda writer: (
    writer.add_tensor("a.weight", blocks(Type.NVFP4, 2, np.random.default_rng(1)), raw_dtype=Type.NVFP4),
    writer.add_tensor("a.scale", np.ones(2, dtype=np.float32))))
write("split.gguf", lambda writer: numbers(writer, {}), parts=3)
write("vocabulary.gguf", everything)
for path in sorted(HERE.glob("*.gguf")):
    if path.name != "big-endian-undefined.gguf":
        gguf.GGUFReader(path)
