#!/usr/bin/env python3
"""Builds the Keras fixtures of layers for sequences, as make_fixtures.py builds the others.

Usage: make_sequences.py [OUT_DIR]

Each model is saved by both Kerases in HDF5 (keras2-NAME.h5, keras3-NAME.h5) with its reference (NAME.npz), and by
Keras 3 in its own format (archive-NAME.keras). README.md in this directory says what each one is for.
"""
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import tensorflow as tf

from archives import rewrite
from make_fixtures import KERASES, OUT, fixture, keras2, keras3


def conv1d(k):
    L = k.layers
    steps = L.Input((13, 3), name="steps")
    outputs = [
        L.Conv1D(5, 4, activation="relu", name="valid")(steps),
        L.Conv1D(4, 3, strides=2, padding="same", name="same")(steps),
        L.Conv1D(4, 4, strides=3, padding="same", use_bias=False, name="same_even")(steps),
        L.Conv1D(5, 3, padding="causal", activation="tanh", name="causal")(steps),
        L.Conv1D(4, 2, padding="causal", dilation_rate=3, name="causal_dilated")(steps),
        L.Conv1D(3, 3, padding="causal", strides=2, name="causal_strided")(steps),
        L.Conv1D(4, 3, dilation_rate=2, name="dilated")(steps),
        L.Conv1D(4, 3, dilation_rate=3, padding="same", name="dilated_same")(steps),
        L.Conv1D(6, 3, groups=3, name="groups")(steps),
    ]
    return k.Model(steps, outputs, name="net")


def conv1d_classifier(k):
    L = k.layers
    return k.Sequential([
        L.Input((20, 4), name="steps"),
        L.Conv1D(6, 5, activation="relu", name="conv1"),
        L.MaxPooling1D(2, name="pool1"),
        L.BatchNormalization(name="norm"),
        L.Conv1D(8, 3, padding="same", name="conv2"),
        L.ReLU(name="relu"),
        L.Dropout(0.5, name="dropout"),
        L.Flatten(name="flatten"),
        L.Dense(7, activation="softmax", name="fc"),
    ], name="net")


def conv1d_others(k):
    L = k.layers
    steps = L.Input((11, 3), name="steps")
    outputs = [
        L.DepthwiseConv1D(3, name="depthwise")(steps),
        L.DepthwiseConv1D(4, strides=2, padding="same", depth_multiplier=2, activation="relu",
                          name="depthwise_multiplied")(steps),
        L.DepthwiseConv1D(3, dilation_rate=2, use_bias=False, name="depthwise_dilated")(steps),
        L.SeparableConv1D(5, 3, name="separable")(steps),
        L.SeparableConv1D(4, 4, strides=2, padding="same", depth_multiplier=2, activation="relu",
                          name="separable_multiplied")(steps),
        L.SeparableConv1D(4, 3, dilation_rate=2, use_bias=False, name="separable_dilated")(steps),
        L.Conv1DTranspose(4, 3, name="transposed")(steps),
        L.Conv1DTranspose(5, 4, strides=2, padding="same", activation="relu", name="transposed_same")(steps),
        L.Conv1DTranspose(4, 2, strides=3, use_bias=False, name="transposed_apart")(steps),
        L.Conv1DTranspose(4, 3, strides=2, output_padding=1, name="transposed_padded")(steps),
    ]
    if k is keras2:
        outputs.append(L.SeparableConv1D(4, 3, padding="causal", dilation_rate=2, name="separable_causal")(steps))
    return k.Model(steps, outputs, name="net")


def pooling1d(k):
    L = k.layers
    steps = L.Input((11, 3), name="steps")
    x = L.Conv1D(5, 2, name="conv")(steps)
    return k.Model(steps, [
        L.MaxPooling1D(3, name="max_valid")(x),
        L.MaxPooling1D(4, strides=3, padding="same", name="max_same")(x),
        L.AveragePooling1D(3, strides=1, name="mean_valid")(x),
        L.AveragePooling1D(4, padding="same", name="mean_same")(x),
        L.GlobalMaxPooling1D(name="max")(x),
        L.GlobalAveragePooling1D(name="mean")(x),
        L.GlobalMaxPooling1D(keepdims=True, name="max_kept")(x),
        L.GlobalAveragePooling1D(keepdims=True, name="mean_kept")(x),
    ], name="net")


