"""Makes files of Neural Amp Modeler that hold several networks, from those that make_nam.py wrote, and what they give:
chain-models.nam, chain-layers.nam and container.nam, each with NAME.npz.

What a network of a chain gives is computed here with NumPy in float64. For each network alone that is first held against
what the trainer's package gave.
"""

import json
import pathlib

import numpy

FOLDER = pathlib.Path(__file__).parent
LENGTH = 29
random = numpy.random.default_rng(13)
ACTIVATIONS = {"Tanh": numpy.tanh, "ReLU": lambda x: numpy.maximum(x, 0)}


def read(name):
    return json.loads((FOLDER / f"{name}.nam").read_text())


class Weights:
    """The list of weights, taken from front to back."""

    def __init__(self, values):
        self.values = numpy.array(values)

    def take(self, *shape):
        count = int(numpy.prod(shape))
        taken, self.values = self.values[:count], self.values[count:]
        return taken.reshape(shape)


def convolved(x, kernel, dilation=1):
    """A convolution over the columns of x without padding; the kernel is (out, in, taps)."""
    taps = kernel.shape[2]
    length = x.shape[1] - (taps - 1) * dilation
    return sum(kernel[:, :, tap] @ x[:, tap * dilation:tap * dilation + length] for tap in range(taps))


def end(x, like):
    return x[:, x.shape[1] - like.shape[1]:]


def wavenet(document, signal):
    """A WaveNet without gates, groups and bottleneck."""
    weights = Weights(document["weights"])
    condition, value, heads = signal, signal, []
    for array in document["config"]["layers"]:
        channels = array["channels"]
        value = weights.take(channels, array["input_size"], 1)[:, :, 0] @ value
        for place, dilation in enumerate(array["dilations"]):
            kernel = weights.take(channels, channels, array["kernel_sizes"][place])
            bias = weights.take(channels, 1)
            sums = convolved(value, kernel, dilation) + bias
            sums += weights.take(channels, 1) @ end(condition, sums)
            activated = ACTIVATIONS[array["activation"][place]["type"]](sums)
            heads.append(activated)
            value = end(value, sums) + weights.take(channels, channels) @ activated + weights.take(channels, 1)
        total = sum(end(head, heads[-1]) for head in heads)
        own = array["head"]
        head = convolved(total, weights.take(own["out_channels"], total.shape[0], own["kernel_size"]))
        heads = [head + (weights.take(own["out_channels"], 1) if own["bias"] else 0)]
        value = end(value, heads[0])
    result = heads[0] * weights.take(1)
    assert weights.values.size == 0
    return result


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def lstm(document, signal):
    config, weights = document["config"], Weights(document["weights"])
    units = config["hidden_size"]
    for layer in range(config["num_layers"]):
        matrix = weights.take(4 * units, signal.shape[0] + units)
        bias, output, cell = weights.take(4 * units), weights.take(units), weights.take(units)
        outputs = []
        for step in signal.T:
            i, f, g, o = numpy.split(matrix @ numpy.concatenate([step, output]) + bias, 4)
            cell = sigmoid(f) * cell + sigmoid(i) * numpy.tanh(g)
            output = sigmoid(o) * numpy.tanh(cell)
            outputs.append(output)
        signal = numpy.array(outputs).T
    return weights.take(1, units) @ signal + weights.take(1, 1)


def parts(document):
    return document["config"].get("models") or document["config"].get("layers")


def reach(document):
    """How many samples before its own an output sees."""
    if document["architecture"].lower() == "sequential":
        return sum(reach(part) for part in parts(document))
    if document["architecture"] == "LSTM":
        return 0
    return sum((size - 1) * dilation for array in document["config"]["layers"]
               for size, dilation in zip(array["kernel_sizes"], array["dilations"])
               ) + sum(array["head"]["kernel_size"] - 1 for array in document["config"]["layers"])


def run(document, signal):
    if document["architecture"].lower() == "sequential":
        for part in parts(document):
            signal = run(part, signal)
        return signal
    return {"WaveNet": wavenet, "LSTM": lstm}[document["architecture"]](document, signal)


def outputs(document, signals):
    """What a network gives that has heard as much silence as it sees: (batch, steps, 1)."""
    return numpy.stack([
        run(document, numpy.concatenate([numpy.zeros((reach(document), 1)), signal]).T).T for signal in signals])


def write(name, document):
    with open(FOLDER / f"{name}.nam", "w") as file:
        json.dump(document, file)
    signals = random.normal(size=(2, LENGTH, 1)).astype(numpy.float32)
    whole = document["config"]["submodels"][-1]["model"] if "submodels" in document["config"] else document
    numpy.savez(FOLDER / f"{name}.npz", input=signals, output=outputs(whole, signals).astype(numpy.float32))


def holding(architecture, config, **others):
    return {"version": "0.7.0", "architecture": architecture, "config": config, **others}


networks = {name: read(name) for name in ("wavenet-standard", "wavenet-nano", "lstm-1", "lstm-2")}
for name, network in networks.items():
    stored = numpy.load(FOLDER / f"{name}.npz")
    numpy.testing.assert_allclose(outputs(network, stored["input"]), stored["output"], rtol=0, atol=1e-6)
# So that what comes out of the first is not almost nothing to the second: the scale is the last of the weights.
loud = {name: {**networks[name], "weights": networks[name]["weights"][:-1] + [0.7]} for name in (
    "wavenet-standard", "wavenet-nano")}

write("chain-models", holding(
    "Sequential", {"models": [loud["wavenet-nano"], networks["lstm-1"], loud["wavenet-standard"]]}, weights=[],
    sample_rate=48000.0))
nameless = {key: value for key, value in networks["lstm-2"].items() if key not in ("version", "sample_rate")}
inner = holding("Sequential", {"models": [loud["wavenet-standard"], loud["wavenet-nano"]]}, weights=[])
write("chain-layers", holding("sequential", {"layers": [nameless, inner]}))
write("container", holding("SlimmableContainer", {"submodels": [
    {"max_value": 0.25, "model": networks["lstm-2"]}, {"max_value": 0.5, "model": networks["wavenet-nano"]},
    {"max_value": 1.0, "model": networks["wavenet-standard"]}]}, weights=[], sample_rate=48000))
