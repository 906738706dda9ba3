#!/usr/bin/env python3
"""Small Keras models over sequences with test sets, and what Keras and numpy measure of them.

Usage: make_metrics.py [OUT_DIR]

NAME.h5 is a model, NAME.npz its x_test and y_test. expected.json has of each test set what is computed here from Keras's
outputs with the textbook's formulas in float64; the script fails where Keras's own metrics come to something else.
No two axes of a model have the same size.
Needs: tensorflow (or tensorflow-cpu), keras, h5py, numpy.
"""
import json
import os
import sys
import zipfile
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
from keras import layers as L

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
RNG = np.random.default_rng(61)
EXPECTED = {}


def save_arrays(name, arrays):
    """An .npz without times, so that the same arrays give the same bytes."""
    with zipfile.ZipFile(OUT / f"{name}.npz", "w") as file:
        for key, array in arrays.items():
            with file.open(zipfile.ZipInfo(key + ".npy"), "w") as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(array))


def randomised(layers, name):
    model = keras.Sequential(layers, name=name)
    model.set_weights([RNG.uniform(-0.8, 0.8, weight.shape) for weight in model.get_weights()])
    model.save(OUT / f"{name}.h5")
    return model


def balanced(model, name, x):
    """The model with a last bias that makes the classes of `x` about as likely as each other."""
    layer = model.layers[-1]
    *kernel, bias = layer.get_weights()
    logits = np.log(outputs(model, x))
    layer.set_weights([*kernel, bias - logits.mean(axis=tuple(range(logits.ndim - 1)))])
    model.save(OUT / f"{name}.h5")
    return model


def outputs(model, x):
    return np.asarray(model(np.asarray(x, np.float32)), np.float64)


def compare(name, found, metric, y, out):
    metric.update_state(np.asarray(y, np.float32), np.asarray(out, np.float32))
    assert abs(found - float(metric.result())) < 1e-4 * max(1, abs(found)), (name, found, float(metric.result()))


def regression(name, x, y, out):
    """What is measured of `out`, where targets are `y`; both (samples, …)."""
    save_arrays(name, {"x_test": x, "y_test": y})
    y = np.asarray(y, np.float64).reshape(len(x), -1)
    out = out.reshape(len(x), -1)
    error = out - y
    absolute, squared = np.abs(error).mean(axis=1), (error**2).mean(axis=1)
    r2 = np.mean(1 - (error**2).sum(axis=0) / ((y - y.mean(axis=0))**2).sum(axis=0))
    mae, mse = absolute.mean(), squared.mean()
    for label, value, metric in [
            ("mae", mae, keras.metrics.MeanAbsoluteError()), ("mse", mse, keras.metrics.MeanSquaredError()),
            ("rmse", np.sqrt(mse), keras.metrics.RootMeanSquaredError()),
            ("r2", r2, keras.metrics.R2Score(class_aggregation="uniform_average"))]:
        compare(f"{name} {label}", value, metric, y, out)
    sample, place = np.unravel_index(np.abs(error).argmax(), error.shape)
    EXPECTED[name] = {
        "count": len(x), "mae": mae, "mse": mse, "rmse": np.sqrt(mse), "r2": r2,
        "maeError": absolute.std(ddof=1) / np.sqrt(len(x)), "mseError": squared.std(ddof=1) / np.sqrt(len(x)),
        "worst": {"sample": int(sample), "place": int(place), "error": float(np.abs(error).max())}}


def classes(name, x, y, out):
    """The accuracy of `out`, where classes are `y`."""
    save_arrays(name, {"x_test": x, "y_test": y})
    found = (out[..., 0] > 0.5).astype(int) if out.shape[-1] == 1 else out.argmax(axis=-1)
    correct = int((found == y.reshape(found.shape)).sum())
    EXPECTED[name] = {"count": int(found.size), "samples": len(x), "correct": correct}


def binary_accuracy(y, out, threshold):
    metric = keras.metrics.BinaryAccuracy(threshold=threshold)
    metric.update_state(y, np.asarray(out, np.float32))
    return float(metric.result())


def noisy(out, deviation):
    return (out + RNG.normal(0, deviation, out.shape)).astype(np.float32)


def wrong(found, count, share):
    """Classes of which a share is changed to others."""
    return np.where(RNG.uniform(size=found.shape) < share, (found + 1) % count, found)


