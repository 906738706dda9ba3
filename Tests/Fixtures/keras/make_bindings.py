"""Makes models whose weights Keras binds by their order, not by their names, and what else a file states beside layers.

Usage: python make_bindings.py [OUT_DIR]     (needs keras 3.15, tf_keras, tensorflow-cpu, h5py)

KERAS is keras2 (tf_keras) or keras3. The predictions in .npz are those of the model before it was saved; where Keras
makes the same of the file, the script checks it.
KERAS-renamed.h5, .npz          nested models, in which layers were renamed after they were built: two have exchanged
                                their names, and with Keras 3 one is there twice, two levels apart; recurrent layers in both
                                directions whose names begin with forward_ and backward_ the wrong way round
KERAS-frozen.h5, .npz           the same, where some layers and a model are not trained
keras2-unfrozen.h5, .npz        a model that is not trained, with a layer that is; names tell the order
keras2-slash.h5, .npz           a layer whose name begins with a slash
bindings/other-names.h5, .json, .npz  weights, and the architecture with other names of layers
bindings/shards.weights.json, shards_0000N.weights.h5, shards.json, shards.npz  weights in several files, of which two
                                share the variables of a layer, and the architecture
bindings/twice.h5               a model that gives one output twice
KERAS-training.h5, .npz         a frozen BatchNormalization that is called with training=True
KERAS-training-batch.h5         the same, not frozen, at the top, in a model and for each step
KERAS-training-random.h5        Dropout and a recurrent layer with dropout that are called with training=True
keras3-lora-embedding.h5, .npz  low-rank adaptation of an Embedding, and of a matrix in a model
archive-own-classes.keras, bindings/own-classes.json  classes of one's own that are called as one of Keras's: registered,
                                and of a script; bindings/own-recurrent.json has one in a Bidirectional
archive-at-1024.keras           keras3-conv-same with the weights at byte 1024 of the archive
keras3-user-block.h5            keras3-conv-same behind a block of the user's of 8,192 bytes
"""
import os
import pathlib
import sys
import zipfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import h5py
import keras
import numpy as np
import tf_keras

from archives import DATE, rewrite

OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
FOLDER = pathlib.Path(__file__).parent


def rename(layer, name):
    if isinstance(layer, keras.layers.Layer):
        layer.name = name
    else:
        layer._name = name


def randomise(model, rng):
    for weight in model.weights:
        values = rng.uniform(-0.9, 0.9, tuple(weight.shape)).astype(np.float32)
        weight.assign(np.abs(values) + 0.5 if "variance" in weight.name else values)


def write(k, name, model, rng, output, reloads=True):
    randomise(model, rng)
    tensor = model.inputs[0]
    if "int" in str(tensor.dtype):
        x = rng.integers(0, 11, (2, *tensor.shape[1:])).astype(np.int32)
    else:
        x = rng.uniform(-3, 3, (2, *tensor.shape[1:])).astype(np.float32)
    result = model.predict(x, verbose=0)
    # Else equality would mean little.
    assert np.abs(result[0] - result[1]).max() > 0.02 * np.abs(result).max(), name
    path = OUT / f"{name}.h5"
    model.save(path, **({} if k is keras else {"save_format": "h5"}))
    if reloads:
        again = k.models.load_model(path).predict(x, verbose=0)
        assert np.abs(again - result).max() < 1e-6, name
    np.savez(OUT / f"{name}.npz", input=x.astype(np.float32), **{output: result})


def renamed(k):
    """Every matrix is as large as every other, so that shapes tell nothing."""
    L = k.layers
    body = k.Sequential([k.Input((3, 4)), L.Dense(4, activation="tanh", name="fc1"), L.BatchNormalization(name="norm"),
                         L.Dense(4, name="fc2")], name="body")
    inner_input = k.Input((3, 4))
    hidden = L.Dense(4, activation="tanh", name="hidden")(inner_input)
    inner = k.Model(inner_input, L.Dense(4, name="fc3")(hidden), name="inner")
    outer = k.Sequential([k.Input((3, 4)), L.Dense(4, name="fc"), inner], name="outer")
    both = k.Sequential([
        k.Input((3, 4)),
        L.Bidirectional(L.LSTM(4, return_sequences=True, name="backward_a"), merge_mode="sum", name="forward_both",
                        backward_layer=L.LSTM(4, return_sequences=True, go_backwards=True, name="forward_b")),
        L.Bidirectional(L.GRU(4, return_sequences=True, name="forward_c"), merge_mode="sum", name="again"),
    ], name="both")
    image = k.Input((3, 4), name="image")
    model = k.Model(image, L.Dense(2, name="out")(both(outer(body(image)))), name="net")
    first, last = body.layers[0], body.layers[-1]
    rename(first, "fc2")
    rename(last, "fc1")
    # Keras 2 cannot save a functional model whose layers were renamed.
    if k is keras:
        rename(inner.layers[1], "fc")
    return model


