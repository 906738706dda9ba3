#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets: small files of each format, taken from the fixtures or made here.

Needs nothing but Python. Findings, which `make fuzz` writes beside them as crash-… and timeout-…, stay as they are.
"""
import gzip
import io
import json
import pathlib
import struct
import zipfile
import zlib

SEEDS = pathlib.Path(__file__).resolve().parent
ROOT = SEEDS.parents[1]
FIXTURES = ROOT / "Tests/Fixtures"


def write(target, name, contents):
    path = SEEDS / target / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(contents.encode() if isinstance(contents, str) else contents)


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def archive(entries, method=zipfile.ZIP_STORED, comment=b"", to_pipe=False):
    class Pipe(io.BytesIO):
        def seekable(self):
            return not to_pipe

        def tell(self):
            if to_pipe:
                raise OSError
            return super().tell()

    buffer = Pipe()
    with zipfile.ZipFile(buffer, "w", method) as file:
        file.comment = comment
        for name, contents in entries:
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), contents, method)
    return buffer.getvalue()


def graphs_for_weights():
    """Of the tensors of BindingTarget.swift."""
    def layer(name, operator, inputs, **attributes):
        return {"name": name, "operator": operator, "inputs": [inputs], "attributes": attributes}

    conv = layer("conv", "Convolution2D", "x", outputChannels=3, kernelSize=[2, 2])
    chain = [conv, layer("norm", "BatchNormalization", "conv", epsilon=1e-5), layer("flat", "Flatten", "norm"),
             layer("fc", "Dense", "flat", units=4)]
    whole = {"format": "netconv-model", "version": 1, "name": "n", "inputs": [{"name": "x", "shape": [3, 3, 2]}],
             "outputs": ["fc"], "layers": chain}
    write("binding", "by-name", compact(whole))
    for place, item in enumerate(chain):
        item["name"] = f"layer{place}"
        if place:
            item["inputs"] = [f"layer{place - 1}"]
    write("binding", "by-order", compact(whole | {"outputs": ["layer3"]}))
    conv["parameters"] = [
        {"role": "kernel", "tensor": "conv.weight", "shape": [3, 2, 2, 2], "layout": "OIHW", "reversed": ["H"]},
        {"role": "bias", "tensor": "conv.bias"}]
    write("binding", "stated", compact(whole | {"outputs": ["layer0"], "layers": [conv]}))
    write("binding", "recurrent", compact(whole | {
        "inputs": [{"name": "x", "shape": [5, 3]}], "outputs": ["rnn"],
        "layers": [layer("rnn", "LSTM", "x", units=2)]}))


def zips():
    entries = [("a.txt", b"abc" * 20), ("folder/b", b"")]
    write("zip", "stored", archive(entries))
    write("zip", "deflated", archive(entries, zipfile.ZIP_DEFLATED))
    write("zip", "descriptors", archive(entries, zipfile.ZIP_DEFLATED, to_pipe=True))
    write("zip", "comment", archive(entries[:1], comment=b"a comment"))
    write("zip", "empty", archive([]))
    # ZIP64 in every place that can have it.
    name, data = b"z", b"wide"
    wide = 0xFFFFFFFF
    common = struct.pack("<HHHHHIIIHH", 45, 0, 0, 0, 33, zlib.crc32(data), wide, wide, len(name), 20)
    extra = struct.pack("<HHQQ", 1, 16, len(data), len(data))
    local = b"PK\3\4" + common + name + extra + data
    record = struct.pack("<HHHHHIIIHH", 45, 0, 0, 0, 33, zlib.crc32(data), wide, wide, len(name), 28)
    record = b"PK\1\2\x2d\3" + record + struct.pack("<HHHII", 0, 0, 0, 0, wide) + name
    record += struct.pack("<HHQQQ", 1, 24, len(data), len(data), 0)
    end = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, 1, 1, len(record), len(local))
    end += b"PK\6\7" + struct.pack("<IQI", 0, len(local) + len(record), 1)
    end += b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, wide, wide, 0)
    write("zip", "zip64", local + record + end)


def streams():
    text = b"the same and the same and the same, 0123456789" * 3
    write("inflate", "gzip", b"\0" + gzip.compress(text, mtime=0))
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    write("inflate", "deflate", b"\1" + raw.compress(text) + raw.flush())
    stored = zlib.compressobj(0, zlib.DEFLATED, -15)
    write("inflate", "stored", b"\1" + stored.compress(text) + stored.flush())
    long = zlib.compressobj(9, zlib.DEFLATED, -15)
    write("inflate", "zeros", b"\1" + long.compress(bytes(40_000)) + long.flush())


def texts():
    write("json", "values", '{"a": [1, -2.5e3, true, false, null], "b": {"c": "\\u00e9\\n\\ud83d\\ude00"}}\n')
    write("json", "python", '[NaN, Infinity, -Infinity, 0.1, 1e-300]')
    write("json", "repeated", '{"a": 1, "a": 2}')
    # Found by `make fuzz`: a name that was read as another one; and what Foundation reads otherwise than RFC 8259 has it.
    write("json", "not-utf-8", b'{"\xff\xff": 2}')
    write("json", "comma-behind-the-last", '{"a": [1, ]}')
    write("json", "zero-with-exponent", "[0e3]")
    write("json", "half-of-a-pair", '["\\ud83d"]')
    write("json", "nested", "[" * 60 + "]" * 60)
    write("options", "all", compact({
        "$schema": "x", "target": "mps", "dtype": ["float16", "fc*=float32"], "fold": True, "language": "swift",
        "name": "Digits", "replace": ["lambda=Rescaling(scale: 1/127.5, offset: -1)"]}))
    write("options", "short", '{"dtype": "int8", "replace": "a=Identity"}')
    write("options", "empty", "{}")
    write("replacement", "fraction", "body/lambda_1=Rescaling(scale: 1/127.5, offset: -1)")
    write("replacement", "bare", "layer=Identity")
    write("replacement", "text", "a=Activation(function: 'relu')")
    write("replacement", "object", 'a = Activation(function: {function: "leakyRelu", negativeSlope: .5})')
    write("replacement", "lists", "a=ZeroPadding2D(padding: [[1, 2], [3, 4]])")


def documents():
    for name in ("folder", "half", "integers"):
        manifest = json.loads((FIXTURES / "outputs" / name / "manifest.json").read_text())
        write("manifest", name, compact(manifest))
        if name == "folder":
            write("model", "folder", compact(manifest["model"]))
            write("goldens", "folder", compact(json.loads(
                (FIXTURES / "outputs/folder/goldens/goldens.json").read_text())))
    write("model", "lenet", compact(json.loads((ROOT / "Samples/lenet-blobs/model.json").read_text())))
    write("goldens", "statistics", compact({
        "format": "netconv-goldens", "version": 1, "weights": "00", "samples": 1, "origin": "probe",
        "inputs": [{"name": "x", "shape": [2], "offset": 0}],
        "layers": [{"name": "y", "operator": "Identity", "shape": [2], "offset": 0, "positions": [1],
                    "statistics": [{"min": 0, "max": 1.5, "mean": None, "norm": 2}],
                    "tolerance": {"float32": 1e-6, "float16": None}}],
        "inputValues": {"file": "a", "length": 8, "sha256": "00"},
        "outputValues": {"file": "b", "length": 8, "sha256": "00"}}))


def layer(name, operator, inputs, parameters=(), **attributes):
    return {"name": name, "operator": operator, "inputs": inputs, "attributes": attributes,
            "parameters": [{"role": role, "file": f"{name}_{role}", "dtype": "float32", "layout": layout}
                           for role, layout in parameters]}


def models():
    layers = [
        layer("pad", "ZeroPadding2D", ["x"], padding=[[1, 1], [0, 2]]),
        layer("conv", "Convolution2D", ["pad"], [("kernel", "HWIO"), ("bias", "O")], outputChannels=4,
              kernelSize=[3, 3], strides=[2, 2], padding="same", activation="relu"),
        layer("depth", "DepthwiseConvolution2D", ["conv"], [("kernel", "HWIM"), ("bias", "O")], kernelSize=[3, 3],
              depthMultiplier=1, padding="same"),
        layer("sum", "Add", ["conv", "depth"]),
        layer("up", "UpSampling2D", ["sum"], size=[2, 2]),
        layer("pool", "MaxPooling2D", ["up"], poolSize=[2, 2], strides=[2, 2], padding="valid"),
        layer("both", "Concatenate", ["pool", "sum"], axis=-1),
        layer("mean", "GlobalAveragePooling2D", ["both"]),
        layer("soft", "Activation", ["mean"], function="softmax"),
    ]
    write("model", "layers", compact({
        "format": "netconv-model", "version": 1, "name": "m", "outputs": ["soft"], "layers": layers,
        "inputs": [{"name": "x", "shape": [8, 6, 3], "scale": 0.5, "offset": -1}]}))


def containers():
    write("safetensors", "keras", (FIXTURES / "containers/tensors.safetensors").read_bytes())
    header = compact({"__metadata__": {"format": "pt"},
                      "a": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]},
                      "none": {"dtype": "F32", "shape": [0, 3], "data_offsets": [4, 4]},
                      "b": {"dtype": "I8", "shape": [], "data_offsets": [4, 5]}})
    write("safetensors", "small", struct.pack("<Q", len(header)) + header.encode() + bytes(5))
    for name in ("kinds", "big-endian", "listed", "vocabulary"):
        write("gguf", name, (FIXTURES / f"gguf/{name}.gguf").read_bytes())
    for name in ("numbers", "listed", "hole"):
        write("safetensors", name, (FIXTURES / f"safetensors/{name}.safetensors").read_bytes())
    for path in sorted((FIXTURES / "numpy").glob("*.npy")):
        if path.stat().st_size < 400:
            write("numpy", path.stem, path.read_bytes())
    write("numpy", "fortran", b"\x93NUMPY\1\0" + struct.pack("<H", 68)
          + b"{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }".ljust(67) + b"\n" + bytes(range(12)))
    write("numpy", "scalar", b"\x93NUMPY\2\0" + struct.pack("<I", 66)
          + b"{'descr': '<f8', 'fortran_order': False, 'shape': (), }".ljust(65) + b"\n" + struct.pack("<d", 1.5))
    write("idx", "images", bytes([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3]) + bytes(range(12)))
    write("idx", "labels", bytes([0, 0, 8, 1, 0, 0, 0, 4, 7, 2, 1, 0]))


def keras():
    """Configurations of every generation of Keras: those of archives, and one out of an HDF5 file."""
    for name in ("archive-residual", "archive-nested", "archive-two-inputs", "archive-keras213-numbered",
                 "archive-resizings"):
        with zipfile.ZipFile(FIXTURES / f"keras/{name}.keras") as file:
            write("keras", name.removeprefix("archive-"), compact(json.loads(file.read("config.json"))))
    for name in ("keras1-functional", "keras1-channels-first", "keras2-conv-same", "keras2-separable"):
        path = FIXTURES / f"keras/{name}.h5"
        if path.exists():
            text = path.read_bytes().decode("latin-1")
            value, _ = json.JSONDecoder().raw_decode(text[text.index('{"class_name"'):])
            write("keras", name, compact(value))


def sources():
    outputs = FIXTURES / "outputs"
    write("source", "safetensors", (outputs / "model.safetensors").read_bytes())
    write("source", "netpack", (outputs / "folded.netpack").read_bytes())
    for name in ("frozen.pb", "model.tflite", "v1.ckpt"):
        write("source", name, (FIXTURES / "foreign" / name).read_bytes())


def checkpoints():
    folder = FIXTURES / "tensorflow"
    for name in ["v2-partitioned", "v2-module", "v2-blocks"]:
        [index] = (folder / name).glob("*.index")
        write("table", name, index.read_bytes())
    for name in ["v2-partitioned", "v2-module", "v2-types", "v2-keras2-legacy"]:
        [index], [values] = (folder / name).glob("*.index"), (folder / name).glob("*.data-*")
        index, values = index.read_bytes(), values.read_bytes()
        write("checkpoint", name, struct.pack("<I", len(index)) + index + values)
    for name in ["v1-plain/model.ckpt-120", "v1-partitioned/model.ckpt-120", "v1-types/model.ckpt"]:
        write("checkpoint", name.split("/")[0], bytes(4) + (folder / name).read_bytes())


def graphs():
    """Graphs with many operations in few bytes."""
    folder = FIXTURES / "tensorflow"
    for name in ("batch-norm-switch", "conv-space-to-batch-same", "dropout-keep", "gelu-tanh", "layer-norm",
                 "network-unnamed", "network-nchw", "reshape-pack", "transposed-open", "batch-norm-if"):
        write("graph", name, (folder / f"graph-{name}.pb").read_bytes())


def onnx_models():
    """Models of ONNX with many operations in few bytes."""
    for name in ("attention-heads", "conv-fused", "file-types", "gathers", "padding-modes", "pool-average-ceil",
                 "quantised-weights", "recurrent-zero-states", "resize-sizes", "shuffle-across-one", "slices"):
        write("onnx", name, (FIXTURES / "onnx" / f"{name}.onnx").read_bytes())


def tflite_models():
    """Models of TensorFlow Lite with many operators in few bytes."""
    for name in ("arithmetic-constants", "dealt-to-batches", "depthwise-dilated", "keras-image-half", "lstm-time-major",
                 "paddings", "refused-integers", "refused-kinds", "refused-sparse", "shapes", "signature", "slices"):
        write("tflite", name, (FIXTURES / "tflite" / f"{name}.tflite").read_bytes())


def core_ml_models():
    """Neural networks, and programs without arrays of their own."""
    for name in ("network", "network-linear-5", "network-table", "refused-gru", "refused-tree"):
        write("coreml", name, (FIXTURES / "coreml" / f"{name}.mlmodel").read_bytes())
    for name in ("arithmetic", "parts", "resizes"):
        package = FIXTURES / "coreml" / f"{name}.mlpackage"
        write("coreml", name, (package / "Data/com.apple.CoreML/model.mlmodel").read_bytes())


def graphs_with_variables():
    """SavedModels and .meta files, with the checkpoints of their variables."""
    for target, names in [("saved-model", ["saved-no-signature", "saved-tf1", "saved-keras2-untraced"]),
                          ("meta-graph", ["meta-plain", "meta-resources"])]:
        for name in names:
            folder = FIXTURES / "tensorflow" / name
            [graph] = [*folder.glob("*.meta"), *folder.glob("saved_model.pb")]
            [index], [values] = folder.rglob("*.index"), folder.rglob("*.data-*")
            parts = [path.read_bytes() for path in (graph, index, values)]
            write(target, name, struct.pack("<II", len(parts[0]), len(parts[1])) + b"".join(parts))


def pictures():
    """Pictures of every kind, and texts of filters."""
    folder = FIXTURES / "pictures"
    for name in ("gray-2.png", "rgb-16.png", "gray-alpha-16.png", "palette.png", "palette-alpha.png",
                 "interlaced.png", "turned.png", "profile-lab.png", "gamma.png", "refused-scans.jpg", "gray.jpg", "subsampled.jpg", "progressive.jpg", "orientation-7.jpg", "profile.jpg", "gray.pgm",
                 "plain.ppm", "thousand.ppm"):
        write("picture", name, (folder / name).read_bytes())
    for name, text in {"blur": "blur=2.5,sigma=1", "resize": "resize=224x200,bicubic,antialias",
                       "crop": "crop=10,20,100x80", "pad": "pad=1,2,3,4,value=1:2:3", "region": "boxBlur=3@1,2,30x40",
                       "mean": "mean=1,2.5,-3e2", "axes": "axes=channelsFirst", "opaque": "opaque=255"}.items():
        write("filter", name, text.encode())


def audio():
    """RTNeural's JSON and models of Neural Amp Modeler."""
    for name in ("conv", "gru", "plain"):
        value = json.loads((FIXTURES / f"audio/rtneural-{name}.json").read_text())
        write("rtneural", name, compact(value))
    for name in ("lstm-1", "wavenet-nano", "wavenet-parts", "wavenet-gated-legacy"):
        value = json.loads((FIXTURES / f"audio/{name}.nam").read_text())
        write("nam", name, compact(value))


