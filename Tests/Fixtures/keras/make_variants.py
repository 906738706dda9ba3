"""Makes what Keras 3 can write of a model besides its plain layers: adapted, wrapped and quantised ones.

Usage: python make_variants.py [OUT_DIR]     (needs keras 3.15, tf_keras, tensorflow-cpu, h5py)

keras3-NAME.h5, .npz and archive-NAME.keras for each NAME of
lora            low-rank adaptation with lora_alpha of its own and without. The prediction is that of the model
                before it was saved: Keras 3.15 forgets lora_alpha of a Dense layer when it loads the file.
spectral        SpectralNormalization of convolutions and of a matrix, at the top and in a model; after one step of
                training, so that the kernels that are saved are the divided ones
passed-inputs   outputs that are inputs
reductions      ops.mean and ops.max over height and width, with the channels last and, of what a transposition
                gives, with the channels first; TensorFlow computes both on a CPU
keras2-number-booleans.h5, .npz     settings that are true or false, written as 1 and 0
string-config.json                  the architecture of keras3-lora.h5 as json.dump(model.to_json(), file) writes it,
                                    and string-config.weights.h5, its weights
keras3-MODE.h5, archive-MODE.keras  a model after quantize(MODE), MODE being int8, int4, int4-channels (no blocks)
                                    and float8; `quantised.npz` holds what their kernels stand for
"""
import json
import os
import pathlib
import sys
import tempfile
import zipfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import h5py
import keras
import numpy as np
import tf_keras
from keras import ops

OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
DATE = (1980, 1, 1, 0, 0, 0)
L = keras.layers


def lora():
    image = L.Input((6, 5, 2), name="image")
    x = L.Conv2D(4, (3, 2), name="conv", activation="tanh")(image)
    x = L.Conv2D(3, (1, 2), name="conv_rank", use_bias=False)(x)
    x = keras.Sequential([L.Flatten(name="flat"), L.Dense(5, name="inside")], name="body")(x)
    x = L.Dense(6, activation="relu", name="fc")(x)
    model = keras.Model(image, L.Dense(3, name="out")(x), name="net")
    return model


def enable_lora(model):
    model.get_layer("conv").enable_lora(2, lora_alpha=3)
    model.get_layer("conv_rank").enable_lora(1)
    model.get_layer("body").get_layer("inside").enable_lora(2)
    model.get_layer("fc").enable_lora(3, lora_alpha=1.5)


def spectral():
    S = L.SpectralNormalization
    image = L.Input((6, 5, 2), name="image")
    x = S(L.Conv2D(4, (3, 2), name="inside", activation="tanh"), name="first")(image)
    x = S(L.Conv2DTranspose(3, (1, 2), use_bias=False, name="inside_too"), power_iterations=2)(x)
    x = keras.Sequential([S(L.Conv2D(2, (2, 1), name="conv"), name="a"), S(L.Conv2D(3, 1, name="conv"), name="b")],
                         name="body")(x)
    x = L.Flatten(name="flat")(x)
    return keras.Model(image, S(L.Dense(3, name="fc"), name="out")(x), name="net")


def passed_inputs():
    image, other = L.Input((4, 3, 2), name="image"), L.Input((5,), name="other")
    x = L.Flatten(name="flat")(image)
    inner_input = L.Input((5,), name="inner_input")
    inner = keras.Model(inner_input, [inner_input, L.Dense(2, name="fc")(inner_input)], name="inner")
    same, fc = inner(other)
    return keras.Model([image, other], [image, x, same, fc], name="net")


def reductions():
    image = L.Input((6, 5, 3), name="image")
    x = L.Conv2D(4, (2, 3), name="conv")(image)
    first = L.Permute((3, 1, 2), name="first")(x)
    act = L.Activation("tanh", name="tanh")(first)
    mean = ops.mean(act, axis=[2, 3], keepdims=True)
    return keras.Model(image, [
        L.Dense(3, name="mean_last")(ops.mean(x, axis=[1, 2])),
        L.Dense(3, name="mean_first")(ops.mean(act, axis=[2, 3])),
        L.Dense(3, name="max_first")(ops.max(act, axis=[-1, -2])),
        L.Multiply(name="gated")([act, mean]),
    ], name="net")


def randomise(model, rng):
    for weight in model.weights:
        if "vector_u" in weight.path:
            continue
        weight.assign(rng.normal(0, 0.5, tuple(weight.shape)).astype(np.float32))


def inputs_of(model, rng):
    return [rng.uniform(-1, 1, (2, *tensor.shape[1:])).astype(np.float32) for tensor in model.inputs]


def exact_outputs(model, inputs, prepare):
    """The prediction of a float64 clone with the same variables."""
    exact = keras.models.model_from_json(model.to_json().replace('"float32"', '"float64"'))
    prepare(exact)
    for weight, source in zip(exact.weights, model.weights):
        weight.assign(np.asarray(source, np.float64))
    values = [np.asarray(value, np.float64) for value in inputs]
    results = exact(values if len(values) > 1 else values[0], training=False)
    return [np.asarray(result) for result in (results if isinstance(results, list) else [results])]


