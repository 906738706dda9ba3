"""Makes models of Neural Amp Modeler with its trainer's package, and what they give: NAME.nam and NAME.npz.

Each file is read again with `init_from_nam`, and its output computed with `pad_start`, so that what is stored is what the
file means. Weights are drawn, not trained.
"""

import copy
import json
import pathlib

import numpy
import torch
from nam.models._from_nam import init_from_nam
from nam.models.recurrent import LSTM
from nam.models.wavenet import WaveNet

FOLDER = pathlib.Path(__file__).parent
LENGTH = 29
GATED = {"name": "PairMultiply", "primary": "Tanh", "secondary": "Sigmoid"}
torch.manual_seed(5)
random = numpy.random.default_rng(5)


def draw(model):
    """Draws all weights, so that no bias is zero."""
    for parameter in model.parameters():
        parameter.data = torch.from_numpy(
            random.normal(scale=0.4, size=tuple(parameter.shape)).astype(numpy.float32))
    return model.eval()


def write(name, document):
    """Writes a document, and what its model gives for two signals."""
    with open(FOLDER / f"{name}.nam", "w") as file:
        json.dump(document, file)
    model = init_from_nam(copy.deepcopy(document)).eval()
    signals = random.normal(size=(2, LENGTH)).astype(numpy.float32)
    with torch.no_grad():
        outputs = model(torch.from_numpy(signals), pad_start=True).numpy()
    assert outputs.shape == signals.shape
    numpy.savez(FOLDER / f"{name}.npz", input=signals[:, :, None], output=outputs[:, :, None])


def document(model, architecture):
    return {
        "version": "0.7.0",
        "metadata": {"date": {"year": 2026, "month": 1, "day": 2}, "name": f"drawn {architecture}",
                     "gear_type": "amp", "loudness": -20.5, "input_level_dbu": None},
        "architecture": architecture,
        "config": model._export_config(),
        "weights": model._export_weights().tolist(),
        "sample_rate": 48000.0,
    }


def array(channels, inputs, head, **others):
    config = {"input_size": inputs, "condition_size": 1, "channels": channels, "head": head, "kernel_size": 3,
              "dilations": [1, 2, 4], "activation": "Tanh"}
    return {**config, **others}


def head(channels, kernel_size=1, bias=False):
    return {"out_channels": channels, "kernel_size": kernel_size, "bias": bias}


def wavenet(layers, **others):
    return draw(WaveNet.init_from_config({"layers_configs": layers, "head_scale": 0.02, "sample_rate": 48000, **others}))


def legacy(current):
    """The same document as the trainer wrote it before version 0.6 of the format."""
    result = copy.deepcopy(current)
    result["version"] = "0.5.4"
    for layer in result["config"]["layers"]:
        own = layer.pop("head")
        layer["head_size"], layer["head_bias"] = own["out_channels"], own["bias"]
        layer["kernel_size"] = layer.pop("kernel_sizes")[0]
        layer["activation"] = layer["activation"][0]["type"]
        layer["gated"] = layer.pop("gating_mode")[0] == "gated"
        for key in [key for key in layer if key not in (
                "input_size", "condition_size", "channels", "kernel_size", "dilations", "activation", "head_size",
                "head_bias", "gated")]:
            del layer[key]
    return result


standard = document(wavenet([
    array(5, 1, head(3)), array(3, 5, head(1, bias=True), dilations=[3, 1])]), "WaveNet")
write("wavenet-standard", standard)
gated = document(wavenet([
    array(4, 1, head(3), activation=GATED), array(3, 4, head(1, bias=True), dilations=[2], activation=GATED)]), "WaveNet")
write("wavenet-gated", gated)

# The old documents mean the same: init_from_nam no longer reads them, so that the outputs are those of the new ones.
for name, current in (("standard", standard), ("gated", gated)):
    with open(FOLDER / f"wavenet-{name}-legacy.nam", "w") as file:
        json.dump(legacy(current), file, indent=4)

write("wavenet-nano", document(wavenet([
    array(2, 1, head(2), dilations=[1, 2, 4, 8], activation="ReLU"),
    array(2, 2, head(1, bias=True), dilations=[1, 2], activation="ReLU")]), "WaveNet"))
write("wavenet-parts", document(wavenet([
    array(4, 1, head(6, kernel_size=3, bias=True), kernel_sizes=[2, 4, 3], bottleneck=6, groups_input=2,
          layer_1x1_config={"active": True, "groups": 2},
          head_1x1_config={"active": True, "out_channels": 4, "groups": 2},
          activation=[{"name": "LeakyReLU", "negative_slope": 0.2}, "Hardtanh", "Softsign"]),
    array(6, 4, head(5, kernel_size=2), dilations=[2, 1], layer_1x1_config={"active": False, "groups": 1},
          activation=["SiLU", {"name": "PairBlend", "primary": "Tanh", "secondary": "Sigmoid"}]),
    array(3, 6, head(3), dilations=[1], bottleneck=5,
          activation=[{"name": "PairMultiply", "primary": "Hardswish", "secondary": "Tanh"}]),
], head={"channels": 4, "activation": "Sigmoid", "out_channels": 1, "kernel_sizes": [2, 3]}), "WaveNet"))
for count, units in ((1, 3), (2, 5), (3, 4)):
    write(f"lstm-{count}", document(draw(LSTM(units, num_layers=count, sample_rate=48000)), "LSTM"))

# Another number of units, and a state of zeros, as RTNeural begins with.
model = draw(LSTM(6, num_layers=2, sample_rate=44100))
model._get_initial_state = lambda: (torch.zeros(2, 6), torch.zeros(2, 6))
write("lstm-zeros", document(model, "LSTM"))