def layers_models():
    """A layers model of TensorFlow.js without values: an input and an activation."""
    layers = [
        {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
         "config": {"batch_input_shape": [None, 3], "dtype": "float32", "name": "x"}},
        {"class_name": "Activation", "name": "y", "inbound_nodes": [[["x", 0, 0, {}]]],
         "config": {"activation": "hard_sigmoid", "name": "y"}}]
    config = {"name": "m", "layers": layers, "input_layers": [["x", 0, 0]], "output_layers": [["y", 0, 0]]}
    topology = {"keras_version": "2.15.0", "backend": "tensorflow",
                "model_config": {"class_name": "Model", "config": config}}
    write("tfjs", "plain", compact({"format": "layers-model", "modelTopology": topology,
                                    "weightsManifest": [{"paths": [], "weights": []}]}))


def pickles():
    for path in sorted((FIXTURES / "pickle").glob("*.pkl")):
        write("pickle", path.stem, path.read_bytes())
    for path in sorted((FIXTURES / "pytorch").glob("arrays-protocol*.pkl")):
        write("pickle", path.stem, path.read_bytes())
    write("pickle", "command", b"\x80\2cos\nsystem\n(S'x'\ntR.")
    write("pickle", "objects", b"\x80\2(ia\nB\n}b(ca\nB\nK\1oca\nB\n)\x81}(K\1K\2ube\x82\1Pid\n.")
    # Each storage of these has a few values; the archives of others are mostly what keeps them aligned.
    for name in ("tensor.pt", "list.pt", "module-own.pt", "arrays.pt", "overlap.pt", "types-old.pth",
                 "views-old.pth", "state-old.pth", "tensor-old-protocol0.pth", "types-deflated.pt",
                 "arrays-protocol5.pkl", "table.npy"):
        write("torch", name, (FIXTURES / "pytorch" / name).read_bytes())


