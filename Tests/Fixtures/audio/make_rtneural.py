"""Makes Keras models, the JSON that RTNeural reads of them, and their outputs: NAME.keras, NAME.json and NAME.npz.

The JSON follows RTNeural's own python/model_utils.py and RTNeural/model_loader.h: Keras's layers in their order, each with
`layer.get_weights()` as nested lists. Biases that RTNeural's loader asks for and Keras has not are zeros.
"""

import json
import pathlib

import keras
import numpy

FOLDER = pathlib.Path(__file__).parent
ACTIVATIONS = ["tanh", "relu", "sigmoid", "softmax", "elu"]
keras.utils.set_random_seed(7)
random = numpy.random.default_rng(7)
layers = keras.layers


def kind(layer):
    if isinstance(layer, layers.TimeDistributed):
        return "time-distributed-dense"
    kinds = {layers.GRU: "gru", layers.LSTM: "lstm", layers.Dense: "dense", layers.Conv1D: "conv1d",
             layers.PReLU: "prelu", layers.BatchNormalization: "batchnorm", layers.Activation: "activation"}
    return kinds[type(layer)]


def activation(layer):
    inner = getattr(layer, "layer", layer)
    name = getattr(getattr(inner, "activation", None), "__name__", "")
    return name if name in ACTIVATIONS else ""


def weights(layer):
    found = [numpy.array(weight) for weight in layer.get_weights()]
    zeros = {layers.Conv1D: lambda: numpy.zeros(layer.filters), layers.LSTM: lambda: numpy.zeros(4 * layer.units),
             layers.GRU: lambda: numpy.zeros((2, 3 * layer.units))}.get(type(layer))
    if zeros and not layer.use_bias:
        found.append(zeros())
    return [weight.tolist() for weight in found]


def described(layer):
    result = {"type": kind(layer), "activation": activation(layer), "shape": layer.output.shape}
    if result["type"] == "conv1d":
        result.update(kernel_size=layer.kernel_size, dilation=layer.dilation_rate, groups=layer.groups)
    if result["type"] == "batchnorm":
        result["epsilon"] = layer.epsilon
    result["weights"] = weights(layer)
    return result


def write(name, shape, parts, length=23):
    model = keras.Sequential([layers.Input(shape)] + parts)
    for part in model.layers:
        drawn = [random.normal(scale=0.5, size=weight.shape) for weight in part.get_weights()]
        if isinstance(part, layers.BatchNormalization):
            drawn[-1] = numpy.abs(drawn[-1]) + 0.1
        part.set_weights(drawn)
    signal = random.normal(size=[2] + [size or length for size in shape]).astype(numpy.float32)
    with open(FOLDER / f"{name}.json", "w") as file:
        json.dump({"in_shape": model.input_shape, "layers": [described(part) for part in model.layers]}, file, indent=1)
    model.save(FOLDER / f"{name}.keras")
    numpy.savez(FOLDER / f"{name}.npz", input=signal, output=model.predict(signal, verbose=0))


write("rtneural-lstm", (None, 1), [
    layers.TimeDistributed(layers.Dense(5, activation="tanh")), layers.LSTM(7, return_sequences=True), layers.Dense(2)])
write("rtneural-gru", (None, 2), [
    layers.GRU(5, return_sequences=True), layers.Dense(3, activation="sigmoid"), layers.Dense(1)])
write("rtneural-conv", (None, 3), [
    layers.Dense(8, activation="tanh"),
    layers.Conv1D(4, 3, padding="causal", activation="tanh"),
    layers.BatchNormalization(epsilon=0.01), layers.PReLU(shared_axes=[1]),
    layers.Conv1D(6, 1, padding="causal", activation="elu"),
    layers.Conv1D(4, 5, dilation_rate=2, groups=2, padding="causal"),
    layers.BatchNormalization(epsilon=0.5, center=False, scale=False), layers.PReLU(shared_axes=[1, 2]),
    layers.Dense(2, activation="sigmoid")])
write("rtneural-dense", (3,), [
    layers.Dense(8), layers.Activation("tanh"), layers.Dense(7, activation="relu"), layers.Dense(6),
    layers.Activation("elu"), layers.Dense(5), layers.Activation("softmax"), layers.Dense(4, use_bias=False)])
write("rtneural-plain", (None, 2), [
    layers.Conv1D(3, 2, padding="causal", use_bias=False), layers.LSTM(4, return_sequences=True, use_bias=False),
    layers.GRU(5, return_sequences=True, use_bias=False), layers.Dense(1)])
# What RTNeural computes of these at the last step, or of one frame at once.
write("rtneural-last", (None, 2), [layers.LSTM(4, return_sequences=True), layers.GRU(3), layers.Dense(2)])
write("rtneural-frame", (23, 1), [
    layers.Conv1D(4, 5, dilation_rate=2, activation="relu"), layers.PReLU(shared_axes=[1]), layers.Conv1D(3, 4)])