def reshaping1d(k):
    L = k.layers
    steps = L.Input((7, 3), name="steps")
    x = L.Conv1D(4, 2, name="conv")(steps)
    return k.Model(steps, [
        L.ZeroPadding1D(2, name="padded")(x),
        L.ZeroPadding1D((1, 3), name="padded_unevenly")(x),
        L.Conv1D(3, 3, name="conv_padded")(L.ZeroPadding1D((3, 1), name="padding")(x)),
        L.Cropping1D((2, 1), name="cropped")(x),
        L.Cropping1D(1, name="cropped_evenly")(x),
        L.UpSampling1D(3, name="enlarged")(x),
        L.Dense(5, activation="relu", name="dense")(x),
        L.Conv1D(3, 2, name="conv_turned")(L.Permute((2, 1), name="turned")(x)),
        L.PReLU(shared_axes=[1], name="slopes")(x),
        L.Concatenate(axis=1, name="joined")([x, L.UpSampling1D(2, name="twice")(x)]),
    ], name="net")


def conv1d_first(k):
    """Channels first, as TensorFlow computes them on a CPU, after a transposition."""
    L = k.layers
    steps = L.Input((3, 12), name="steps")
    x = L.Conv1D(4, 3, data_format="channels_first", padding="same", activation="relu", name="conv")(steps)
    x = L.MaxPooling1D(2, data_format="channels_first", name="pool")(x)
    x = L.SeparableConv1D(5, 2, data_format="channels_first", name="separable")(x)
    return k.Model(steps, [
        L.GlobalAveragePooling1D(data_format="channels_first", name="mean")(x),
        L.Dense(6, name="fc")(L.Flatten(name="flatten")(x)),
        L.Dense(6, name="fc_last")(L.Flatten(data_format="channels_first", name="flatten_last")(x)),
    ], name="net")


def recurrent(k):
    L = k.layers
    steps = L.Input((7, 3), name="steps")
    return k.Model(steps, [
        L.SimpleRNN(4, name="simple")(steps),
        L.SimpleRNN(4, activation="relu", return_sequences=True, use_bias=False, name="simple_all")(steps),
        L.LSTM(5, name="lstm")(steps),
        L.LSTM(4, return_sequences=True, go_backwards=True, name="lstm_backwards")(steps),
        L.LSTM(4, activation="elu", recurrent_activation="hard_sigmoid", use_bias=False, name="lstm_hard")(steps),
        L.LSTM(3, unroll=True, name="lstm_unrolled")(steps),
        L.GRU(5, name="gru")(steps),
        L.GRU(4, reset_after=False, return_sequences=True, name="gru_before")(steps),
        L.GRU(4, activation="softsign", recurrent_activation="hard_sigmoid", go_backwards=True, name="gru_hard")(steps),
        L.GRU(3, use_bias=False, name="gru_bare")(steps),
        L.GRU(3, use_bias=False, reset_after=False, name="gru_before_bare")(steps),
    ], name="net")


def recurrent_states(k):
    """States that are given and states that are read."""
    L = k.layers
    steps = L.Input((6, 3), name="steps")
    start = L.Input((4,), name="start")
    memory = L.Input((4,), name="memory")
    y, h, c = L.LSTM(4, return_sequences=True, return_state=True, name="encoder")(steps)
    z, g = L.GRU(4, return_state=True, name="gru")(y, initial_state=h)
    decoded = L.LSTM(4, return_sequences=True, name="decoder")(y, initial_state=[h, c])
    begun = L.LSTM(4, go_backwards=True, name="begun")(steps, initial_state=[start, memory])
    simple = L.SimpleRNN(4, name="simple")(steps, initial_state=start)
    return k.Model([steps, start, memory], [
        L.Dense(3, name="fc_c")(c), L.Dense(2, name="fc_g")(L.Concatenate(name="joined")([z, g])),
        L.Dense(5, name="fc_decoded")(decoded), begun, simple,
    ], name="net")


