"""Makes a model of AIDA-X with PyTorch: rtneural-aida.json with samples to test it, and what it gives for two signals in
rtneural-aida.npz.

The document follows modelToKeras.py of Automated-GuitarAmpModelling: an LSTM and a linear layer in Keras's order of axes, one
bias in the place of PyTorch's two, and `input_batch` and `output_batch` as lists of numbers. Nothing is added to the output.
"""

import json
import pathlib

import numpy
import torch

FOLDER = pathlib.Path(__file__).parent
UNITS, STEPS = 5, 96
torch.manual_seed(11)
random = numpy.random.default_rng(11)
lstm = torch.nn.LSTM(1, UNITS, batch_first=True)
dense = torch.nn.Linear(UNITS, 1)


def run(signals):
    """What the network gives for signals of (batch, steps); it begins with zeros."""
    with torch.no_grad():
        return dense(lstm(torch.from_numpy(signals)[:, :, None])[0]).numpy()


def layer(kind, units, weights):
    return {"type": kind, "activation": "", "shape": [None, None, units], "weights": [part.tolist() for part in weights]}


test = random.normal(scale=0.4, size=(1, STEPS)).astype(numpy.float32)
weights = {name: value.detach().numpy() for name, value in lstm.named_parameters()}
document = {
    "in_shape": [None, None, 1],
    "layers": [
        # PyTorch's gates are i, f, g, o; Keras's i, f, c, o.
        layer("lstm", UNITS, [weights["weight_ih_l0"].T, weights["weight_hh_l0"].T,
                              weights["bias_ih_l0"] + weights["bias_hh_l0"]]),
        layer("dense", 1, [dense.weight.detach().numpy().T, dense.bias.detach().numpy()])],
    "input_batch": test[0].tolist(),
    "output_batch": run(test)[0, :, 0].tolist(),
    "in_skip": 0,
    "metadata": {"name": "drawn LSTM", "samplerate": "48000"},
}
with open(FOLDER / "rtneural-aida.json", "w") as file:
    json.dump(document, file)
signals = random.normal(size=(2, 23)).astype(numpy.float32)
numpy.savez(FOLDER / "rtneural-aida.npz", input=signals[:, :, None], output=run(signals))
