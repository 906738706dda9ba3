"""Writes tf_keras models as Keras 1.2.2 would have: its names of layers, settings and weights.

Keras 1 runs on nothing that is still maintained, so the files are written after its source:
keras/models.py (save_model), keras/engine/topology.py (save_weights_to_hdf5_group, get_config) and the
get_config and build of the layers. A Sequential model can be written with dim_ordering "th" as well:
its input then has channels first, and so have all values up to a flatten.
"""
import json

import h5py
import numpy as np

CLASSES = {"Conv1D": "Convolution1D", "Conv2D": "Convolution2D", "SeparableConv2D": "SeparableConvolution2D"}
MERGES = {"Add": "sum", "Multiply": "mul", "Concatenate": "concat", "Average": "ave", "Maximum": "max"}
WEIGHTS = {"kernel": "W", "bias": "b", "moving_mean": "running_mean",
           "moving_variance": "running_std", "alpha": "alphas", "embeddings": "W", "recurrent_kernel": "U"}
# The gates of a recurrent layer in the order of Keras 2, and in the order of Keras 1.
GATES = {"LSTM": ("ifco", "icfo"), "ConvLSTM2D": ("ifco", "icfo"), "GRU": ("zrh", "zrh")}
# What Keras 2 calls them: `implementation`.
CONSUME_LESS = {0: "cpu", 1: "mem", 2: "gpu"}
# ZeroPadding2D, Cropping2D and UpSampling2D do not note it.
ORDERED = ("Conv2D", "SeparableConv2D", "MaxPooling2D", "AveragePooling2D", "GlobalAveragePooling2D",
           "GlobalMaxPooling2D")


