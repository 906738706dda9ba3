#!/usr/bin/env python3
"""Builds the Keras fixtures: small checkpoints, most with inputs and reference outputs.

Usage: make_fixtures.py [OUT_DIR]

NAME.h5 is the checkpoint. NAME.npz holds its inputs (`input`, or one array per input name; float32,
two images) and one array per output layer: what Keras itself computes from a float64 clone of the
model that has the same weights, stored as float64. Fixtures meant to be refused have no NAME.npz.
README.md in this directory says what each one is for; keep it in step with this script.
Needs: tensorflow (or tensorflow-cpu), tf_keras (Keras 2), keras (Keras 3), h5py, numpy.
"""
import json
import os
import re
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"

import h5py
import keras as keras3
import numpy as np
import tensorflow as tf
import tf_keras as keras2
from keras.src.applications import convnext as convnext3
from keras.src.applications import inception_resnet_v2 as inception3
from tf_keras.src.applications import convnext as convnext2
from tf_keras.src.applications import inception_resnet_v2 as inception2

import keras1

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
KERASES = {"keras2": keras2, "keras3": keras3}
# Layers that keras.applications defines for itself.
APPLICATION_LAYERS = {
    k: {"LayerScale": convnext.LayerScale, "StochasticDepth": convnext.StochasticDepth,
        "CustomScaleLayer": inception.CustomScaleLayer}
    for k, convnext, inception in ((keras2, convnext2, inception2), (keras3, convnext3, inception3))}


# Weights, reference outputs, saving

def randomise(model, rng: np.random.Generator, gain: float = 1) -> None:
    for layer in model.layers:
        if hasattr(layer, "layers"):
            randomise(layer, rng, gain)
            continue
        values = []
        for weight in layer.weights:
            role = weight.name.split("/")[-1].split(":")[0]
            shape = tuple(weight.shape)
            if role in ("gamma", "moving_variance", "variance"):
                low, high = (0.5, 1.5) if role == "gamma" else (0.5, 2.0)
                value = rng.uniform(low, high, shape)
            elif role == "count":
                value = np.zeros(shape)
            elif role == "moving_mean":
                value = rng.normal(0, 0.3, shape)
            elif len(shape) == 1:
                value = rng.normal(0, 0.1, shape)
            else:
                value = rng.normal(0, gain * np.sqrt(2 / np.prod(shape[:-1])), shape)
            values.append(value.astype(np.float32))
        if values:
            layer.set_weights(values)


def in_double(k, model):
    """A float64 clone with the same weights."""
    before = k.backend.floatx()
    k.backend.set_floatx("float64")
    try:
        # The clone has the same weights under the policy float64.
        text = re.sub('"(mixed_)?b?float(16|32)"', '"float64"', model.to_json())
        clone = k.models.model_from_json(text, custom_objects=APPLICATION_LAYERS[k])
        clone.set_weights([np.asarray(w, np.float64) for w in model.get_weights()])
        for layer in clone.layers:
            # Normalization keeps what it computes from its weights.
            if hasattr(layer, "finalize_state"):
                layer.finalize_state()
    finally:
        k.backend.set_floatx(before)
    return clone


def inputs_of(model, rng: np.random.Generator) -> dict[str, np.ndarray]:
    names = [tensor.name.split(":")[0] for tensor in model.inputs]
    arrays = [rng.uniform(-1, 1, (2, *tensor.shape[1:])).astype(np.float32)
              for tensor in model.inputs]
    return {"input": arrays[0]} if len(names) == 1 else dict(zip(names, arrays))


def output_names(model) -> list[str]:
    if isinstance(model, keras2.Model):
        return model.output_names
    return [tensor._keras_history.operation.name for tensor in model.outputs]