def frozen(k):
    L = k.layers
    inner = k.Sequential([k.Input((4,)), L.Dense(4, name="fc1"), L.BatchNormalization(name="norm1"),
                          L.Dense(4, name="fc2")], name="inner")
    inner_input = k.Input((4,))
    middle = k.Model(inner_input, L.Dense(4, name="fc3")(inner(L.BatchNormalization(name="norm2")(inner_input))),
                     name="middle")
    body = k.Sequential([k.Input((4,)), L.Dense(4, name="fc4"), middle,
                         L.BatchNormalization(name="norm3"), L.Dense(4, name="fc5")], name="body")
    # The names say what the order does not: the first two matrices have exchanged theirs.
    rename(body.layers[0], "fc5")
    rename(body.layers[-1], "fc4")
    vector = k.Input((4,), name="vector")
    model = k.Model(vector, L.Dense(2, name="out")(body(vector)), name="net")
    body.layers[0].trainable = False
    middle.trainable = False
    return model


def unfrozen():
    """A model that is not trained, but for a layer of it: Keras 2 does not save that, and loads its weights wrongly."""
    L = tf_keras.layers
    inner = tf_keras.Sequential([tf_keras.Input((4,)), L.Dense(4, name="fc1"), L.BatchNormalization(name="norm"),
                                 L.Dense(4, name="fc2")], name="inner")
    body = tf_keras.Sequential([tf_keras.Input((4,)), L.Dense(4, activation="tanh", name="fc0"), inner,
                                L.Dense(4, name="fc3")], name="body")
    inner.trainable = False
    inner.layers[2].trainable = True
    return tf_keras.Sequential([tf_keras.Input((4,), name="vector"), body, L.Dense(2, name="out")], name="net")


def slash():
    L = tf_keras.layers
    model = tf_keras.Sequential([tf_keras.Input((4,), name="vector"), L.Dense(3, activation="tanh", name="d1"),
                                 L.Dense(2, name="out")], name="net")
    rename(model.layers[0], "/d1")
    return model


def other_names(rng):
    def model(prefix):
        vector = keras.Input((4,), name="vector")
        x = keras.layers.Dense(4, activation="tanh", name=prefix + "1")(vector)
        body = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4, name=prefix + "2")], name=prefix + "0")
        return keras.Model(vector, keras.layers.Dense(4, name=prefix + "3")(body(x)), name="net")

    # Some names are there in both, for other layers.
    one, other = model("dense_"), model("dense_")
    for layer, name in zip(other.layers[1:], ["dense_3", "dense_4", "dense_5"]):
        rename(layer, name)
    write(keras, "bindings/other-names", one, rng, "dense_5")
    with h5py.File(OUT / "bindings" / "other-names.h5", "r+") as file:
        del file.attrs["model_config"]
    (OUT / "bindings" / "other-names.json").write_text(other.to_json())


def shards(rng):
    L = keras.layers
    vector = keras.Input((4,), name="vector")
    body = keras.Sequential([keras.Input((6,)), L.Dense(5, name="fc"), L.BatchNormalization(name="norm")], name="body")
    model = keras.Model(vector, L.Dense(3, name="out")(body(L.Dense(6, activation="tanh", name="fc")(vector))), name="net")
    write(keras, "bindings/shards", model, rng, "out")
    (OUT / "bindings" / "shards.h5").unlink()
    (OUT / "bindings" / "shards.json").write_text(model.to_json())
    # A matrix of 30 numbers fills a file.
    model.save_weights(OUT / "bindings" / "shards.weights.json", max_shard_size=130 / 1024**3)


def training(k, is_trained):
    L = k.layers
    image = k.Input((3, 4), name="image")
    x = L.BatchNormalization(name="norm", trainable=is_trained)(image, training=True)
    if is_trained:
        body = k.Sequential([k.Input((3, 4)), L.Dense(4, name="fc"), L.BatchNormalization(name="inside")], name="body")
        x = L.TimeDistributed(L.BatchNormalization(name="step"), name="steps")(body(x, training=True), training=True)
    return k.Model(image, L.Dense(2, name="out")(x), name="net")


