"""Weights without a graph, and what they are for other frameworks, by NumPy alone.

python make_conventions.py, with numpy, torch and safetensors. Each array has values of its own.
"""

import pathlib

import numpy as np
import torch
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).parent


def fill(shape, start):
    return (start + np.arange(int(np.prod(shape)), dtype=np.float32) / 64).reshape(shape)


def numbered(shapes):
    return {name: fill(shape, 100 * index) for index, (name, shape) in enumerate(shapes.items())}


# The names that state dictionaries usually have, some of modules and some of parameters.
NAMES = {
    "cls_token": (1, 1, 8), "pos_embed": (1, 5, 8), "pos_embedding": (1, 5, 8), "mask_token": (1, 1, 8),
    "logit_scale": (), "temperature": (1,), "bias": (2,), "scale": (3,), "gamma": (3,), "weight": (2, 3),
    "class_embedding": (8,), "positional_embedding": (5, 8), "text_projection": (8, 4), "dist_token": (1, 1, 8),
    "conv1.weight": (8, 3, 3, 3), "conv1.bias": (8,), "bn1.weight": (8,), "bn1.bias": (8,),
    "bn1.running_mean": (8,), "bn1.running_var": (8,), "layer1.0.downsample.0.weight": (6, 8, 1, 1),
    "features.0.weight": (8, 1, 3, 3), "features.0.bias": (8,), "fc.weight": (10, 8), "fc.bias": (10,),
    "blocks.0.ls1.gamma": (8,), "blocks.0.attn.qkv.weight": (24, 8), "blocks.0.norm1.weight": (8,),
    "blocks.0.norm1.bias": (8,), "blocks.0.attn.relative_position_bias_table": (9, 2), "act.alpha": (3,),
    "n.gamma": (8,), "n.beta": (8,), "m.kernel": (3, 3), "m.gamma": (8,), "embeddings.word_embeddings.weight": (11, 8),
    "encoder.layer.0.LayerNorm.weight": (8,), "encoder.layer.0.LayerNorm.bias": (8,),
    "attn.in_proj_weight": (24, 8), "attn.in_proj_bias": (24,), "attn.out_proj.weight": (8, 8),
    "lstm.weight_ih_l0": (16, 3), "lstm.weight_hh_l0": (16, 4), "lstm.bias_ih_l0": (16,), "lstm.bias_hh_l0": (16,),
    "lstm.weight_ih_l0_reverse": (16, 3), "conv.weight_g": (4, 1, 1), "conv.weight_v": (4, 2, 3),
    "fc.parametrizations.weight.original0": (4, 1), "model.embed_tokens.weight": (11, 8),
    "model.layers.0.self_attn.q_proj.lora_A.default.weight": (2, 8),
}
assert len(NAMES) == 51


def names():
    arrays = numbered(NAMES)
    save_file(arrays, FOLDER / "names.safetensors")
    np.savez(FOLDER / "names.npz", **arrays)
    torch.save({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}, FOLDER / "names.pt")


# A network of PyTorch: which axis is which say names, biases and normalisations.
LAYERS = {
    "conv1.weight": (6, 3, 5, 3), "bn1.weight": (6,), "bn1.bias": (6,), "bn1.running_mean": (6,),
    "bn1.running_var": (6,), "body.0.weight": (8, 6, 1, 1), "body.1.weight": (8,), "body.1.bias": (8,),
    "body.1.running_mean": (8,), "body.1.running_var": (8,), "up.weight": (8, 4, 2, 3), "up.bias": (4,),
    "deconv.weight": (4, 4, 2, 3), "deconv.bias": (4,), "head_conv.weight": (4, 4, 3, 2), "head_conv.bias": (4,),
    "line.conv.weight": (5, 4, 3), "line.conv.bias": (5,), "embed.weight": (11, 7), "fc.weight": (9, 7),
    "fc.bias": (9,),
}
# Recurrent layers of PyTorch: `plain` is an LSTM without biases.
RECURRENT = {
    "plain.weight_ih_l0": (12, 7), "plain.weight_hh_l0": (12, 3), "gru.weight_ih_l0": (15, 3),
    "gru.weight_hh_l0": (15, 5), "gru.bias_ih_l0": (15,), "gru.bias_hh_l0": (15,),
}
LSTM = {"lstm.weight_ih_l0": (12, 7), "lstm.weight_hh_l0": (12, 3), "lstm.bias_ih_l0": (12,), "lstm.bias_hh_l0": (12,)}
TRANSPOSED = {"up.weight", "deconv.weight"}


def for_mlx(name, array):
    if array.ndim == 4:
        return array.transpose(1, 2, 3, 0) if name in TRANSPOSED else array.transpose(0, 2, 3, 1)
    return array.transpose(0, 2, 1) if array.ndim == 3 else array


def for_tensorflow(name, array):
    if array.ndim == 4:
        return array.transpose(2, 3, 1, 0)
    if array.ndim == 3:
        return array.transpose(2, 1, 0)
    return array.T if name == "fc.weight" else array


def for_keras(name, array):
    """A parameter of a recurrent layer: PyTorch's GRU has its gates as r, z, n, and Keras's as z, r, h."""
    if name.startswith("gru"):
        reset, update, new = np.split(array, 3)
        array = np.concatenate([update, reset, new])
    return array.T


def layers():
    arrays = numbered(LAYERS)
    save_file(arrays, FOLDER / "torch.safetensors", metadata={"format": "pt"})
    np.savez(FOLDER / "mlx.npz", **{name: for_mlx(name, array) for name, array in arrays.items()})
    np.savez(FOLDER / "tensorflow.npz", **{name: for_tensorflow(name, array) for name, array in arrays.items()})
    # Nothing tells a convolution from a transposed one.
    undecided = {"body.0.weight": (4, 4, 3, 3), "body.0.bias": (4,), "body.2.weight": (4, 4, 3, 3)}
    save_file(numbered(undecided), FOLDER / "undecided.safetensors", metadata={"format": "pt"})


def recurrent():
    arrays = numbered(RECURRENT)
    save_file(arrays, FOLDER / "recurrent.safetensors", metadata={"format": "pt"})
    words = {"weight_ih_l0": "kernel", "weight_hh_l0": "recurrent_kernel", "bias_ih_l0": "bias",
             "bias_hh_l0": "recurrent_bias"}
    named = {name.split(".")[0] + "/" + words[name.split(".")[1]]: for_keras(name, array)
             for name, array in arrays.items()}
    np.savez(FOLDER / "recurrent-keras.npz", **named)
    save_file(numbered(LSTM), FOLDER / "lstm.safetensors", metadata={"format": "pt"})


if __name__ == "__main__":
    names()
    recurrent()
    layers()
