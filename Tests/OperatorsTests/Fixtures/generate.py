"""Writes operators.json: inputs and outputs of TensorFlow's own operators.

    python generate.py    (tensorflow 2, tf_keras, keras 3, numpy)

All values are multiples of 1/8 of a few bits, so that sums and products are exact in float32 and only functions
such as exp and divisions round.
"""
import itertools
import json
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras as keras3
import numpy as np
import tensorflow as tf
import tf_keras as keras

random = np.random.default_rng(20240229)
cases = []


def values(*shape):
    return (random.integers(-24, 25, shape) / 8).astype(np.float32)


def array(a):
    return {"shape": list(a.shape), "values": [float(v) for v in a.ravel()]}


def add(operator, attributes, inputs, output, **parameters):
    """`inputs` and `output` have a batch axis of 1."""
    cases.append({
        "operator": operator, "attributes": attributes,
        "inputs": [array(x[0]) for x in inputs],
        "parameters": {role: array(p) for role, p in parameters.items()},
        "output": array(np.asarray(output)[0]),
    })


def convolution(size, kernel, channels, output, stride=(1, 1), dilation=(1, 1), groups=1, padding="VALID"):
    x, k, b = values(1, *size, channels), values(*kernel, channels // groups, output), values(output)
    # tf.nn.convolution has groups on the CPU only in some builds; a group is a convolution of its own.
    n, m = channels // groups, output // groups
    parts = [
        tf.nn.convolution(
            x[..., g * n:(g + 1) * n], k[..., g * m:(g + 1) * m], strides=stride, padding=padding, dilations=dilation)
        for g in range(groups)]
    add("Convolution2D", {
        "outputChannels": output, "kernelSize": kernel, "strides": stride, "dilation": dilation,
        "groups": groups, "padding": padding.lower()}, [x], tf.concat(parts, -1) + b, kernel=k, bias=b)


for padding in ("VALID", "SAME"):
    convolution((4, 5), (3, 2), 2, 3, padding=padding)
    convolution((5, 6), (2, 3), 1, 2, stride=(2, 2), padding=padding)
    convolution((6, 5), (3, 3), 3, 2, stride=(2, 2), padding=padding)
    convolution((7, 8), (5, 4), 1, 2, stride=(3, 2), padding=padding)
    convolution((7, 6), (2, 3), 2, 3, dilation=(3, 2), padding=padding)
    convolution((4, 3), (2, 2), 4, 6, groups=2, padding=padding)
    convolution((3, 4), (2, 3), 3, 6, groups=3, padding=padding)
convolution((3, 2), (5, 5), 2, 2, padding="SAME")
convolution((3, 4), (1, 1), 5, 2)

for shape, units in (((3,), 4), ((2, 3), 2), ((2, 3, 4), 5)):
    x, k, b = values(1, *shape), values(shape[-1], units), values(units)
    add("Dense", {"units": units}, [x], x @ k + b, kernel=k, bias=b)

for size, pool, stride, padding in itertools.product(
        ((4, 5), (5, 4)), ((2, 2), (3, 2)), ((2, 2), (1, 3)), ("VALID", "SAME")):
    x = values(1, *size, 3) - 4
    attributes = {"poolSize": pool, "strides": stride, "padding": padding.lower()}
    add("MaxPooling2D", attributes, [x], tf.nn.max_pool2d(x, pool, stride, padding))
    add("AveragePooling2D", attributes, [x], tf.nn.avg_pool2d(x, pool, stride, padding))

for keep in (False, True):
    x = values(1, 3, 4, 2)
    add("GlobalMaxPooling2D", {"keepDimensions": keep}, [x],
        keras.layers.GlobalMaxPooling2D(keepdims=keep)(x))
    add("GlobalAveragePooling2D", {"keepDimensions": keep}, [x],
        keras.layers.GlobalAveragePooling2D(keepdims=keep)(x))

for shape in ((5,), (2, 3, 4)):
    x, c = values(1, *shape), shape[-1]
    gamma, beta, mean, variance = values(c), values(c), values(c), np.abs(values(c)) + 0.125
    add("BatchNormalization", {"epsilon": 0.25}, [x],
        tf.nn.batch_normalization(x, mean, variance, beta, gamma, 0.25),
        gamma=gamma, beta=beta, mean=mean, variance=variance)
    add("BatchNormalization", {}, [x],
        tf.nn.batch_normalization(x, mean, variance, None, None, 0.001), mean=mean, variance=variance)

x = values(1, 2, 3, 4)
functions = {
    '"linear"': lambda x: x, '"relu"': tf.nn.relu, '"relu6"': tf.nn.relu6, '"sigmoid"': tf.nn.sigmoid,
    '"tanh"': tf.nn.tanh, '"softmax"': tf.nn.softmax, '"elu"': tf.nn.elu,
    '{"function": "softmax", "axis": 0}': lambda x: tf.nn.softmax(x, axis=1),
    '{"function": "softmax", "axis": -2}': lambda x: tf.nn.softmax(x, axis=2),
    '{"function": "elu", "alpha": 0.5}': keras.layers.ELU(0.5),
    '{"function": "leakyRelu", "negativeSlope": 0.25}': keras.layers.LeakyReLU(0.25),
    '{"function": "relu", "threshold": 1}': keras.layers.ReLU(threshold=1.0),
    '{"function": "relu", "maxValue": 2, "negativeSlope": 0.5, "threshold": 1}':
        keras.layers.ReLU(max_value=2.0, negative_slope=0.5, threshold=1.0),
    '{"function": "relu", "maxValue": 1.5}': keras.layers.ReLU(max_value=1.5),
}
for text, function in functions.items():
    add("Activation", {"function": json.loads(text)}, [x], function(x))

a, b, c = values(1, 2, 3), values(1, 2, 3), values(1, 2, 3)
add("Add", {}, [a, b], keras.layers.Add()([a, b]))
add("Add", {}, [a, b, c], keras.layers.Add()([a, b, c]))
a, b, c = values(1, 2, 3, 4), values(1, 2, 3, 1), values(1, 2, 3, 2)
add("Concatenate", {}, [a, b, c], tf.concat([a, b, c], -1))
a, b = values(1, 2, 3, 4), values(1, 2, 2, 4)
add("Concatenate", {"axis": 1}, [a, b], tf.concat([a, b], 2))
add("Concatenate", {"axis": -2}, [a, b], tf.concat([a, b], 2))
a, b = values(1, 1, 3), values(1, 2, 3)
add("Concatenate", {"axis": 0}, [a, b], tf.concat([a, b], 1))

x = values(1, 2, 3, 4)
add("Flatten", {}, [x], keras.layers.Flatten()(x))
add("Identity", {}, [x], keras.layers.Dropout(0.5)(x))
add("Reshape", {"shape": [4, -1]}, [x], keras.layers.Reshape((4, -1))(x))
add("Reshape", {"shape": [3, 2, 4]}, [x], keras.layers.Reshape((3, 2, 4))(x))
add("ZeroPadding2D", {"padding": [[1, 2], [3, 0]]}, [x],
    keras.layers.ZeroPadding2D(((1, 2), (3, 0)))(x))



def depthwise(size, kernel, channels, multiplier, stride=1, dilation=(1, 1), padding="VALID"):
    x, k, b = values(1, *size, channels), values(*kernel, channels, multiplier), values(channels * multiplier)
    y = tf.nn.depthwise_conv2d(x, k, [1, stride, stride, 1], padding, dilations=dilation)
    add("DepthwiseConvolution2D", {
        "kernelSize": kernel, "depthMultiplier": multiplier, "strides": (stride, stride),
        "dilation": dilation, "padding": padding.lower()}, [x], y + b, kernel=k, bias=b)


for padding in ("VALID", "SAME"):
    depthwise((4, 5), (3, 2), 2, 1, padding=padding)
    depthwise((5, 4), (2, 3), 2, 3, padding=padding)
    depthwise((6, 7), (3, 2), 3, 2, stride=2, padding=padding)
    depthwise((7, 6), (2, 3), 2, 2, dilation=(3, 2), padding=padding)

for multiplier, stride, padding in ((1, 1, "SAME"), (2, 1, "VALID"), (3, 2, "SAME")):
    x, k, b = values(1, 5, 6, 2), values(3, 2, 2, multiplier), values(4)
    p = values(1, 1, 2 * multiplier, 4)
    y = tf.nn.separable_conv2d(x, k, p, [1, stride, stride, 1], padding)
    add("SeparableConvolution2D", {
        "outputChannels": 4, "kernelSize": (3, 2), "depthMultiplier": multiplier,
        "strides": (stride, stride), "padding": padding.lower()}, [x], y + b,
        depthwise=k, pointwise=p, bias=b)

for axes, shape in (([], (2, 3, 4)), ([0, 1], (1, 1, 4)), ([1], (2, 1, 4)), ([-1], (2, 3, 1))):
    x, alpha = values(1, 2, 3, 4), values(*shape)
    layer = keras3.layers.PReLU(shared_axes=[axis % 3 + 1 for axis in axes])
    layer.build(x.shape)
    layer.set_weights([alpha])
    add("PReLU", {"sharedAxes": axes}, [x], layer(x), alpha=alpha)

x = values(1, 2, 3, 4)
ops = keras3.ops
functions = {
    '"logSoftmax"': ops.log_softmax, '{"function": "logSoftmax", "axis": 0}': lambda x: ops.log_softmax(x, axis=1),
    '"exponential"': ops.exp, '"softplus"': ops.softplus, '"softsign"': ops.softsign, '"hardTanh"': ops.hard_tanh,
    '"hardSigmoid"': ops.hard_sigmoid,
    '{"function": "hardSigmoid", "slope": 0.2}': lambda x: keras.activations.hard_sigmoid(tf.constant(x)),
    '"silu"': ops.silu, '"hardSilu"': ops.hard_silu, '"gelu"': lambda x: ops.gelu(x, approximate=False),
    '{"function": "gelu", "approximate": true}': lambda x: ops.gelu(x, approximate=True),
    '"selu"': ops.selu, '"mish"': keras3.activations.mish, '"celu"': ops.celu,
    '{"function": "celu", "alpha": 0.5}': lambda x: ops.celu(x, alpha=0.5), '"logSigmoid"': ops.log_sigmoid,
    '"hardShrink"': ops.hard_shrink, '{"function": "hardShrink", "threshold": 1}': lambda x: ops.hard_shrink(x, 1.0),
    '"softShrink"': ops.soft_shrink, '"tanhShrink"': ops.tanh_shrink, '"sparsePlus"': ops.sparse_plus,
    '"sparseSigmoid"': ops.sparse_sigmoid, '"squareplus"': ops.squareplus,
    '{"function": "squareplus", "b": 1}': lambda x: ops.squareplus(x, b=1),
    '{"function": "threshold", "threshold": 1, "value": -2}': lambda x: ops.threshold(x, 1.0, -2.0),
}
for text, function in functions.items():
    add("Activation", {"function": json.loads(text)}, [x], function(x))

merges = {
    "Add": keras.layers.Add(), "Subtract": keras.layers.Subtract(), "Multiply": keras.layers.Multiply(),
    "Average": keras.layers.Average(), "Maximum": keras.layers.Maximum(), "Minimum": keras.layers.Minimum(),
}
for name, layer in merges.items():
    a, b, c, d = values(1, 2, 3, 4), values(1, 2, 3, 4), values(1, 1, 1, 4), values(1, 2, 1, 1)
    add(name, {}, [a, c], layer([a, c]))
    if name != "Add":
        add(name, {}, [a, b], layer([a, b]))
        add(name, {}, [d, c], layer([d, c]))
    if name not in ("Add", "Subtract"):
        add(name, {}, [a, b, c], layer([a, b, c]))

x = values(1, 2, 3, 4)
for order in ((1, 0, 2), (2, 0, 1), (2, 1, 0)):
    add("Permute", {"order": order}, [x], keras.layers.Permute([axis + 1 for axis in order])(x))
x = values(1, 5, 7, 2)
for cropping in (((1, 2), (3, 0)), ((0, 1), (2, 2))):
    add("Cropping2D", {"cropping": cropping}, [x], keras.layers.Cropping2D(cropping)(x))
x = values(1, 4)
add("RepeatVector", {"count": 3}, [x], keras.layers.RepeatVector(3)(x))
for shape, size in (((2, 3, 2), (2, 2)), ((3, 2, 1), (3, 4)), ((1, 4, 2), (5, 1))):
    x = values(1, *shape)
    for mode in ("nearest", "bilinear"):
        add("UpSampling2D", {"size": size, "interpolation": mode}, [x],
            keras.layers.UpSampling2D(size, interpolation=mode)(x))

x = values(1, 2, 3, 4)
for scale, offset in (([0.5], [0]), ([2], [1, 2, 3, 4]), ([0.5, 2, 1, -1], [0.25])):
    add("Rescaling", {"scale": scale, "offset": offset}, [x], x * np.float32(scale) + np.float32(offset))
for shape in ((5,), (2, 3, 4)):
    x, gamma, beta = values(1, *shape), values(shape[-1]), values(shape[-1])
    layer = keras.layers.LayerNormalization(epsilon=0.25)
    layer.build(x.shape)
    layer.set_weights([gamma, beta])
    add("LayerNormalization", {"epsilon": 0.25}, [x], layer(x), gamma=gamma, beta=beta)
x = values(1, 2, 3, 4)
add("LayerNormalization", {"axis": 1}, [x],
    keras.layers.LayerNormalization(axis=2, scale=False, center=False)(x))
add("LayerNormalization", {}, [x], keras.layers.LayerNormalization(scale=False, center=False)(x))
for shapes in (((2, 3, 4), (1, 1, 4)), ((2, 3, 4), (2, 3, 4)), ((2, 1, 1), (1, 1, 4))):
    a, b = (values(1, *shape) for shape in shapes)
    b = np.where(b == 0, 0.5, b)
    add("Divide", {}, [a, b], a / b)
for size, strides, padding, extra in (
    ((3, 2), (1, 1), "valid", None), ((3, 2), (2, 3), "valid", None), ((2, 4), (3, 2), "same", None),
    ((3, 5), (2, 2), "same", None), ((3, 5), (2, 3), "same", (1, 0)), ((2, 3), (3, 2), "valid", (2, 1)),
    ((4, 1), (2, 3), "same", (1, 2)),
):
    x, kernel, bias = values(1, 3, 4, 2), values(*size, 3, 2), values(3)
    layer = keras.layers.Conv2DTranspose(3, size, strides, padding, extra)
    layer.build(x.shape)
    layer.set_weights([kernel, bias])
    attributes = {"outputChannels": 3, "kernelSize": size, "strides": strides, "padding": padding}
    if extra:
        attributes["outputPadding"] = extra
    add("TransposedConvolution2D", attributes, [x], layer(x), kernel=kernel, bias=bias)
x, kernel = values(1, 3, 4, 2), values(3, 2, 3, 2)
layer = keras.layers.Conv2DTranspose(3, (3, 2), dilation_rate=(2, 2), padding="same", use_bias=False)
layer.build(x.shape)
layer.set_weights([kernel])
add("TransposedConvolution2D",
    {"outputChannels": 3, "kernelSize": (3, 2), "dilation": (2, 2), "padding": "same"}, [x], layer(x),
    kernel=kernel)


def weighted(name, attributes, layer, x, **parameters):
    """A layer with weights, in the order in which Keras keeps them."""
    layer.build(x.shape)
    layer.set_weights(list(parameters.values()))
    add(name, attributes, [x], layer(x), **parameters)


x = values(1, 2, 3, 4)
weighted("LayerNormalization", {"axis": [1, -1]}, keras3.layers.LayerNormalization(axis=[2, 3]), x,
         gamma=values(3, 4), beta=values(3, 4))
weighted("LayerNormalization", {"axis": [0, 2], "epsilon": 0.25}, keras.layers.LayerNormalization(axis=[1, 3], epsilon=0.25),
         x, gamma=values(2, 4), beta=values(2, 4))
weighted("LayerNormalization", {"axis": [0, 1, 2]}, keras3.layers.LayerNormalization(axis=[1, 2, 3]), x,
         gamma=values(2, 3, 4), beta=values(2, 3, 4))
weighted("LayerNormalization", {"subtractsMean": False}, keras3.layers.LayerNormalization(rms_scaling=True), x, gamma=values(4))
weighted("LayerNormalization", {"subtractsMean": False, "axis": [0, 1]},
         keras3.layers.LayerNormalization(axis=[1, 2], rms_scaling=True), x, gamma=values(2, 3))
weighted("RMSNormalization", {}, keras3.layers.RMSNormalization(), x, gamma=values(4))
weighted("RMSNormalization", {"axis": 2, "epsilon": 0.25}, keras3.layers.RMSNormalization(axis=3, epsilon=0.25), x, gamma=values(4))
weighted("RMSNormalization", {"axis": [1, 2]}, keras3.layers.RMSNormalization(axis=[2, 3]), x, gamma=values(3, 4))
weighted("RMSNormalization", {"axis": [-3, -2, -1]}, keras3.layers.RMSNormalization(axis=[-3, -2, -1]), x, gamma=values(2, 3, 4))
for axis in (-1, 0, [0, 2], [0, 1, 2]):
    counted = [a + 1 if a >= 0 else a for a in axis] if isinstance(axis, list) else axis + 1 if axis >= 0 else axis
    add("UnitNormalization", {"axis": axis}, [x], keras3.layers.UnitNormalization(axis=counted)(x))
    add("UnitNormalization", {"axis": axis, "smallestNorm": 1e-6}, [x], keras.layers.UnitNormalization(axis=counted)(x))
small = np.array([[3, -4, 0]], np.float32) * np.float32(2.0 ** -24)
add("UnitNormalization", {"smallestNorm": 1e-6}, [small], keras.layers.UnitNormalization()(small))
add("UnitNormalization", {}, [small], keras3.layers.UnitNormalization()(small))
for shape, axis, groups in (((2, 3, 6), -1, 2), ((2, 3, 6), -1, 6), ((2, 3, 6), -1, 1), ((2, 6, 3), 1, 3), ((6, 2, 3), 0, 2),
                            ((6,), 0, 3), ((5, 4), -1, 4)):
    c = shape[axis]
    counted = axis + 1 if axis >= 0 else axis
    x = values(1, *shape)
    for k in (keras, keras3):
        weighted("GroupNormalization", {"groups": groups, "axis": axis}, k.layers.GroupNormalization(groups, axis=counted), x,
                 gamma=values(c), beta=values(c))
x = values(1, 2, 3, 4)
add("GroupNormalization", {"groups": -1, "epsilon": 0.25}, [x],
    keras3.layers.GroupNormalization(-1, epsilon=0.25, scale=False, center=False)(x))

for k in (keras, keras3):
    for axes, shape in (((-1,), (4,)), ((0, 2), (2, 4)), ((1,), (3,)), ((), ())):
        for invert in (False, True):
            layer = k.layers.Normalization(axis=[a + 1 if a >= 0 else a for a in axes] or None, invert=invert)
            layer.build(x.shape)
            mean, variance = np.asarray(values(*shape)), np.asarray(np.abs(values(*shape)) + 0.125)
            layer.set_weights([mean, variance, np.asarray(1)])
            layer.finalize_state()
            add("Normalization", {"axes": axes, "invert": invert}, [x], layer(x),
                mean=mean.reshape(shape or (1,)), variance=variance.reshape(shape or (1,)))
    for axes, mean in (((-1,), [1, 2, 3, 4]), ((-1,), 2.5), ((0, 2), [[1, 2, 3, 4], [5, 6, 7, 8]]), ((1, 2), [1, 2, 3, 4]), ((), 3)):
        mean = np.array(mean, np.float32)
        layer = k.layers.Normalization(axis=[a + 1 if a >= 0 else a for a in axes] or None, mean=mean, variance=mean * 2)
        add("Normalization", {"axes": axes, "mean": mean.ravel().tolist(), "variance": (mean * 2).ravel().tolist()}, [x], layer(x))
none = keras3.layers.Normalization(axis=-1, mean=[1, 2, 3, 4], variance=[0, 0, 1, 1])
add("Normalization", {"mean": [1, 2, 3, 4], "variance": [0, 0, 1, 1]}, [x], none(x))

gamma = values(4)
add("Scale", {}, [x], x * gamma, gamma=gamma)
other = values(1, 2, 3, 4)
add("ScaledAdd", {"scale": 0.25}, [x, other], x + other * np.float32(0.25))

for a, b, axes in (((3,), (3,), (0, 0)), ((2, 3), (4, 3), (1, 1)), ((3, 2), (3, 4), (0, 0)), ((3, 2), (4, 5, 3), (-2, -1)),
                   ((2, 3, 4), (3,), (1, 0)), ((2, 3, 4), (5, 3, 2), (1, 1)), ((3,), (2, 3), (-1, -1))):
    p, q = values(1, *a), values(1, *b)
    counted = [axis + 1 if axis >= 0 else axis for axis in axes]
    add("Dot", {"axes": axes}, [p, q], keras3.layers.Dot(counted)([p, q]))
    add("Dot", {"axes": axes, "smallestNorm": 1e-7}, [p, q], keras3.layers.Dot(counted, normalize=True)([p, q]))
    add("Dot", {"axes": axes, "smallestNorm": 1e-6}, [p, q], keras.layers.Dot(counted, normalize=True)([p, q]))

methods = {"mitchellCubic": "mitchellcubic"}
every = ("nearest", "bilinear", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellCubic")
for mode in every:
    method = methods.get(mode, mode)
    for shape, size in (((4, 5, 2), (7, 3)), ((3, 7, 1), (6, 7)), ((1, 9, 1), (2, 4)), ((8, 2, 1), (3, 11))):
        x = values(1, *shape)
        for antialias in (False, True):
            add("Resizing", {"size": size, "interpolation": mode, "antialias": antialias}, [x],
                tf.image.resize(x, size, method=method, antialias=antialias))
    x = values(1, 2, 3, 2)
    if mode not in ("nearest", "bilinear"):
        add("UpSampling2D", {"size": (3, 2), "interpolation": mode}, [x],
            keras.layers.UpSampling2D((3, 2), interpolation=method)(x))
for shape, size in (((6, 5, 2), (3, 4)), ((5, 9, 2), (4, 3)), ((4, 7, 1), (8, 6)), ((7, 4, 2), (3, 3))):
    x = values(1, *shape)
    add("Resizing", {"size": size, "proportion": "crop"}, [x], keras3.layers.Resizing(*size, crop_to_aspect_ratio=True)(x))
    add("Resizing", {"size": size, "proportion": "crop"}, [x], keras.layers.Resizing(*size, crop_to_aspect_ratio=True)(x))
    for mode in ("nearest", "bilinear", "lanczos3"):
        add("Resizing", {"size": size, "proportion": "pad", "fill": 0.5, "interpolation": mode}, [x],
            keras3.layers.Resizing(*size, pad_to_aspect_ratio=True, fill_value=0.5, interpolation=mode)(x))
    for k in (keras, keras3):
        add("CenterCrop", {"size": size}, [x], k.layers.CenterCrop(*size)(x))

for axis in (-1, 0, 1):
    x = values(1, 2, 4, 6)
    add("GatedLinearUnit", {"axis": axis}, [x], ops.glu(tf.constant(x), axis=axis + 1 if axis >= 0 else axis))
x = values(1, 2, 3, 4)
for axis in ([0, 1], [1, -1], [0, 1, 2]):
    add("Activation", {"function": {"function": "softmax", "axis": axis}}, [x],
        keras3.layers.Softmax(axis=[a + 1 if a >= 0 else a for a in axis])(x))

# Sequences

for padding in ("VALID", "SAME", "CAUSAL"):
    for length, size, channels, output, stride, dilation in (
            (7, 3, 2, 4, 1, 1), (8, 4, 1, 2, 2, 1), (9, 2, 3, 2, 3, 1), (9, 3, 2, 3, 1, 2), (3, 5, 2, 2, 1, 1)):
        if padding == "VALID" and length < size:
            continue
        x, k, b = values(1, length, channels), values(size, channels, output), values(output)
        before = (size - 1) * dilation if padding == "CAUSAL" else 0
        y = tf.nn.convolution(np.pad(x, ((0, 0), (before, 0), (0, 0))), k, strides=stride, dilations=dilation,
                              padding="VALID" if padding == "CAUSAL" else padding) + b
        add("Convolution1D", {"outputChannels": output, "kernelSize": [size], "strides": [stride],
                              "dilation": [dilation], "padding": padding.lower()}, [x], y, kernel=k, bias=b)
x, k = values(1, 6, 4), values(3, 2, 6)
add("Convolution1D", {"outputChannels": 6, "kernelSize": [3], "groups": 2}, [x], tf.concat(
    [tf.nn.convolution(x[..., g * 2:g * 2 + 2], k[..., g * 3:g * 3 + 3], padding="VALID") for g in range(2)], -1),
    kernel=k)


def layer_case(operator, attributes, layer, inputs, roles):
    """A layer of Keras with weights drawn here."""
    layer(inputs[0] if len(inputs) == 1 else inputs)
    weights = [values(*w.shape) for w in layer.weights]
    layer.set_weights(weights)
    add(operator, attributes, inputs, layer(inputs[0] if len(inputs) == 1 else inputs), **dict(zip(roles, weights)))


L3 = keras3.layers
for multiplier, stride, dilation, padding in ((1, 1, 1, "valid"), (2, 2, 1, "same"), (3, 1, 2, "valid")):
    layer_case("DepthwiseConvolution1D", {"kernelSize": [3], "depthMultiplier": multiplier, "strides": [stride],
                                          "dilation": [dilation], "padding": padding},
               L3.DepthwiseConv1D(3, strides=stride, dilation_rate=dilation, padding=padding,
                                  depth_multiplier=multiplier), [values(1, 8, 2)], ["kernel", "bias"])
    layer_case("SeparableConvolution1D", {"outputChannels": 4, "kernelSize": [3], "depthMultiplier": multiplier,
                                          "strides": [stride], "dilation": [dilation], "padding": padding},
               L3.SeparableConv1D(4, 3, strides=stride, dilation_rate=dilation, padding=padding,
                                  depth_multiplier=multiplier), [values(1, 8, 2)], ["depthwise", "pointwise", "bias"])
for size, stride, padding, extra in ((3, 1, "valid", None), (4, 2, "same", None), (2, 3, "valid", None), (3, 2, "valid", 1)):
    attributes = {"outputChannels": 4, "kernelSize": [size], "strides": [stride], "padding": padding}
    layer_case("TransposedConvolution1D", attributes | ({} if extra is None else {"outputPadding": [extra]}),
               L3.Conv1DTranspose(4, size, strides=stride, padding=padding, output_padding=extra), [values(1, 5, 2)],
               ["kernel", "bias"])
for size, stride, padding in itertools.product((2, 3), (1, 3), ("valid", "same")):
    x = values(1, 7, 3) - 4
    attributes = {"poolSize": [size], "strides": [stride], "padding": padding}
    add("MaxPooling1D", attributes, [x], keras.layers.MaxPooling1D(size, stride, padding)(x))
    add("AveragePooling1D", attributes, [x], keras.layers.AveragePooling1D(size, stride, padding)(x))
for keep in (False, True):
    x = values(1, 5, 3)
    add("GlobalMaxPooling1D", {"keepDimensions": keep}, [x], keras.layers.GlobalMaxPooling1D(keepdims=keep)(x))
    add("GlobalAveragePooling1D", {"keepDimensions": keep}, [x], keras.layers.GlobalAveragePooling1D(keepdims=keep)(x))
    mask = np.array([[1, 0, 1, 1, 0]], np.float32)
    add("MaskedAverage", {"keepDimensions": keep}, [x, mask],
        keras.layers.GlobalAveragePooling1D(keepdims=keep)(tf.constant(x), mask=tf.constant(mask == 1)))
x = values(1, 5, 3)
add("ZeroPadding1D", {"padding": [[1, 3]]}, [x], keras.layers.ZeroPadding1D((1, 3))(x))
add("Cropping1D", {"cropping": [[2, 1]]}, [x], keras.layers.Cropping1D((2, 1))(x))
add("UpSampling1D", {"size": [3]}, [x], keras.layers.UpSampling1D(3)(x))
add("Reverse", {}, [x], tf.reverse(x, [1]))
x = values(1, 4, 5, 3)
add("Reverse", {}, [x], tf.reverse(x, [1]))

numbers = np.array([[4, 0, 2, 4]], np.float32)
layer_case("Embedding", {"count": 5, "outputChannels": 3}, keras.layers.Embedding(5, 3), [numbers], ["kernel"])
layer_case("Embedding", {"count": 5, "outputChannels": 2}, keras.layers.Embedding(5, 2),
           [np.array([[[1, 0], [3, 2]]], np.float32)], ["kernel"])
x = values(1, 5, 3)
x[0, 1] = x[0, 4] = 0.5
x[0, 2, 1] = 0.5
add("Masking", {"value": 0.5}, [x], keras.layers.Masking(0.5)(x))
add("StepMask", {"value": 0.5}, [x], tf.cast(keras.layers.Masking(0.5).compute_mask(tf.constant(x)), tf.float32))
add("StepMask", {"isPerValue": True}, [numbers], tf.cast(numbers != 0, tf.float32))
layer_case("TimeDistributed", {"operator": "Convolution2D", "attributes": {"outputChannels": 4, "kernelSize": [2, 3]}},
           keras.layers.TimeDistributed(keras.layers.Conv2D(4, (2, 3))), [values(1, 3, 4, 5, 2)], ["kernel", "bias"])


def recurrent_case(operator, layer, attributes, roles, states=0, masked=False, returns=None):
    """What a recurrent layer of Keras gives, or one of its states."""
    x = values(1, 5, 3) / 4
    units = layer.units
    given = [values(1, units) / 4 for _ in range(states)]
    mask = np.array([[0, 1, 0, 1, 0]], np.float32)
    options = {"initial_state": [tf.constant(s) for s in given]} if states else {}
    if masked:
        options["mask"] = tf.constant(mask == 1)
    layer(tf.constant(x), **options)
    weights = [values(*w.shape) / 4 for w in layer.weights]
    layer.set_weights(weights)
    results = layer(tf.constant(x), **options)
    result = results[{None: 0, "state": 1, "cell": 2}[returns]] if layer.return_state else results
    recurrence = {"returns": returns or ("sequence" if layer.return_sequences else "last"),
                  "goesBackwards": layer.go_backwards, "takesMask": masked, "takesState": states > 0,
                  "zerosMasked": bool(layer.zero_output_for_mask)}
    arrays = dict(zip(["kernel", "recurrent", "bias"], weights))
    if operator == "GRU" and attributes["resetsAfter"] and "bias" in arrays:
        arrays["recurrent_bias"] = arrays["bias"][1]
        arrays["bias"] = arrays["bias"][0]
    inputs = [x] + ([mask] if masked else []) + given
    add(operator, attributes | {"units": units, "recurrence": recurrence}, inputs, result, **arrays)


for options in ({}, {"return_sequences": True}, {"go_backwards": True, "return_sequences": True},
                {"return_state": True, "return_sequences": True}, {"zero_output_for_mask": True, "return_sequences": True}):
    for states, masked in ((False, False), (True, False), (False, True), (True, True)):
        def both(operator, layer, attributes, count):
            recurrent_case(operator, layer(), attributes, None, count if states else 0, masked)
            if "return_state" in options:
                recurrent_case(operator, layer(), attributes, None, count if states else 0, masked, "state")
                if count > 1:
                    recurrent_case(operator, layer(), attributes, None, count if states else 0, masked, "cell")
        both("SimpleRNN", lambda: keras.layers.SimpleRNN(4, **options), {}, 1)
        both("LSTM", lambda: keras.layers.LSTM(4, **options), {}, 2)
        for after in (False, True):
            both("GRU", lambda: keras.layers.GRU(4, reset_after=after, **options), {"resetsAfter": after}, 1)
for use_bias in (False, True):
    recurrent_case("SimpleRNN", keras.layers.SimpleRNN(4, activation="relu", use_bias=use_bias), {"activation": "relu"}, None)
    recurrent_case("LSTM", keras.layers.LSTM(4, activation="elu", recurrent_activation="softsign", use_bias=use_bias),
                   {"activation": "elu", "recurrentActivation": "softsign"}, None)
    recurrent_case("GRU", keras.layers.GRU(4, activation="softmax", recurrent_activation="tanh", use_bias=use_bias),
                   {"activation": "softmax", "recurrentActivation": "tanh", "resetsAfter": True}, None)

for shape, kernel, stride in (((6,), (3,), (1,)), ((7,), (2,), (3,)), ((5, 4), (3, 2), (1, 1)), ((7, 6), (2, 3), (2, 1)), ((4, 5), (1, 1), (2, 3))):
    rank = len(shape)
    layer = getattr(keras.layers, f"LocallyConnected{rank}D")(3, kernel, strides=stride)
    layer_case(f"LocallyConnected{rank}D", {"outputChannels": 3, "kernelSize": kernel, "strides": stride}, layer,
               [values(1, *shape, 2)], ["kernel", "bias"])
x = values(1, 4, 2)
layer_case("LocallyConnected1D", {"outputChannels": 4, "kernelSize": [2], "activation": "softmax"},
           keras.layers.LocallyConnected1D(4, 2, activation="softmax", use_bias=False), [x], ["kernel"])
for shape, output in (((6,), (3,)), ((7,), (3,)), ((5,), (8,)), ((9,), (4,)), ((5, 7), (3, 4)), ((4, 3), (5, 2)), ((6, 4), (2, 2))):
    rank, x = len(shape), values(1, *shape, 2)
    for kind in ("Average", "Max"):
        layer = getattr(L3, f"Adaptive{kind}Pooling{rank}D")(output if rank > 1 else output[0])
        add(f"Adaptive{kind}Pooling{rank}D", {"outputSize": output}, [x], layer(x))


def convolutional_case(rank, options, attributes={}, states=False, returns=None):
    """What a ConvLSTM of Keras gives, or one of its states."""
    shape = (3, 5, 4, 2)[:rank + 1] + (2,)
    x = values(1, *shape) / 4
    size = (3, 2)[:rank]
    layer = getattr(keras.layers, f"ConvLSTM{rank}D")(3, size, recurrent_activation="sigmoid", **options)
    out = layer.compute_output_shape(x.shape)
    out = out[0] if isinstance(out, list) else out
    step = tuple(out)[-rank - 1:]
    given = [values(1, *step) / 4 for _ in range(2)] if states else []
    call = {"initial_state": [tf.constant(s) for s in given]} if states else {}
    layer(tf.constant(x), **call)
    weights = [values(*w.shape) / 8 for w in layer.weights]
    layer.set_weights(weights)
    results = layer(tf.constant(x), **call)
    result = results[{None: 0, "state": 1, "cell": 2}[returns]] if layer.return_state else results
    recurrence = {"returns": returns or ("sequence" if layer.return_sequences else "last"),
                  "goesBackwards": layer.go_backwards, "takesState": states}
    add(f"ConvolutionalLSTM{rank}D", {
        "outputChannels": 3, "kernelSize": size, "strides": layer.strides, "dilation": layer.dilation_rate,
        "padding": layer.padding, "recurrence": recurrence} | attributes, [x] + given, result,
        **dict(zip(["kernel", "recurrent", "bias"], weights)))


for rank in (1, 2):
    convolutional_case(rank, {})
    convolutional_case(rank, {"padding": "same", "return_sequences": True}, states=True)
    convolutional_case(rank, {"strides": 2, "padding": "same", "go_backwards": True, "return_sequences": True})
    convolutional_case(rank, {"dilation_rate": 2 if rank == 1 else (2, 3), "use_bias": False})
    for returns in (None, "state", "cell"):
        convolutional_case(rank, {"return_state": True, "go_backwards": True}, returns=returns)
    convolutional_case(rank, {"activation": "softmax"}, {"activation": "softmax"})

def attention_case(queries, keys, heads, key_heads, width, value_width, masks=(), before=None, after=None, cap=None,
                   bias=(), scores=False):
    """What Keras's function gives; a mask or a bias of one head, or of all."""
    q, k, v = values(1, queries, heads * width), values(1, keys, key_heads * width), values(1, keys, key_heads * value_width)
    split = lambda x, n: tf.constant(x.reshape(1, x.shape[1], n, -1).astype(np.float64))
    repeat = heads // key_heads
    a, b, c = split(q, heads), np.repeat(split(k, key_heads), repeat, 2), np.repeat(split(v, key_heads), repeat, 2)
    allowed = np.ones((1, 1, queries, keys), bool)
    distance = np.arange(queries)[:, None] - np.arange(keys)
    if before is not None:
        allowed = allowed & (distance <= before)
    if after is not None:
        allowed = allowed & (-distance <= after)
    extra, kinds, addend = [], [], np.zeros((1, 1, queries, keys))
    for kind, shape in masks:
        mask = (random.integers(0, 3, shape) > 0).astype(np.float32)
        extra.append(mask[None])
        kinds.append(kind)
        full = {"keys": lambda: mask[None, None, None], "queries": lambda: mask[None, None, :, None],
                "pairs": lambda: mask[None] if mask.ndim == 3 else mask[None, None]}[kind]()
        allowed = allowed & (full != 0)
    for shape in bias:
        table = values(*shape)
        extra.append(table[None])
        kinds.append("bias")
        addend = addend + (table if table.ndim == 3 else table[None])
    logits = np.einsum("bqhe,bkhe->bhqk", a, b) / np.sqrt(width)
    if cap:
        logits = cap * np.tanh(logits / cap)
    weights = tf.nn.softmax(np.where(allowed, logits + addend, -1e30), axis=-1)
    means = tf.reshape(tf.einsum("bhqk,bkhe->bqhe", weights, c), (1, queries, heads * value_width))
    if not cap and not bias:
        own = keras3.ops.dot_product_attention(
            a, b, c, mask=np.broadcast_to(allowed, (1, heads, queries, keys)), scale=width ** -0.5)
        assert np.allclose(tf.reshape(own, means.shape), means)
    attributes = {"heads": heads, "masks": kinds}
    if key_heads != heads:
        attributes["keyHeads"] = key_heads
    attributes |= {name: value for name, value in (("before", before), ("after", after), ("softCap", cap)) if value is not None}
    if scores:
        attributes["result"] = "weights"
    add("Attention", attributes, [q, k, v] + extra, weights if scores else means)


attention_case(4, 5, 1, 1, 3, 2)
attention_case(4, 5, 2, 2, 3, 4)
attention_case(3, 6, 4, 2, 2, 3)
attention_case(3, 4, 3, 1, 2, 2)
attention_case(5, 5, 2, 2, 3, 2, after=0)
attention_case(6, 4, 2, 1, 3, 2, after=0, before=1)
attention_case(6, 3, 2, 2, 2, 2, before=1, after=1)
attention_case(4, 5, 2, 2, 3, 2, masks=[("keys", (5,)), ("queries", (4,))])
attention_case(4, 5, 2, 2, 3, 2, masks=[("pairs", (4, 5))], after=2)
attention_case(4, 5, 2, 1, 3, 2, masks=[("pairs", (2, 4, 5))])
attention_case(4, 5, 2, 2, 3, 2, masks=[("pairs", (1, 5))], bias=[(4, 5), (2, 1, 5)])
attention_case(4, 5, 2, 2, 3, 2, cap=1.5, bias=[(2, 4, 5)])
attention_case(4, 5, 2, 1, 3, 2, scores=True, masks=[("keys", (5,))], after=1)

for kind, options in (("Attention", {}), ("Attention", {"use_scale": True}), ("Attention", {"score_mode": "concat"}),
                      ("Attention", {"score_mode": "concat", "use_scale": True}), ("AdditiveAttention", {}),
                      ("AdditiveAttention", {"use_scale": False})):
    q, k, v = values(1, 4, 3), values(1, 5, 3), values(1, 5, 3)
    layer = getattr(keras3.layers, kind)(**options)
    layer.build([q.shape, v.shape, k.shape])
    weights = {w.name: values(*w.shape) / 4 if w.shape else np.float32(0.75) for w in layer.weights}
    layer.set_weights(list(weights.values()))
    mask = np.array([[1, 0, 1, 1, 0]], np.float32)
    masked = bool(options)
    score = "additive" if kind != "Attention" else "scaledAdditive" if "score_mode" in options else "dot"
    roles = {"scale": "gamma", "concat_score_weight": "alpha"}
    add("Attention", {"score": score, "scale": 1} | ({"masks": ["keys"]} if masked else {}),
        [q, k, v] + ([mask] if masked else []),
        layer([q, v, k], mask=[None, mask != 0] if masked else None),
        **{roles[name]: np.asarray(value).reshape(-1) for name, value in weights.items()})

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "operators.json"), "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
