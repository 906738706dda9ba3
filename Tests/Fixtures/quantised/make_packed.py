#!/usr/bin/env python3
"""Writes weights that bitsandbytes and compressed-tensors have packed on a CPU, and what they unpack as float32."""
import importlib.util
import json
from pathlib import Path

import bitsandbytes.functional as bnb
import numpy as np
import torch
from safetensors.torch import save_file

HERE = Path(__file__).parent
torch.manual_seed(48)


def helpers():
    """compressed-tensors' packing alone: the package imports transformers, which it does not need for this."""
    folder = Path(importlib.util.find_spec("compressed_tensors").origin).parent
    spec = importlib.util.spec_from_file_location("helpers", folder / "compressors/pack_quantized/helpers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(folder, tensors, expected, config=None):
    path = HERE / folder
    path.mkdir(exist_ok=True)
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path / "model.safetensors")
    if config:
        (path / "config.json").write_text(json.dumps(config))
    np.savez_compressed(path / "expected.npz", **{n: v.float().contiguous().numpy() for n, v in expected.items()})


def bitsandbytes():
    tensors, expected = {}, {}
    # Rows of whole blocks, or one block: on a CPU version 0.50.2 takes the wrong scales for blocks of several rows.
    for name, kind, nested, shape, block in (("nested", "nf4", True, (70, 256), 64), ("plain", "nf4", False, (3, 7), 64),
                                             ("fp4", "fp4", False, (4, 128), 128)):
        codes, state = bnb.quantize_4bit(torch.randn(shape), blocksize=block, quant_type=kind,
                                         compress_statistics=nested)
        tensors[f"{name}.weight"] = codes
        tensors |= {f"{name}.weight.{key}": value for key, value in state.as_dict(packed=True).items()}
        expected[f"{name}.weight"] = bnb.dequantize_4bit(codes, state)
    codes, scales, _ = bnb.int8_vectorwise_quant(torch.randn(5, 6).half())
    tensors |= {"int8.weight": codes, "int8.SCB": scales, "int8.weight_format": torch.tensor(0, dtype=torch.uint8)}
    expected["int8.weight"] = bnb.int8_vectorwise_dequant(codes, scales)
    write("bitsandbytes", tensors, expected)


def compressed(folder, bits, settings, group, zeros, order=False, size=96):
    """`(code - zero) * scale`; compressed-tensors, quantization/lifecycle/forward.py, `_dequantize`."""
    pack = helpers().pack_to_int32
    half = 1 << (bits - 1)
    codes = torch.randint(-half, half, (5, size), dtype=torch.int8)
    groups = size // group
    scales = torch.randn(5, groups).abs().half()
    tensors = {"a.weight_packed": pack(codes, bits), "a.weight_shape": torch.tensor([5, size]),
               "a.weight_scale": scales}
    owner = torch.arange(size) // group
    if order:
        owner = owner[torch.randperm(size)]
        tensors["a.weight_g_idx"] = owner.int()
    values = codes.float()
    if zeros:
        zero = torch.randint(-half, half, (5, groups), dtype=torch.int8)
        tensors["a.weight_zero_point"] = pack(zero, bits, packed_dim=0)
        values = values - zero.float()[:, owner]
    write(folder, tensors, {"a.weight": values * scales.float()[:, owner]}, {"quantization_config": {
        "quant_method": "compressed-tensors", "format": "pack-quantized",
        "config_groups": {"group_0": {"weights": {"num_bits": bits, "symmetric": not zeros, **settings}}}}})


bitsandbytes()
compressed("packed4", 4, {"strategy": "group", "group_size": 32}, 32, zeros=True)
compressed("packed4-order", 4, {"strategy": "group", "group_size": 32, "actorder": "group"}, 32, zeros=False, order=True)
compressed("packed3", 3, {"strategy": "group", "group_size": 32}, 32, zeros=True)
compressed("packed8", 8, {"strategy": "channel"}, 50, zeros=False, size=50)
