#!/usr/bin/env python3
"""Writes checkpoints of TensorFlow, of version 2 and of version 1, and what is in them.

Usage: make_checkpoints.py [OUT_DIR]     (needs tensorflow-cpu, tf_keras, keras, numpy)

NAME/             a checkpoint as TensorFlow leaves it in a folder
NAME.npz          its tensors, by the names that they have in the checkpoint; bfloat16 as float32, quantised types as the integers
                  that they are stored as; no strings, which NumPy cannot store plainly
checkpoints.json  of each: what it is, the prefix of its files, the type and shape of each tensor, the values of strings, and
                  the names that variables have in the object graph, by their keys

NAME.npz has what was saved, which is compared with what TensorFlow reads; of object graphs, what TensorFlow reads.
"""
import json
import os
import re
import shutil
import sys
from pathlib import Path

os.environ["KERAS_BACKEND"] = "tensorflow"

from twins import generator, tf, v1, value_of

import keras as keras3
import numpy as np
import tf_keras as keras2
from tensorflow.core.protobuf import tensor_bundle_pb2, trackable_object_graph_pb2

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
LIMIT = 60_000
OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
QUANTISED = {tf.qint8: np.int8, tf.quint8: np.uint8, tf.qint16: np.int16, tf.quint16: np.uint16, tf.qint32: np.int32}
CHECKPOINTS = {}


def checkpoint(function):
    """Names a builder: a function from a folder to the prefix's last part and the tensors, by name."""
    CHECKPOINTS[function.__name__.replace("_", "-")] = function
    return function


# Variables of a graph

def variables(rng, partitioner=None):
    """The variables of a small network, and what training adds; by name."""
    shapes = {"conv1/W": (3, 2, 1, 4), "conv1/b": (4,), "fc1/W": (7, 5), "fc1/b": (5,)}
    made = {name: v1.get_variable(name, shape, initializer=v1.zeros_initializer(),
                                  partitioner=partitioner if name == "fc1/W" else None)
            for name, shape in shapes.items()}
    return made, {name: value_of(name, shape, rng) for name, shape in shapes.items()}


def saved(folder, session, arrays, version):
    """Gives the variables their values and saves them."""
    for variable in v1.global_variables():
        name = variable.op.name
        part = variable._save_slice_info
        if part is None:
            value = arrays[name]
        else:
            whole = arrays[part.full_name]
            value = whole[tuple(slice(start, start + size) for start, size in zip(part.var_offset, part.var_shape))]
        session.run(variable.initializer, {variable.initializer.inputs[1]: value})
    saver = v1.train.Saver(write_version=version, save_relative_paths=True)
    saver.save(session, str(folder / "model.ckpt"), global_step=120, write_meta_graph=False)
    return "model.ckpt-120", arrays


def with_training(folder, version):
    rng = generator(folder.name)
    with tf.Graph().as_default(), v1.Session() as session:
        made, arrays = variables(rng)
        step = v1.train.get_or_create_global_step()
        v1.get_variable("note", initializer=tf.constant(["first", "", "dritter, mit \u00fc"]), trainable=False)
        loss = sum(tf.reduce_sum(variable * variable) for variable in made.values())
        v1.train.AdamOptimizer().minimize(loss, step)
        for variable in v1.global_variables():
            if variable.op.name not in arrays:
                arrays[variable.op.name] = value_of(variable.op.name, variable.shape, rng)
        arrays["global_step"] = np.int64(120)
        arrays["note"] = np.array(["first", "", "dritter, mit \u00fc"], object)
        return saved(folder, session, arrays, version)


@checkpoint
def v2_plain(folder):
    """version 2: variables in scopes, the slots of AdamOptimizer, beta1_power, global_step, a variable of strings"""
    return with_training(folder, v1.train.SaverDef.V2)


@checkpoint
def v1_plain(folder):
    """version 1: the same"""
    return with_training(folder, v1.train.SaverDef.V1)


def partitioned(folder, version):
    with tf.Graph().as_default(), v1.Session() as session:
        _, arrays = variables(generator(folder.name), v1.fixed_size_partitioner(3, 0))
        return saved(folder, session, arrays, version)


@checkpoint
def v2_partitioned(folder):
    """version 2: fc1/W in three slices of rows, by a partitioner"""
    return partitioned(folder, v1.train.SaverDef.V2)