def heaps():
    def heap(width, objects, reference, tail=b""):
        def number(value, size=width):
            return value.to_bytes(size, "little")

        def padded(data):
            return data + bytes(-len(data) % 8)

        inside = b"".join(
            padded(number(index, 2) + b"\1\0" + bytes(4) + number(len(text) if index else len(text) + 16))
            + padded(text) for index, text in objects)
        size = 16 + len(inside) + len(tail)
        length, index = reference
        # The choice of widths, the reference, zeros up to the collection.
        start = {2: 16, 4: 16, 8: 24}[width]
        choice = {2: 1, 4: 2, 8: 3}[width]
        head = bytes([choice | choice << 2]) + number(length, 4) + number(start) + number(index, 4)
        return (head.ljust(start, b"\0") + padded(b"GCOL\1\0\0\0" + number(size)) + inside + tail)

    words = [(1, b"one"), (2, b"two words"), (0, b"\0" * 8), (300, "Gr\u00fc\u00dfe".encode())]
    write("heap", "narrow", heap(2, words, (3, 1)))
    write("heap", "middle", heap(4, words, (9, 2)))
    write("heap", "wide", heap(8, words, (7, 300), tail=bytes(8)))
    write("heap", "free-space-of-nothing", heap(8, [(0, b"")], (3, 1)).replace(b"\x10" + bytes(7), bytes(8)))
    write("heap", "other-length", heap(8, words, (4, 1)))


