#!/usr/bin/env python3
"""Writes quantised weights as libraries store them, and their values as float32 beside them.

MLX's are quantised and computed by mlx on a CPU. The others are packed and computed here in numpy, as the documents and
sources say that are named beside each: their packages need a GPU, or no longer install.
"""
import json
from pathlib import Path

import ml_dtypes
import mlx.core as mx
import numpy as np
from safetensors.numpy import save_file

HERE = Path(__file__).parent
random = np.random.default_rng(48)


def write(folder, tensors, expected, files):
    """A folder with weights, JSON files beside them, and what the weights stand for."""
    path = HERE / folder
    path.mkdir(exist_ok=True)
    save_file({name: np.array(array, order="C") for name, array in tensors.items()}, path / "model.safetensors")
    for name, value in files.items():
        (path / name).write_text(json.dumps(value))
    np.savez_compressed(path / "expected.npz", **{n: np.array(v, dtype=np.float32, order="C")
                                                  for n, v in expected.items()})


def normal(*shape):
    return random.normal(size=shape).astype(np.float32)


def mlx():
    """mlx's own codes; values by mlx from scales and biases as float32, since its bfloat16 result is rounded twice."""
    tensors, expected, layers = {}, {}, {}

    def put(name, shape, kind=mx.float16, **how):
        parts = mx.quantize(mx.array(normal(*shape)).astype(kind), **how)
        for ending, part in zip(("weight", "scales", "biases"), parts):
            if part.dtype == mx.bfloat16:
                bits = np.array(part.view(mx.uint16))
                tensors[f"{name}.{ending}"] = bits.view(ml_dtypes.bfloat16)
            else:
                tensors[f"{name}.{ending}"] = np.array(part)
        wide = [part.astype(mx.float32) if part.dtype in (mx.float16, mx.bfloat16) else part for part in parts]
        expected[f"{name}.weight"] = np.array(mx.dequantize(*wide, **how, dtype=mx.float32))
        layers[name] = how

    for bits in (2, 3, 4, 5, 6, 8):
        put(f"layer.{bits}", (3, 128), group_size=64, bits=bits)
    put("layer.4in32", (3, 64), mx.bfloat16, group_size=32, bits=4)
    put("layer.stacked", (2, 3, 128), mx.float32, group_size=128, bits=2)
    for mode, bits, size in (("mxfp4", 4, 32), ("mxfp8", 8, 32), ("nvfp4", 4, 16)):
        put(f"layer.{mode}", (2, 64), mx.float32, mode=mode, bits=bits, group_size=size)
    tensors["norm.weight"] = expected["norm.weight"] = normal(5)
    write("mlx", tensors, expected, {"config.json": {"quantization": {"group_size": 64, "bits": 4, **layers}}})


def fp8():
    """DeepSeek-V3's inference/kernel.py, `weight_dequant`: each block times its scale."""
    e4m3, e5m2 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
    tensors, expected = {}, {}

    def put(name, codes, scale, ending, wide, zeros=None):
        tensors[name], tensors[name + ending] = codes, scale
        values = codes.astype(np.float32)
        if zeros is not None:
            tensors[name + "_zero_point"] = zeros
            values = values - zeros.astype(np.float32)
        expected[name] = values * wide

    scale = np.abs(normal(3, 3))
    wide = scale.repeat(4, axis=0)[:10].repeat(8, axis=1)[:, :20]
    put("block.weight", normal(10, 20).astype(e4m3), scale, "_scale_inv", wide)
    scale = np.abs(normal(2, 3, 2))
    put("experts.gate", normal(2, 10, 16).astype(e4m3), scale, "_scale_inv",
        scale.repeat(4, axis=1)[:, :10].repeat(8, axis=2))
    scale = np.abs(normal(5, 1)).astype(ml_dtypes.bfloat16)
    put("channel.weight", normal(5, 7).astype(e4m3), scale, "_scale", scale.astype(np.float32))
    scale = np.abs(normal(6))
    put("vector.weight", normal(6, 4).astype(e5m2), scale, "_scale", scale[:, None])
    scale = np.abs(normal())
    put("whole.weight", normal(3, 4).astype(e4m3), np.array(scale), "_scale", scale)
    tensors["whole.input_scale"] = expected["whole.input_scale"] = np.float32(0.25).reshape(())
    scale = np.abs(normal(5, 1)).astype(np.float16)
    zeros = random.integers(-9, 9, (5, 1), dtype=np.int8)
    put("int8.weight", random.integers(-128, 128, (5, 6), dtype=np.int8), scale, "_scale",
        scale.astype(np.float32), zeros)
    write("fp8", tensors, expected, {"config.json": {"quantization_config": {
        "quant_method": "fp8", "weight_block_size": [4, 8]}}})