def bidirectional(k):
    L = k.layers
    steps = L.Input((6, 3), name="steps")
    both, forward, backward = L.Bidirectional(L.GRU(4, return_state=True), name="states")(steps)
    pair = L.Bidirectional(L.LSTM(3, return_sequences=True), merge_mode=None, name="pair")(steps)
    ends = L.Bidirectional(L.SimpleRNN(3), merge_mode=None, name="ends")(steps)
    # Keras 3 makes both layers go backwards.
    more = [L.Bidirectional(L.LSTM(4, return_sequences=True, go_backwards=True), name="turned")(steps)] if k is keras2 else []
    return k.Model(steps, [
        L.Bidirectional(L.LSTM(4), name="concat")(steps),
        L.Bidirectional(L.LSTM(4, return_sequences=True), merge_mode="sum", name="sum")(steps),
        L.Bidirectional(L.GRU(4, return_sequences=True), merge_mode="mul", name="mul")(steps),
        L.Bidirectional(L.SimpleRNN(4), merge_mode="ave", name="ave")(steps),
        L.Bidirectional(L.LSTM(4, return_sequences=True),
                        backward_layer=L.GRU(3, return_sequences=True, go_backwards=True), name="unlike")(steps),
        L.Concatenate(name="joined")([both, forward, backward]),
        L.Subtract(name="difference")([pair[0], pair[1]]),
        L.Subtract(name="difference_of_ends")([ends[0], ends[1]]),
        *more,
    ], name="net")


def cells(k):
    L = k.layers
    steps = L.Input((5, 3), name="steps")
    stacked = lambda **options: L.RNN(                                  # noqa: E731
        L.StackedRNNCells([L.LSTMCell(4), L.GRUCell(3), L.GRUCell(5, reset_after=False), L.SimpleRNNCell(4)]), **options)
    return k.Model(steps, [
        L.RNN(L.LSTMCell(4), return_sequences=True, name="lstm")(steps),
        L.RNN(L.GRUCell(4), go_backwards=True, name="gru")(steps),
        L.RNN(L.SimpleRNNCell(3), name="simple")(steps),
        stacked(name="stacked")(steps),
        stacked(return_sequences=True, go_backwards=True, name="stacked_backwards")(steps),
    ], name="net")


def bidirectional_cells(k):
    """Several cells in both directions, with masks and states."""
    L = k.layers
    steps = L.Input((6, 3), name="steps")
    s = L.Masking(0.5, name="masking")(steps)
    pair = lambda **options: L.RNN(                                     # noqa: E731
        L.StackedRNNCells([L.LSTMCell(4), L.GRUCell(3)]), **options)
    triple = lambda **options: L.RNN(                                   # noqa: E731
        L.StackedRNNCells([L.SimpleRNNCell(2), L.LSTMCell(5), L.LSTMCell(3)]), **options)
    # Keras 3 cannot give the states of several cells in both directions.
    more = []
    if k is keras2:
        whole = L.Bidirectional(pair(return_state=True), name="states")(steps)
        more = [L.Concatenate(name="joined")(tf.nest.flatten(whole))]
    return k.Model(steps, [
        L.Bidirectional(pair(), name="concat")(steps),
        L.Bidirectional(triple(return_sequences=True), merge_mode="sum", name="sum")(steps),
        L.Bidirectional(triple(return_sequences=True), name="masked_all")(s),
        L.Bidirectional(pair(), merge_mode="ave", name="masked")(s),
        L.Bidirectional(pair(return_sequences=True), backward_layer=triple(return_sequences=True, go_backwards=True),
                        merge_mode="mul", name="unlike")(steps),
        L.Bidirectional(pair(return_sequences=True), backward_layer=L.GRU(2, return_sequences=True, go_backwards=True),
                        name="one_of_cells")(steps),
        *more,
    ], name="net")