def predict(model, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """All outputs; of a model with a fixed batch, one batch after the other, as `model.predict` does."""
    count = len(arrays[0])
    size = model.inputs[0].shape[0] or count
    batches = []
    for first in range(0, count, size):
        batch = [array[first:first + size] for array in arrays]
        results = model(batch if len(batch) > 1 else batch[0], training=False)
        results = results if isinstance(results, (list, tuple)) else [results]
        batches.append([np.asarray(result) for result in results])
    return [np.concatenate(parts) for parts in zip(*batches)]


def record(name: str, k, model, outputs: list[str], rng: np.random.Generator, inputs=inputs_of) -> None:
    inputs = inputs(model, rng)
    arrays = [array.astype(np.float64) for array in inputs.values()]
    # The augmentations of Keras 2 have no float64.
    clone = model if name == "keras2-training-only" else in_double(k, model)
    results = predict(clone, arrays)
    if clone is model:
        results = [result.astype(np.float64) for result in results]
    assert len(results) == len(outputs) and all(r.dtype == np.float64 for r in results), (name, [
        output for output, result in zip(outputs, results) if result.dtype != np.float64])
    assert all(np.isfinite(r).all() for r in results), name
    np.savez(OUT / f"{name}.npz", **inputs, **dict(zip(outputs, results)))


def save(k, model, path: Path, **options) -> None:
    if k is keras2:
        options.setdefault("include_optimizer", False)
        model.save(path, save_format="h5", **options)
    else:
        model.save(path, **options)


def fixture(name: str, k, model, outputs: list[str] | None = None, expected: bool = True, inputs=inputs_of):
    """Random weights, NAME.h5 and, if `expected`, NAME.npz."""
    rng = np.random.default_rng(sum(map(ord, name)))
    randomise(model, rng, gain=5 if "activation" in name else 1)    # beyond the 6 of relu6
    save(k, model, OUT / f"{name}.h5")
    if expected:
        record(name, k, model, outputs or output_names(model), rng, inputs)
    return model


# Models both Kerases can save

def sequential(k, shape, *layers, name="net"):
    return k.Sequential([k.layers.Input(shape, name="image"), *layers], name=name)


def conv_same(k):
    L = k.layers
    return sequential(
        k, (11, 14, 3),
        L.Conv2D(5, (3, 3), strides=2, padding="same", activation="relu", name="conv1"),
        L.Conv2D(8, (3, 2), strides=2, padding="same", name="conv2"),
        L.MaxPooling2D((2, 3), strides=(1, 2), padding="same", name="pool"),
        L.Flatten(name="flatten"),
        L.Dense(7, activation="softmax", name="fc"))


def conv_valid(k):
    L = k.layers
    return sequential(
        k, (12, 9, 2),
        L.Conv2D(4, (5, 3), activation="relu", name="conv1"),
        L.Conv2D(6, (3, 2), strides=2, use_bias=False, name="conv2"),
        L.MaxPooling2D((3, 2), strides=1, name="pool"),
        L.Flatten(name="flatten"),
        L.Dense(5, use_bias=False, name="fc"))


def conv_dilated(k):
    L = k.layers
    return sequential(
        k, (13, 10, 3),
        L.Conv2D(4, (3, 2), dilation_rate=(2, 3), padding="same", activation="tanh", name="conv1"),
        L.Conv2D(5, (2, 3), dilation_rate=2, name="conv2"))


def conv_groups(k):
    L = k.layers
    return sequential(
        k, (9, 7, 4),
        L.Conv2D(6, (3, 2), groups=2, activation="relu", name="conv1"),
        L.Conv2D(3, (2, 3), groups=3, padding="same", name="conv2"))


def conv_strides(k):
    L = k.layers
    return sequential(
        k, (12, 9, 2),
        L.Conv2D(5, (3, 4), strides=(3, 2), padding="same", name="conv1"),
        L.Conv2D(3, (2, 1), strides=(1, 2), name="conv2"))


def pooling(k):
    L = k.layers
    image = L.Input((11, 8, 2), name="image")
    x = L.Conv2D(5, (2, 1), name="conv")(image)
    return k.Model(image, [
        L.MaxPooling2D((3, 2), padding="same", name="max_same")(x),
        L.MaxPooling2D((3, 2), padding="valid", name="max_valid")(x),
        L.MaxPooling2D((2, 3), strides=(3, 2), padding="same", name="max_strided")(x),
        L.AveragePooling2D((4, 3), padding="same", name="avg_same")(x),
        L.AveragePooling2D((3, 2), strides=(2, 3), padding="valid", name="avg_valid")(x),
        L.AveragePooling2D((3, 3), strides=1, padding="same", name="avg_overlap")(x),
    ], name="net")


def global_pooling(k):
    L = k.layers
    image = L.Input((6, 5, 2), name="image")
    x = L.Conv2D(4, (3, 2), name="conv")(image)
    average = L.GlobalAveragePooling2D(name="average")(x)
    return k.Model(image, [
        L.Dense(3, name="fc")(average),
        L.GlobalMaxPooling2D(name="maximum")(x),
        L.GlobalAveragePooling2D(keepdims=True, name="average_kept")(x),
        L.GlobalMaxPooling2D(keepdims=True, name="maximum_kept")(x),
    ], name="net")


def flatten_dense(k):
    L = k.layers
    return sequential(
        k, (7, 5, 2),
        L.Conv2D(6, (4, 3), padding="valid", activation="relu", name="conv"),
        L.Flatten(name="flatten"),
        L.Dense(9, activation="relu", name="fc1"),
        L.Dropout(0.4, name="dropout"),
        L.Dense(8, name="fc2"))


def flatten_bn(k):
    L = k.layers
    return sequential(
        k, (5, 4, 2),
        L.Conv2D(5, (3, 2), name="conv"),
        L.Flatten(name="flatten"),
        L.BatchNormalization(name="bn"),
        L.Dropout(0.5, name="dropout"),
        L.Dense(7, activation="sigmoid", name="fc"))


def reshape_dense(k):
    L = k.layers
    return sequential(
        k, (6, 5, 2),
        L.Conv2D(4, (3, 3), name="conv"),
        L.Reshape((-1,), name="reshape"),
        L.Dense(7, name="fc"))


def dense_rank3(k):
    L = k.layers
    return sequential(
        k, (6, 5, 2),
        L.Conv2D(4, (2, 3), name="conv"),
        L.Reshape((-1, 4), name="reshape"),
        L.Dense(7, activation="relu", name="fc1"),
        L.Flatten(name="flatten"),
        L.Dense(3, name="fc2"))


def dense_rank4(k):
    L = k.layers
    return sequential(
        k, (4, 3, 2),
        L.Dense(5, activation="relu", name="fc1"),
        L.Conv2D(6, (2, 1), name="conv"),
        L.Dense(7, name="fc2"))


def batch_norm(k):
    L = k.layers
    return sequential(
        k, (8, 7, 2),
        L.BatchNormalization(name="bn_first"),
        L.Conv2D(3, (3, 2), use_bias=False, name="conv1"),
        L.BatchNormalization(scale=False, name="bn_no_scale"),
        L.ReLU(name="relu"),
        L.Conv2D(5, (2, 3), name="conv2"),
        L.BatchNormalization(center=False, epsilon=1e-5, name="bn_no_center"),
        L.Conv2D(4, (1, 2), name="conv3"),
        L.BatchNormalization(scale=False, center=False, momentum=0.9, name="bn_plain"))


def zero_padding(k):
    L = k.layers
    return sequential(
        k, (5, 7, 2),
        L.ZeroPadding2D(((1, 2), (3, 0)), name="pad1"),
        L.Conv2D(3, (2, 3), name="conv"),
        L.ZeroPadding2D((2, 1), name="pad2"),
        L.MaxPooling2D((3, 2), name="pool"))


def activation_layers(k):
    L = k.layers
    image = L.Input((4, 3, 2), name="image")
    x = L.Conv2D(5, (2, 1), name="conv")(image)
    x = L.Activation("linear", name="linear")(x)
    slope = {"alpha": 0.2} if k is keras2 else {"negative_slope": 0.2}
    outputs = [L.Activation(f, name=f"layer_{f}")(x)
               for f in ("relu", "sigmoid", "tanh", "softmax", "elu")]
    outputs += [
        L.ReLU(name="relu_plain")(x),
        L.ReLU(max_value=6, name="relu6")(x),
        L.ReLU(max_value=0.75, negative_slope=0.1, threshold=0.25, name="relu_all")(x),
        L.ReLU(negative_slope=0.3, name="relu_slope")(x),
        L.ReLU(threshold=0.5, name="relu_threshold")(x),
        L.LeakyReLU(name="leaky")(x),
        L.LeakyReLU(**slope, name="leaky_slope")(x),
        L.ELU(name="elu")(x),
        L.ELU(alpha=0.7, name="elu_alpha")(x),
        L.Softmax(name="softmax")(x),
        L.Softmax(axis=1, name="softmax_rows")(x),
    ]
    return k.Model(image, outputs, name="net")


def activation_arguments(k):
    L = k.layers
    names = ["linear", "relu", "sigmoid", "tanh", "softmax", "elu"]
    names += ["relu6"] if k is keras2 else ["relu6", "leaky_relu"]
    image = L.Input((4, 3, 2), name="image")
    outputs = []
    for index, function in enumerate(names):
        argument = function
        if function == "relu6" and k is keras2:
            argument = tf.nn.relu6
        outputs.append(L.Conv2D(5, (2, 1), activation=argument, name=f"conv_{function}")(image))
        flat = L.Flatten(name=f"flatten_{index}")(outputs[-1])
        outputs.append(L.Dense(4, activation=argument, name=f"dense_{function}")(flat))
    return k.Model(image, outputs, name="net")


def residual(k):
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    a = L.Conv2D(4, (3, 2), padding="same", activation="relu", name="conv_a")(image)
    b = L.Conv2D(4, (2, 3), padding="same", name="conv_b")(a)
    c = L.Conv2D(4, 1, name="conv_c")(image)
    two = L.Add(name="add_two")([a, b])
    two = L.ReLU(name="relu")(two)
    three = L.Add(name="add_three")([two, b, c])
    x = L.Flatten(name="flatten")(three)
    return k.Model(image, L.Dense(7, name="fc")(x), name="net")


def concatenate(k):
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    a = L.Conv2D(4, (3, 2), padding="same", name="conv_a")(image)
    b = L.Conv2D(2, (2, 3), padding="same", name="conv_b")(image)
    deep = L.Concatenate(name="channels")([a, b, image])
    c = L.Conv2D(4, (3, 1), name="conv_c")(image)
    tall = L.Concatenate(axis=1, name="rows")([a, c])
    flat = L.Concatenate(name="joined")([L.Flatten(name="flat_deep")(deep),
                                         L.Flatten(name="flat_tall")(tall)])
    return k.Model(image, [L.Dense(7, name="fc")(flat), tall], name="net")


def two_inputs(k):
    L = k.layers
    left = L.Input((6, 5, 3), name="left")
    right = L.Input((4, 2), name="right")
    x = L.Conv2D(4, (3, 2), activation="relu", name="conv")(left)
    x = L.Flatten(name="flatten_left")(x)
    y = L.Dense(7, activation="tanh", name="fc_right")(L.Flatten(name="flatten_right")(right))
    z = L.Concatenate(name="join")([y, x])
    return k.Model([left, right], [L.Dense(3, activation="softmax", name="kind")(z),
                                   L.Dense(2, name="size")(z)], name="net")


def nested(k):
    L = k.layers
    body = k.Sequential([L.Input((6, 5, 2), name="inner"),
                         L.Conv2D(3, (3, 2), activation="relu", name="conv"),
                         L.Flatten(name="flatten")], name="body")
    image = L.Input((6, 5, 2), name="image")
    return k.Model(image, L.Dense(7, name="fc")(body(image)), name="net")


def nested_outputs(k):
    """A model called twice, the first call an output, the second read; and one that is both."""
    L = k.layers
    image = L.Input((4, 3, 2), name="inner")
    encoder = k.Model(image, L.Conv2D(3, (2, 1), name="conv")(image), name="encoder")
    both = k.Model(image, L.Conv2D(2, (1, 2), name="conv")(image), name="both")
    left, right = L.Input((4, 3, 2), name="left"), L.Input((4, 3, 2), name="right")
    first, second, h = encoder(left), encoder(right), both(left)
    return k.Model([left, right], [first, L.ReLU(name="relu")(second), h, L.Flatten(name="flat")(h)], name="net")


def shared_layer(k):
    L = k.layers
    image = L.Input((6, 5, 2), name="image")
    conv = L.Conv2D(2, (3, 3), padding="same", activation="relu", name="conv")
    x = L.Flatten(name="flatten")(conv(conv(image)))
    return k.Model(image, L.Dense(7, name="fc")(x), name="net")


def shared_flatten(k):
    """Layers called behind a flatten and elsewhere, and behind flattens of unlike shapes."""
    L = k.layers
    image = L.Input((4, 3, 2), name="image")
    turned = L.Input((2, 3, 4), name="turned")
    vector = L.Input((24,), name="vector")
    flat = L.Flatten(name="flatten")(image)
    other = L.Flatten(name="flatten_turned")(turned)
    once = L.Dense(7, name="once")
    norm = L.BatchNormalization(name="norm")
    both = L.Dense(5, name="both")
    return k.Model([image, turned, vector], L.Concatenate(name="all")(
        [once(vector), once(flat), norm(flat), norm(vector), both(flat), both(other)]), name="net")


def depthwise(k):
    L = k.layers
    return sequential(
        k, (11, 14, 3),
        L.DepthwiseConv2D((3, 2), depth_multiplier=2, padding="same", activation="relu", name="conv1"),
        L.DepthwiseConv2D((2, 3), strides=2, use_bias=False, name="conv2"),
        L.DepthwiseConv2D((3, 2), dilation_rate=2, padding="same", name="conv3"),
        L.DepthwiseConv2D((4, 3), strides=2, padding="same", activation="tanh", name="conv4"))


def separable(k):
    L = k.layers
    return sequential(
        k, (11, 14, 3),
        L.SeparableConv2D(5, (3, 2), depth_multiplier=2, padding="same", activation="relu", name="conv1"),
        L.SeparableConv2D(7, (2, 3), strides=2, use_bias=False, name="conv2"),
        L.SeparableConv2D(4, (3, 2), dilation_rate=2, padding="same", name="conv3"))


def prelu(k):
    L = k.layers
    return sequential(
        k, (6, 5, 3),
        L.Conv2D(4, (2, 3), name="conv"),
        L.PReLU(shared_axes=[1, 2], name="per_channel"),
        L.Conv2D(5, (3, 2), name="conv2"),
        L.PReLU(shared_axes=[2], name="per_row"),
        L.PReLU(name="per_value"),
        L.Flatten(name="flatten"),
        L.PReLU(name="flat"),
        L.Dense(7, name="fc"))


def functions(k):
    L = k.layers
    names = ["softplus", "softsign", "exponential", "hard_sigmoid", "swish", "gelu", "selu", "mish"]
    if k is keras3:
        names += ["hard_silu", "log_softmax", "log_sigmoid", "hard_tanh", "hard_shrink", "soft_shrink",
                  "tanh_shrink", "sparse_plus", "sparse_sigmoid", "squareplus", "celu"]
    image = L.Input((4, 3, 2), name="image")
    x = L.Conv2D(5, (2, 1), name="conv")(image)
    outputs = []
    for name in names:
        outputs.append(L.Activation(name, name=f"layer_{name}")(x))
        outputs.append(L.Conv2D(3, (2, 1), activation=name, name=f"conv_{name}")(x))
    return k.Model(image, outputs, name="net")


def merges(k):
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    a = L.Conv2D(4, (3, 2), padding="same", name="conv_a")(image)
    b = L.Conv2D(4, (2, 3), padding="same", name="conv_b")(image)
    squeezed = L.GlobalAveragePooling2D(keepdims=True, name="squeeze")(a)
    excited = L.Conv2D(4, 1, activation="sigmoid", name="excite")(squeezed)
    mask = L.Conv2D(1, 1, name="mask")(b)
    return k.Model(image, [
        L.Subtract(name="difference")([a, b]),
        L.Multiply(name="scaled")([a, excited]),
        L.Multiply(name="three")([a, b, mask]),
        L.Average(name="mean")([a, b, excited]),
        L.Maximum(name="largest")([a, b]),
        L.Minimum(name="smallest")([a, mask]),
        L.Add(name="sum")([excited, b]),
    ], name="net")


def reshaping(k):
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    x = L.Conv2D(4, (2, 3), name="conv")(image)
    cropped = L.Cropping2D(((1, 0), (0, 2)), name="crop")(image)
    large = L.UpSampling2D((2, 3), name="nearest")(cropped)
    # Keras 2 computes this one in float32 whatever it is given.
    smooth = [L.UpSampling2D((3, 2), interpolation="bilinear", name="bilinear")(x)] if k is keras3 else []
    turned = L.Permute((3, 1, 2), name="turned")(x)
    flat = L.Flatten(name="flatten")(turned)
    dense = L.Dense(4, name="fc")(flat)
    return k.Model(image, [
        large, *smooth, turned, L.RepeatVector(3, name="repeated")(dense),
        L.Cropping2D(1, name="inner")(image),
    ], name="net")


def transposed(k):
    L = k.layers
    image = L.Input((3, 4, 2), name="image")
    x = L.Conv2DTranspose(5, (3, 2), name="plain", activation="relu")(image)
    branches = {
        "wide": dict(kernel_size=(2, 3), strides=(3, 4)),
        "same": dict(kernel_size=(3, 5), strides=(2, 3), padding="same"),
        "even": dict(kernel_size=(4, 2), strides=(3, 2), padding="same", use_bias=False),
        "extra": dict(kernel_size=(3, 4), strides=(2, 3), padding="valid", output_padding=(1, 2)),
        "extra_same": dict(kernel_size=(3, 5), strides=(2, 3), padding="same", output_padding=(1, 0)),
    }
    if k is keras2:     # Keras 3 leaves dilation to a kernel that TensorFlow does not have on the CPU.
        branches["dilated"] = dict(kernel_size=(3, 2), dilation_rate=2, activation="tanh")
    return k.Model(image, [L.Conv2DTranspose(3, name=name, **options)(x)
                           for name, options in branches.items()], name="net")


def recorded_functions(k):
    """Functions and operators of Python between layers: Operation in Keras 3, TFOpLambda in Keras 2."""
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    a = L.Conv2D(4, (3, 2), padding="same", name="conv_a")(image)
    b = L.Conv2D(4, (2, 3), padding="same", name="conv_b")(image)
    steps = [(a + b) * 0.5 + 2.0, (a - b) / np.float32([1, 2, -4, 8]), -a * b, (a - 1.5) / 3.0]
    if k is keras3:
        ops = k.ops
        mean, largest = ops.mean(a, axis=(1, 2)), ops.max(b, axis=[-3, -2], keepdims=True)
        steps += [3.0 - a, 2.0 * b + a, ops.relu(a), ops.clip(b, 0, 0.5), ops.softmax(a, axis=1), ops.gelu(b), ops.leaky_relu(a),
                  ops.hard_sigmoid(b), ops.maximum(a, b), ops.multiply(b, np.float32([[0.5, 1, 2, 4]])),
                  ops.pad(a, ((0, 0), (1, 2), (0, 1), (0, 0))), ops.reshape(a, (-1, 30, 4)),
                  ops.transpose(b, (0, 3, 1, 2)), ops.concatenate([a, b], axis=2), ops.maximum(0.0, b)]
    else:
        import tensorflow as tf
        mean = tf.reduce_mean(a, axis=[1, 2])
        largest = tf.reduce_max(b, axis=[-3, -2], keepdims=True)
        steps += [tf.nn.relu(a), tf.nn.relu6(b * 20.0), tf.nn.softmax(a, axis=1), tf.nn.gelu(b),
                  tf.nn.leaky_relu(a), tf.math.sigmoid(b), tf.maximum(a, b), tf.concat([a, b], axis=2),
                  tf.reshape(a, (-1, 30, 4)), tf.transpose(b, (0, 3, 1, 2))]
    steps += [mean, a * largest, a / (largest + 10.0)]
    return k.Model(image, [L.Activation("linear", name=f"step_{index}")(step)
                           for index, step in enumerate(steps)], name="net")


def normalizations(k):
    L = k.layers
    return sequential(
        k, (6, 5, 3),
        L.Rescaling([0.5, 2, 3], offset=[1, 0, -1], name="channels"),
        L.Conv2D(4, (2, 3), name="conv"),
        L.LayerNormalization(name="norm"),
        L.Rescaling(2.0, offset=0.5, name="scale"),
        L.LayerNormalization(scale=False, epsilon=1e-5, name="norm_no_scale"),
        L.LayerNormalization(axis=2, name="norm_columns"),
        L.Flatten(name="flatten"),
        L.LayerNormalization(name="norm_flat"),
        L.Dense(7, name="fc"))


def group_normalizations(k):
    L = k.layers
    image = L.Input((6, 5, 4), name="image")
    x = L.Conv2D(6, (2, 3), name="conv")(image)                         # 5 x 3 x 6
    y = L.GroupNormalization(3, name="groups")(x)
    return k.Model(image, [
        y,
        L.GroupNormalization(1, epsilon=1e-5, scale=False, name="one_group")(x),
        L.GroupNormalization(-1, center=False, name="instances")(x),
        L.GroupNormalization(3, axis=1, scale=False, center=False, name="rows")(image),
        L.GroupNormalization(2, name="flat")(L.Flatten(name="flatten")(image)),
    ], name="net")


def axis_normalizations(k):
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    x = L.Conv2D(4, (2, 3), name="conv")(image)                         # 5 x 3 x 4
    more = [
        L.RMSNormalization(name="rms")(x),
        L.RMSNormalization(axis=[-2, -1], epsilon=1e-3, name="rms_two")(x),
        L.LayerNormalization(rms_scaling=True, name="rms_scaling")(x),
    ] if k is keras3 else []
    return k.Model(image, [
        L.LayerNormalization(axis=[1, 2], name="layer_two")(x),
        L.LayerNormalization(axis=[-3, -2, -1], epsilon=1e-4, name="layer_all")(x),
        L.LayerNormalization(axis=[1, 3], scale=False, name="layer_apart")(x),
        L.UnitNormalization(name="unit")(x),
        L.UnitNormalization(axis=[1, 2], name="unit_two")(x),
        L.UnitNormalization(axis=1, name="unit_rows")(x),
        L.Softmax(axis=[1, 2], name="softmax_places")(x),
        L.Softmax(axis=[1, 2, 3], name="softmax_all")(x),
        *more,
    ], name="net")


def data_normalizations(k):
    L = k.layers
    image = L.Input((4, 5, 3), name="image")
    columns = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]], np.float32) / 8
    return k.Model(image, [
        L.Normalization(name="channels")(image),
        L.Normalization(axis=(1, 3), invert=True, name="rows_channels")(image),
        L.Normalization(axis=2, name="columns")(image),
        L.Normalization(axis=None, name="all")(image),
        L.Normalization(mean=[1, 2, 3], variance=[4, 5, 6], name="known")(image),
        L.Normalization(axis=(1, -1), mean=columns, variance=columns + 1, name="known_two")(image),
        L.Normalization(axis=None, mean=2.0, variance=3.0, invert=True, name="known_one")(image),
    ], name="net")