@checkpoint
def v1_partitioned(folder):
    """version 1: the same"""
    return partitioned(folder, v1.train.SaverDef.V1)


# Files by the operators

def state(folder, name="model.ckpt"):
    text = f'model_checkpoint_path: "{name}"\nall_model_checkpoint_paths: "{name}"\n'
    (folder / "checkpoint").write_text(text)


def write_v2(prefix, entries):
    """Saves entries, each a name, "" or the slice, and a tensor."""
    names, slices, tensors = zip(*entries)
    tf.raw_ops.SaveV2(prefix=str(prefix), tensor_names=list(names), shape_and_slices=list(slices), tensors=list(tensors))


def merged(folder, shards):
    """Saves each shard by itself and joins them, as training on several machines does."""
    parts = [folder / f"part-{index}" for index in range(len(shards))]
    for part, entries in zip(parts, shards):
        write_v2(part, entries)
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=[str(part) for part in parts],
                                  destination_prefix=str(folder / "model.ckpt"))
    state(folder)


@checkpoint
def v2_shards(folder):
    """version 2: three files of data"""
    rng = generator(folder.name)
    shapes = {"conv1/W": (3, 2, 1, 4), "conv1/b": (4,), "conv2/W": (2, 3, 4, 5), "conv2/b": (5,), "fc/W": (6, 7), "fc/b": (7,)}
    arrays = {name: value_of(name, shape, rng) for name, shape in shapes.items()}
    entries = [(name, "", tf.constant(array)) for name, array in arrays.items()]
    merged(folder, [entries[0::3], entries[1::3], entries[2::3]])
    return "model.ckpt", arrays


@checkpoint
def v2_sliced(folder):
    """version 2: a matrix in four slices of both axes, in two files of data; a kernel in slices of its last axis"""
    rng = generator(folder.name)
    arrays = {name: value_of(name, shape, rng) for name, shape in {"fc/W": (6, 8), "conv/W": (3, 2, 2, 5)}.items()}
    matrix, kernel = arrays["fc/W"], arrays["conv/W"]
    arrays["fc/b"] = value_of("fc/b", (8,), rng)
    merged(folder, [
        [("fc/W", "6 8 0,4:0,5", matrix[:4, :5]), ("fc/W", "6 8 4,2:5,3", matrix[4:, 5:]),
         ("conv/W", "3 2 2 5 -:-:-:0,2", kernel[..., :2])],
        [("fc/W", "6 8 0,4:5,3", matrix[:4, 5:]), ("fc/W", "6 8 4,2:0,5", matrix[4:, :5]),
         ("conv/W", "3 2 2 5 -:-:-:2,3", kernel[..., 2:]), ("fc/b", "", tf.constant(arrays["fc/b"]))],
    ])
    return "model.ckpt", arrays


def tensors_of_types(rng, types):
    made = {}
    for kind in types:
        if kind == tf.bool:
            made[kind.name] = tf.constant([[True, False, True], [False, False, True]])
        elif kind.is_complex:
            made[kind.name] = tf.constant((rng.normal(0, 1, (2, 3)) + 1j * rng.normal(0, 1, (2, 3))), kind)
        elif kind.is_integer:
            ends = [kind.min, kind.max]
            made[kind.name] = tf.constant([[0, 1, ends[0]], [2, 3, ends[1]]], kind)
        else:
            made[kind.name] = tf.cast(tf.constant(rng.normal(0, 1, (2, 3))), kind)
    return made


@checkpoint
def v2_types(folder):
    """version 2: a tensor of each type; scalars, an empty tensor, strings short, empty and long"""
    rng = generator(folder.name)
    numbers = [tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32, tf.uint32,
               tf.int64, tf.uint64, tf.bool, tf.complex64, tf.complex128]
    made = tensors_of_types(rng, numbers)
    arrays = {name: tensor.numpy() for name, tensor in made.items()}
    entries = [(name, "", tensor) for name, tensor in made.items()]
    for kind, stored in QUANTISED.items():
        whole = np.array([0, 1, 5, 100, np.iinfo(stored).max], stored)
        arrays[kind.name] = whole
        entries.append((kind.name, "", tf.bitcast(tf.constant(whole), kind)))
    for kind in (tf.dtypes.experimental.float8_e4m3fn, tf.dtypes.experimental.float8_e5m2):
        # No reader of TensorFlow's gives these to NumPy as anything but their own type: stored as bytes.
        tensor = tf.cast(tf.constant(rng.normal(0, 1, 6).astype(np.float32)), kind)
        arrays[kind.name] = tensor.numpy().view(np.uint8)
        entries.append((kind.name, "", tensor))
    others = {"scalar": np.float32(2.5), "scalar_whole": np.int64(-7), "empty": np.zeros((0, 3), np.float32),
              "axes": rng.normal(0, 1, (1, 2, 1, 3, 1)).astype(np.float32),
              "text": np.array([["a", "bc"], ["", "x" * 200]], object), "word": np.array("alone", object)}
    arrays.update(others)
    write_v2(folder / "model.ckpt", entries + [(name, "", tf.constant(value)) for name, value in others.items()])
    state(folder)
    return "model.ckpt", arrays


