#!/usr/bin/env python3
"""Lists every field of some messages of TensorFlow's, with where in the file it is.

Usage: make_messages.py [OUT_DIR]     (needs tensorflow-cpu)

messages.json has an object for each message: `file`, `offset` and `length` of the message in it, `message` (its type in
TensorFlow's own .proto files), and `fields`; of an entry of an index also its `key`, in hexadecimal. A field is a text:

    PATH WIRE OFFSET LENGTH VALUE

PATH is the field's number and those of the messages around it, outermost first, joined by dots. WIRE is its wire type: 0
varint, 1 eight bytes, 2 bytes with a length, 5 four bytes. OFFSET is where its payload starts in the file: behind the key, and
behind the length, if it has one. LENGTH is that of the payload. VALUE is a varint as an unsigned number, the bytes of fixed
numbers in hexadecimal; of bytes it is "message" if the fields inside follow, otherwise the bytes in hexadecimal, of more than
24 the first 24 and "+", of none nothing.

Fields are in the order of the file. What is a message and what a text says TensorFlow's own description of the type. The walk
is checked against google.protobuf, which reads the same bytes as an empty message: all its fields are unknown then, and it
says number, wire type and payload of each. The index of a checkpoint is read by the lines below, not by TensorFlow; its keys
are compared with TensorFlow's.
"""
import json
import sys
from pathlib import Path

from twins import tf

from google.protobuf import empty_pb2, unknown_fields
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import (
    meta_graph_pb2, saved_model_pb2, tensor_bundle_pb2, trackable_object_graph_pb2)
from tensorflow.core.util import saved_tensor_slice_pb2

HERE = Path(__file__).resolve().parent
OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
SHOWN = 24
MAGIC = bytes.fromhex("57fb808b247547db")


def varint(data, place):
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def fields(data, start, end):
    """Number, wire type, and place and length of the payload of each field of a message; of a varint also its value."""
    place = start
    while place < end:
        key, place = varint(data, place)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, after = varint(data, place)
            yield number, wire, place, after - place, value
            place = after
            continue
        length = {1: 8, 5: 4}.get(wire)
        if wire == 2:
            length, place = varint(data, place)
        yield number, wire, place, length, None
        place += length
    assert place == end


def check(data, start, end):
    """Compares a message's fields with those that google.protobuf finds in it."""
    empty = empty_pb2.Empty()
    empty.ParseFromString(data[start:end])
    theirs = [(field.field_number, field.wire_type, field.data) for field in unknown_fields.UnknownFieldSet(empty)]
    ours = []
    for number, wire, place, length, value in fields(data, start, end):
        payload = data[place:place + length]
        ours.append((number, wire, value if wire == 0 else payload if wire == 2 else int.from_bytes(payload, "little")))
    assert ours == theirs


def walk(data, start, end, description, path, lines):
    check(data, start, end)
    for number, wire, place, length, value in fields(data, start, end):
        field = description.fields_by_number[number]
        here = f"{path}.{number}" if path else str(number)
        payload = data[place:place + length]
        inner = field.message_type if wire == 2 else None
        shown = payload[:SHOWN].hex() + ("+" if length > SHOWN else "")
        text = "message" if inner else str(value) if wire == 0 else shown
        lines.append(" ".join(filter(None, [here, str(wire), str(place), str(length), text])))
        if inner:
            walk(data, place, place + length, inner, here, lines)


# The index of a checkpoint: a table of sorted strings

def handle(data, place):
    offset, place = varint(data, place)
    size, place = varint(data, place)
    return offset, size, place


def block(data, offset, size):
    """Key, and place and length of the value, of each entry of a block that is not compressed."""
    assert data[offset + size] == 0, "compressed"
    restarts = int.from_bytes(data[offset + size - 4:offset + size], "little")
    end = offset + size - 4 * (restarts + 1)
    place, key = offset, b""
    while place < end:
        shared, place = varint(data, place)
        unshared, place = varint(data, place)
        length, place = varint(data, place)
        key = key[:shared] + data[place:place + unshared]
        place += unshared
        yield key, place, length
        place += length


def table(data):
    footer = data[-48:]
    assert footer[-8:] == MAGIC
    _, _, place = handle(footer, 0)
    offset, size, _ = handle(footer, place)
    for _, place, _ in block(data, offset, size):
        yield from block(data, *handle(data, place)[:2])


# What is listed

def listed(file, message, offset=0, length=None):
    data = (HERE / file).read_bytes()
    length = len(data) - offset if length is None else length
    lines = []
    walk(data, offset, offset + length, message.DESCRIPTOR, "", lines)
    return {"file": file, "offset": offset, "length": length, "message": message.DESCRIPTOR.full_name, "fields": lines}


def entries(folder, message, header):
    """Every entry of an index: the first, of the empty key, is of another type."""
    data = (HERE / folder).read_bytes()
    found = list(table(data))
    keys = {key.decode() for key, _, _ in found if key and key[:1] != b"\0"}
    reader = tf.train.load_checkpoint(str(HERE / folder.removesuffix(".index")))
    assert keys == set(reader.get_variable_to_shape_map()) or message is not tensor_bundle_pb2.BundleEntryProto
    return [{"key": key.hex(), **listed(folder, message if key else header, place, length)} for key, place, length in found]


def object_graph(prefix):
    """The object graph of a checkpoint: a string in the file of data, behind a varint of its length and four bytes of CRC."""
    reader = tf.train.load_checkpoint(str(HERE / prefix))
    text = reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH")
    file = f"{prefix}.data-00000-of-00001"
    data = (HERE / file).read_bytes()
    return listed(file, trackable_object_graph_pb2.TrackableObjectGraph, data.index(text), len(text))


def main():
    bundle = tensor_bundle_pb2
    found = [
        listed("graph-conv-valid.pb", graph_pb2.GraphDef),
        listed("graph-weights-encoded.pb", graph_pb2.GraphDef),
        listed("graph-dropout-if.pb", graph_pb2.GraphDef),
        listed("saved-no-signature/saved_model.pb", saved_model_pb2.SavedModel),
        listed("meta-plain/model.ckpt.meta", meta_graph_pb2.MetaGraphDef),
        object_graph("v2-module/ckpt-1"),
        *entries("v2-sliced/model.ckpt.index", bundle.BundleEntryProto, bundle.BundleHeaderProto),
        *entries("v2-shards/model.ckpt.index", bundle.BundleEntryProto, bundle.BundleHeaderProto),
        *entries("v1-partitioned/model.ckpt-120", saved_tensor_slice_pb2.SavedTensorSlices,
                 saved_tensor_slice_pb2.SavedTensorSlices),
    ]
    (OUT / "messages.json").write_text(json.dumps(found, indent=0) + "\n")


main()