def dots(k):
    L = k.layers
    left = L.Input((4, 3), name="left")
    right = L.Input((5, 3), name="right")
    a = L.Dense(6, name="fc_left")(left)                                # 4 x 6
    b = L.Dense(6, name="fc_right")(right)                              # 5 x 6
    u, v = L.Flatten(name="flat_left")(left), L.Dense(12, name="flat_right")(L.Flatten(name="flatten")(right))
    return k.Model([left, right], [
        L.Dot(2, name="last")([a, b]),
        L.Dot(-1, normalize=True, name="cosine")([a, b]),
        L.Dot((1, 2), name="mixed")([L.Permute((2, 1), name="turned")(a), b]),
        L.Dot(1, name="vectors")([u, v]),
        L.Dot((1, 1), normalize=True, name="vectors_cosine")([u, v]),
    ], name="net")


def resizings(k):
    L = k.layers
    image = L.Input((6, 9, 2), name="image")
    modes = ["bilinear", "nearest", "bicubic", "lanczos3", "lanczos5"]
    modes += ["area", "gaussian", "mitchellcubic"] if k is keras2 else []
    outputs = [L.Resizing(5, 13, interpolation=mode, name=f"resized_{mode}")(image) for mode in modes]
    # UpSampling2D of Keras 2 gives float32 whatever it is given; an activation makes the reference of one type.
    outputs += [L.Activation("linear", name=f"enlarged_{mode}")(
        L.UpSampling2D((3, 2), interpolation=mode, name=f"enlarge_{mode}")(image)) for mode in modes]
    outputs += [
        L.Resizing(4, 3, crop_to_aspect_ratio=True, name="cropped")(image),
        L.CenterCrop(3, 4, name="center")(image),
        L.Activation("linear", name="center_small")(L.CenterCrop(7, 4, name="enlarged_center")(image)),
    ]
    outputs += [
        L.Resizing(7, 5, pad_to_aspect_ratio=True, fill_value=0.5, name="padded")(image),
        L.Resizing(3, 4, antialias=True, name="antialias")(image),
        L.Resizing(3, 4, interpolation="bicubic", antialias=True, name="antialias_bicubic")(image),
    ] if k is keras3 else [L.RandomCrop(3, 5, name="random_crop")(image)]
    return k.Model(image, outputs, name="net")