def settings(layer) -> dict:
    old = layer.get_config()
    kind = type(layer).__name__
    new = {"name": layer.name, "trainable": True}
    if kind == "InputLayer":
        return {"name": layer.name, "batch_input_shape": list(old["batch_input_shape"]),
                "input_dtype": "float32", "sparse": False}
    if kind in ORDERED:
        new["dim_ordering"] = "tf"
    if kind in MERGES:
        return {"name": layer.name, "mode": MERGES[kind], "mode_type": "raw",
                "concat_axis": old.get("axis", -1), "dot_axes": -1, "output_shape": None,
                "output_shape_type": "raw", "output_mask": None, "output_mask_type": "raw",
                "arguments": {}}
    if kind in ("Conv2D", "SeparableConv2D"):
        new |= {"nb_filter": old["filters"], "nb_row": old["kernel_size"][0],
                "nb_col": old["kernel_size"][1], "init": "glorot_uniform",
                "border_mode": old["padding"], "subsample": list(old["strides"]),
                "activation": old["activation"], "bias": old["use_bias"], "W_regularizer": None,
                "b_regularizer": None, "activity_regularizer": None, "W_constraint": None,
                "b_constraint": None}
        if kind == "SeparableConv2D":
            new["depth_multiplier"] = old["depth_multiplier"]
        elif tuple(old["dilation_rate"]) != (1, 1):
            new["atrous_rate"] = list(old["dilation_rate"])
    elif kind == "Conv1D":
        new |= {"nb_filter": old["filters"], "filter_length": old["kernel_size"][0], "init": "glorot_uniform",
                "border_mode": old["padding"], "subsample_length": old["strides"][0],
                "activation": old["activation"], "bias": old["use_bias"], "W_regularizer": None,
                "input_dim": None, "input_length": None}
        if old["dilation_rate"] != (1,):
            new["atrous_rate"] = old["dilation_rate"][0]
    elif kind in ("SimpleRNN", "LSTM", "GRU"):
        new |= {"output_dim": old["units"], "init": "glorot_uniform", "inner_init": "orthogonal",
                "activation": old["activation"], "W_regularizer": None, "U_regularizer": None,
                "b_regularizer": None, "dropout_W": 0.0, "dropout_U": 0.0,
                "return_sequences": old["return_sequences"], "go_backwards": old["go_backwards"],
                "stateful": False, "unroll": old["unroll"], "input_dim": None, "input_length": None,
                "consume_less": CONSUME_LESS[old.get("implementation", 0)]}
        if kind != "SimpleRNN":
            new["inner_activation"] = old["recurrent_activation"]
        if kind == "LSTM":
            new["forget_bias_init"] = "one"
    elif kind == "ConvLSTM2D":
        new |= {"nb_filter": old["filters"], "nb_row": old["kernel_size"][0], "nb_col": old["kernel_size"][1],
                "init": "glorot_uniform", "inner_init": "orthogonal", "forget_bias_init": "one",
                "activation": old["activation"], "inner_activation": old["recurrent_activation"],
                "dim_ordering": "tf", "border_mode": old["padding"], "subsample": list(old["strides"]),
                "return_sequences": old["return_sequences"], "go_backwards": old["go_backwards"], "stateful": False}
    elif kind == "Embedding":
        new |= {"input_dim": old["input_dim"], "output_dim": old["output_dim"], "init": "uniform",
                "input_length": old["input_length"], "mask_zero": old["mask_zero"], "W_regularizer": None,
                "dropout": 0.0}
    elif kind == "Masking":
        new["mask_value"] = old["mask_value"]
    elif kind in ("TimeDistributed", "Bidirectional"):
        new["layer"] = {"class_name": class_name(layer.layer), "config": settings(layer.layer)}
        if kind == "Bidirectional":
            new["layer"] = {"class_name": class_name(layer.forward_layer),
                            "config": settings(layer.forward_layer) | {"name": layer.layer.name}}
            new["merge_mode"] = old["merge_mode"]
    elif kind in ("MaxPooling1D", "AveragePooling1D"):
        new |= {"pool_length": old["pool_size"][0], "stride": old["strides"][0], "border_mode": old["padding"]}
    elif kind == "UpSampling1D":
        new["length"] = old["size"]
    elif kind == "ZeroPadding1D":
        new["padding"] = list(old["padding"])
    elif kind == "Cropping1D":
        new["cropping"] = list(old["cropping"])
    elif kind == "Dense":
        new |= {"output_dim": old["units"], "init": "glorot_uniform", "activation": old["activation"],
                "bias": old["use_bias"], "input_dim": None, "W_regularizer": None}
    elif kind in ("MaxPooling2D", "AveragePooling2D"):
        new |= {"pool_size": list(old["pool_size"]), "strides": list(old["strides"]),
                "border_mode": old["padding"]}
    elif kind == "BatchNormalization":
        new |= {"epsilon": old["epsilon"], "mode": 0, "axis": -1, "momentum": old["momentum"],
                "gamma_regularizer": None, "beta_regularizer": None}
    elif kind == "ZeroPadding2D":
        new["padding"] = [side for pair in old["padding"] for side in pair]
    elif kind == "Cropping2D":
        new["cropping"] = old["cropping"]
    elif kind == "UpSampling2D":
        new["size"] = list(old["size"])
    elif kind == "PReLU":
        new |= {"init": "zero", "shared_axes": old["shared_axes"] or [None]}
    elif kind == "LeakyReLU":
        new["alpha"] = float(old["alpha"])
    elif kind == "Activation":
        new["activation"] = old["activation"]
    elif kind == "Dropout":
        new["p"] = old["rate"]
    return new


def class_name(layer) -> str:
    kind = type(layer).__name__
    if kind in MERGES:
        return "Merge"
    if kind in ("Conv1D", "Conv2D") and set(layer.dilation_rate) != {1}:
        return f"Atrous{CLASSES[kind]}"
    return {"Functional": "Model"}.get(kind, CLASSES.get(kind, kind))


def configuration(model):
    if type(model).__name__ == "Sequential":
        layers = [{"class_name": class_name(layer), "config": settings(layer)}
                  for layer in model.layers]
        layers[0]["config"] |= {"batch_input_shape": [None, *model.input_shape[1:]],
                                "input_dtype": "float32"}
        return layers
    old = model.get_config()
    return {"name": model.name, "input_layers": old["input_layers"],
            "output_layers": old["output_layers"],
            "layers": [{
                "name": layer.name, "class_name": class_name(layer),
                "config": configuration(layer) if hasattr(layer, "layers") else settings(layer),
                "inbound_nodes": [[reference[:3] for reference in node]
                                  for node in described["inbound_nodes"]],
            } for layer, described in zip(model.layers, old["layers"])]}


