"""A network over sequences with every recurrent layer that consumers have, as raw values with model.json.

Length, channels and units all differ. Gates of a recurrent layer are of one size, so that only their order tells them
apart: no two of them have the same values.
"""
import json
from pathlib import Path

import numpy as np

LENGTH, CHANNELS = 9, 3
KERNEL, CONV, GRU, LSTM, RNN, UNITS = 2, 4, 5, 6, 7, 2

# The targets that have recurrent layers, and which of these they lack.
TARGETS = {"torch": (), "mlx": ("gru",), "tensorflow": (), "onnx": (), "tflite": ("gru",),
           "coreml": ("gru",), "ncnn": ("gru",)}


def inputs(count: int = 3) -> np.ndarray:
    """Sequences in the order N, W, C."""
    return np.random.default_rng(3).standard_normal((count, LENGTH, CHANNELS)).astype(np.float32)


def recurrent(channels: int, gates: str, units: int, biases: int) -> dict:
    """Layouts and shapes of the parameters of a recurrent layer."""
    columns = f"(G[{gates}]N)" if gates else "N"
    width = max(1, len(gates)) * units
    names = ["bias", "recurrent_bias"][:biases]
    return {"kernel": ("I" + columns, (channels, width)), "recurrent": ("I" + columns, (units, width)),
            **{name: (columns, (width,)) for name in names}}


def layers(without: tuple[str, ...]) -> list:
    """Name, operator, attributes and parameters of each layer."""
    channels, result = CONV, []
    result.append(("conv", "Convolution1D", {"outputChannels": CONV, "kernelSize": [KERNEL]},
                   {"kernel": ("WIO", (KERNEL, CHANNELS, CONV)), "bias": ("O", (CONV,))}))
    for name, operator, gates, units, biases in [
            ("gru", "GRU", "zrh", GRU, 2), ("lstm", "LSTM", "ifco", LSTM, 1),
            ("rnn", "SimpleRNN", "", RNN, 1)]:
        if name in without:
            continue
        recurrence = {"returns": "last" if name == "rnn" else "sequence"}
        attributes = {"units": units, "recurrence": recurrence}
        if name == "gru":
            attributes["resetsAfter"] = True
        result.append((name, operator, attributes, recurrent(channels, gates, units, biases)))
        channels = units
    result.append(("fc", "Dense", {"units": UNITS},
                   {"kernel": ("IO", (channels, UNITS)), "bias": ("O", (UNITS,))}))
    return result


def write(folder: Path, without: tuple[str, ...] = ()) -> Path:
    """Writes the network, less the recurrent layers `without`."""
    random = np.random.default_rng(4)
    folder.mkdir()
    described, previous = [], "sequence"
    for name, operator, attributes, shapes in layers(without):
        parameters = []
        for role, (layout, shape) in shapes.items():
            file = f"{name}_{role}.bin"
            (random.standard_normal(shape) / 2).astype("<f4").tofile(folder / file)
            parameters.append({"role": role, "file": file, "dtype": "float32", "layout": layout})
        described.append({"name": name, "operator": operator, "attributes": attributes,
                          "inputs": [previous], "parameters": parameters})
        previous = name
    (folder / "model.json").write_text(json.dumps({
        "format": "netconv-model", "version": 1, "name": "sequences",
        "inputs": [{"name": "sequence", "shape": [LENGTH, CHANNELS]}], "outputs": [previous],
        "layers": described}))
    return folder