def training_only(k, unpicklable: bool = False):
    """`unpicklable`: with the layers, too, that Keras 3 cannot save in HDF5."""
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    x = L.RandomFlip(name="flip")(image)
    x = L.RandomRotation(0.1, name="rotation")(x)
    x = L.RandomZoom(0.1, name="zoom")(x)
    x = L.RandomTranslation(0.1, 0.2, name="translation")(x)
    x = L.RandomContrast(0.1, name="contrast")(x)
    if k is keras2 or unpicklable:
        x = L.RandomBrightness(0.1, name="brightness")(x)
    if k is keras2:
        x = L.RandomHeight(0.1, name="height")(x)
        x = L.RandomWidth(0.1, name="width")(x)
    else:
        for name in ("RandomGaussianBlur", "RandomInvert", "RandomPerspective", "RandomErasing", "RandomElasticTransform",
                     "RandomShear", "RandomGrayscale", "CutMix", "MixUp"):
            x = getattr(L, name)(name=name.lower())(x)
        x = L.RandomHue(0.5, name="hue")(x)
        if unpicklable:
            for name in ("AugMix", "RandAugment", "Solarization"):
                x = getattr(L, name)(name=name.lower())(x)
            x = L.RandomPosterization(4, name="posterization")(x)
            for name in ("RandomColorDegeneration", "RandomSaturation", "RandomSharpness"):
                x = getattr(L, name)(0.5, name=name.lower())(x)
            x = L.RandomColorJitter(brightness_factor=0.1, name="jitter")(x)
    x = L.Dropout(0.4, name="dropout")(x)
    x = L.SpatialDropout2D(0.4, name="spatial2")(x)
    x = L.GaussianDropout(0.4, name="gaussian_dropout")(x)
    x = L.GaussianNoise(0.4, name="noise")(x)
    x = L.AlphaDropout(0.4, name="alpha")(x)
    x = L.ActivityRegularization(0.1, 0.1, name="activity")(x)
    x = (L.Identity(name="identity") if k is keras3 else L.Activation("linear", name="identity"))(x)
    # RandomHeight and RandomWidth leave the size open.
    x = L.Reshape((2, 3, 5, 3), name="volume")(x)
    x = L.SpatialDropout3D(0.4, name="spatial3")(x)
    x = L.Reshape((30, 3), name="sequence")(x)
    x = L.SpatialDropout1D(0.4, name="spatial1")(x)
    return k.Model(image, L.Dense(4, name="fc")(x), name="net")