def answers():
    def number(value):
        out = bytearray()
        while value >= 0x80:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes(out + bytes([value]))

    def integer(value):
        return number(2 * value if value >= 0 else -2 * value - 1)

    def text(value):
        data = value.encode()
        return integer(len(data)) + data

    def several(values, put=integer):
        return integer(len(values)) + b"".join(put(value) for value in values)

    def attribute(name, kind, *values):
        return text(name) + integer(kind) + b"".join(values)

    def dataset(kind, shape, storage, size, filters=()):
        return (integer(1) + kind + several(shape) + storage + several(filters, lambda f: integer(f[0]) + text(f[1]))
                + integer(size) + number(800) + number(0))

    def link(name, kind, *values):
        return text(name) + integer(kind) + b"".join(values)

    same = lambda value: value
    floats = text("float32") + number(0)
    attributes = several([
        attribute("a", 0, several([2]), several(["one", "Gr\u00fc\u00dfe"], text)),
        attribute("b", 1, several([]), several([-7])),
        attribute("c", 2, several([1, 1]), several([struct.pack("<d", 0.5)], same)),
        attribute("d", 3), attribute("e", 4, text("reference"))], same)
    links = several([
        link("data", 0, integer(1)), link("group", 0, integer(2)), link("other", 1, integer(1))], same)
    root = attributes + integer(0) + links
    contiguous = several([]) + dataset(integer(0) + floats, [2, 3], integer(0) + integer(2048), 4)
    inner = several([]) + integer(0) + several([
        link("chunks", 0, integer(3)), link("named", 0, integer(4)), link("root", 1, integer(0)),
        link("soft", 2, text("/data")), link("user", 4, integer(70)),
        link("x", 3, text("x.h5"), text("/y"))], same)
    chunked = several([]) + dataset(integer(1) + integer(3), [4], integer(2) + several([2]), 3,
                                    [(1, "deflate"), (307, "bzip2")])
    named = several([]) + integer(2)
    write("answer", "index", integer(1) + several([root, contiguous, inner, chunked, named], same))
    kinds = [integer(1), integer(3), integer(4) + text("out.bin"), integer(5) + number(1) + text("other.h5")]
    links = several([link(str(n), 0, integer(n + 1)) for n in range(4)], same)
    write("answer", "storages", integer(1) + several(
        [several([]) + integer(0) + links]
        + [several([]) + dataset(integer(2) + text("string"), [], kind, 16) for kind in kinds], same))
    for name, profile in {"gray": integer(0), "unnamed": integer(1), "lab": integer(2) + text("Lab D50"),
                          "gamma": integer(3) + struct.pack("<d", 1)}.items():
        write("picture-answer", name, b"".join(map(integer, [1, 5, 7, 3, 2, 6])) + profile)
    write("picture-answer", "ready", integer(0) + text("netconv pictures 1") + integer(0))
    write("picture-answer", "error", integer(3) + text("badData") + number(0) + text("") + number(0) + text("")
          + text("cannot be read as PNG: IDAT: CRC error") + several([], text))
    write("answer", "ready", integer(0) + text("netconv HDF5 1") + integer(38))
    write("answer", "done", integer(2))
    write("answer", "error", integer(3) + text("badData") + number(1) + text("x.h5") + number(0) + text("")
          + text("damaged") + several(["more"], text))


