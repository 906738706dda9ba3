#!/usr/bin/env python3
"""Writes weights, and the files that gguf, mlx and huggingface_hub make of them."""
import json
import shutil
from pathlib import Path

import gguf
import ml_dtypes
import mlx.core as mx
import numpy as np
from huggingface_hub.serialization._base import split_state_dict_into_shards_factory
from safetensors.numpy import load_file, save_file

HERE = Path(__file__).parent
random = np.random.default_rng(48)


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


def weights():
    """Matrices with rows of zeros, of one sign, of one value, with ties, and of tiny and large numbers."""
    special = normal(12, 128)
    special[0] = 0
    special[1] = -0.0
    special[2] = np.abs(special[2])
    special[3] = -np.abs(special[3])
    special[4] = 1.5
    special[5] = np.arange(128) / 4 - 16
    special[6] = 127 * np.sign(special[6])
    special[6, ::3] = 0.5
    special[7] *= 1e-9
    special[8] *= 1e4
    special[9, 1:] = 0
    special[10, ::2] = special[10, 1::2]
    tensors = {
        "embed.weight": normal(9, 64),
        "layer.special.weight": special,
        "layer.narrow.weight": normal(6, 40),
        "layer.bias": normal(64),
        "layer.conv.weight": normal(3, 2, 3, 32),
        "norm.weight": normal(7),
        "scale": np.array(2.5, np.float32),
    }
    half = {"embed.weight": normal(9, 64).astype(np.float16), "layer.special.weight": special.astype(np.float16)}
    bfloat = {name: value.astype(ml_dtypes.bfloat16) for name, value in half.items()}
    for name, group in (("float32", tensors), ("float16", half), ("bfloat16", bfloat)):
        save_file(group, HERE / f"{name}.safetensors")


def write_gguf(name, kind):
    """What gguf-py writes, but for the architecture."""
    writer = gguf.GGUFWriter(HERE / f"{name}.gguf", "none")
    writer.kv_data[0].clear()
    writer.add_string("netconv.version", "0.1.0")
    writer.add_string("general.name", "float32")
    if kind in (gguf.GGMLQuantizationType.Q8_0, gguf.GGMLQuantizationType.Q4_0):
        writer.add_quantization_version(2)
    # safetensors returns tensors in the order of the file: by offset.
    raw = (HERE / "float32.safetensors").read_bytes()
    header = json.loads(raw[8:8 + int.from_bytes(raw[:8], "little")])
    order = sorted((n for n in header if n != "__metadata__"), key=lambda n: header[n]["data_offsets"])
    tensors = load_file(HERE / "float32.safetensors")
    for tensor in order:
        value = tensors[tensor]
        size = gguf.GGML_QUANT_SIZES[kind][0]
        if value.ndim == 0:
            value = value.reshape(1)
        if value.ndim < 2 or value.shape[-1] % size:
            writer.add_tensor(tensor, value)
        else:
            writer.add_tensor(tensor, gguf.quantize(value, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def numpy(array):
    if array.dtype == mx.bfloat16:
        return np.array(array.view(mx.uint16)).view(ml_dtypes.bfloat16)
    return np.array(array)


def write_mlx(source, bits, size):
    tensors = {}
    for name, value in mx.load(str(HERE / f"{source}.safetensors")).items():
        if value.ndim == 2 and name.endswith(".weight") and value.shape[-1] % size == 0:
            for end, part in zip(("weight", "scales", "biases"), mx.quantize(value, group_size=size, bits=bits)):
                tensors[name.removesuffix("weight") + end] = numpy(part)
        else:
            tensors[name] = numpy(value)
    save_file(tensors, HERE / f"mlx-{source}-{bits}bit-{size}.safetensors")


def write_index():
    """The index of huggingface_hub for shards of 1 KB, and of 3,000 bytes."""
    tensors = load_file(HERE / "float32.safetensors")
    raw = (HERE / "float32.safetensors").read_bytes()
    header = json.loads(raw[8:8 + int.from_bytes(raw[:8], "little")])
    order = sorted((n for n in header if n != "__metadata__"), key=lambda n: header[n]["data_offsets"])
    for size in ("1KB", "3KB", "7KB"):
        split = split_state_dict_into_shards_factory(
            {name: tensors[name] for name in order}, get_storage_size=lambda t: t.nbytes,
            filename_pattern="model{suffix}.safetensors", max_shard_size=size)
        index = {"metadata": split.metadata, "weight_map": split.tensor_to_filename}
        (HERE / f"index-{size}.json").write_text(json.dumps(index, indent=2, sort_keys=True) + "\n")


def main():
    weights()
    for name, kind in (("q8_0", "Q8_0"), ("q4_0", "Q4_0"), ("f32", "F32"), ("f16", "F16"), ("bf16", "BF16")):
        write_gguf(name, gguf.GGMLQuantizationType[kind])
    for bits in (2, 3, 4, 6, 8):
        write_mlx("float32", bits, 64)
    for source in ("float16", "bfloat16"):
        write_mlx(source, 4, 32)
    write_mlx("bfloat16", 8, 64)
    write_index()


main()