def application_layers(k):
    L, own = k.layers, APPLICATION_LAYERS[k]
    image = L.Input((6, 5, 3), name="image")
    x = L.Conv2D(4, (2, 3), name="conv")(image)
    y = own["LayerScale"](0.5, 4, name="scale")(x)
    y = own["StochasticDepth"](0.3, name="depth")(y)
    return k.Model(image, own["CustomScaleLayer"](0.2, name="sum")([x, y]), name="net")


def more_activations(k):
    L = k.layers
    image = L.Input((6, 5, 3), name="image")
    x = L.Conv2D(4, (2, 3), name="conv")(image)
    if k is keras3:
        return k.Model(image, [L.Activation("glu", name="gated")(x), L.Activation("relu", name="relu")(x)], name="net")
    return k.Model(image, [
        L.ThresholdedReLU(0.5, name="thresholded")(x),
        L.Activation(tf.nn.leaky_relu, name="object")(x),               # saved as an object of class `function`
    ], name="net")


BOTH = [conv_same, conv_valid, conv_dilated, conv_groups, conv_strides, pooling, global_pooling,
        flatten_dense, flatten_bn, reshape_dense, dense_rank3, dense_rank4, batch_norm,
        zero_padding, activation_layers, activation_arguments, residual, concatenate, two_inputs,
        nested, shared_layer, shared_flatten, depthwise, separable, prelu, functions, merges,
        transposed, recorded_functions, reshaping, normalizations, group_normalizations, axis_normalizations, data_normalizations,
        dots, resizings, training_only, application_layers, more_activations]


def constant_first() -> None:
    """Keras 2 cannot clone such a model in float64: the output is what the operators say."""
    image = keras2.layers.Input((2, 3, 4), name="image")
    model = keras2.Model(image, [
        keras2.layers.Activation("linear", name="difference")(3.0 - image),
        keras2.layers.Activation("linear", name="product")(2.5 * image),
        keras2.layers.Activation("linear", name="sum")(np.float32([1, 2, 3, 4]) + image),
    ], name="net")
    save(keras2, model, OUT / "keras2-constant-first.h5")
    x = np.random.default_rng(4).uniform(-1, 1, (2, 2, 3, 4)).astype(np.float32)
    exact = x.astype(np.float64)
    np.savez(OUT / "keras2-constant-first.npz", input=x, difference=3 - exact, product=2.5 * exact,
             sum=exact + [1, 2, 3, 4])


