#!/usr/bin/env python3
"""Builds the Keras fixtures of layers for sequences that only older releases have or write.

Usage: make_old_sequences.py [OUT_DIR]

Layers that run on cuDNN alone can be built and saved without a GPU; the reference is what their weights give in LSTM and
GRU, into which Keras itself converts them. Files of Keras 1 are written by keras1.py; Keras 2's own conversion has to
give the weights back that they were made of. README.md in this directory says what each one is for.
"""
import json
import shutil

import h5py
import numpy as np
from tf_keras.src.layers.rnn.cudnn_gru import CuDNNGRU
from tf_keras.src.layers.rnn.cudnn_lstm import CuDNNLSTM
from tf_keras.src.saving.legacy.hdf5_format import preprocess_weights_for_loading

import keras1
from make_fixtures import OUT, fixture, keras2, output_names, randomise, record, save
from make_sequences import archive, sequences

L = keras2.layers


# Layers that run on cuDNN alone

def cudnn():
    steps = L.Input((7, 3), name="steps")
    y, h, c = CuDNNLSTM(4, return_sequences=True, return_state=True, name="states")(steps)
    inner = keras2.Sequential([L.Input((7, 4)), CuDNNLSTM(3, name="inside"), L.Dense(2, name="fc")], name="body")
    # More units than inputs, as many, and fewer.
    return keras2.Model(steps, [
        CuDNNLSTM(5, name="lstm")(steps),
        CuDNNGRU(5, name="gru")(steps),
        CuDNNLSTM(3, return_sequences=True, go_backwards=True, name="lstm_backwards")(steps),
        CuDNNGRU(2, return_sequences=True, name="gru_all")(steps),
        CuDNNGRU(4, name="gru_begun")(y, initial_state=h),
        L.Dense(3, name="fc_c")(c),
        L.Bidirectional(CuDNNLSTM(2, return_sequences=True), name="both")(steps),
        L.Bidirectional(CuDNNGRU(4), merge_mode="sum", name="sum")(steps),
        L.Dense(3, name="fc_body")(inner(y)),
    ], name="net")


def plain_config(config):
    """The configuration with LSTM and GRU in the place of the layers of cuDNN."""
    if isinstance(config, list):
        return [plain_config(item) for item in config]
    if not isinstance(config, dict):
        return config
    config = {key: plain_config(value) for key, value in config.items()}
    if config.get("class_name") in ("CuDNNLSTM", "CuDNNGRU"):
        own = config["config"]
        config |= {"class_name": config["class_name"][5:], "module": "keras.layers", "registered_name": None}
        config["config"] = own | {"recurrent_activation": "sigmoid"} | (
            {"reset_after": True} if config["class_name"] == "GRU" else {})
    return config


def make_cudnn() -> None:
    rng = np.random.default_rng(7)
    model = cudnn()
    randomise(model, rng)
    path = OUT / "keras2-cudnn.h5"
    save(keras2, model, path)
    text = json.dumps(plain_config(json.loads(model.to_json())))
    plain = keras2.models.model_from_json(text)
    plain.load_weights(path)
    record("keras2-cudnn", keras2, plain, output_names(model), rng)
    # Keras loads weights of the one into the other: the configuration says LSTM, the weights are as cuDNN has them.
    loaded = OUT / "keras2-cudnn-loaded.h5"
    shutil.copy(path, loaded)
    with h5py.File(loaded, "r+") as file:
        file.attrs["model_config"] = text
    shutil.copy(OUT / "keras2-cudnn.npz", OUT / "keras2-cudnn-loaded.npz")
    archive("keras2-cudnn", model)


# Locally connected layers

def locally_connected(implementation: int):
    image = L.Input((7, 6, 2), name="image")
    steps = L.Input((9, 3), name="steps")
    options = {"implementation": implementation}
    return keras2.Model([image, steps], [
        L.LocallyConnected2D(4, (3, 2), activation="relu", name="plain", **options)(image),
        L.LocallyConnected2D(3, (2, 3), strides=(2, 1), use_bias=False, name="strided", **options)(image),
        L.LocallyConnected2D(5, 1, strides=2, activation="softmax", name="points", **options)(image),
        L.LocallyConnected1D(4, 3, name="line", **options)(steps),
        L.LocallyConnected1D(2, 4, strides=3, use_bias=False, activation="tanh", name="line_strided", **options)(steps),
        L.Dense(3, name="fc")(L.Flatten(name="flatten")(L.LocallyConnected1D(2, 2, name="line_flat", **options)(steps))),
    ], name="net")


def locally_connected_first(implementation: int):
    """Channels first."""
    image = L.Input((2, 7, 6), name="image")
    steps = L.Input((3, 9), name="steps")
    options = {"implementation": implementation, "data_format": "channels_first"}
    x = L.LocallyConnected2D(4, (3, 2), activation="relu", name="plain", **options)(image)
    return keras2.Model([image, steps], [
        x,
        L.LocallyConnected2D(3, (2, 3), strides=(2, 1), use_bias=False, name="strided", **options)(image),
        L.Dense(3, name="fc")(L.Flatten(name="flatten")(x)),
        L.LocallyConnected1D(4, 3, name="line", **options)(steps),
        L.LocallyConnected1D(2, 4, strides=3, use_bias=False, activation="tanh", name="line_strided", **options)(steps),
    ], name="net")


def make_locally_connected() -> None:
    for implementation in (1, 2, 3):
        for name, build in (("local", locally_connected), ("local-first", locally_connected_first)):
            fixture(f"keras2-{name}-{implementation}", keras2, build(implementation), inputs=sequences)
    keras2.utils.set_random_seed(2)
    model = locally_connected(1)
    model.set_weights(fixture("keras2-local-1", keras2, model, inputs=sequences).get_weights())
    archive("keras2-local", model)


