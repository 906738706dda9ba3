"""Large models in Keras's HDF5 format, written without Keras: real graphs, random weights."""
import gzip
import json
from pathlib import Path

import h5py
import numpy as np


class Network:
    """A functional model of Keras, layer by layer."""

    def __init__(self, name: str, seed: int = 1):
        self.name = name
        self.layers: list[dict] = []
        self.channels: dict[str, int] = {}
        self.weights: dict[str, dict[str, np.ndarray]] = {}
        self.random = np.random.default_rng(seed)
        self.nested: list["Network"] = []

    def add(self, kind: str, name: str, inputs: list[str], channels: int, **config) -> str:
        nodes = [[[source, 0, 0, {}] for source in inputs]] if inputs else []
        self.layers.append({
            "class_name": kind, "name": name, "config": {"name": name, "trainable": True, **config}, "inbound_nodes": nodes})
        self.channels[name] = channels
        return name

    def values(self, *shape: int) -> np.ndarray:
        scale = np.sqrt(2 / max(1, np.prod(shape[:-1])))
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def input(self, name: str, size: int, channels: int) -> str:
        return self.add("InputLayer", name, [], channels, batch_input_shape=[None, size, size, channels], dtype="float32")

    def convolution(self, name: str, source: str, filters: int, kernel: int, strides: int = 1, **more) -> str:
        depth = self.channels[source]
        self.add(
            "Conv2D", name, [source], filters, filters=filters, kernel_size=[kernel, kernel], strides=[strides, strides],
            padding="same", data_format="channels_last", activation=more.get("activation", "linear"), use_bias=True)
        self.weights[name] = {"kernel:0": self.values(kernel, kernel, depth, filters), "bias:0": np.zeros(filters, np.float32)}
        return name

    def normalization(self, name: str, source: str) -> str:
        depth = self.channels[source]
        self.add("BatchNormalization", name, [source], depth, axis=[3], momentum=0.99, epsilon=1e-3, center=True, scale=True)
        one, zero = np.ones(depth, np.float32), np.zeros(depth, np.float32)
        self.weights[name] = {"gamma:0": one, "beta:0": zero, "moving_mean:0": zero, "moving_variance:0": one}
        return name

    def relu(self, name: str, source: str) -> str:
        return self.add("Activation", name, [source], self.channels[source], activation="relu")

    def merge(self, name: str, sources: list[str], concatenates: bool = False) -> str:
        if concatenates:
            return self.add("Concatenate", name, sources, sum(self.channels[source] for source in sources), axis=-1)
        return self.add("Add", name, sources, self.channels[sources[0]])

    def pool(self, name: str, source: str) -> str:
        return self.add(
            "MaxPooling2D", name, [source], self.channels[source], pool_size=[2, 2], strides=[2, 2], padding="valid",
            data_format="channels_last")

    def enlarge(self, name: str, source: str) -> str:
        return self.add(
            "UpSampling2D", name, [source], self.channels[source], size=[2, 2], data_format="channels_last",
            interpolation="nearest")

    def classifier(self, source: str, classes: int) -> str:
        self.add("GlobalAveragePooling2D", "average", [source], self.channels[source], data_format="channels_last")
        self.add("Dense", "predictions", ["average"], classes, units=classes, activation="softmax", use_bias=True)
        self.weights["predictions"] = {
            "kernel:0": self.values(self.channels[source], classes), "bias:0": np.zeros(classes, np.float32)}
        return "predictions"

    def submodel(self, network: "Network", source: str) -> str:
        """Another network as a layer of this one."""
        self.nested.append(network)
        self.layers.append({
            "class_name": "Functional", "name": network.name, "config": network.config, "inbound_nodes": [[[source, 0, 0, {}]]]})
        self.channels[network.name] = network.channels[network.layers[-1]["name"]]
        return network.name

    @property
    def config(self) -> dict:
        first, last = self.layers[0]["name"], self.layers[-1]["name"]
        return {
            "name": self.name, "layers": self.layers, "input_layers": [[first, 0, 0]], "output_layers": [[last, 0, 0]]}

    def all_weights(self) -> dict[str, np.ndarray]:
        found = {f"{layer}/{name}": value for layer, values in self.weights.items() for name, value in values.items()}
        for network in self.nested:
            found.update(network.all_weights())
        return found

    def write(self, path: Path) -> Path:
        with h5py.File(path, "w") as file:
            file.attrs["keras_version"] = "2.15.0"
            file.attrs["backend"] = "tensorflow"
            file.attrs["model_config"] = json.dumps({"class_name": "Functional", "config": self.config})
            group = file.create_group("model_weights")
            names = [layer["name"] for layer in self.layers]
            write_names(group, "layer_names", names)
            nested = {network.name: network for network in self.nested}
            for name in names:
                place = group.create_group(name)
                if name in nested:
                    weights = nested[name].all_weights()
                else:
                    weights = {f"{name}/{key}": value for key, value in self.weights.get(name, {}).items()}
                write_names(place, "weight_names", list(weights))
                for key, value in weights.items():
                    place.create_dataset(key, data=value)
        return path


