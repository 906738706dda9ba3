"""Writes what numpy and ml_dtypes make of values in the types that netconv writes.

    python make_precision.py    (numpy, ml_dtypes, which comes with TensorFlow)

`rounding.bin`: records of a float32 pattern (4 bytes) and what numpy's float16 and ml_dtypes' bfloat16 make of it
(2 bytes each), little-endian: every exponent and sign, next to where rounding turns.

`kernels/`: a source for netconv, one layer for each kind of kernel, in many layouts and of odd sizes.
`kernels/expected/`: its kernels in int8 with their scales. The oracle are fractions, without any rounding of its own:
a scale is the least number of 17 significant bits that is not below max / 127, an integer the nearest to w / scale,
ties to even, as Python rounds fractions.
"""
import json
import pathlib
from fractions import Fraction

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).parent


def rounding():
    mantissas = [0, 1, 0x0FFF, 0x1000, 0x1001, 0x2FFF, 0x3000, 0x3001, 0x7FFF, 0x8000, 0x8001, 0x17FFF, 0x18000,
                 0x18001, 0x7F7FFF, 0x7F8000, 0x7FEFFF, 0x7FF000, 0x7FFFFF]
    patterns = np.array([sign << 31 | exponent << 23 | mantissa
                         for sign in (0, 1) for exponent in range(256)
                         for mantissa in (mantissas if sign == 0 or exponent % 16 == 15 else mantissas[2:5])],
                        "<u4")
    values = patterns.view("<f4")
    with np.errstate(all="ignore"):
        records = np.zeros(len(values), [("float32", "<u4"), ("float16", "<u2"), ("bfloat16", "<u2")])
        records["float32"] = patterns
        records["float16"] = values.astype("<f2").view("<u2")
        records["bfloat16"] = values.astype(ml_dtypes.bfloat16).view("<u2")
    (FOLDER / "rounding.bin").write_bytes(records.tobytes())