def conv_lstm(k):
    L = k.layers
    film = L.Input((4, 7, 6, 2), name="film")
    lines = L.Input((5, 8, 3), name="lines")
    y, h, c = L.ConvLSTM2D(3, (3, 2), padding="same", return_sequences=True, return_state=True, name="states")(film)
    z, g, d = L.ConvLSTM1D(4, 3, return_state=True, name="line_states")(lines)
    return k.Model([film, lines], [
        L.ConvLSTM2D(4, (2, 3), name="valid")(film),
        L.ConvLSTM2D(3, (3, 2), strides=(2, 1), padding="same", go_backwards=True, return_sequences=True,
                     name="strided")(film),
        L.ConvLSTM2D(2, 2, dilation_rate=(2, 3), activation="elu", recurrent_activation="hard_sigmoid", use_bias=False,
                     name="dilated")(film),
        L.ConvLSTM2D(3, (2, 3), padding="same", recurrent_activation="sigmoid", name="begun")(y, initial_state=[h, c]),
        L.Conv2D(2, 2, name="conv_c")(c),
        L.ConvLSTM1D(5, 4, padding="same", strides=2, return_sequences=True, name="line")(lines),
        L.ConvLSTM1D(2, 3, dilation_rate=2, activation="softmax", go_backwards=True, name="line_dilated")(lines),
        L.Concatenate(name="joined")([z, g, d]),
        L.TimeDistributed(L.ConvLSTM1D(2, (3,)), name="rows")(film),
    ], name="net")


def adaptive_pooling(k):
    """Windows of one size and of several, more than there are places, and one."""
    L = k.layers
    image = L.Input((7, 11, 3), name="image")
    steps = L.Input((10, 2), name="steps")
    return k.Model([image, steps], [
        L.AdaptiveAveragePooling2D((3, 4), name="mean")(image),
        L.AdaptiveMaxPooling2D((3, 4), name="max")(image),
        L.AdaptiveAveragePooling2D((9, 5), name="mean_more")(image),
        L.AdaptiveMaxPooling2D((5, 13), name="max_more")(image),
        L.AdaptiveMaxPooling2D(1, name="max_one")(image),
        L.AdaptiveAveragePooling2D((7, 1), name="mean_rows")(image),
        L.AdaptiveAveragePooling1D(4, name="mean_steps")(steps),
        L.AdaptiveMaxPooling1D(4, name="max_steps")(steps),
        L.AdaptiveAveragePooling1D(13, name="mean_steps_more")(steps),
        L.AdaptiveMaxPooling1D(5, name="max_steps_even")(steps),
        L.AdaptiveMaxPooling2D((2, 3), data_format="channels_first", name="max_first")(image),
    ], name="net")


def time_distributed(k):
    L = k.layers
    film = L.Input((3, 6, 5, 2), name="film")
    frame = k.Sequential([
        L.Input((6, 5, 2)), L.Conv2D(4, 3, activation="relu", name="conv"), L.MaxPooling2D(2, name="pool"),
        L.Flatten(name="flatten"), L.Dense(5, name="fc")], name="frame")
    x = L.TimeDistributed(frame, name="frames")(film)
    y = L.TimeDistributed(L.Conv2D(3, (2, 3), name="inner"), name="convs")(film)
    y = L.TimeDistributed(L.BatchNormalization(), name="norms")(y)
    return k.Model(film, [
        L.LSTM(4, name="lstm")(x),
        L.TimeDistributed(L.Dense(3, activation="relu"), name="dense")(x),
        L.TimeDistributed(L.GlobalAveragePooling2D(), name="means")(y),
        L.TimeDistributed(L.Bidirectional(L.GRU(3)), name="rows")(L.TimeDistributed(L.Reshape((6, 10)), name="shaped")(film)),
        L.TimeDistributed(L.Softmax(), name="softmax")(x),
    ], name="net")