def with_optimizer(version: str, k) -> None:
    """One training step, saved with the optimizer's state."""
    L = k.layers
    name = f"{version}-optimizer"
    rng = np.random.default_rng(7)
    k.utils.set_random_seed(7)
    model = sequential(k, (5, 4, 2), L.Conv2D(3, (3, 2), activation="relu", name="conv"),
                       L.BatchNormalization(name="bn"), L.Flatten(name="flatten"),
                       L.Dense(7, name="fc"))
    randomise(model, rng)
    model.compile(k.optimizers.Adam(1e-3), "mse", metrics=["mae"])
    model.fit(rng.uniform(-1, 1, (4, 5, 4, 2)), rng.uniform(-1, 1, (4, 7)), shuffle=False,
              verbose=0)
    save(k, model, OUT / f"{name}.h5", include_optimizer=True)
    record(name, k, model, ["fc"], rng)


# Fixtures made by editing a saved file

def small(k=keras2, names=("conv", "flatten", "fc")):
    L = k.layers
    return sequential(k, (6, 5, 2), L.Conv2D(4, (3, 2), activation="relu", name=names[0]),
                      L.Flatten(name=names[1]), L.Dense(7, name=names[2]))


def edit_config(path: Path, change) -> None:
    with h5py.File(path, "r+") as file:
        config = json.loads(file.attrs["model_config"])
        file.attrs["model_config"] = json.dumps(change(config))


def not_topological(version: str, k) -> None:
    name = f"{version}-not-topological"
    fixture(name, k, residual(k))

    def backwards(config):
        config["config"]["layers"].reverse()
        return config
    edit_config(OUT / f"{name}.h5", backwards)
    k.models.load_model(OUT / f"{name}.h5", compile=False)


def list_config() -> None:
    """The configuration of a Sequential model as Keras before 2.2.3 wrote it: a bare list."""
    fixture("keras2-list-config", keras2, small())

    def old(config):
        layers = config["config"]["layers"][1:]
        layers[0]["config"]["batch_input_shape"] = [None, 6, 5, 2]
        for layer in layers:
            for key in ("module", "registered_name", "build_config"):
                layer.pop(key, None)
        return {"class_name": "Sequential", "config": layers}
    edit_config(OUT / "keras2-list-config.h5", old)


def names_in(attrs, key: str) -> list[str]:
    return [n.decode() if isinstance(n, bytes) else n for n in attrs[key]]


def set_names(attrs, key: str, names: list[str]) -> None:
    """Stores names as the attribute's own kind of string: of fixed or of variable length."""
    fixed = attrs.get_id(key).dtype.kind == "S" if key in attrs else True
    encoded = [n.encode() for n in names]
    attrs[key] = np.array(encoded) if fixed else np.array(encoded, h5py.string_dtype())


def replace(file: h5py.File, path: str, data, **options) -> None:
    del file[path]
    file.create_dataset(path, data=data, **options)


def fixed_strings() -> None:
    """Attributes as h5py 2 wrote them: strings of fixed length, padded with null bytes."""
    fixture("keras2-fixed-strings", keras2, small())
    with h5py.File(OUT / "keras2-fixed-strings.h5", "r+") as file:
        def fix(_, item):
            for key, value in list(item.attrs.items()):
                if isinstance(value, (str, bytes)):
                    item.attrs[key] = np.bytes_(value)
                elif value.dtype.kind == "O":
                    names = names_in(item.attrs, key)
                    item.attrs[key] = np.array([name.encode() for name in names])
        fix("/", file)
        file.visititems(fix)


def create_low(file: h5py.File, path: str, data: np.ndarray, layout: int, fill=None) -> None:
    """A dataset with a compact layout, or one with a fill value that is never allocated."""
    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plist.set_layout(layout)
    plist.set_obj_track_times(False)
    if fill is not None:
        plist.set_fill_value(np.array(fill, data.dtype))
        plist.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE)
    parent, leaf = path.rsplit("/", 1)
    del file[path]
    dataset = h5py.h5d.create(file[parent].id, leaf.encode(), h5py.h5t.py_create(data.dtype),
                              h5py.h5s.create_simple(data.shape), plist)
    if fill is None:
        dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(data))