def scale(largest):
    """The scale of a channel whose largest magnitude is the fraction `largest`."""
    if largest == 0:
        return Fraction(1)
    exact = largest / 127
    if exact < Fraction(2) ** -126:
        power = Fraction(2) ** -149
        while power < exact:
            power *= 2
        return power
    exponent = 0
    while Fraction(2) ** (exponent + 1) <= exact:
        exponent += 1
    while Fraction(2) ** exponent > exact:
        exponent -= 1
    step = Fraction(2) ** (exponent - 16)
    up = -(-exact // step) * step
    return up if up * 127 < Fraction(2) ** 128 else up - step


def quantized(kernel, axes):
    """Integers, and scales in the order of the axes that tell channels apart."""
    scales = np.zeros([kernel.shape[axis] for axis in axes], "<f4")
    integers = np.zeros(kernel.shape, "i1")
    for channel in np.ndindex(scales.shape):
        index = [slice(None)] * kernel.ndim
        for axis, place in zip(axes, channel):
            index[axis] = place
        values = kernel[tuple(index)]
        exact = scale(max((abs(Fraction(float(v))) for v in values.flat), default=Fraction(0)))
        scales[channel] = float(exact)
        assert Fraction(float(scales[channel])) == exact
        integers[tuple(index)] = np.array(
            [round(Fraction(float(v)) / exact) for v in values.flat]).reshape(values.shape)
    return integers, scales


def kernels():
    generator = np.random.default_rng(7)
    (FOLDER / "kernels/expected").mkdir(parents=True, exist_ok=True)
    layers = []

    def write(layer, role, suffix, layout, shape, axes, special=None):
        kernel = generator.normal(size=shape).astype("<f4")
        # Channels of very different sizes.
        for axis in axes:
            size = [1] * len(shape)
            size[axis] = shape[axis]
            kernel *= np.exp(generator.normal(size=size) * 2).astype("<f4")
        if special:
            special(kernel)
        name = f"{layer}_{suffix}"
        (FOLDER / f"kernels/{name}.bin").write_bytes(kernel.astype("<f4").tobytes())
        integers, scales = quantized(kernel, axes)
        (FOLDER / f"kernels/expected/{name}.bin").write_bytes(integers.tobytes())
        (FOLDER / f"kernels/expected/{name}_scale.bin").write_bytes(scales.tobytes())
        return {"role": role, "file": f"{name}.bin", "dtype": "float32", "layout": layout}

    def layer(name, operator, attributes, *parameters):
        layers.append({"name": name, "operator": operator, "inputs": [layers[-1]["name"] if layers else "x"],
                       "attributes": attributes, "parameters": list(parameters)})

    def odd_channels(kernel):
        kernel[0] = 0  # No value at all.
        kernel[1] = -0.0
        kernel[2].flat[:6] = [127, 0.5, 1.5, 2.5, -0.5, -1.5]  # The scale is 1: ties.
        kernel[2].flat[6:] = 0
        kernel[3] = kernel[3] / np.abs(kernel[3]).max() * np.float32(3.4028234e38)  # The end of the range.
        kernel[3].flat[0] = np.float32(3.4028235e38)
        kernel[4] = np.float32(890 * 2.0 ** -149)  # Subnormal: 890 / 127 is 7.008 steps.
        kernel[4].flat[0] = np.float32(2.0 ** -149)
        kernel[5] = np.float32(1.1754944e-38) * np.abs(kernel[5])  # Some normal, some not.

    layer("conv", "Convolution2D", {"outputChannels": 6, "kernelSize": [3, 2]},
          write("conv", "kernel", "W", "OIHW", (6, 3, 3, 2), (0,), odd_channels))
    layer("grouped", "Convolution2D", {"outputChannels": 4, "kernelSize": [2, 2], "groups": 2},
          write("grouped", "kernel", "W", "OHWI", (4, 2, 2, 3), (0,)))
    layer("depthwise", "DepthwiseConvolution2D", {"kernelSize": [2, 3], "depthMultiplier": 3},
          write("depthwise", "kernel", "W", "IMHW", (4, 3, 2, 3), (0, 1)))
    layer("depthwise2", "DepthwiseConvolution2D", {"kernelSize": [2, 1], "depthMultiplier": 2},
          write("depthwise2", "kernel", "W", "1HW(IM)", (1, 2, 1, 24), (3,)))
    layer("separable", "SeparableConvolution2D",
          {"outputChannels": 9, "kernelSize": [1, 2], "depthMultiplier": 2},
          write("separable", "depthwise", "depthwise", "HWIM", (1, 2, 24, 2), (2, 3)),
          write("separable", "pointwise", "pointwise", "HWIO", (1, 1, 48, 9), (3,)))
    layer("transposed", "TransposedConvolution2D",
          {"outputChannels": 5, "kernelSize": [2, 2], "strides": [2, 2]},
          write("transposed", "kernel", "W", "HWOI", (2, 2, 5, 9), (2,)))
    layer("transposed2", "TransposedConvolution2D", {"outputChannels": 3, "kernelSize": [1, 2]},
          {**write("transposed2", "kernel", "W", "OHWI", (3, 1, 2, 5), (0,)), "reversed": ["W"]})
    layer("flatten", "Flatten", {})
    height, width = 8, 3
    layer("fc1", "Dense", {"units": 11},
          write("fc1", "kernel", "W", "O(IHW)", (11, 3 * height * width), (0,)))
    layer("fc2", "Dense", {"units": 13}, write("fc2", "kernel", "W", "IO", (11, 13), (1,)))
    layer("fc3", "Dense", {"units": 1}, write("fc3", "kernel", "W", "OI", (1, 13), (0,)))
    model = {"format": "netconv-model", "version": 1, "name": "kernels", "inputs": [{"name": "x", "shape": [9, 6, 3]}],
             "outputs": ["fc3"], "layers": layers}
    (FOLDER / "kernels/model.json").write_text(json.dumps(model, indent=1) + "\n")


rounding()
kernels()
