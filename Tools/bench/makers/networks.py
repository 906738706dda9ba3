"""The networks of the bench as Keras 2 describes them: layers, and the shapes of their weights.

VGG16, ResNet50 and MobileNetV2 as in keras.applications, for 224 x 224 images and 1000 classes.
"""
from dataclasses import dataclass, field

Shape = tuple[int, ...]


@dataclass
class Network:
    """A functional model that grows layer by layer; every method returns the new layer's name."""
    name: str
    layers: list[dict] = field(default_factory=list)
    weights: dict[str, dict[str, Shape]] = field(default_factory=dict)
    channels: dict[str, int] = field(default_factory=dict)

    def layer(self, kind: str, name: str, sources: list[str], channels: int,
              weights: dict[str, Shape] | None = None, **config) -> str:
        self.layers.append({
            "class_name": kind, "name": name,
            "config": {"name": name, "trainable": True, "dtype": "float32", **config},
            "inbound_nodes": [[[source, 0, 0, {}] for source in sources]]})
        self.weights[name] = weights or {}
        self.channels[name] = channels
        return name

    def image(self, height: int, width: int, channels: int) -> str:
        self.layers.append({
            "class_name": "InputLayer", "name": "image", "inbound_nodes": [],
            "config": {"batch_input_shape": [None, height, width, channels], "dtype": "float32",
                       "sparse": False, "ragged": False, "name": "image"}})
        self.channels["image"] = channels
        return "image"

    def convolution(self, x: str, name: str, filters: int, size: int, stride: int = 1,
                    padding: str = "same", activation: str = "linear", bias: bool = True) -> str:
        weights = {"kernel": (size, size, self.channels[x], filters)}
        if bias:
            weights["bias"] = (filters,)
        return self.layer(
            "Conv2D", name, [x], filters, weights, filters=filters, kernel_size=[size, size],
            strides=[stride, stride], padding=padding, data_format="channels_last",
            dilation_rate=[1, 1], groups=1, activation=activation, use_bias=bias)

    def depthwise(self, x: str, name: str, stride: int, padding: str) -> str:
        channels = self.channels[x]
        return self.layer(
            "DepthwiseConv2D", name, [x], channels, {"depthwise_kernel": (3, 3, channels, 1)},
            kernel_size=[3, 3], strides=[stride, stride], padding=padding, depth_multiplier=1,
            data_format="channels_last", dilation_rate=[1, 1], activation="linear", use_bias=False)

    def normalization(self, x: str, name: str, epsilon: float) -> str:
        channels = self.channels[x]
        roles = ("gamma", "beta", "moving_mean", "moving_variance")
        return self.layer(
            "BatchNormalization", name, [x], channels, {role: (channels,) for role in roles},
            axis=[3], momentum=0.99, epsilon=epsilon, center=True, scale=True)

    def relu(self, x: str, name: str, highest: float | None = None) -> str:
        return self.layer("ReLU", name, [x], self.channels[x], max_value=highest,
                          negative_slope=0.0, threshold=0.0)

    def padding(self, x: str, name: str, rows: list[int], columns: list[int]) -> str:
        return self.layer("ZeroPadding2D", name, [x], self.channels[x], padding=[rows, columns],
                          data_format="channels_last")

    def max_pooling(self, x: str, name: str, size: int) -> str:
        return self.layer("MaxPooling2D", name, [x], self.channels[x], pool_size=[size, size],
                          padding="valid", strides=[2, 2], data_format="channels_last")

    def global_pooling(self, x: str, name: str) -> str:
        return self.layer("GlobalAveragePooling2D", name, [x], self.channels[x],
                          data_format="channels_last", keepdims=False)

    def add(self, a: str, b: str, name: str) -> str:
        return self.layer("Add", name, [a, b], self.channels[a])

    def flatten(self, x: str, name: str, pixels: int) -> str:
        return self.layer("Flatten", name, [x], pixels * self.channels[x],
                          data_format="channels_last")

    def dense(self, x: str, name: str, units: int, activation: str) -> str:
        return self.layer("Dense", name, [x], units,
                          {"kernel": (self.channels[x], units), "bias": (units,)},
                          units=units, activation=activation, use_bias=True)

    def model_config(self) -> dict:
        return {"class_name": "Functional",
                "config": {"name": self.name, "layers": self.layers,
                           "input_layers": [["image", 0, 0]],
                           "output_layers": [[self.layers[-1]["name"], 0, 0]]}}