def write(name, model, rng, names, prepare=lambda model: None):
    inputs = inputs_of(model, rng)
    results = exact_outputs(model, inputs, prepare)
    found = model.predict(inputs if len(inputs) > 1 else inputs[0], verbose=0)
    for result, value in zip(results, found if isinstance(found, list) else [found]):
        assert result.dtype == np.float64 and np.abs(result - value).max() < 1e-5, name
    model.save(OUT / f"keras3-{name}.h5")
    save_archive(model, OUT / f"archive-{name}.keras")
    keys = ["input"] if len(inputs) == 1 else [tensor.name for tensor in model.inputs]
    np.savez(OUT / f"keras3-{name}.npz", **dict(zip(keys, inputs)), **dict(zip(names, results)))


def save_archive(model, path):
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "model.keras"
        model.save(saved)
        with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w") as new:
            for entry in old.infolist():
                new.writestr(zipfile.ZipInfo(entry.filename, DATE), old.read(entry))


def keep_alpha(model):
    """Sets what Keras 3.15 forgets of a Dense layer that it makes from its configuration."""
    model.get_layer("fc").lora_alpha = 1.5


def number_booleans(rng):
    """A model of Keras 2 whose configuration has numbers for truth values."""
    M = tf_keras.layers
    model = tf_keras.Sequential([
        M.Input((6, 5, 2), name="image"), M.Conv2D(4, (3, 2), use_bias=False, name="conv"),
        M.BatchNormalization(scale=True, center=False, name="bn"),
        M.GlobalAveragePooling2D(keepdims=True, name="mean"), M.Flatten(name="flat"), M.Dense(3, name="fc"),
    ], name="net")
    for weight in model.weights:
        weight.assign(rng.uniform(0.5, 1.5, tuple(weight.shape)).astype(np.float32))
    x = rng.uniform(-1, 1, (2, 6, 5, 2)).astype(np.float32)
    path = OUT / "keras2-number-booleans.h5"
    model.save(path, save_format="h5", include_optimizer=False)
    exact = tf_keras.models.model_from_json(model.to_json().replace('"float32"', '"float64"'))
    for weight, source in zip(exact.weights, model.weights):
        weight.assign(np.asarray(source, np.float64))
    result = np.asarray(exact(x.astype(np.float64), training=False))
    assert result.dtype == np.float64
    np.savez(OUT / "keras2-number-booleans.npz", input=x, fc=result)

    def numbers(value):
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, dict):
            return {key: numbers(member) for key, member in value.items()}
        return [numbers(member) for member in value] if isinstance(value, list) else value

    with h5py.File(path, "r+") as file:
        file.attrs["model_config"] = json.dumps(numbers(json.loads(file.attrs["model_config"])))


def quantised(rng):
    values = {}
    for mode in ("int8", "int4", "int4-channels", "float8"):
        keras.backend.clear_session()
        image = L.Input((4, 3, 2), name="image")
        x = L.Conv2D(3, (2, 2), name="conv")(image)
        x = L.Dense(7, activation="relu", name="fc")(L.Flatten(name="flat")(x))
        model = keras.Model(image, L.Dense(4, use_bias=False, name="out")(x), name="net")
        randomise(model, rng)
        if mode == "int4":
            model.quantize(config=keras.quantizers.Int4QuantizationConfig(block_size=8))
        elif mode == "int4-channels":
            model.quantize(config=keras.quantizers.Int4QuantizationConfig(block_size=None))
        else:
            model.quantize(mode)
        for name in ("fc", "out"):
            layer = model.get_layer(name)
            kernel = np.asarray(layer._kernel)
            scale = np.asarray(layer.kernel_scale)
            if mode.startswith("int4"):
                kernel = np.asarray(keras.quantizers.unpack_int4(layer._kernel, layer.units, axis=-1))
                values[f"{mode}/{name}/integers"] = kernel
            if mode == "int4":
                groups = np.asarray(layer.g_idx).astype(int)
                value = (kernel - np.asarray(layer.kernel_zero)[groups]) * scale[groups]
            else:
                value = kernel if mode == "float8" else kernel / scale
            values[f"{mode}/{name}/values"] = value.astype(np.float32)
        model.save(OUT / f"keras3-{mode}.h5")
        save_archive(model, OUT / f"archive-{mode}.keras")
    np.savez(OUT / "weights" / "quantised.npz", **values)


def main():
    rng = np.random.default_rng(16)
    model = lora()
    enable_lora(model)
    randomise(model, rng)
    write("lora", model, rng, ["out"], keep_alpha)
    (OUT / "string-config.json").write_text(json.dumps(model.to_json()))
    model.save_weights(OUT / "string-config.weights.h5")
    keras.backend.clear_session()
    # The wrapper's vector is drawn, and no trained weight.
    keras.utils.set_random_seed(16)
    model = spectral()
    randomise(model, rng)
    image = rng.uniform(-1, 1, (4, 6, 5, 2)).astype(np.float32)
    model(image, training=True)
    write("spectral", model, rng, ["out"])
    keras.backend.clear_session()
    model = passed_inputs()
    randomise(model, rng)
    write("passed-inputs", model, rng, ["image/output", "flat", "other/output", "inner/fc"])
    keras.backend.clear_session()
    model = reductions()
    randomise(model, rng)
    write("reductions", model, rng, ["mean_last", "mean_first", "max_first", "gated"])
    number_booleans(rng)
    quantised(rng)


main()
