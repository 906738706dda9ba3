#!/usr/bin/env python3
"""Writes networks with two layers whose names are one to Swift, and two to the frameworks: `é` as one scalar, and as two.

Usage: make_names.py [OUT_DIR]     (needs numpy, h5py, onnx, onnxruntime, keras with tensorflow-cpu)

names.npz, names.safetensors, names.index   the weights of both layers; the last with its file of values
names.onnx       both layers, one behind the other; names.h5 and names.keras the same in Keras
expected.npz     in0: what was fed; onnx and keras: what onnxruntime and NumPy make of it; W0, b0, W1, b1: the weights
"""
import json
import os
import struct
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import keras
import numpy as np
import onnx
import onnxruntime
import tensorflow as tf
from onnx import TensorProto, helper, numpy_helper

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
NAMES = ["\u00e9", "e\u0301"]


def save_safetensors(arrays, path):
    """As safetensors lays a file out; names are not escaped."""
    header, end = {}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [end, end + array.nbytes]}
        end += array.nbytes
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(array.tobytes() for array in arrays.values()))


def main():
    rng = np.random.default_rng(4)
    kernels = [rng.standard_normal(shape).astype(np.float32) for shape in ((3, 5), (5, 4))]
    biases = [rng.standard_normal(size).astype(np.float32) for size in (5, 4)]
    weights = {f"{name}.weight": kernel.T.copy() for name, kernel in zip(NAMES, kernels)}
    weights |= {f"{name}.bias": bias for name, bias in zip(NAMES, biases)}
    np.savez(OUT / "names.npz", **weights)
    save_safetensors(weights, OUT / "names.safetensors")
    tf.raw_ops.SaveV2(prefix=str(OUT / "names"), tensor_names=[name.replace(".", "/") for name in weights],
                      shape_and_slices=[""] * len(weights), tensors=[tf.constant(value) for value in weights.values()])
    fed = rng.standard_normal((2, 3)).astype(np.float32)

    nodes = [helper.make_node("Gemm", ["x", "\u00e9.weight", "\u00e9.bias"], ["\u00e9"]),
             helper.make_node("Gemm", ["\u00e9", "e\u0301.weight", "e\u0301.bias"], ["e\u0301"])]
    stored = [numpy_helper.from_array(kernel, f"{name}.weight") for name, kernel in zip(NAMES, kernels)]
    stored += [numpy_helper.from_array(bias, f"{name}.bias") for name, bias in zip(NAMES, biases)]
    graph = helper.make_graph(
        nodes, "names", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])],
        [helper.make_tensor_value_info("e\u0301", TensorProto.FLOAT, ["batch", 4])], stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, OUT / "names.onnx")
    by_onnx = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": fed})[0]

    network = keras.Sequential([
        keras.Input((3,), name="x"), keras.layers.Dense(5, name=NAMES[0]), keras.layers.Dense(4, name=NAMES[1])], name="names")
    network.set_weights([kernels[0], biases[0], kernels[1], biases[1]])
    network.save(OUT / "names.h5")
    network.save(OUT / "names.keras")
    # Keras saves layers of such names, but TensorFlow has no scope for them.
    by_hand = ((fed.astype(np.float64) @ kernels[0] + biases[0]) @ kernels[1] + biases[1]).astype(np.float32)
    np.savez(OUT / "expected.npz", in0=fed, onnx=by_onnx, keras=by_hand,
             W0=kernels[0], b0=biases[0], W1=kernels[1], b1=biases[1])


main()