def lists():
    """What says which file, tensor or class is meant: maps, new names, indices, lists and labels."""
    write("map", "plain", compact({
        "format": "netconv-map", "version": 1, "unused": ["c"], "unrelated": [], "tensors": [
            {"name": "b", "shape": [3, 2], "dtype": "float32", "parts": [
                {"to": [{"axis": 0, "start": 0, "end": 2}], "of": "a", "shape": [2, 2], "pattern": "P Q -> Q P"},
                {"to": [{"axis": 0, "start": 2, "end": 3}]}]}]}))
    write("map", "folded", compact({
        "format": "netconv-map", "version": 1, "tensors": [
            {"name": "k", "shape": [4, 2], "dtype": "float16", "parts": [
                {"of": "w", "shape": [2, 2, 2], "from": [{"axis": 0, "start": 0, "end": 2}],
                 "pattern": "P (Q R) -> R (P Q)", "sizes": {"Q": 2}, "reversed": ["R"], "orders": {"Q": [1, 0]},
                 "plus": "v", "rounded": "float16", "factor": 0.5,
                 "normalization": {"gamma": "g", "variance": "s", "epsilon": 1e-3, "axis": 0}}]},
            {"name": "z", "shape": [2], "dtype": "float32", "candidates": [{"of": "x"}, {"of": "y"}]}]}))
    for name, rules in {
        "names": [{"drop": "*running_*"}, {"rename": "s/^rnn\\.(.*)_l0$/r.&.\\1/"}, {"from": "norm.*", "scale": 2, "add": -1}],
        "join": [{"from": ["norm.weight", "norm.bias"], "to": "norm.both", "join": 0, "parts": [3, "2 * 3 / 2"]},
                 {"from": "conv.weight", "pattern": "o i h w -> o h w i"},
                 {"from": "fc.weight", "to": ["a", "b"], "split": 1, "parts": [5, 7], "pattern": "o i -> i o"}],
        "stack": [{"from": "conv.{a}", "to": "{a}.{e}", "unstack": "e"}, {"from": "weight.{e}", "to": "w", "stack": "e"},
                  {"from": "rnn.weight_ih_l0", "pattern": "(g n) i -> (n g) i", "sizes": {"g": 4}}],
    }.items():
        write("rules", name, compact({"format": "netconv-rules", "version": 1, "rules": rules}))
    write("renames", "two", compact({"Variable": "conv1/W", "Variable_1": "conv1/b"}))
    write("renames", "none", "{}")
    write("renames", "letters", '{"Gr\\u00fc\\u00dfe": "a", "\u4e16": "b"}')
    write("shards", "all", compact({"metadata": {"total_size": 24}, "weight_map": {
        "a": "one", "b": "one", "c": "two", "d": "two"}}))
    write("shards", "surplus", compact({"weight_map": {"b": "one"}}))
    write("shards", "outside", compact({"weight_map": {"b": "../one"}}))
    write("checkpoint-list", "usual", 'model_checkpoint_path: "model.ckpt-1"\n'
          'all_model_checkpoint_paths: "model.ckpt-1"\n')
    write("checkpoint-list", "elsewhere", "model_checkpoint_path:  '/somewhere/model.ckpt-1'\n")
    write("checkpoint-list", "octal", 'model_checkpoint_path: "mod\\145l.ckpt-1"\n')
    write("checkpoint-list", "parts", 'model_checkpoint_path: "model-?????-of-00002"\n')
    write("picture-list", "numbers", "file,label\na.png,0\n/b/c.jpg,12\n")
    write("picture-list", "names", '"a, b.png",cat\r\n"x ""y"".png","dog, or wolf"\r\nz.pgm,7\r\n')
    write("picture-list", "open-quote", '"a.png,0\n')
    write("labels", "lines", "cat\ndog\n\u4e16\u754c\n\n")
    write("labels", "list", compact(["cat", ["n02", "dog"]]))
    write("labels", "object", compact({"1": "dog", "0": ["n01", "cat"]}))
    write("probe-answers", "tensors", '{"tensor": "conv_W", "shape": [2, 1, 1, 2], "values": [0, 1, 2, 3]}\n'
          '{"layer": "conv", "role": "bias", "values": [4, 5]}\n')
    write("probe-answers", "outputs", '\r\n{"layer": "conv", "values": [6, 13.5]}\n{"tensor": "image", "values": [1, 2]}')
    write("probe-answers", "layout", '{"tensor": "conv_W", "layout": "HWIO", "shape": [1, 1, 2, 2], "values": [0, 2, 1, 3]}\n'
          '{"tensor": "conv_b", "values": [4, 5]}\n')


def superblocks():
    signature = b"\x89HDF\r\n\x1a\n"
    write("superblock", "version-0", (FIXTURES / "hdf5/values.h5").read_bytes()[:96])
    # Sizes of addresses and lengths; base, extension, end, root.
    addresses = struct.pack("<4I", 0, 0xFFFFFFFF, 2048, 48)
    write("superblock", "version-2", signature + b"\2\4\4\0" + addresses + bytes(4))
    write("superblock", "behind-a-block", b"mine".ljust(1024) + signature + b"\3\2\2\0" + struct.pack("<4H", 0, 0, 99, 9))
    write("superblock", "cut", signature + b"\0")


if __name__ == "__main__":
    lists()
    superblocks()
    answers()
    heaps()
    zips()
    graphs_for_weights()
    streams()
    texts()
    documents()
    models()
    containers()
    keras()
    sources()
    checkpoints()
    graphs()
    onnx_models()
    tflite_models()
    core_ml_models()
    graphs_with_variables()
    pictures()
    pickles()
    audio()
    layers_models()