# Keras 1

def convolutions():
    return keras2.Sequential([
        L.Input((19, 3)),
        L.Conv1D(4, 5, activation="relu", name="convolution1d_1"),
        L.MaxPooling1D(3, strides=2, padding="same", name="maxpooling1d_1"),
        L.Conv1D(5, 2, dilation_rate=2, use_bias=False, name="atrousconvolution1d_1"),
        L.ZeroPadding1D((1, 2), name="zeropadding1d_1"),
        L.UpSampling1D(2, name="upsampling1d_1"),
        L.Cropping1D((2, 1), name="cropping1d_1"),
        L.Conv1D(6, 3, strides=2, padding="same", name="convolution1d_2"),
        L.AveragePooling1D(2, name="averagepooling1d_1"),
        L.GlobalMaxPooling1D(name="globalmaxpooling1d_1"),
        L.Dense(4, name="dense_1")])


def recurrent():
    steps = L.Input((6, 3), name="input_1")
    gpu, cpu, memory = ({"implementation": number, "recurrent_activation": "hard_sigmoid"} for number in (2, 0, 1))
    inner = keras2.Sequential([
        L.Input((6, 4)), L.GRU(3, reset_after=False, **cpu, name="gru_9"), L.Dense(2, name="dense_9")], name="sequential_1")
    x = L.LSTM(4, return_sequences=True, **cpu, name="lstm_1")(steps)
    y = L.Masking(0.5, name="masking_1")(steps)
    return keras2.Model(steps, [
        L.LSTM(5, **memory, name="lstm_2")(x),
        L.LSTM(4, **gpu, name="lstm_3")(x),
        L.GRU(5, reset_after=False, **cpu, name="gru_1")(x),
        L.GRU(3, reset_after=False, go_backwards=True, return_sequences=True, **gpu, name="gru_2")(x),
        L.LSTM(3, activation="relu", implementation=0, recurrent_activation="sigmoid", name="lstm_4")(steps),
        L.SimpleRNN(4, name="simplernn_1")(steps),
        L.Bidirectional(L.LSTM(3, return_sequences=True, **cpu, name="lstm_5"), name="bidirectional_1")(steps),
        L.Bidirectional(L.GRU(4, reset_after=False, **cpu, name="gru_3"), merge_mode="mul", name="bidirectional_2")(y),
        L.TimeDistributed(L.Dense(5, name="dense_1"), name="timedistributed_1")(x),
        L.Dense(3, name="dense_2")(inner(x)),
    ], name="model_1")


def films():
    return keras2.Sequential([
        L.Input((4, 7, 6, 2)),
        L.ConvLSTM2D(3, (3, 2), padding="same", return_sequences=True, name="convlstm2d_1"),
        L.ConvLSTM2D(4, (2, 3), strides=(2, 1), activation="relu", recurrent_activation="sigmoid", go_backwards=True,
                     name="convlstm2d_2"),
        L.Flatten(name="flatten_1"), L.Dense(5, name="dense_1")])


def words():
    return keras2.Sequential([
        L.Input((8,), name="words"), L.Embedding(11, 4, mask_zero=True, name="embedding_1"),
        L.GRU(5, reset_after=False, implementation=0, recurrent_activation="hard_sigmoid", name="gru_1"),
        L.Dense(3, activation="softmax", name="dense_1")])


def check_conversion(model, older: bool) -> None:
    """Keras 2 makes of each layer's weights, as Keras 1 has them, those that they came from."""
    for layer in model.layers:
        if hasattr(layer, "layers"):
            # Keras 2 counts the weights of a model as its own layers have them.
            check_conversion(layer, older)
            continue
        old = [value for _, value in keras1.weights(layer, theano=False, older=older)]
        new = preprocess_weights_for_loading(layer, old, original_keras_version="1")
        assert len(new) == len(layer.get_weights()), layer.name
        for found, expected in zip(new, layer.get_weights()):
            np.testing.assert_array_equal(found, expected, layer.name)


def make_keras1() -> None:
    for name, model, theano, older in [
        ("recurrent", recurrent(), False, False), ("recurrent-theano", recurrent(), True, False),
        ("words", words(), False, False), ("films", films(), False, False),
        ("conv1d", convolutions(), False, False), ("conv1d-theano", convolutions(), True, False),
        ("conv1d-older", convolutions(), False, True), ("conv1d-older-theano", convolutions(), True, True),
    ]:
        rng = np.random.default_rng(sum(map(ord, name)))
        randomise(model, rng)
        check_conversion(model, older)
        keras1.save(model, OUT / f"keras1-{name}.h5", theano, older=older)
        record(f"keras1-{name}", keras2, model, output_names(model), rng, inputs=sequences)


def without_graph(name: str, layer: str) -> None:
    """A copy in which one layer is of a class that nobody knows, so that only the weights can be read."""
    copy = OUT / f"{name}-unknown.h5"
    shutil.copy(OUT / f"{name}.h5", copy)
    with h5py.File(copy, "r+") as file:
        config = json.loads(file.attrs["model_config"])
        described = [each for each in config["config"]["layers"] if each["name"] == layer]
        described[0]["class_name"] = "Unknown"
        file.attrs["model_config"] = json.dumps(config).encode()


def main() -> None:
    make_cudnn()
    make_locally_connected()
    make_keras1()
    without_graph("keras2-cudnn", "fc_c")
    without_graph("keras2-local-1", "fc")
    without_graph("keras2-local-2", "fc")
    without_graph("keras1-recurrent", "dense_2")


if __name__ == "__main__":
    main()