# The index of a checkpoint: a table of sorted strings. TensorFlow's blocks have 256 KiB, so that no small file has two.

def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def varint(value):
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(made) + bytes([value])


def block(entries, interval=16):
    """Entries, each without what its key has in common with the one before; every sixteenth key is whole."""
    made, starts, last = bytearray(), [], b""
    for index, (key, value) in enumerate(entries):
        shared = 0
        if index % interval:
            shared = len(os.path.commonprefix([last, key]))
        else:
            starts.append(len(made))
        made += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        last = key
    return bytes(made) + b"".join(start.to_bytes(4, "little") for start in [*starts, len(starts)])


def table(entries, size):
    """A table with blocks of about so many bytes."""
    made = bytearray()

    def put(content):
        place = varint(len(made)) + varint(len(content))
        check = crc32c(content + b"\0")
        masked = ((check >> 15 | check << 17) + 0xA282EAD8) & 0xFFFFFFFF
        made.extend(content + b"\0" + masked.to_bytes(4, "little"))
        return place

    places, part = [], []
    for key, value in [*entries, (None, b"")]:
        if part and (key is None or sum(len(name) + len(text) for name, text in part) > size):
            places.append((part[-1][0], put(block(part))))
            part = []
        part.append((key, value))
    # Of two more blocks the first has no entry, but the start of one.
    footer = put(bytes(4) + (1).to_bytes(4, "little")) + put(block(places, 1))
    return bytes(made) + footer.ljust(40, b"\0") + bytes.fromhex("57fb808b247547db")


@checkpoint
def v2_blocks(folder):
    """version 2: 60 tensors of long names, and an index in blocks of half a kilobyte instead of TensorFlow's 256"""
    rng = generator(folder.name)
    arrays = {f"tower_{index % 7}/a_scope_with_a_long_name/layer_{index:03}/weights": rng.normal(0, 1, 2).astype(np.float32)
              for index in range(60)}
    write_v2(folder / "model.ckpt", [(name, "", tf.constant(array)) for name, array in arrays.items()])
    header = tensor_bundle_pb2.BundleHeaderProto(num_shards=1)
    header.version.producer = 1
    entries = [(b"", header.SerializeToString())]
    data = (folder / "model.ckpt.data-00000-of-00001").read_bytes()
    for name in sorted(arrays):
        content = arrays[name].tobytes()
        check = crc32c(content)
        entry = tensor_bundle_pb2.BundleEntryProto(
            dtype=tf.float32.as_datatype_enum, offset=data.index(content), size=len(content),
            crc32c=((check >> 15 | check << 17) + 0xA282EAD8) & 0xFFFFFFFF)
        entry.shape.dim.add(size=2)
        entries.append((name.encode(), entry.SerializeToString()))
    (folder / "model.ckpt.index").write_bytes(table(entries, 512))
    state(folder)
    return "model.ckpt", arrays


@checkpoint
def v1_types(folder):
    """version 1: a tensor of each type that it takes, scalars, an empty tensor, strings, and a matrix in four slices"""
    rng = generator(folder.name)
    made = tensors_of_types(rng, [tf.float32, tf.float64, tf.int32, tf.uint8, tf.int16, tf.int8, tf.int64, tf.bool, tf.complex64,
                                  tf.float16])
    arrays = {name: tensor.numpy() for name, tensor in made.items()}
    arrays.update({"scalar": np.float32(2.5), "empty": np.zeros((0, 3), np.float32),
                   "ones": np.ones((4, 5), np.float32)})
    entries = [(name, "", tf.constant(array)) for name, array in arrays.items()]
    matrix = arrays["fc/W"] = value_of("fc/W", (6, 8), rng)
    entries += [("fc/W", f"6 8 {row},{rows}:{column},{columns}", tf.constant(matrix[row:row + rows, column:column + columns]))
                for row, rows in ((0, 4), (4, 2)) for column, columns in ((0, 5), (5, 3))]
    names, slices, tensors = zip(*entries)
    tf.raw_ops.SaveSlices(filename=str(folder / "model.ckpt"), tensor_names=list(names), shapes_and_slices=list(slices),
                          data=list(tensors))
    state(folder)
    return "model.ckpt", arrays