def write_names(group: h5py.Group, key: str, names: list[str]) -> None:
    """As Keras does: attributes of more than 64 kB are written in parts."""
    encoded = np.array([name.encode() for name in names], dtype=h5py.string_dtype() if not names else None)
    if encoded.nbytes < 64_000:
        group.attrs[key] = encoded
        return
    parts = -(-encoded.nbytes // 60_000)
    for index, part in enumerate(np.array_split(encoded, parts)):
        group.attrs[f"{key}{index}"] = part


def dense_network() -> Network:
    """DenseNet-201: 707 layers, each block's layers read all before them through a chain of concatenations."""
    network = Network("densenet201")
    x = network.convolution("conv1/conv", network.input("input_1", 224, 3), 64, 7, 2)
    x = network.pool("pool1", network.relu("conv1/relu", network.normalization("conv1/bn", x)))
    for stage, blocks in enumerate((6, 12, 48, 32), 2):
        for block in range(1, blocks + 1):
            name = f"conv{stage}_block{block}"
            y = network.relu(f"{name}_0_relu", network.normalization(f"{name}_0_bn", x))
            y = network.convolution(f"{name}_1_conv", y, 128, 1)
            y = network.relu(f"{name}_1_relu", network.normalization(f"{name}_1_bn", y))
            y = network.convolution(f"{name}_2_conv", y, 32, 3)
            x = network.merge(f"{name}_concat", [x, y], concatenates=True)
        if stage < 5:
            y = network.relu(f"pool{stage}_relu", network.normalization(f"pool{stage}_bn", x))
            x = network.pool(f"pool{stage}_pool", network.convolution(f"pool{stage}_conv", y, network.channels[x] // 2, 1))
    network.classifier(network.relu("relu", network.normalization("bn", x)), 1000)
    return network


def deep_network() -> Network:
    """A residual network of 1,001 layers with weights, 3,500 with all."""
    network = Network("resnet1001", seed=2)
    x = network.convolution("stem", network.input("image", 32, 3), 16, 3)
    for stage, filters in enumerate((16, 24, 32), 1):
        for block in range(1, 112):
            name = f"stage{stage}_block{block}"
            y = x
            for part in (1, 2, 3):
                y = network.relu(f"{name}_relu{part}", network.normalization(f"{name}_bn{part}", y))
                y = network.convolution(f"{name}_conv{part}", y, filters, 3 if part == 2 else 1)
            if network.channels[x] != filters:
                x = network.convolution(f"{name}_shortcut", x, filters, 1)
            x = network.merge(f"{name}_add", [x, y])
    network.classifier(x, 10)
    return network


def nested_network() -> Network:
    """A U-shaped network of nested models, each of which is a dense block: folded at first, long edges across."""
    network = Network("nested_unet", seed=3)
    x = network.input("scan", 256, 1)
    skips = []
    for level in range(6):
        x = network.submodel(dense_block(f"encoder{level + 1}", network.channels[x], 256 >> level, seed=10 + level), x)
        skips.append(x)
        x = network.pool(f"down{level + 1}", x)
    x = network.submodel(dense_block("bottom", network.channels[x], 4, seed=20), x)
    for level in reversed(range(6)):
        x = network.merge(f"join{level + 1}", [network.enlarge(f"up{level + 1}", x), skips[level]], concatenates=True)
        x = network.submodel(dense_block(f"decoder{level + 1}", network.channels[x], 256 >> level, seed=30 + level), x)
    network.convolution("mask", x, 1, 1, activation="sigmoid")
    return network


def dense_block(name: str, channels: int, size: int, seed: int) -> Network:
    """Twelve convolutions, each of which reads the results of all before it."""
    network = Network(name, seed)
    results = [network.input(f"{name}_input", size, channels)]
    for index in range(1, 13):
        x = results[0] if len(results) == 1 else network.merge(f"{name}_concat{index}", results, concatenates=True)
        x = network.convolution(f"{name}_conv{index}", x, 8, 3)
        results.append(network.relu(f"{name}_relu{index}", network.normalization(f"{name}_bn{index}", x)))
    network.convolution(f"{name}_out", network.merge(f"{name}_all", results, concatenates=True), 16, 1)
    return network


def large_models(root: Path, folder: Path) -> list[Path]:
    """Five large architectures in `folder`: two as keras.applications has them, without values."""
    paths = []
    for name in ("ConvNeXtTiny", "NASNetMobile"):
        path = folder / f"{name}.h5"
        if not path.exists():
            path.write_bytes(gzip.decompress((root / f"Tests/Fixtures/applications/{name}.h5.gz").read_bytes()))
        paths.append(path)
    for make in (dense_network, deep_network, nested_network):
        network = make()
        path = folder / f"{network.name}.h5"
        paths.append(path if path.exists() else network.write(path))
    return paths