def main():
    # One number for a sequence; targets without the axis of one that the output has.
    model = randomised([L.Input((7, 3)), L.LSTM(5, name="lstm"), L.Dense(1, name="fc")], "one")
    x = RNG.normal(0, 2, (40, 7, 3)).astype(np.float32)
    out = outputs(model, x)
    regression("one", x, noisy(out, 0.05)[:, 0], out)
    # Whole numbers that are no pixels.
    x = RNG.integers(-300, 300, (33, 7, 3)).astype(np.int16)
    out = outputs(model, x)
    regression("one-integers", x, noisy(out, 0.05), out)

    # Several numbers for a sequence, in double precision.
    model = randomised([L.Input((6, 2)), L.GRU(4, name="gru"), L.Dense(3, name="fc")], "several")
    x = RNG.normal(0, 1, (11, 6, 2))
    out = outputs(model, x)
    regression("several", x, out + RNG.normal(0, 0.1, out.shape), out)

    # A number for each step, of any number of steps.
    model = randomised([
        L.Input((None, 3)), L.LSTM(4, return_sequences=True, name="lstm"),
        L.TimeDistributed(L.Dense(1), name="each")], "steps")
    x = RNG.normal(0, 1, (31, 5, 3)).astype(np.float32)
    out = outputs(model, x)
    regression("steps", x, noisy(out, 0.05)[..., 0], out)

    # A row of numbers to a number, without a sequence.
    model = randomised([L.Input((6,)), L.Dense(5, activation="tanh", name="hidden"), L.Dense(1, name="fc")], "table")
    x = RNG.integers(0, 9, (35, 6)).astype(np.int64)
    out = outputs(model, x)
    regression("table", x, noisy(out, 0.05), out)

    # The class of a sequence of words.
    model = randomised([
        L.Input((8,)), L.Embedding(11, 4, name="vectors"), L.LSTM(5, name="lstm"),
        L.Dense(3, activation="softmax", name="fc")], "words")
    x = RNG.integers(0, 11, (36, 8)).astype(np.int32)
    out = outputs(balanced(model, "words", x), x)
    classes("words", x, wrong(out.argmax(axis=-1), 3, 0.2).astype(np.int64), out)

    # A class for each step.
    model = randomised([
        L.Input((None, 3)), L.GRU(5, return_sequences=True, name="gru"),
        L.TimeDistributed(L.Dense(4, activation="softmax"), name="each")], "tags")
    x = RNG.normal(0, 2, (34, 6, 3)).astype(np.float32)
    out = outputs(model, x)
    classes("tags", x, wrong(out.argmax(axis=-1), 4, 0.2).astype(np.uint8), out)

    # A class for each step of masked sequences.
    model = randomised([
        L.Input((7,)), L.Embedding(9, 3, mask_zero=True, name="vectors"),
        L.LSTM(5, return_sequences=True, name="lstm"), L.Dense(4, activation="softmax", name="fc")], "masked")
    x = RNG.integers(1, 9, (12, 7)).astype(np.int32)
    x[::2, 4:] = 0
    out = outputs(balanced(model, "masked", x), x)
    classes("masked", x, wrong(out.argmax(axis=-1), 4, 0.2).astype(np.int8), out)

    # One of two classes.
    model = randomised([
        L.Input((6, 2)), L.SimpleRNN(3, name="simple"), L.Dense(1, name="fc"), L.Activation("sigmoid", name="sigmoid")],
        "binary")
    x = RNG.normal(0, 2, (32, 6, 2)).astype(np.float32)
    out = outputs(model, x)
    classes("binary", x, wrong((out > 0.5).astype(int), 2, 0.2).astype(np.int16), out)

    # One of two classes by a logit, and by a hyperbolic tangent, whose threshold nobody can know.
    for name, activation in [("logits", None), ("signed", "tanh")]:
        model = randomised([L.Input((6,)), L.Dense(5, activation="tanh", name="hidden"), L.Dense(
            1, activation=activation, name="fc")], name)
        x = RNG.normal(0, 1, (41, 6)).astype(np.float32)
        out = outputs(model, x)
        y = wrong((out > 0).astype(int), 2, 0.2).astype(np.int16)
        save_arrays(name, {"x_test": x, "y_test": y})
        EXPECTED[name] = {"count": len(x), "thresholds": {
            str(t): round(len(x) * binary_accuracy(y, out, t)) for t in (-0.5, 0.0, 0.5)}}

    # A class and a quantity of the same samples.
    features = L.Input((6,), name="features")
    hidden = L.Dense(5, activation="tanh", name="hidden")(features)
    model = keras.Model(features, [L.Dense(3, activation="softmax", name="kind")(hidden), L.Dense(1, name="size")(hidden)])
    model.set_weights([RNG.uniform(-0.8, 0.8, weight.shape) for weight in model.get_weights()])
    model.save(OUT / "heads.h5")
    x = RNG.normal(0, 1, (37, 6)).astype(np.float32)
    kind, size = [np.asarray(out, np.float64) for out in model(x)]
    classes("heads-kind", x, wrong(kind.argmax(axis=-1), 3, 0.2).astype(np.int64), kind)
    regression("heads-size", x, noisy(size, 0.05), size)

    (OUT / "expected.json").write_text(json.dumps(EXPECTED, indent=2, default=float) + "\n")


if __name__ == "__main__":
    main()