# Object graphs

def network(keras):
    layers = keras.layers
    return keras.Sequential([
        layers.Input((6, 5, 2)), layers.Conv2D(3, 3, name="conv1"), layers.BatchNormalization(name="bn1"),
        layers.ReLU(name="relu1"), layers.Flatten(name="flatten"), layers.Dense(7, name="fc1"), layers.Dense(4, name="fc2")],
        name="small")


def tracked(folder, keras, optimizer=True):
    """A model, and its optimizer as training leaves it, all with values."""
    rng = generator(folder.name)
    keras.backend.clear_session()
    model = network(keras)
    optimized = []
    if optimizer:
        model.compile(keras.optimizers.Adam(0.01), "mse")
        model.optimizer.build(model.trainable_variables)
        optimized = model.optimizer.variables
    for variable in [*model.weights, *(optimized() if callable(optimized) else optimized)]:
        name = getattr(variable, "path", variable.name)
        value = 120 if "iteration" in name else 0.01 if "learning_rate" in name else value_of(name, variable.shape, rng)
        variable.assign(value)
    return model


@checkpoint
def v2_keras2(folder):
    """version 2, an object graph: save_weights of Keras 2, with an optimizer"""
    model = tracked(folder, keras2)
    model.save_weights(str(folder / "weights"), save_format="tf")
    return "weights", None


@checkpoint
def v2_keras2_legacy(folder):
    """version 2, an object graph: save_weights of Keras 2 with an optimizer of before 2.11, whose slots are of their variables"""
    keras2.backend.clear_session()
    model = network(keras2)
    model.compile(keras2.optimizers.legacy.Adam(0.01), "mse")
    model.optimizer._create_all_weights(model.trainable_variables)
    rng = generator(folder.name)
    for variable in [*model.weights, *model.optimizer.weights]:
        variable.assign(120 if variable.dtype == tf.int64 else value_of(variable.name, variable.shape, rng))
    model.save_weights(str(folder / "weights"), save_format="tf")
    return "weights", None


@checkpoint
def v2_object(folder):
    """version 2, an object graph: tf.train.Checkpoint of a step, a model and an optimizer of Keras 2"""
    model = tracked(folder, keras2)
    step = tf.Variable(120, dtype=tf.int64, name="step")
    tf.train.Checkpoint(step=step, model=model, optimizer=model.optimizer).write(str(folder / "ckpt-1"))
    state(folder, "ckpt-1")
    return "ckpt-1", None


@checkpoint
def v2_module(folder):
    """version 2, an object graph: tf.train.Checkpoint of a tf.Module that has lists and dictionaries of variables"""
    rng = generator(folder.name)

    class Layer(tf.Module):
        def __init__(self, inputs, outputs, name):
            super().__init__(name)
            self.w = tf.Variable(value_of("w", (inputs, outputs), rng), name="w")
            self.b = tf.Variable(value_of("b", (outputs,), rng), name="b")

    class Network(tf.Module):
        def __init__(self):
            super().__init__("network")
            self.layers = [Layer(5, 7, "first"), Layer(7, 3, "second")]
            self.scales = {"a/b": tf.Variable(1.5, name="scale"), "c.d": tf.Variable([2.5, 3.5], name="other")}
            self.again = self.layers[0]

    tf.train.Checkpoint(net=Network()).write(str(folder / "ckpt-1"))
    state(folder, "ckpt-1")
    return "ckpt-1", None


@checkpoint
def v2_keras3(folder):
    """version 2, an object graph: tf.train.Checkpoint of a model and an optimizer of Keras 3"""
    model = tracked(folder, keras3)
    tf.train.Checkpoint(model=model, optimizer=model.optimizer).write(str(folder / "ckpt-1"))
    state(folder, "ckpt-1")
    return "ckpt-1", None