def embedding(k):
    L = k.layers
    words = L.Input((8,), name="words")
    x = L.Embedding(11, 4, name="vectors")(words)
    return k.Model(words, [
        L.Conv1D(3, 3, activation="relu", name="conv")(x),
        L.LSTM(4, name="lstm")(L.Dropout(0.3, name="dropout")(x)),
        L.GlobalAveragePooling1D(name="mean")(x),
    ], name="net")


def masks(k):
    """Masks of Embedding and Masking, layers that pass and drop them, and layers that use them."""
    L = k.layers
    words = L.Input((8,), name="words")
    steps = L.Input((8, 3), name="steps")
    x = L.Embedding(11, 4, mask_zero=True, name="vectors")(words)
    x = L.Dropout(0.3, name="dropout")(x)
    dense = L.Dense(5, activation="relu", name="dense")(x)
    normal = L.LayerNormalization(name="normal")(dense)
    added = L.Add(name="added")([dense, normal])
    joined = L.Concatenate(name="joined")([added, x])
    s = L.Masking(0.5, name="masking")(steps)
    dropped = L.Conv1D(4, 3, padding="same", name="conv")(s)
    passed = L.TimeDistributed(L.Dense(4), name="each")(s)
    return k.Model([words, steps], [
        L.LSTM(4, name="lstm")(joined),
        L.GRU(4, return_sequences=True, name="gru_all")(added),
        L.SimpleRNN(4, go_backwards=True, return_sequences=True, name="simple_backwards")(dense),
        L.Bidirectional(L.LSTM(3, return_sequences=True), name="both_all")(x),
        L.Bidirectional(L.GRU(3), name="both")(normal),
        L.GlobalAveragePooling1D(name="mean")(x),
        L.GlobalAveragePooling1D(keepdims=True, name="mean_masked")(s),
        L.LSTM(3, name="lstm_masked")(s),
        L.GRU(3, name="gru_passed")(passed),
        L.LSTM(3, name="lstm_dropped")(dropped),
        L.RNN(L.StackedRNNCells([L.LSTMCell(3), L.GRUCell(4)]), go_backwards=True, return_sequences=True,
              name="stacked")(s),
        L.GRU(3, name="second")(L.LSTM(4, return_sequences=True, name="first")(s)),
    ], name="net")


def masks_merged(k):
    """Values with different masks, and with none, combined: Keras 2 alone, since versions of Keras 3 differ in it."""
    L = k.layers
    words = L.Input((8,), name="words")
    steps = L.Input((8, 4), name="steps")
    x = L.Embedding(11, 4, mask_zero=True, name="vectors")(words)
    s = L.Masking(0.5, name="masking")(steps)
    bare = L.Conv1D(4, 3, padding="same", name="conv")(s)
    return k.Model([words, steps], [
        L.LSTM(4, name="lstm")(L.Add(name="sum")([x, s, bare])),
        L.GRU(4, return_sequences=True, name="gru")(L.Concatenate(name="joined")([s, x])),
        L.SimpleRNN(3, name="simple")(L.Multiply(name="product")([bare, x])),
    ], name="net")


def masks_sequential(k):
    L = k.layers
    return k.Sequential([
        L.Input((9,), name="words"), L.Embedding(12, 5, mask_zero=True, name="vectors"),
        L.Bidirectional(L.LSTM(4, return_sequences=True), name="both"), L.Dropout(0.2, name="dropout"),
        L.GRU(4, name="gru"), L.Dense(3, activation="softmax", name="fc")], name="net")


def nested_recurrent(k):
    """Recurrent layers inside a model that is a layer, twice."""
    L = k.layers
    steps = L.Input((5, 3), name="steps")
    body = k.Sequential([
        L.Input((5, 3)), L.LSTM(3, return_sequences=True, name="lstm"),
        L.Bidirectional(L.GRU(4, return_sequences=True), merge_mode="sum", name="both"),
        L.TimeDistributed(L.Dense(3), name="each")], name="body")
    return k.Model(steps, L.Dense(2, name="fc")(body(body(steps))), name="net")