def random_layers(k):
    L = k.layers
    image = k.Input((3, 4), name="image")
    x = L.Dropout(0.5, name="drop")(image, training=True)
    x = L.LSTM(4, dropout=0.1, return_sequences=True, name="lstm")(x, training=True)
    x = L.GRU(4, return_sequences=True, name="gru")(x, training=True)
    body = k.Sequential([k.Input((3, 4)), L.GaussianNoise(0.1, name="noise"), L.Dense(4, name="fc")], name="body")
    x = L.Dropout(0.5, name="never")(body(x, training=True), training=False)
    return k.Model(image, L.Dense(2, name="out")(x), name="net")


def lora_embedding():
    L = keras.layers
    tokens = keras.Input((5,), dtype="int32", name="tokens")
    table = L.Embedding(11, 6, name="table")
    body = keras.Sequential([keras.Input((5, 6)), L.Dense(6, name="inside"), L.Dense(6, name="plain")], name="body")
    model = keras.Model(tokens, L.Dense(2, name="out")(body(table(tokens))), name="net")
    table.enable_lora(2)
    body.layers[0].enable_lora(3)
    return model


@keras.saving.register_keras_serializable("mine")
class ReLU(keras.layers.Layer):
    def call(self, x):
        return keras.ops.square(keras.ops.relu(x))


Registered = ReLU


class ReLU(keras.layers.Layer):
    def call(self, x):
        return keras.ops.square(x)


@keras.saving.register_keras_serializable("mine", name="Other")
class GRU(keras.layers.GRU):
    pass


def own_classes(rng):
    image = keras.Input((3, 4), name="image")
    x = Registered(name="registered")(image)
    x = ReLU(name="of_script")(x)
    x = keras.layers.ReLU(name="of_keras")(x)
    model = keras.Model(image, keras.layers.Dense(2, name="out")(x), name="net")
    randomise(model, rng)
    saved = OUT / "own-classes.keras"
    model.save(saved)
    rewrite(saved, OUT / "archive-own-classes.keras", zipfile.ZIP_STORED)
    saved.unlink()
    (OUT / "bindings" / "own-classes.json").write_text(model.to_json())
    model = keras.Sequential([keras.Input((3, 4)), keras.layers.Bidirectional(GRU(2), name="both")], name="net")
    (OUT / "bindings" / "own-recurrent.json").write_text(model.to_json())


def at_1024():
    name = "model.weights.h5"
    with zipfile.ZipFile(FOLDER / "archive-conv-same.keras") as old, \
            zipfile.ZipFile(OUT / "archive-at-1024.keras", "w") as new:
        info = zipfile.ZipInfo(name, DATE)
        # A field that nobody knows, with its length.
        length = 1024 - 30 - len(name) - 4
        info.extra = b"\xff\xff" + length.to_bytes(2, "little") + bytes(length)
        new.writestr(info, old.read(name))
        for other in ("metadata.json", "config.json"):
            new.writestr(zipfile.ZipInfo(other, DATE), old.read(other))


def user_block():
    with h5py.File(FOLDER / "keras3-conv-same.h5") as old, \
            h5py.File(OUT / "keras3-user-block.h5", "w", userblock_size=8192) as new:
        for key, value in old.attrs.items():
            new.attrs[key] = value
        for key in old:
            old.copy(key, new)


def main():
    (OUT / "bindings").mkdir(exist_ok=True)
    rng = np.random.default_rng(44)
    for version, k in (("keras2", tf_keras), ("keras3", keras)):
        k.backend.clear_session()
        write(k, f"{version}-renamed", renamed(k), rng, "out")
        write(k, f"{version}-frozen", frozen(k), rng, "out")
        write(k, f"{version}-training", training(k, False), rng, "out")
        for name, model in (("batch", training(k, True)), ("random", random_layers(k))):
            model.save(OUT / f"{version}-training-{name}.h5", **({} if k is keras else {"save_format": "h5"}))
    # TensorFlow has no scope of that name any more, but Keras on Theano had one.
    write(tf_keras, "keras2-slash", slash(), rng, "out", reloads=False)
    other_names(rng)
    write(tf_keras, "keras2-unfrozen", unfrozen(), rng, "out", reloads=False)
    write(keras, "keras3-lora-embedding", lora_embedding(), rng, "out")
    shards(rng)
    vector = keras.Input((4,), name="vector")
    fc = keras.layers.Dense(3, name="fc")(vector)
    keras.Model(vector, [fc, fc], name="net").save(OUT / "bindings" / "twice.h5")
    own_classes(rng)
    at_1024()
    user_block()


main()