@checkpoint
def v2_keras3_model(folder):
    """version 2, an object graph: tf.train.Checkpoint of a model of Keras 3 without an optimizer"""
    model = tracked(folder, keras3, optimizer=False)
    tf.train.Checkpoint(model).write(str(folder / "ckpt-1"))
    state(folder, "ckpt-1")
    return "ckpt-1", None


# What is noted of each

def plain(value):
    """An array as NumPy stores it without pickles; None for strings."""
    value = np.asarray(value)
    if value.dtype.kind in "OSU":
        return None
    return value.astype(np.float32) if value.dtype == tf.bfloat16.as_numpy_dtype else value


def object_names(reader):
    """The full names of variables by their keys, of a checkpoint with an object graph."""
    if not reader.has_tensor(OBJECT_GRAPH):
        return {}
    graph = trackable_object_graph_pb2.TrackableObjectGraph()
    graph.ParseFromString(reader.get_tensor(OBJECT_GRAPH))
    return {attribute.checkpoint_key: attribute.full_name for node in graph.nodes for attribute in node.attributes}


def restored(path, reader, key, kind):
    """What TensorFlow reads: of version 1 by its own operator, since the other knows no slices there."""
    if path.name.startswith("model.ckpt") and path.exists():
        value = tf.raw_ops.RestoreSlice(file_pattern=str(path), tensor_name=key, shape_and_slice="", dt=kind)
    elif kind in QUANTISED or "float8" in kind.name:
        value, = tf.raw_ops.RestoreV2(prefix=str(path), tensor_names=[key], shape_and_slices=[""], dtypes=[kind])
        if "float8" in kind.name:
            return value.numpy().view(np.uint8)
        value = tf.bitcast(value, QUANTISED[kind])
    else:
        return plain(reader.get_tensor(key))
    return plain(value.numpy())


def noted(name, folder, prefix, arrays, what):
    """A line of the listing; what was saved is compared with what TensorFlow reads."""
    reader = tf.train.load_checkpoint(str(folder / prefix))
    kinds = reader.get_variable_to_dtype_map()
    shapes = reader.get_variable_to_shape_map()
    names = object_names(reader)
    if arrays is None:
        # Object graphs are of the objects' own making; what their variables have has been set one by one.
        arrays = {key: reader.get_tensor(key) for key in kinds if key != OBJECT_GRAPH}
    assert set(arrays) == set(kinds) - {OBJECT_GRAPH}, set(arrays) ^ set(kinds)
    strings = {}
    numbers = {}
    for key in sorted(arrays):
        value = plain(arrays[key])
        if value is None:
            flat = np.asarray(arrays[key]).ravel()
            strings[key] = [text.decode(errors="backslashreplace") if isinstance(text, bytes) else text for text in flat]
        else:
            numbers[key] = value
            assert np.array_equal(restored(folder / prefix, reader, key, kinds[key]), value), (name, key)
    np.savez(OUT / f"{name}.npz", **numbers)
    files = list(folder.iterdir())
    size = sum(path.stat().st_size for path in files)
    assert size < LIMIT, (name, size)
    tensors = {key: {"type": kinds[key].name, "shape": list(shapes[key])} for key in sorted(kinds)}
    listing = {"what": what, "prefix": f"{name}/{prefix}", "files": sorted(path.name for path in files), "tensors": tensors}
    if strings:
        listing["strings"] = strings
    return {**listing, "names": names} if names else listing


def main():
    listing = {}
    v1.disable_resource_variables()
    for name, build in CHECKPOINTS.items():
        folder = OUT / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        prefix, arrays = build(folder)
        # The time at which it was saved is no part of a fixture.
        notes = folder / "checkpoint"
        lines = [line for line in notes.read_text().splitlines() if "timestamp" not in line]
        notes.write_text("\n".join(lines) + "\n")
        listing[name] = noted(name, folder, prefix, arrays, build.__doc__)
    text = json.dumps(listing, indent=1)
    # A tensor's line is easier to read than the lines of its shape.
    text = re.sub(r'\{\s+"type": ("\w+"),\s+"shape": \[([^\]]*)\]\s+\}',
                  lambda found: f'{{"type": {found[1]}, "shape": [{" ".join(found[2].split())}]}}', text)
    (OUT / "checkpoints.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