def weights(layer, theano: bool, older: bool = False):
    if hasattr(layer, "layers"):
        for inner in layer.layers:
            yield from weights(inner, theano, older)
        return
    kind = type(layer).__name__
    if kind == "Bidirectional":
        for inner in (layer.forward_layer, layer.backward_layer):
            yield from weights(inner, theano, older)
        return
    if kind == "TimeDistributed":
        yield from weights(layer.layer, theano, older)
        return
    named = [(WEIGHTS.get(role, role), value) for role, value in (
        (variable.name.split("/")[-1].split(":")[0], value)
        for variable, value in zip(layer.weights, layer.get_weights()))]
    if kind in GATES and layer.get_config().get("implementation") != 2:
        order, written = GATES[kind]
        gates = {name: dict(zip(order, np.split(value, len(order), axis=-1))) for name, value in named}
        named = [(f"{name}_{gate}", gates[name][gate]) for gate in written for name in "WUb"]
    for role, value in named:
        name = f"{layer.name}_{role}"
        if role == "W" and kind == "Conv1D":
            # An image of one column.
            value = value[::-1 if theano else 1, None]
            # Before 1.2, filters first.
            value = value.transpose(3, 2, 0, 1) if older else value
        if theano and role == "W" and kind == "Conv2D":
            value = value[::-1, ::-1]
        yield name if theano else name + ":0", np.ascontiguousarray(value)


def channels_first(model, config: list) -> None:
    """Changes the configuration of a Sequential model to dim_ordering "th"."""
    for layer in config:
        settings = layer["config"]
        if "dim_ordering" in settings:
            settings["dim_ordering"] = "th"
        if layer["class_name"] == "BatchNormalization":
            settings["axis"] = 1
        if settings.get("shared_axes") == [1, 2]:
            settings["shared_axes"] = [2, 3]
        if "batch_input_shape" in settings:
            n, h, w, c = settings["batch_input_shape"]
            settings["batch_input_shape"] = [n, c, h, w]


def in_channels_first(model, layer, value):
    """A weight as the layer has it with dim_ordering "th"."""
    kind = type(layer).__name__
    if kind == "Conv2D" and value.ndim == 4:
        return value.transpose(3, 2, 0, 1)
    if kind == "PReLU":
        return value.transpose(2, 0, 1)
    names = [type(other).__name__ for other in model.layers]
    flatten = model.layers[names.index("Flatten")]
    if value.ndim == 2 and value.shape[0] == flatten.output_shape[1]:
        h, w, c = flatten.input_shape[1:]
        return value.reshape(h, w, c, -1).transpose(2, 0, 1, 3).reshape(value.shape)
    return value


def save(model, path, theano: bool = False, ordering: str = "tf", older: bool = False) -> None:
    """Saves `model`; with `theano`, as its backend had it: kernels turned, names of variables bare; with `older`, with
    the kernels of sequences that releases before 1.2 had."""
    config = configuration(model)
    if ordering == "th":
        channels_first(model, config)
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = b"1.1.2" if older else b"1.2.2"
        file.attrs["model_config"] = json.dumps(
            {"class_name": class_name(model), "config": config}).encode()
        root = file.create_group("model_weights")
        root.attrs["layer_names"] = [layer.name.encode() for layer in model.layers
                                     if type(layer).__name__ != "InputLayer"
                                     or type(model).__name__ != "Sequential"]
        for layer in model.layers:
            group = root.create_group(layer.name)
            values = list(weights(layer, theano, older))
            group.attrs["weight_names"] = [name.encode() for name, _ in values]
            for name, value in values:
                if ordering == "th":
                    value = np.ascontiguousarray(in_channels_first(model, layer, value))
                group[name] = value
