#!/usr/bin/env python3
"""Writes a network over sequences twice: as raw values with model.json, for netconv, and as ONNX, for onnxruntime.

Usage: make_sequences.py dilated|keywords|speech|lstm OUT [--length N]

OUT becomes a folder with model.json and its files, network.onnx and inputs.npy, one random sequence of (1, length,
channels). Both networks read it as it is; the ONNX one has the transposes in it that a good exporter writes.
Needs: numpy, onnx.
"""
import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FUNCTIONS = {"relu": "Relu"}


class Network:
    """Layers as netconv's document has them, and the same as nodes of ONNX.

    Values have the names of their layers. Between layers ONNX's are in one of three orders: N, C, W for
    convolutions, W, N, C for recurrent layers, N, W, C for matrices.
    """

    def __init__(self, folder: Path, length: int, channels: int) -> None:
        self.folder = folder
        self.random = np.random.default_rng(1)
        self.layers: list[dict] = []
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.orders = {"x": "NWC"}
        self.input_shape = (length, channels)
        self.channels = {"x": channels}

    # Building blocks

    def values(self, name: str, shape: tuple[int, ...], fan: int) -> np.ndarray:
        """Random values that neither grow nor vanish from layer to layer."""
        array = (self.random.standard_normal(shape) / np.sqrt(fan)).astype(np.float32)
        array.tofile(self.folder / f"{name}.bin")
        return array

    def constant(self, name: str, array: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def layer(self, name: str, operator: str, inputs: list[str], attributes: dict,
              layouts: dict[str, str] | None = None) -> None:
        parameters = [{"role": role, "file": f"{name}_{role}.bin", "dtype": "float32", "layout": layout}
                      for role, layout in (layouts or {}).items()]
        self.layers.append({"name": name, "operator": operator, "inputs": inputs,
                            "attributes": attributes, "parameters": parameters})

    def node(self, operator: str, inputs: list[str], outputs: list[str], **attributes) -> None:
        self.nodes.append(helper.make_node(operator, inputs, outputs, **attributes))

    def ordered(self, name: str, order: str) -> str:
        """The value in another order of axes."""
        found = self.orders[name]
        if found == order:
            return name
        result = f"{name}/{order}"
        if result not in self.orders:
            self.node("Transpose", [name], [result], perm=[found.index(axis) for axis in order])
            self.orders[result] = order
        return result

    def activated(self, name: str, function: str | None, build: Callable[[str], None]) -> None:
        """A node and the function behind it; `build` adds the node under the name that it is given."""
        build(f"{name}/sum" if function else name)
        if function:
            self.node(FUNCTIONS[function], [f"{name}/sum"], [name])

    # Layers

    def convolution(self, name: str, x: str, channels: int, size: int, *, stride: int = 1,
                    dilation: int = 1, same: bool = False, activation: str | None = None) -> str:
        inputs = self.channels[x]
        kernel = self.values(f"{name}_kernel", (size, inputs, channels), size * inputs)
        bias = self.values(f"{name}_bias", (channels,), 4)
        self.layer(name, "Convolution1D", [x],
                   {"outputChannels": channels, "kernelSize": [size], "strides": [stride],
                    "dilation": [dilation], "padding": "same" if same else "valid",
                    "activation": activation or "linear"}, {"kernel": "WIO", "bias": "O"})
        total = (size - 1) * dilation if same else 0
        read = [self.ordered(x, "NCW"), self.constant(f"{name}/kernel", kernel.transpose(2, 1, 0)),
                self.constant(f"{name}/bias", bias)]
        self.activated(name, activation, lambda output: self.node(
            "Conv", read, [output], kernel_shape=[size], strides=[stride], dilations=[dilation],
            pads=[total // 2, total - total // 2]))
        self.orders[name], self.channels[name] = "NCW", channels
        return name

    def pooling(self, name: str, x: str, size: int) -> str:
        self.layer(name, "MaxPooling1D", [x], {"poolSize": [size], "strides": [size]})
        self.node("MaxPool", [self.ordered(x, "NCW")], [name], kernel_shape=[size], strides=[size])
        self.orders[name], self.channels[name] = "NCW", self.channels[x]
        return name

    def mean(self, name: str, x: str) -> str:
        self.layer(name, "GlobalAveragePooling1D", [x], {})
        self.node("ReduceMean", [self.ordered(x, "NCW")], [name], axes=[2], keepdims=0)
        self.orders[name], self.channels[name] = "NC", self.channels[x]
        return name

    def add(self, name: str, a: str, b: str) -> str:
        self.layer(name, "Add", [a, b], {})
        self.node("Add", [a, self.ordered(b, self.orders[a])], [name])
        self.orders[name], self.channels[name] = self.orders[a], self.channels[a]
        return name

    def dense(self, name: str, x: str, units: int, activation: str | None = None) -> str:
        inputs = self.channels[x]
        kernel = self.values(f"{name}_kernel", (inputs, units), inputs)
        bias = self.values(f"{name}_bias", (units,), 4)
        self.layer(name, "Dense", [x], {"units": units, "activation": activation or "linear"},
                   {"kernel": "IO", "bias": "O"})
        order = "NC" if self.orders[x] == "NC" else "NWC"
        self.node("MatMul", [self.ordered(x, order), self.constant(f"{name}/kernel", kernel)],
                  [f"{name}/product"])
        read = [f"{name}/product", self.constant(f"{name}/bias", bias)]
        self.activated(name, activation, lambda output: self.node("Add", read, [output]))
        self.orders[name], self.channels[name] = order, units
        return name

    def lstm(self, name: str, x: str, units: int, backwards: bool = False) -> str:
        inputs = self.channels[x]
        shapes = {"kernel": (inputs, 4 * units), "recurrent": (units, 4 * units), "bias": (4 * units,)}
        values = {role: self.values(f"{name}_{role}", shape, shape[0] if role != "bias" else 4)
                  for role, shape in shapes.items()}
        self.layer(name, "LSTM", [x],
                   {"units": units, "recurrence": {"returns": "sequence", "goesBackwards": backwards}},
                   {"kernel": "I(G[ifco]N)", "recurrent": "I(G[ifco]N)", "bias": "(G[ifco]N)"})

        def iofc(array: np.ndarray) -> np.ndarray:
            i, f, c, o = np.split(array, 4, axis=-1)
            return np.concatenate([i, o, f, c], axis=-1).T[None]

        biases = np.concatenate([iofc(values["bias"]), np.zeros((1, 4 * units), np.float32)], axis=1)
        read = [self.ordered(x, "WNC"), self.constant(f"{name}/W", iofc(values["kernel"])),
                self.constant(f"{name}/R", iofc(values["recurrent"])),
                self.constant(f"{name}/B", biases)]
        self.node("LSTM", read, [f"{name}/directions"], hidden_size=units,
                  direction="reverse" if backwards else "forward")
        self.node("Squeeze", [f"{name}/directions", self.constant(f"{name}/axis", np.array([1]))], [name])
        self.orders[name], self.channels[name] = "WNC", units
        if not backwards:
            return name
        # ONNX's states are in the order of the input; netconv's in the order in which they are computed.
        self.layer(f"{name}/reversed", "Reverse", [name], {})
        self.node("Identity", [name], [f"{name}/reversed"])
        self.orders[f"{name}/reversed"], self.channels[f"{name}/reversed"] = "WNC", units
        return f"{name}/reversed"

    def both(self, name: str, x: str, units: int) -> str:
        """A forward and a backward layer, side by side."""
        parts = [self.lstm(f"{name}_forward", x, units), self.lstm(f"{name}_backward", x, units, True)]
        self.layer(name, "Concatenate", parts, {"axis": 1})
        self.node("Concat", parts, [name], axis=2)
        self.orders[name], self.channels[name] = "WNC", 2 * units
        return name

    # The whole

    def write(self, output: str) -> None:
        length, channels = self.input_shape
        (self.folder / "model.json").write_text(json.dumps({
            "format": "netconv-model", "version": 1, "name": self.folder.name,
            "inputs": [{"name": "x", "shape": [length, channels]}], "outputs": [output],
            "layers": self.layers}))
        is_vector = self.orders[output] == "NC"
        result = output if is_vector else self.ordered(output, "NWC")
        shape = [1, self.channels[output]] if is_vector else [1, "steps", self.channels[output]]
        graph = helper.make_graph(
            self.nodes, "network",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, length, channels])],
            [helper.make_tensor_value_info(result, TensorProto.FLOAT, shape)], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, self.folder / "network.onnx")
        np.save(self.folder / "inputs.npy",
                self.random.standard_normal((1, length, channels)).astype(np.float32))


def dilated(folder: Path, length: int) -> None:
    """39 convolutions with residual sums, as networks that read DNA have them."""
    network = Network(folder, length, 4)
    x = network.convolution("in", "x", 32, 1)
    for index in range(19):
        y = network.convolution(f"a{index}", x, 32, 11, dilation=min(2 ** (index % 10), 16), same=True,
                                activation="relu")
        x = network.add(f"s{index}", x, network.convolution(f"b{index}", y, 32, 1))
    network.write(x)


def keywords(folder: Path, length: int) -> None:
    """A network that spots words in a second of sound."""
    network = Network(folder, length, 1)
    x = "x"
    for index, (channels, size, stride) in enumerate([(32, 80, 4), (64, 3, 1), (128, 3, 1), (256, 3, 1)]):
        x = network.convolution(f"c{index}", x, channels, size, stride=stride, activation="relu")
        x = network.pooling(f"p{index}", x, 4)
    network.write(network.dense("fc", network.mean("mean", x), 35))


def speech(folder: Path, length: int) -> None:
    """Dense layers, an LSTM in both directions and dense layers, as DeepSpeech has them."""
    network = Network(folder, length, 80)
    x = "x"
    for index in range(3):
        x = network.dense(f"d{index}", x, 512, "relu")
    x = network.dense("d3", network.both("both", x, 512), 512, "relu")
    network.write(network.dense("fc", x, 29))


def lstm(folder: Path, length: int) -> None:
    """An LSTM of 40 units, as models of guitar amplifiers have it."""
    network = Network(folder, length, 1)
    network.write(network.dense("fc", network.lstm("lstm", "x", 40), 1))


NETWORKS = {"dilated": (dilated, 10_000), "keywords": (keywords, 16_000), "speech": (speech, 200),
            "lstm": (lstm, 2_000)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("out", type=Path)
    parser.add_argument("--length", type=int)
    arguments = parser.parse_args()
    make, length = NETWORKS[arguments.network]
    arguments.out.mkdir(parents=True, exist_ok=True)
    make(arguments.out, arguments.length or length)


if __name__ == "__main__":
    main()
