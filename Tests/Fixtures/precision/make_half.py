"""Small networks at half precision, with NumPy. Writes half.npz.

Docs/precision.md defines where values are rounded. All numbers lie on a grid so coarse that sums in float32 are
exact in any order; the script checks that. What is rounded is therefore the same on every machine, bit for bit.
"""

import pathlib

import numpy

random = numpy.random.default_rng(7)
arrays = {}


def grid(*shape, step=64, high=1.0):
    """Multiples of 1/step below high, each with a little more that float16 cannot hold."""
    count = int(high * step)
    values = random.integers(-count, count + 1, shape) / step
    return (values + values * 2.0**-12).astype(numpy.float32)


def half(values):
    with numpy.errstate(over="ignore"):
        return numpy.asarray(values).astype(numpy.float32).astype(numpy.float16).astype(numpy.float64)


def exact(values):
    assert (values.astype(numpy.float32).astype(numpy.float64) == values).all()
    return values


def convolve(x, kernel, bias):
    """A convolution without padding: (n, h, w, c), (kh, kw, c, o)."""
    height, width = kernel.shape[:2]
    rows, columns = x.shape[1] - height + 1, x.shape[2] - width + 1
    y = numpy.zeros((x.shape[0], rows, columns, kernel.shape[3])) + bias
    for i in range(height):
        for j in range(width):
            y += numpy.einsum("nhwc,co->nhwo", x[:, i : i + rows, j : j + columns], kernel[i, j])
    return exact(y)


def depthwise(x, kernel, bias):
    height, width, channels, _ = kernel.shape
    rows, columns = x.shape[1] - height + 1, x.shape[2] - width + 1
    y = numpy.zeros((x.shape[0], rows, columns, channels)) + bias
    for i in range(height):
        for j in range(width):
            y += x[:, i : i + rows, j : j + columns] * kernel[i, j, :, 0]
    return exact(y)


def transpose(x, kernel, bias):
    """A transposed convolution with strides of 2: (n, h, w, c), (2, 2, o, c)."""
    n, height, width, _ = x.shape
    y = numpy.zeros((n, 2 * height, 2 * width, kernel.shape[2])) + bias
    for i in range(2):
        for j in range(2):
            y[:, i::2, j::2] += numpy.einsum("nhwc,oc->nhwo", x, kernel[i, j])
    return exact(y)


def hard_sigmoid(x):
    return numpy.clip(exact(0.25 * x + 0.5), 0, 1)


def case(name, **values):
    for key, value in values.items():
        arrays[f"{name}.{key}"] = numpy.asarray(value).astype(numpy.float32)


x = grid(2, 4, 5, 3)
kernel, bias = grid(2, 3, 3, 4), grid(4)
sums = convolve(half(x), half(kernel), exact(bias.astype(numpy.float64)))
case("shared", x=x, kernel=kernel, bias=bias)
# An activation of the layer itself, and one that follows it alone: rounded once.
case("own", y0=half(hard_sigmoid(sums)))
case("following", y1=half(hard_sigmoid(sums)))
# Two readers: what they read is stored.
case("twice", y0=half(sums), y1=half(hard_sigmoid(half(sums))))
assert (half(hard_sigmoid(half(sums))) != half(hard_sigmoid(sums))).any()
# A normalisation is a layer of its own, and so is an activation behind it.
gamma, beta, mean = random.integers(-16, 17, (3, 4)) / 8
variance = numpy.array([0.25, 1, 4, 16])
normal = exact(gamma / numpy.sqrt(variance) * (half(sums) - mean) + beta)
case("normal", gamma=gamma, beta=beta, mean=mean, variance=variance)
case("normal", y0=half(sums), y1=half(normal), y2=half(hard_sigmoid(half(normal))))
# A sum of two stored values.
other = grid(2, 3, 3, 4)
case("sum", x=other, y0=half(sums), y1=half(exact(half(sums) + half(other))))

kernel, bias = grid(2, 2, 3, 1), grid(3)
sums = depthwise(half(x), half(kernel), bias.astype(numpy.float64))
case("depthwise", kernel=kernel, bias=bias, y1=half(hard_sigmoid(sums)))
# Both halves of a separable convolution store what they compute.
pointwise, bias = grid(1, 1, 3, 5, step=16), grid(5)
between = half(depthwise(half(x), half(kernel), 0.0))
case("separable", depthwise=kernel, pointwise=pointwise, bias=bias)
sums = convolve(between, half(pointwise), bias.astype(numpy.float64))
case("separable", y1=half(hard_sigmoid(sums)))

kernel, bias = grid(2, 2, 4, 3), grid(4)
sums = transpose(half(x), half(kernel), bias.astype(numpy.float64))
case("transposed", kernel=kernel, bias=bias, y1=half(hard_sigmoid(sums)))

x, kernel, bias = grid(3, 7), grid(7, 6), grid(6)
sums = exact(half(x) @ half(kernel) + bias.astype(numpy.float64))
case("dense", x=x, kernel=kernel, bias=bias, y1=half(hard_sigmoid(sums)))

# 65,519 is rounded to 65,504, 65,520 to infinity, and infinity stays.
x = numpy.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
kernel = numpy.array([[65504.0, 32768.0], [15.0, 32752.0]])
sums = half(x) @ half(kernel)
case("overflow", x=x, kernel=kernel, y0=half(sums), y1=half(0.25 * half(sums)))
numpy.savez(pathlib.Path(__file__).with_name("half.npz"), **arrays)
