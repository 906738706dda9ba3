#!/usr/bin/env python3
"""Writes the deep-mnist checkpoint as an ONNX graph, for the comparison with onnxruntime.

Usage: deep_mnist_onnx.py H5 OUT.onnx

Input `image` [N,1,28,28] float32 (pixel / 255), output `fc2` [N,10].
Needs: h5py, numpy, onnx.
"""
import sys

import h5py
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    nodes, weights = [], []

    def constant(name: str, values: np.ndarray) -> str:
        weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(kind: str, inputs: list[str], output: str, **attributes) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    with h5py.File(sys.argv[1]) as file:
        def load(layer: str) -> tuple[np.ndarray, np.ndarray]:
            group = file[f"model_weights/{layer}/{layer}"]
            return group["kernel:0"][()], group["bias:0"][()]

        x = "image"
        for index in (1, 2):
            kernel, bias = load(f"conv{index}")
            names = [constant(f"conv{index}_W", kernel.transpose(3, 2, 0, 1)),
                     constant(f"conv{index}_b", bias)]
            x = node("Conv", [x, *names], f"conv{index}_sum", kernel_shape=[5, 5],
                     pads=[2, 2, 2, 2])
            x = node("Relu", [x], f"conv{index}")
            x = node("MaxPool", [x], f"pool{index}", kernel_shape=[2, 2], strides=[2, 2])
        x = node("Transpose", [x], "channels_last", perm=[0, 2, 3, 1])
        x = node("Flatten", [x], "flatten", axis=1)
        for index, function in ((1, "Relu"), (2, "Softmax")):
            kernel, bias = load(f"fc{index}")
            names = [constant(f"fc{index}_W", kernel), constant(f"fc{index}_b", bias)]
            x = node("Gemm", [x, *names], f"fc{index}_sum")
            x = node(function, [x], f"fc{index}")

    graph = helper.make_graph(
        nodes, "deep_mnist",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["N", 1, 28, 28])],
        [helper.make_tensor_value_info("fc2", TensorProto.FLOAT, ["N", 10])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, sys.argv[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
