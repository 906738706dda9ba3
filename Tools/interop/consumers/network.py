"""A network with every kind of kernel that the consumers have a layout for, as raw values with model.json.

Height, width and the numbers of channels all differ, kernels are not square and behind the flatten the order of
axes matters, so that no two layouts hold the same bytes.
"""
import json
from pathlib import Path

import numpy as np

HEIGHT, WIDTH, CHANNELS = 7, 8, 3
EPSILON = 1e-3
# conv 2x3 to 4 channels; depthwise 3x2, 2 outputs each; up 2x3, stride 2, to 5 channels; fc to 6.
CONV, MULTIPLIER, UP, UNITS = 4, 2, 5, 6
UP_HEIGHT, UP_WIDTH = (HEIGHT - 1 - 2) * 2, (WIDTH - 2 - 1) * 2 + 1
SHAPES = {
    "conv": {"kernel": ("HWIO", (2, 3, CHANNELS, CONV)), "bias": ("O", (CONV,))},
    "bn": {role: ("C", (CONV,)) for role in ("gamma", "beta", "mean", "variance")},
    "prelu": {"alpha": ("HWC", (1, 1, CONV))},
    "dw": {"kernel": ("HWIM", (3, 2, CONV, MULTIPLIER)), "bias": ("O", (CONV * MULTIPLIER,))},
    "up": {"kernel": ("HWOI", (2, 3, UP, CONV * MULTIPLIER)), "bias": ("O", (UP,))},
    "fc": {"kernel": ("(HWI)O", (UP_HEIGHT * UP_WIDTH * UP, UNITS)), "bias": ("O", (UNITS,))},
}
LAYERS = [
    ("conv", "Convolution2D", {"outputChannels": CONV, "kernelSize": [2, 3]}),
    ("bn", "BatchNormalization", {"epsilon": EPSILON}),
    ("prelu", "PReLU", {"sharedAxes": [0, 1]}),
    ("dw", "DepthwiseConvolution2D", {"kernelSize": [3, 2], "depthMultiplier": MULTIPLIER}),
    ("up", "TransposedConvolution2D",
     {"outputChannels": UP, "kernelSize": [2, 3], "strides": [2, 2]}),
    ("flatten", "Flatten", {}),
    ("fc", "Dense", {"units": UNITS}),
]


def images(count: int = 3) -> np.ndarray:
    """Inputs in the order N, H, W, C."""
    return np.random.default_rng(1).standard_normal(
        (count, HEIGHT, WIDTH, CHANNELS)).astype(np.float32)


def write(folder: Path, without: tuple[str, ...] = ()) -> Path:
    """Writes the network, less the layers `without`, which have to be at the front of what may go."""
    random = np.random.default_rng(2)
    folder.mkdir()
    layers, previous = [], "image"
    for name, operator, attributes in LAYERS:
        parameters = []
        for role, (layout, shape) in SHAPES.get(name, {}).items():
            values = random.standard_normal(shape).astype("<f4") / 2
            if role == "variance":
                values = np.abs(values) + np.float32(0.5)
            file = f"{name}_{role}.bin"
            if name not in without:
                values.tofile(folder / file)
            parameters.append({"role": role, "file": file, "dtype": "float32", "layout": layout})
        if name in without:
            continue
        layers.append({"name": name, "operator": operator, "attributes": attributes,
                       "inputs": [previous], "parameters": parameters})
        previous = name
    (folder / "model.json").write_text(json.dumps({
        "format": "netconv-model", "version": 1, "name": "consumers",
        "inputs": [{"name": "image", "shape": [HEIGHT, WIDTH, CHANNELS]}], "outputs": [previous],
        "layers": layers}))
    return folder