def storage() -> None:
    """One model, its weights stored in every way HDF5 offers."""
    name = "storage"
    L = keras2.layers
    rng = np.random.default_rng(11)
    model = sequential(
        keras2, (9, 8, 2),
        L.Conv2D(5, (3, 2), activation="relu", name="conv1"),
        L.Conv2D(4, (2, 3), name="conv2"),
        L.BatchNormalization(name="bn"),
        L.Flatten(name="flatten"),
        L.Dense(7, activation="relu", name="fc1"),
        L.Dense(3, name="fc2"))
    randomise(model, rng)
    path = OUT / f"{name}.h5"
    save(keras2, model, path)
    with h5py.File(path, "r+") as file:
        w = file["model_weights"]
        g = {layer: f"{layer}/{layer}" for layer in ("conv1", "conv2", "bn", "fc1", "fc2")}
        kernel, bias = ({layer: w[f"{g[layer]}/{part}:0"][()]
                         for layer in ("conv1", "conv2", "fc1", "fc2")}
                        for part in ("kernel", "bias"))
        noise = rng.uniform(-1e-9, 1e-9, kernel["conv1"].shape)
        replace(w, g["conv1"] + "/kernel:0", (kernel["conv1"] + noise).astype(">f8"))
        create_low(w, g["conv1"] + "/bias:0", bias["conv1"], h5py.h5d.COMPACT)
        replace(w, g["conv2"] + "/kernel:0", kernel["conv2"].astype("<f2"))
        replace(w, g["conv2"] + "/bias:0", np.array([1, -2, 0, 3], "<i4"))
        replace(w, g["bn"] + "/gamma:0", w[g["bn"] + "/gamma:0"][()].astype(">f2"))
        replace(w, g["bn"] + "/moving_mean:0", w[g["bn"] + "/moving_mean:0"][()].astype(">f4"))
        rows, columns = kernel["fc1"].shape
        replace(w, g["fc1"] + "/kernel:0", kernel["fc1"], chunks=(rows // 3 + 1, columns // 2 + 1),
                compression="gzip", compression_opts=9, shuffle=True, fletcher32=True)
        create_low(w, g["fc1"] + "/bias:0", bias["fc1"], h5py.h5d.CONTIGUOUS, fill=0.5)
        replace(w, g["fc2"] + "/kernel:0", kernel["fc2"], chunks=(2, 2), maxshape=(None, None))
        create_low(w, g["fc2"] + "/bias:0", bias["fc2"].astype(">f4"), h5py.h5d.COMPACT)
    # The reference uses the values as stored, in float64.
    clone = in_double(keras2, model)
    with h5py.File(path) as file:
        for layer in clone.layers:
            group = file["model_weights"][layer.name]
            names = group.attrs["weight_names"]
            if len(names):
                layer.set_weights([group[n][()].astype(np.float64) for n in names])
    inputs = inputs_of(model, rng)
    result = np.asarray(clone(inputs["input"].astype(np.float64), training=False))
    np.savez(OUT / f"{name}.npz", **inputs, fc2=result)


def weights_only() -> None:
    model = small()
    randomise(model, np.random.default_rng(13))
    model.save_weights(OUT / "keras2-weights-only.h5", save_format="h5")
    model = small(keras3)
    randomise(model, np.random.default_rng(13))
    model.save_weights(OUT / "keras3-only.weights.h5")


def unsupported(version: str, k) -> None:
    """A layer of Keras that is not read, and layers for sequences: LSTM, GRU."""
    L = k.layers
    fixture(f"{version}-unsupported", k, sequential(
        k, (6, 5, 2),
        L.Conv2D(4, (3, 2), name="conv"),                # 4 x 4 x 4
        L.Reshape((4, 4, 2, 2), name="reshape"),
        L.Discretization(bin_boundaries=[-1.0, 0.0, 1.0], name="bins"),
        L.Embedding(4, 3, name="vectors"),               # 4 x 4 x 2 x 2 x 3
        L.Reshape((16, 12), name="sequence"),
        L.LSTM(5, return_sequences=True, name="lstm"),
        L.GRU(4, name="gru"),
        L.Dense(7, name="fc")), expected=False)


def damaged() -> None:
    kernel, bias = "model_weights/conv/conv/kernel:0", "model_weights/conv/conv/bias:0"

    def make(name: str):
        fixture(name, keras2, small(), expected=False)
        return h5py.File(OUT / f"{name}.h5", "r+")

    with make("missing-weight") as file:              # listed in weight_names, not in the file
        del file[bias]
    with make("missing-weight-name") as file:         # neither listed nor in the file
        del file[bias]
        group = file["model_weights/conv"]
        set_names(group.attrs, "weight_names", names_in(group.attrs, "weight_names")[:1])
    with make("unlisted-weight") as file:             # in the file, not in weight_names
        group = file["model_weights/conv"]
        set_names(group.attrs, "weight_names", names_in(group.attrs, "weight_names")[:1])
    with make("missing-layer") as file:               # the whole group is gone
        del file["model_weights/fc"]
    with make("extra-weight") as file:
        group = file["model_weights/conv"]
        group["conv/scale:0"] = np.full(4, 2, np.float32)
        names = names_in(group.attrs, "weight_names")
        set_names(group.attrs, "weight_names", [*names, "conv/scale:0"])
    with make("wrong-shape") as file:                 # 3 x 2 x 2 x 4 turned into 2 x 3 x 2 x 4
        replace(file, kernel, np.ascontiguousarray(file[kernel][()].transpose(1, 0, 2, 3)))
    with make("not-finite") as file:
        values = file[kernel][()]
        where = {"nan": [[0, 1, 1, 2], [1, 0, 0, 0], [2, 1, 1, 3]],
                 "positiveInfinity": [[0, 1, 1, 3], [2, 0, 1, 1]]}
        for index in where["nan"]:
            values[tuple(index)] = np.nan
        for index in where["positiveInfinity"]:
            values[tuple(index)] = np.inf
        file[kernel][...] = values
        first = min(sum(where.values(), []))
        facts = {"path": "/" + kernel, "layout": "HWIO", "shape": list(values.shape),
                 "nan": 3, "positiveInfinity": 2, "negativeInfinity": 0, "nonFinite": 5,
                 "firstIndex": first,
                 "firstFlatIndex": int(np.ravel_multi_index(first, values.shape)),
                 "indices": where}
        (OUT / "not-finite.json").write_text(json.dumps(facts) + "\n")
    with make("no-config") as file:
        del file.attrs["model_config"]
    with make("bad-config") as file:
        file.attrs["model_config"] = file.attrs["model_config"][:200]


def refused() -> None:
    """Valid models whose meaning a converter must not guess at."""
    L = keras2.layers
    fixture("norm-over-rows", keras2, sequential(
        keras2, (6, 5, 2), L.Conv2D(4, (3, 2), name="conv"),
        L.BatchNormalization(axis=1, name="bn")), expected=False)


def refused_settings() -> None:
    """Settings that a converter must refuse, all in one model."""
    L = keras3.layers
    image = L.Input((6, 5, 4), name="image")
    fixture("keras3-refused-settings", keras3, keras3.Model(image, [
        L.RandomCrop(3, 4, seed=1, name="crop")(image),
        L.Dense(6, activation="glu", name="gated")(image),
        L.Dense(6, activation="sparsemax", name="sparse")(image),
        L.Activation("sparsemax", name="sparse_layer")(image),
        L.LayerNormalization(axis=[-1, 1], name="order")(image),
        L.Normalization(axis=(1, 2), mean=np.ones((6, 1)), variance=np.ones((6, 1)), name="repeated")(image),
    ], name="net"), expected=False)


def renamed(name: str, k, plain: dict[str, str], model, outputs: list[str]) -> None:
    """NAME.h5 with layers renamed in the configuration, the attributes and the groups."""
    fixture(name, k, model, outputs)
    path = OUT / f"{name}.h5"

    def rename(value):
        if isinstance(value, dict):
            return {key: rename(item) for key, item in value.items()}
        if isinstance(value, list):
            return [rename(item) for item in value]
        return plain.get(value, value) if isinstance(value, str) else value
    edit_config(path, rename)
    with h5py.File(path, "r+") as file:
        root = file["model_weights"]
        set_names(root.attrs, "layer_names",
                  [plain.get(n, n) for n in names_in(root.attrs, "layer_names")])
        for old, new in plain.items():
            source = root[old]
            target = root.create_group(new)
            names = []
            for weight in names_in(source.attrs, "weight_names"):
                moved = re.sub(rf"(^|/){re.escape(old)}/", rf"\g<1>{new}/", weight)
                target[moved] = source[weight][()]
                names.append(moved)
            target.attrs.create("weight_names", np.array([n.encode() for n in names]))
            del root[old]


def precisions() -> None:
    """Models of other policies: half-precision weights, or float32 weights that Keras rounds to compute.

    Keras computes some of these in half precision; the reference is what the same weights give in float64.
    """
    for version, k in KERASES.items():
        L = k.layers
        for policy in ("float16", "bfloat16", "mixed_float16", "mixed_bfloat16"):
            k.backend.clear_session()
            other = k.mixed_precision.Policy(policy) if k is keras2 else k.DTypePolicy(policy)
            fixture(f"{version}-{policy.replace('_', '-')}", k, sequential(
                k, (7, 6, 2),
                L.Conv2D(4, (3, 2), dtype=policy, activation="relu", name="conv"),
                L.BatchNormalization(dtype=other, name="bn"),
                L.DepthwiseConv2D((2, 3), dtype=policy, name="depthwise"),
                L.Flatten(dtype=policy, name="flatten"),
                L.Dense(6, dtype="float32", activation="tanh", name="fc1"),
                L.Dense(5, dtype=other, name="fc2")), ["fc2"])


def first_keras() -> None:
    """Files of Keras 1, of both its backends, and one of Keras 2 on Theano."""
    L = keras2.layers

    def old(name: str, model, theano: bool = False, ordering: str = "tf") -> None:
        rng = np.random.default_rng(sum(map(ord, name)))
        randomise(model, rng)
        keras1.save(model, OUT / f"{name}.h5", theano, ordering)
        record(name, keras2, model, output_names(model), rng)
        if ordering == "th":
            with np.load(OUT / f"{name}.npz") as stored:
                arrays = dict(stored)
            arrays["input"] = np.ascontiguousarray(arrays["input"].transpose(0, 3, 1, 2))
            np.savez(OUT / f"{name}.npz", **arrays)

    def plain():
        return keras2.Sequential([
            L.Input((9, 8, 2)),
            L.Conv2D(4, (3, 2), padding="same", activation="relu", name="convolution2d_1"),
            L.BatchNormalization(epsilon=1e-5, name="batchnormalization_1"),
            L.MaxPooling2D((2, 2), name="maxpooling2d_1"),
            L.ZeroPadding2D(((0, 1), (1, 0)), name="zeropadding2d_1"),
            L.Conv2D(5, (2, 3), strides=(1, 2), use_bias=False, name="convolution2d_2"),
            L.PReLU(shared_axes=[1, 2], name="prelu_1"),
            L.Flatten(name="flatten_1"),
            L.Dropout(0.5, name="dropout_1"),
            L.Dense(6, activation="hard_sigmoid", name="dense_1"),
            L.Dense(5, activation="softmax", name="dense_2")])
    old("keras1-sequential", plain())
    old("keras1-theano", plain(), theano=True)
    old("keras1-channels-first", plain(), ordering="th")
    old("keras1-theano-channels-first", plain(), theano=True, ordering="th")

    image = L.Input((9, 8, 3), name="input_1")
    body = keras2.Sequential([
        L.Input((9, 8, 3)), L.Conv2D(4, (3, 3), padding="same", name="a"),
        L.BatchNormalization(name="a_b"), L.Conv2D(3, (1, 2), padding="same", name="b")],
        name="sequential_1")
    inside = body(image)
    a = L.Conv2D(3, (3, 2), dilation_rate=2, padding="same", name="atrousconvolution2d_1")(image)
    b = L.SeparableConv2D(3, (2, 3), depth_multiplier=2, padding="same",
                          name="separableconvolution2d_1")(inside)
    merged = [kind(name=f"merge_{i}")([a, b, inside]) for i, kind in enumerate(
        (L.Add, L.Multiply, L.Average, L.Maximum, L.Concatenate), start=1)]
    x = L.Concatenate(axis=1, name="merge_6")(merged[:4])
    x = L.ZeroPadding2D(((1, 2), (0, 1)), name="zeropadding2d_1")(x)
    x = L.AveragePooling2D((3, 2), padding="same", name="averagepooling2d_1")(x)
    x = L.Cropping2D(((1, 0), (1, 1)), name="cropping2d_1")(x)
    x = L.LeakyReLU(alpha=0.2, name="leakyrelu_1")(L.UpSampling2D((2, 1), name="upsampling2d_1")(x))
    y = L.GlobalMaxPooling2D(name="globalmaxpooling2d_1")(merged[4])
    old("keras1-functional", keras2.Model(
        image, [L.Activation("tanh", name="activation_1")(x), L.Dense(4, name="dense_1")(y)],
        name="model_1"))

    fixture("keras2-theano", keras2, conv_same(keras2))
    with h5py.File(OUT / "keras2-theano.h5", "r+") as file:
        for attributes in (file.attrs, file["model_weights"].attrs):
            attributes["backend"] = "theano"
        for name in ("conv1", "conv2"):
            kernel = file[f"model_weights/{name}/{name}/kernel:0"]
            kernel[...] = kernel[()][::-1, ::-1]


def awkward_names() -> None:
    L = keras2.layers
    renamed("name-traversal", keras2, {"inside": "../../evil"},
            small(names=("inside", "flat", "fc")), ["fc"])
    renamed("name-separators", keras2, {"inside": "block/conv:1"},
            small(names=("inside", "flat", "fc")), ["fc"])
    renamed("name-unicode", keras2, {"inside": "Faltung-\u00e4\u4e00\U0001f600"},
            small(names=("inside", "flat", "fc")), ["fc"])
    long = "a" * 2500 + "b" * 2500
    renamed("name-long", keras2, {"inside": long}, small(names=("inside", "flat", "fc")), ["fc"])
    renamed("name-clash", keras2, {"pair_1": "Conv", "pair_2": "conv", "pair_3": "a b",
                                   "pair_4": "a_b"},
            sequential(keras2, (6, 7, 2), *(L.Conv2D(2 + i, (2, 1), name=f"pair_{i}")
                                            for i in range(1, 5)),
                       L.Flatten(name="flatten"), L.Dense(7, name="fc")), ["fc"])
    # Names beyond 64,512 bytes in all: Keras splits the attribute into layer_names0, layer_names1.
    model = sequential(keras2, (4, 3, 2), L.Conv2D(5, (2, 1), name="c" * 5000),
                       *(L.Activation("linear", name=f"pass{i}") for i in range(14)),
                       L.Flatten(name="flatten"), L.Dense(7, name="fc"))
    fixture("chunked-names", keras2, model, ["fc"])
    with h5py.File(OUT / "chunked-names.h5") as file:
        assert "layer_names1" in file["model_weights"].attrs


def main() -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    for version, k in KERASES.items():
        for build in BOTH:
            k.backend.clear_session()
            fixture(f"{version}-{build.__name__.replace('_', '-')}", k, build(k))
        with_optimizer(version, k)
        not_topological(version, k)
        unsupported(version, k)
    constant_first()
    precisions()
    first_keras()
    for version, k in KERASES.items():
        k.backend.clear_session()
        fixture(f"{version}-nested-outputs", k, nested_outputs(k),
                ["encoder/conv", "relu", "both/conv", "flat"])
    list_config()
    fixed_strings()
    storage()
    weights_only()
    damaged()
    refused()
    refused_settings()
    awkward_names()
    files = [file for file in OUT.iterdir() if file.suffix in (".h5", ".npz", ".json")]
    print(f"{len(files)} files, {sum(file.stat().st_size for file in files)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