def open_length(k):
    """Steps of any number."""
    L = k.layers
    steps = L.Input((None, 3), name="steps")
    x = L.Conv1D(4, 3, padding="causal", activation="relu", name="conv")(steps)
    x = L.Bidirectional(L.LSTM(3, return_sequences=True), name="both")(x)
    return k.Model(steps, [L.TimeDistributed(L.Dense(2), name="each")(x), L.GlobalMaxPooling1D(name="max")(x)], name="net")


def stateful(k):
    """Layers that go on where the batch before has ended; one after a mask, one whose states are read."""
    L = k.layers
    steps = L.Input((5, 3), batch_size=2, name="steps")
    masked = L.Masking(0.5, name="masking")(steps)
    read = L.LSTM(3, return_state=True, stateful=True, name="read")(steps)
    return k.Model(steps, [
        L.LSTM(4, stateful=True, name="lstm")(steps),
        L.GRU(3, return_sequences=True, stateful=True, name="gru")(steps),
        L.SimpleRNN(3, go_backwards=True, stateful=True, name="simple_backwards")(steps),
        L.Bidirectional(L.LSTM(3, return_sequences=True, stateful=True), name="both")(steps),
        L.RNN([L.LSTMCell(3), L.GRUCell(4)], stateful=True, name="cells")(steps),
        L.LSTM(3, stateful=True, name="lstm_masked")(masked),
        L.GRU(3, return_sequences=True, stateful=True, name="gru_masked")(masked),
        L.LSTM(3, name="fresh")(steps),
        L.Concatenate(name="states")(list(read)),
    ], name="net")


def stateful_films(k):
    """A convolutional layer that goes on, one film at a time."""
    L = k.layers
    films = L.Input((3, 5, 4, 2), batch_size=1, name="films")
    x = L.ConvLSTM2D(3, (3, 2), padding="same", stateful=True, name="films_lstm")(films)
    return k.Model(films, L.Dense(2, name="fc")(L.GlobalAveragePooling2D(name="mean")(x)), name="net")


BOTH = [conv1d, conv1d_classifier, conv1d_others, pooling1d, reshaping1d, recurrent, recurrent_states, bidirectional, cells,
        bidirectional_cells, conv_lstm, time_distributed, embedding, masks, masks_sequential, nested_recurrent, open_length, stateful,
        stateful_films]


def sequences(model, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Two sequences for each input, six if a batch is of certain size; the tail of the first is masked, and some steps in
    the middle of the second."""
    inputs = {}
    count = 6 if model.inputs[0].shape[0] else 2
    for tensor in model.inputs:
        name, shape = tensor.name.split(":")[0], [size or 7 for size in tensor.shape[1:]]
        if name == "words":
            array = rng.integers(1, 10, (count, *shape)).astype(np.float32)
        else:
            array = rng.uniform(-1, 1, (count, *shape)).astype(np.float32)
        if "masking" in [layer.name for layer in model.layers] or name == "words":
            masked = 0 if name == "words" else 0.5
            array[0, -3:], array[1, 2], array[1, 4:6] = masked, masked, masked
        inputs[name] = array
    return {"input": next(iter(inputs.values()))} if len(inputs) == 1 else inputs


def archive(name: str, model) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.keras"
        model.save(path)
        rewrite(path, OUT / f"archive-{name}.keras", zipfile.ZIP_STORED)


def main() -> None:
    for build in [*BOTH, masks_merged, adaptive_pooling]:
        name = build.__name__.replace("_", "-")
        for version, k in KERASES.items():
            if (build, k) in ((masks_merged, keras3), (adaptive_pooling, keras2)):
                continue
            k.utils.set_random_seed(1)
            model = fixture(f"{version}-{name}", k, build(k), inputs=sequences)
            if k is keras3:
                archive(name, model)


if __name__ == "__main__":
    main()