def packed(codes, bits, axis):
    """Codes as a stream of bits along an axis, the lowest first, in words of 32."""
    codes = np.moveaxis(codes, axis, -1).astype(np.uint8)
    stream = np.unpackbits(codes[..., None], axis=-1, bitorder="little")[..., :bits].reshape(*codes.shape[:-1], -1)
    pad = -stream.shape[-1] % 32
    stream = np.concatenate([stream, np.zeros((*stream.shape[:-1], pad), dtype=np.uint8)], axis=-1)
    words = np.packbits(stream, axis=-1, bitorder="little").view("<i4")
    return np.moveaxis(words, -1, axis)


def gptq(folder, bits, shift, settings, shuffled, symmetric=False):
    """AutoGPTQ, auto_gptq/nn_modules/qlinear/qlinear_cuda.py, `pack` and `forward`; weights come out outputs first."""
    inputs, outputs, size = 64, 32, 16
    codes = random.integers(0, 1 << bits, (inputs, outputs))
    zeros = random.integers(1, (1 << bits) - 1, (inputs // size, outputs))
    if symmetric:
        zeros[:] = 1 << (bits - 1)
    scales = np.abs(normal(inputs // size, outputs)).astype(np.float16)
    groups = np.arange(inputs, dtype=np.int32) // size
    if shuffled:
        random.shuffle(groups)
    tensors = {"a.qweight": packed(codes, bits, 0), "a.qzeros": packed(zeros - shift, bits, 1), "a.scales": scales,
               "a.bias": normal(outputs)}
    if shuffled is not None:
        tensors["a.g_idx"] = groups
    values = (codes - zeros[groups]).astype(np.float32) * scales.astype(np.float32)[groups]
    write(folder, tensors, {"a.weight": values.T, "a.bias": tensors["a.bias"]}, {
        "quantize_config.json": {"bits": bits, "group_size": size, **settings}})


def awq():
    """AutoAWQ, awq/modules/linear/gemm.py, `from_linear`."""
    inputs, outputs, size = 32, 24, 16
    codes = random.integers(0, 16, (inputs, outputs))
    zeros = random.integers(0, 16, (inputs // size, outputs))
    scales = np.abs(normal(inputs // size, outputs)).astype(np.float16)

    def pack(codes):
        words = np.zeros((codes.shape[0], codes.shape[1] // 8), dtype=np.uint32)
        for column in range(words.shape[1]):
            for nibble, neighbour in enumerate([0, 2, 4, 6, 1, 3, 5, 7]):
                words[:, column] |= codes[:, column * 8 + neighbour].astype(np.uint32) << np.uint32(nibble * 4)
        return words.view(np.int32)

    groups = np.arange(inputs) // size
    values = (codes - zeros[groups]).astype(np.float32) * scales.astype(np.float32)[groups]
    write("awq", {"a.qweight": pack(codes), "a.qzeros": pack(zeros), "a.scales": scales}, {"a.weight": values.T},
          {"config.json": {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": size,
                                                   "version": "gemm", "zero_point": True}}})


def awq_for_vectors():
    """AutoAWQ, awq/modules/linear/gemv.py, `from_linear`: rows of 2 groups are padded to 4 words."""
    inputs, outputs, size, words = 64, 24, 32, 4
    codes = random.integers(0, 16, (outputs, inputs))
    zeros = random.integers(0, 16, (outputs, inputs // size))
    scales = np.zeros((outputs, words * 8), dtype=np.float16)
    scales[:, : inputs // size] = np.abs(normal(outputs, inputs // size)).astype(np.float16)
    packed_zeros = np.zeros((outputs, words), dtype=np.uint32)
    for group in range(inputs // size):
        packed_zeros[:, group // 8] |= zeros[:, group].astype(np.uint32) << np.uint32(group % 8 * 4)
    packed_codes = np.zeros((outputs, inputs // 8), dtype=np.uint32)
    for column in range(inputs):
        packed_codes[:, column // 8] |= codes[:, column].astype(np.uint32) << np.uint32(column % 8 * 4)
    groups = np.arange(inputs) // size
    values = (codes - zeros[:, groups]).astype(np.float32) * scales[:, groups].astype(np.float32)
    write("awq-gemv", {"a.qweight": packed_codes.view(np.int32), "a.qzeros": packed_zeros.view(np.int32),
                       "a.scales": scales}, {"a.weight": values},
          {"config.json": {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": size,
                                                   "version": "gemv", "zero_point": True}}})


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], dtype=np.float32)


def fp4(codes):
    """The numbers of bytes with two codes each, the first in the low half: OCP MX 1.0, 5.3.3."""
    return E2M1[np.stack([codes & 15, codes >> 4], axis=-1)].reshape(*codes.shape[:-1], -1)


def fours():
    """gpt-oss's stacked experts (transformers, integrations/mxfp4.py); compressed-tensors' and modelopt's NVFP4."""
    blocks = random.integers(0, 256, (2, 5, 3, 16), dtype=np.uint8)
    scales = random.integers(120, 132, (2, 5, 3), dtype=np.uint8)
    values = (fp4(blocks) * np.exp2(scales.astype(np.float32) - 127)[..., None]).reshape(2, 5, 96)
    tensors = {"experts.gate_up_proj_blocks": blocks, "experts.gate_up_proj_scales": scales}
    expected = {"experts.gate_up_proj": values.transpose(0, 2, 1)}
    codes = random.integers(0, 256, (3, 32), dtype=np.uint8)
    powers = random.integers(120, 132, (3, 2), dtype=np.uint8)
    tensors |= {"mx.weight_packed": codes, "mx.weight_scale": powers}
    expected["mx.weight"] = fp4(codes) * np.exp2(powers.astype(np.float32) - 127).repeat(32, axis=1)
    for name, ending, whole, divides in (("ct.weight", "_packed", "_global_scale", True),
                                         ("mo.weight", "", "_scale_2", False)):
        codes = random.integers(0, 256, (3, 16), dtype=np.uint8)
        scales = np.abs(normal(3, 2)).astype(ml_dtypes.float8_e4m3fn)
        factor = np.float32([7.3] if divides else 0.0137)
        tensors |= {name + ending: codes, name + "_scale": scales, name + whole: factor}
        wide = scales.astype(np.float32) / factor if divides else scales.astype(np.float32) * factor
        expected[name] = fp4(codes) * wide.repeat(16, axis=1)
    write("fours", tensors, expected, {})


mlx()
fp8()
gptq("gptq4", 4, 1, {"desc_act": True, "sym": False, "checkpoint_format": "gptq"}, True)
gptq("gptq3", 3, 1, {"desc_act": False, "sym": False}, None)
gptq("gptq8", 8, 0, {"desc_act": False, "sym": True, "checkpoint_format": "gptq_v2"}, False, symmetric=True)
# Zero points as they are, in files that say that they are stored less one.
gptq("gptq-false", 4, 0, {"desc_act": False, "sym": True, "checkpoint_format": "gptq"}, False, symmetric=True)
awq()
fours()
awq_for_vectors()
