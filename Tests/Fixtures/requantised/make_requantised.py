"""Matrices and what gguf and mlx quantise them to, and the same with mistakes.

Needs gguf, mlx, ml_dtypes, numpy and safetensors. Run in this folder: python make_requantised.py
"""

import json
import pathlib

import gguf
import ml_dtypes
import mlx.core as mx
import numpy as np
from safetensors.numpy import save_file

random = np.random.default_rng(49)
HEADS = 4
ORIGINAL = {
    f"layers.{n}.{name}.weight": (random.standard_normal(shape) * 0.05).astype(np.float32)
    for n in range(3)
    for name, shape in (("q", (32, 64)), ("down", (64, 96)))
}


def rotary(array):
    return array.reshape(HEADS, 2, -1, array.shape[1]).swapaxes(1, 2).reshape(array.shape)


def port(arrays):
    return {name: rotary(array) if ".q." in name else array for name, array in arrays.items()}


def write_gguf(path, arrays, kind, damage=None):
    writer = gguf.GGUFWriter(path, "llama")
    for name, array in arrays.items():
        codes = gguf.quants.quantize(np.ascontiguousarray(array), kind)
        if damage and damage[0] == name:
            damage[1](codes)
        writer.add_tensor(name, codes, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_mlx(folder, arrays):
    pathlib.Path(folder).mkdir(exist_ok=True)
    tensors = {}
    for name, array in arrays.items():
        array = mx.array(np.ascontiguousarray(array)).astype(mx.bfloat16)
        codes, scales, biases = mx.quantize(array, 32, 4, stream=mx.cpu)
        stem = name.removesuffix("weight")
        tensors |= {name: codes, stem + "scales": scales, stem + "biases": biases}
    mx.save_safetensors(f"{folder}/model.safetensors", tensors)
    pathlib.Path(folder, "config.json").write_text(json.dumps({"quantization": {"group_size": 32, "bits": 4}}))


def write_float8(folder, arrays):
    """A scale for each row, as the largest value over the largest code."""
    pathlib.Path(folder).mkdir(exist_ok=True)
    tensors = {}
    for name, array in arrays.items():
        scales = (np.abs(array).max(1, keepdims=True) / 448).astype(np.float32)
        tensors |= {name: (array / scales).astype(ml_dtypes.float8_e4m3fn), name + "_scale": scales}
    save_file(tensors, f"{folder}/model.safetensors")


def double(codes):
    """The scale of the third block of the sixth row."""
    scale = codes[5, 36:38].view(np.float16)
    scale *= 2


Q8, Q4, Q5 = (gguf.GGMLQuantizationType[name] for name in ("Q8_0", "Q4_0", "Q5_1"))
save_file(ORIGINAL, "original.safetensors")
right = port(ORIGINAL)
write_gguf("q8.gguf", right, Q8)
write_gguf("q4.gguf", right, Q4)
write_gguf("q5.gguf", right, Q5)
write_mlx("mlx", ORIGINAL)
name = "layers.1.down.weight"
write_gguf("scale.gguf", right, Q4, (name, double))
tuned = right | {name: (right[name] * (1 + 1e-4 * random.standard_normal(right[name].shape))).astype(np.float32)}
write_gguf("tuned.gguf", tuned, Q4)
write_gguf("tuned-q5.gguf", tuned, Q5)
write_float8("float8", right)
write_float8("tuned-float8", tuned)
write_mlx("tuned-mlx", {**ORIGINAL, name: tuned[name]})
row = {key: np.array(array) for key, array in right.items()}
row[name][17] = (random.standard_normal(96) * 0.05).astype(np.float32)
write_gguf("row.gguf", row, Q8)
write_gguf("order.gguf", right | {"layers.1.q.weight": ORIGINAL["layers.1.q.weight"]}, Q8)

# The errors of each quantisation: the largest relative to its value, and the root of the squares relative to that of the values.
errors = {}
for kind, restore in (
    ("q8_0", lambda array: gguf.dequantize(gguf.quantize(array, Q8), Q8)),
    ("q4_0", lambda array: gguf.dequantize(gguf.quantize(array, Q4), Q4)),
    ("mlx-4bit/32", lambda array: np.array(mx.dequantize(
        *mx.quantize(mx.array(array), 32, 4, stream=mx.cpu), 32, 4, stream=mx.cpu))),
):
    errors[kind] = {}
    for key, array in ORIGINAL.items():
        error = array.astype(np.float64) - restore(array)
        errors[kind][key] = [float(np.abs(error / array).max()),
                             float(np.sqrt((error**2).sum() / (array.astype(np.float64) ** 2).sum()))]
pathlib.Path("errors.json").write_text(json.dumps(errors, indent=1) + "\n")
