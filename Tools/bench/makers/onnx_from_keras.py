#!/usr/bin/env python3
"""Writes a Keras checkpoint of a vision network as ONNX, for onnxruntime to run beside netconv.

Usage: onnx_from_keras.py IN.h5 OUT.onnx

The graph is the one that a good exporter gives: channels first, padding as attributes of the
convolutions, and BatchNormalization left to the runtime to fold. The input is channels first, too.
Reads sequential and functional networks of convolutions, poolings, normalisations, sums and dense
layers, as Keras 2 and 3 write them into .h5 files.
Needs: h5py, numpy, onnx.
"""
import json
import sys

import h5py
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ACTIVATIONS = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh"}


def pair(value: int | list[int]) -> list[int]:
    return list(value) if isinstance(value, (list, tuple)) else [value, value]


def sources_of(layer: dict) -> list[str]:
    """The names of the layers that a layer of a functional model reads."""
    names = []

    def walk(node: object) -> None:
        if isinstance(node, dict) and node.get("class_name") == "__keras_tensor__":  # Keras 3
            names.append(node["config"]["keras_history"][0])
        elif isinstance(node, dict):
            for value in node.values():
                walk(value)
        elif isinstance(node, list) and len(node) >= 3 and isinstance(node[1], int):  # Keras 2
            names.append(node[0])
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(layer.get("inbound_nodes", []))
    return names