def vgg16(units: int = 4096) -> Network:
    """VGG16; with other `units` in its two hidden fully-connected layers, a file of another size."""
    net = Network("vgg16")
    x = net.image(224, 224, 3)
    for block, (filters, count) in enumerate(
            ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)), start=1):
        for index in range(1, count + 1):
            x = net.convolution(x, f"block{block}_conv{index}", filters, 3, activation="relu")
        x = net.max_pooling(x, f"block{block}_pool", 2)
    x = net.flatten(x, "flatten", pixels=7 * 7)
    for name in ("fc1", "fc2"):
        x = net.dense(x, name, units, "relu")
    net.dense(x, "predictions", 1000, "softmax")
    return net


def resnet50() -> Network:
    net = Network("resnet50")

    def normalized(x: str, name: str, filters: int, size: int, stride: int = 1,
                   padding: str = "same") -> str:
        x = net.convolution(x, f"{name}_conv", filters, size, stride, padding)
        return net.normalization(x, f"{name}_bn", 1.001e-5)

    x = net.padding(net.image(224, 224, 3), "conv1_pad", [3, 3], [3, 3])
    x = net.relu(normalized(x, "conv1", 64, 7, 2, "valid"), "conv1_relu")
    x = net.max_pooling(net.padding(x, "pool1_pad", [1, 1], [1, 1]), "pool1_pool", 3)
    for stage, (filters, count) in enumerate(
            ((64, 3), (128, 4), (256, 6), (512, 3)), start=2):
        for block in range(1, count + 1):
            name = f"conv{stage}_block{block}"
            stride = 2 if block == 1 and stage > 2 else 1
            shortcut = x
            if block == 1:
                shortcut = normalized(x, f"{name}_0", 4 * filters, 1, stride, "valid")
            x = net.relu(normalized(x, f"{name}_1", filters, 1, stride, "valid"), f"{name}_1_relu")
            x = net.relu(normalized(x, f"{name}_2", filters, 3), f"{name}_2_relu")
            x = normalized(x, f"{name}_3", 4 * filters, 1, padding="valid")
            x = net.relu(net.add(shortcut, x, f"{name}_add"), f"{name}_out")
    net.dense(net.global_pooling(x, "avg_pool"), "predictions", 1000, "softmax")
    return net


def mobilenet_v2() -> Network:
    net = Network("mobilenetv2")

    def pointwise(x: str, name: str, filters: int) -> str:
        x = net.convolution(x, name, filters, 1, bias=False)
        return net.normalization(x, f"{name}_BN", 1e-3)

    x = net.convolution(net.image(224, 224, 3), "Conv1", 32, 3, 2, bias=False)
    x = net.relu(net.normalization(x, "bn_Conv1", 1e-3), "Conv1_relu", 6.0)
    block = 0
    for filters, count, first_stride, expansion in (
            (16, 1, 1, 1), (24, 2, 2, 6), (32, 3, 2, 6), (64, 4, 2, 6), (96, 3, 1, 6),
            (160, 3, 2, 6), (320, 1, 1, 6)):
        for index in range(count):
            name, stride, start = f"block_{block}", first_stride if index == 0 else 1, x
            if expansion > 1:
                x = pointwise(x, f"{name}_expand", expansion * net.channels[x])
                x = net.relu(x, f"{name}_expand_relu", 6.0)
            if stride == 2:
                x = net.padding(x, f"{name}_pad", [0, 1], [0, 1])
            x = net.depthwise(x, f"{name}_depthwise", stride, "valid" if stride == 2 else "same")
            x = net.normalization(x, f"{name}_depthwise_BN", 1e-3)
            x = pointwise(net.relu(x, f"{name}_depthwise_relu", 6.0), f"{name}_project", filters)
            if index > 0:
                x = net.add(start, x, f"{name}_add")
            block += 1
    x = net.relu(pointwise(x, "Conv_1", 1280), "out_relu", 6.0)
    net.dense(net.global_pooling(x, "global_average_pooling2d"), "predictions", 1000, "softmax")
    return net


def small() -> Network:
    """A network whose checkpoint has about 30 KB."""
    net = Network("small")
    x = net.max_pooling(net.convolution(net.image(28, 28, 1), "conv1", 4, 5, activation="relu"),
                        "pool1", 2)
    x = net.max_pooling(net.convolution(x, "conv2", 4, 5, activation="relu"), "pool2", 2)
    net.dense(net.flatten(x, "flatten", pixels=7 * 7), "predictions", 10, "softmax")
    return net


def tiny() -> Network:
    """A network for MNIST that does next to nothing with an image."""
    net = Network("tiny")
    x = net.max_pooling(net.image(28, 28, 1), "pool1", 2)
    x = net.max_pooling(x, "pool2", 2)
    net.dense(net.flatten(x, "flatten", pixels=7 * 7), "predictions", 10, "softmax")
    return net


NETWORKS = {"VGG16": vgg16, "ResNet50": resnet50, "MobileNetV2": mobilenet_v2, "small": small,
            "tiny": tiny}
