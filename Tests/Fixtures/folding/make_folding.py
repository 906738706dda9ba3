"""Folds batch normalisations with NumPy: in float64, rounded once to float32. Writes folding.npz.

For each case NAME.kernel (as Keras stores it), NAME.bias (absent if there is none), NAME.gamma, NAME.beta,
NAME.mean, NAME.variance, and what they must become: NAME.folded_kernel, NAME.folded_bias.
"""

import pathlib

import numpy

random = numpy.random.default_rng(20)
EPSILON = 0.001
# The shape of the kernel, its output channels as an einsum of the factors, and whether there is a bias.
CASES = {
    "convolution": ((3, 2, 4, 5), (5,), True),
    "plain": ((1, 3, 2, 7), (7,), False),
    "depthwise": ((3, 3, 3, 2), (3, 2), True),
    "transposed": ((2, 3, 5, 4), (5, 1), True),
    "pointwise": ((1, 1, 6, 5), (5,), False),
    "dense": ((12, 7), (7,), True),
}
arrays = {}
for name, (shape, channels, has_bias) in CASES.items():
    count = int(numpy.prod(channels))
    values = {
        "kernel": random.normal(size=shape),
        "gamma": random.uniform(-2, 2, count),
        "beta": random.normal(size=count),
        "mean": random.normal(size=count) * 10,
        "variance": random.uniform(1e-4, 4, count),
    }
    if has_bias:
        values["bias"] = random.normal(size=count)
    values = {role: value.astype(numpy.float32) for role, value in values.items()}
    exact = {role: value.astype(numpy.float64) for role, value in values.items()}
    factor = exact["gamma"] / numpy.sqrt(exact["variance"] + EPSILON)
    kernel = exact["kernel"] * factor.reshape(channels)
    bias = factor * (exact.get("bias", 0.0) - exact["mean"]) + exact["beta"]
    for role, value in values.items():
        arrays[f"{name}.{role}"] = value
    arrays[f"{name}.folded_kernel"] = kernel.astype(numpy.float32)
    arrays[f"{name}.folded_bias"] = bias.astype(numpy.float32)
numpy.savez(pathlib.Path(__file__).with_name("folding.npz"), **arrays)