class Exporter:
    """The nodes and constants of the layers exported so far."""

    def __init__(self, weights: h5py.Group) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        # Channels, height and width of images; the size of vectors.
        self.shapes: dict[str, tuple[int, ...]] = {}
        # What a ZeroPadding2D pads, and by how much: top, left, bottom, right.
        self.padding: dict[str, tuple[str, list[int]]] = {}
        # The image that a vector was before it was flattened.
        self.flattened: dict[str, tuple[int, ...]] = {}

    # Building blocks

    def constant(self, name: str, values: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def floats(self, name: str, values: np.ndarray | float) -> str:
        return self.constant(name, np.asarray(values, np.float32))

    def node(self, kind: str, inputs: list[str], name: str, **attributes) -> None:
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))

    def activated(self, config: dict, kind: str, inputs: list[str], **attributes) -> None:
        """A node whose result passes through the layer's activation function."""
        name, function = config["name"], config.get("activation", "linear")
        if function == "linear":
            self.node(kind, inputs, name, **attributes)
            return
        self.node(kind, inputs, f"{name}/sum", **attributes)
        self.function(function, f"{name}/sum", name)

    def function(self, function: str, source: str, name: str) -> None:
        if function == "softmax":
            self.node("Softmax", [source], name, axis=-1)
        else:
            self.node(ACTIVATIONS[function], [source], name)

    def parameters(self, name: str) -> list[np.ndarray]:
        group = self.weights[name]
        return [group[path][()] for path in group.attrs["weight_names"]]

    def same(self, name: str, source: str) -> None:
        """Notes that a layer keeps the shape of what it reads."""
        self.shapes[name] = self.shapes[source]
        if source in self.flattened:
            self.flattened[name] = self.flattened[source]

    def window(self, config: dict, size: list[int], dilation: list[int], source: str
               ) -> tuple[str, list[int], list[int], list[int]]:
        """The input to read, the padding with a ZeroPadding2D before it, the strides, and the
        output's height and width."""
        before, pads = self.padding.get(source, (source, [0, 0, 0, 0]))
        extent = self.shapes[source][1:]
        strides = pair(config.get("strides") or size)
        pads, outputs = list(pads), []
        for axis in range(2):
            reach = (size[axis] - 1) * dilation[axis] + 1
            if config["padding"] == "same":
                count = -(-extent[axis] // strides[axis])
                total = max(0, (count - 1) * strides[axis] + reach - extent[axis])
                pads[axis] += total // 2
                pads[axis + 2] += total - total // 2
            else:
                count = (extent[axis] - reach) // strides[axis] + 1
            outputs.append(count)
        return before, pads, strides, outputs

    # Layers

    def InputLayer(self, config: dict, sources: list[str]) -> None:
        shape = config.get("batch_shape") or config["batch_input_shape"]
        height, width, channels = shape[1:]
        self.shapes[config["name"]] = (channels, height, width)
        self.input = config["name"]

    def convolution(self, config: dict, source: str, kernel: np.ndarray, bias: list[np.ndarray],
                    groups: int) -> None:
        """A convolution with a kernel in the order of ONNX."""
        name, size = config["name"], list(kernel.shape[2:])
        dilation = pair(config.get("dilation_rate", 1))
        before, pads, strides, outputs = self.window(config, size, dilation, source)
        inputs = [before, self.floats(f"{name}/kernel", kernel)]
        inputs += [self.floats(f"{name}/bias", values) for values in bias]
        self.activated(config, "Conv", inputs, kernel_shape=size, pads=pads, strides=strides,
                       dilations=dilation, group=groups)
        self.shapes[name] = (kernel.shape[0], *outputs)

    def Conv2D(self, config: dict, sources: list[str]) -> None:
        kernel, *bias = self.parameters(config["name"])
        self.convolution(config, sources[0], kernel.transpose(3, 2, 0, 1), bias,
                         config.get("groups", 1))

    def DepthwiseConv2D(self, config: dict, sources: list[str]) -> None:
        kernel, *bias = self.parameters(config["name"])
        kernel = kernel.transpose(2, 3, 0, 1).reshape(-1, 1, *kernel.shape[:2])
        self.convolution(config, sources[0], kernel, bias, self.shapes[sources[0]][0])

    def ZeroPadding2D(self, config: dict, sources: list[str]) -> None:
        (top, bottom), (left, right) = config["padding"]
        channels, height, width = self.shapes[sources[0]]
        self.shapes[config["name"]] = (channels, height + top + bottom, width + left + right)
        self.padding[config["name"]] = (sources[0], [top, left, bottom, right])

    def pooling(self, config: dict, source: str, kind: str) -> None:
        name, size = config["name"], pair(config["pool_size"])
        if source in self.padding:  # a pooling of ONNX does not pad with zeros
            before, (top, left, bottom, right) = self.padding.pop(source)
            pads = np.array([0, 0, top, left, 0, 0, bottom, right], np.int64)
            self.node("Pad", [before, self.constant(f"{source}/pads", pads)], source)
        before, pads, strides, outputs = self.window(config, size, [1, 1], source)
        self.node(kind, [before], name, kernel_shape=size, pads=pads, strides=strides)
        self.shapes[name] = (self.shapes[source][0], *outputs)

    def MaxPooling2D(self, config: dict, sources: list[str]) -> None:
        self.pooling(config, sources[0], "MaxPool")

    def AveragePooling2D(self, config: dict, sources: list[str]) -> None:
        self.pooling(config, sources[0], "AveragePool")

    def GlobalAveragePooling2D(self, config: dict, sources: list[str]) -> None:
        name = config["name"]
        self.node("GlobalAveragePool", [sources[0]], f"{name}/means")
        self.node("Flatten", [f"{name}/means"], name)
        self.shapes[name] = self.shapes[sources[0]][:1]

    def BatchNormalization(self, config: dict, sources: list[str]) -> None:
        name, parameters = config["name"], self.parameters(config["name"])
        channels = self.shapes[sources[0]][0]
        gamma = parameters.pop(0) if config["scale"] else np.ones(channels)
        beta = parameters.pop(0) if config["center"] else np.zeros(channels)
        roles = {"gamma": gamma, "beta": beta, "mean": parameters[0], "variance": parameters[1]}
        inputs = [self.floats(f"{name}/{role}", values) for role, values in roles.items()]
        self.node("BatchNormalization", [sources[0], *inputs], name, epsilon=config["epsilon"])
        self.same(name, sources[0])

    def Activation(self, config: dict, sources: list[str]) -> None:
        self.activated(config, "Identity", sources)
        self.same(config["name"], sources[0])

    def ReLU(self, config: dict, sources: list[str]) -> None:
        name = config["name"]
        if highest := config.get("max_value"):
            limits = [self.floats(f"{name}/lowest", 0), self.floats(f"{name}/highest", highest)]
            self.node("Clip", [sources[0], *limits], name)
        else:
            self.node("Relu", [sources[0]], name)
        self.same(name, sources[0])

    def Add(self, config: dict, sources: list[str]) -> None:
        self.node("Add", sources, config["name"])
        self.same(config["name"], sources[0])

    def Dropout(self, config: dict, sources: list[str]) -> None:
        self.node("Identity", sources, config["name"])
        self.same(config["name"], sources[0])

    def Flatten(self, config: dict, sources: list[str]) -> None:
        name, image = config["name"], self.shapes[sources[0]]
        self.node("Flatten", sources, name)
        self.shapes[name] = (int(np.prod(image)),)
        self.flattened[name] = image

    def Dense(self, config: dict, sources: list[str]) -> None:
        name, source = config["name"], sources[0]
        kernel, *bias = self.parameters(name)
        if source in self.flattened:  # the kernel's rows are in the order height, width, channels
            channels, height, width = self.flattened[source]
            image = kernel.reshape(height, width, channels, -1)
            kernel = image.transpose(2, 0, 1, 3).reshape(kernel.shape)
        inputs = [source, self.floats(f"{name}/kernel", kernel)]
        inputs += [self.floats(f"{name}/bias", values) for values in bias]
        self.activated(config, "Gemm", inputs)
        self.shapes[name] = (kernel.shape[1],)

    # The whole

    def export(self, model: dict) -> onnx.ModelProto:
        last = None
        for layer in model["config"]["layers"]:
            kind, config = layer["class_name"], layer["config"]
            export = getattr(self, kind, None)
            if export is None:
                sys.exit(f"{config['name']}: {kind} is not among the layers that this script writes")
            chained = model["class_name"] == "Sequential" and last is not None
            export(config, [last] if chained else sources_of(layer))
            last = config["name"]
        graph = helper.make_graph(
            self.nodes, "network", [self.port(self.input)], [self.port(last)], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)

    def port(self, name: str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(
            name, TensorProto.FLOAT, ["images", *self.shapes[name]])


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with h5py.File(sys.argv[1]) as file:
        model = Exporter(file["model_weights"]).export(json.loads(file.attrs["model_config"]))
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, sys.argv[2])


if __name__ == "__main__":
    main()
