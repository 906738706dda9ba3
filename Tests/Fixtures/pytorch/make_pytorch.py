#!/usr/bin/env python3
"""Writes files of PyTorch of every kind, and what NumPy makes of their tensors.

NAME.npz has the tensors that netconv must list of NAME.pt and its kin, under their names and in C order: bfloat16 as float32,
truth values as bytes. What is done by hand is said where it is done.
"""
import collections
import inspect
import io
import json
import pathlib
import pickle
import sys
import types as kinds
import zipfile

import numpy as np
import safetensors.numpy
import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent
OLD = {"_use_new_zipfile_serialization": False}


def numbers(shape, scale=1 / 8, dtype=torch.float32):
    """Values that every type holds, no two alike in a row."""
    count = int(np.prod(shape))
    return ((torch.arange(count) * 7 + 3) % 61 * scale).reshape(shape).to(dtype)


def filled(module):
    with torch.no_grad():
        for tensor in module.state_dict().values():
            if tensor.is_floating_point():
                tensor.copy_(numbers(tensor.shape))
    return module


def network():
    return filled(nn.Sequential(collections.OrderedDict(
        conv1=nn.Conv2d(2, 3, (3, 2)), bn1=nn.BatchNorm2d(3), act=nn.PReLU(3),
        flat=nn.Flatten(), norm=nn.LayerNorm(5), lstm=nn.LSTM(5, 2))))


def small():
    return filled(nn.Sequential(nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3)))


def weights(state):
    return {name: tensor for name, tensor in state.items() if not name.endswith("num_batches_tracked")}


def expect(name, tensors):
    arrays = {}
    for key, tensor in tensors.items():
        if tensor.dtype == torch.bfloat16:
            tensor = tensor.float()
        array = tensor.detach().numpy()
        # `ascontiguousarray` would give a number without axes one.
        arrays[key] = np.array(array, np.uint8 if array.dtype == bool else None, order="C")
    save_arrays(name + ".npz", arrays)


def save_arrays(name, arrays):
    """As numpy.savez, with the same bytes each time."""
    with zipfile.ZipFile(HERE / name, "w") as file:
        for key, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.asanyarray(array))
            file.writestr(zipfile.ZipInfo(key + ".npy", (1980, 1, 1, 0, 0, 0)), buffer.getvalue())


def with_numbered_storages():
    """The older format calls storages by their places in memory, which are others each time; here they get numbers."""
    source = inspect.getsource(torch.serialization._legacy_save)
    assert "str(storage._cdata)" in source
    source = source.replace("str(storage._cdata)", "number_of(storage)")
    exec(source, vars(torch.serialization))


def save(name, value, **options):
    numbers_by_place = {}
    torch.serialization.number_of = lambda storage: str(
        100 + numbers_by_place.setdefault(storage._cdata, len(numbers_by_place)))
    torch.save(value, HERE / name, **options)


def state_dicts():
    state = network().state_dict()
    save("state.pt", state)
    save("state-old.pth", state, **OLD)
    save("state-old-protocol1.pth", state, pickle_protocol=1, **OLD)
    # PyTorch itself does not read this one.
    save("tensor-old-protocol0.pth", numbers((2, 3)), pickle_protocol=0, **OLD)
    save("state-old-protocol5.pth", state, pickle_protocol=5, **OLD)
    expect("state", weights(state))


def types():
    wide = [torch.uint16, torch.uint32, torch.uint64]
    types = [
        torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.uint8,
        torch.int16, torch.int32, torch.int64, torch.bool,
    ]
    state = {f"{str(dtype)[6:]}.weight": numbers((2, 3), 1, dtype) for dtype in types + wide}
    save("types.pt", state)
    expect("types", state)
    # The older format has no storages of these.
    old = {name: tensor for name, tensor in state.items() if tensor.dtype not in wide}
    save("types-old.pth", old, **OLD)
    expect("types-old", old)


def views():
    base = numbers((4, 6, 5))
    row = numbers((6,))
    state = {
        "whole.weight": base,
        "part.weight": base[1:3, 2:5, 1:4],
        "transposed.weight": base.permute(2, 0, 1),
        "channels_last.weight": numbers((2, 3, 4, 5)).contiguous(memory_format=torch.channels_last),
        "every_second.weight": base[::2, ::3, ::2],
        "expanded.weight": row.expand(3, 6),
        "diagonal.weight": base[0].as_strided((5,), (6,)),
        "overlapping.weight": row.as_strided((4, 3), (1, 1)),
        "tied.weight": base,
        "scalar.weight": base[3, 2, 1],
        "empty.weight": torch.zeros(0, 3),
        "one.weight": base[2:3, :, 4:5],
    }
    save("views.pt", state)
    save("views-old.pth", state, **OLD)
    expect("views", state)


class Block(nn.Module):
    """A class of a program, which no reader has."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 2)
        self.register_buffer("scale", numbers((3,)))
        self.register_buffer("position", torch.arange(4))
        self.register_buffer("scratch", numbers((5,)), persistent=False)
        self.register_parameter("absent", None)


def modules():
    save("module.pt", small())
    # The older format has the source of each class beside it.
    linear = filled(nn.Linear(3, 2))
    save("module-old.pth", linear, **OLD)
    expect("module-old", linear.state_dict())
    sys.modules["project"] = kinds.ModuleType("project")
    sys.modules["project.blocks"] = kinds.ModuleType("project.blocks")
    sys.modules["project.blocks"].Block = Block
    Block.__module__ = "project.blocks"
    block = filled(Block())
    save("module-own.pt", {"model": block, "epoch": 3})
    expect("module-own", {n: t for n, t in block.state_dict().items() if n != "position"})
    torch.jit.save(torch.jit.trace(small().eval(), torch.zeros(1, 2, 4, 4)), HERE / "script.pt")
    expect("small", weights(small().state_dict()))


def checkpoints():
    net = small()
    optimizer = torch.optim.Adam(net.parameters())
    for parameter in net.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    state = small().state_dict()
    save("lightning.ckpt", {
        "epoch": 2, "global_step": 120, "pytorch-lightning_version": "2.4.0",
        "state_dict": collections.OrderedDict(("model." + n, t) for n, t in state.items()),
        "callbacks": {"EarlyStopping{'monitor': 'loss'}": {"best_score": torch.tensor(0.25)}},
        "optimizer_states": [optimizer.state_dict()], "lr_schedulers": [{"last_epoch": 2}],
        "hparams_name": "kwargs", "hyper_parameters": {"rate": 0.001},
    })
    expect("lightning", {"model." + n: t for n, t in weights(state).items()})
    ema = {name: tensor * 2 for name, tensor in state.items()}
    torch.manual_seed(0)
    save("two.pt", {
        "model": state, "ema": ema, "optimizer": optimizer.state_dict(), "epoch": 3,
        "rng_state": torch.get_rng_state()[:16].clone(), "loss": torch.tensor(1.5),
        "losses": np.arange(3, dtype=np.float32),
    })
    expect("two", weights(ema))
    groups = {"params": {"fc1": {"kernel": numbers((3, 4)), "bias": numbers((4,))},
                         "fc2": {"kernel": numbers((4, 2)), "bias": numbers((2,))}}}
    save("groups.pt", groups)
    expect("groups", {f"{layer}.{name}": tensor for layer, inner in groups["params"].items()
                      for name, tensor in inner.items()})
    save("list.pt", [numbers((2, 3)), (numbers((4,)), 7)])
    expect("list", {"0": numbers((2, 3)), "1.0": numbers((4,))})
    save("tensor.pt", numbers((2, 3)))
    expect("tensor", {"tensor": numbers((2, 3))})


def arrays():
    arrays = {
        "a.weight": numbers((2, 3)).numpy(), "f.weight": np.asfortranarray(numbers((3, 4)).numpy()),
        "b.weight": numbers((2,)).numpy().astype(">f4"), "n.weight": np.float64(3), "name": "x",
        "texts": np.array(["x", "y"], dtype=object),
    }
    save("arrays.pt", arrays)
    # Nothing at the beginning of protocols 0 and 1 says what they are.
    for protocol in range(2, 6):
        (HERE / f"arrays-protocol{protocol}.pkl").write_bytes(pickle.dumps(arrays, protocol))
    expected = {name: np.ascontiguousarray(arrays[name]) for name in ("a.weight", "f.weight", "b.weight")}
    save_arrays("arrays.npz", expected)


def objects():
    """Arrays of Python objects, which NumPy pickles: lists of arrays, and a table for each layer."""
    kernels = [numbers((3, 4)).numpy(), np.asfortranarray(numbers((4, 2)).numpy())]
    biases = [numbers((4,)).numpy(), numbers((2,)).numpy()]

    def together(arrays):
        both = np.empty(len(arrays), dtype=object)
        both[:] = arrays
        return both
    scale = numbers((5,)).numpy()
    for save_all, name in ((np.savez, "lists.npz"), (np.savez_compressed, "lists-deflated.npz")):
        save_all(HERE / name, W=together(kernels), b=together(biases), scale=scale)
    tables = {"fc1": {"weights": kernels[0], "biases": biases[0]}, "fc2": {"weights": kernels[1], "biases": biases[1]}}
    np.save(HERE / "tables.npy", tables, allow_pickle=True)
    save_arrays("lists-expected.npz", {
        "W.0": kernels[0], "W.1": np.ascontiguousarray(kernels[1]), "b.0": biases[0], "b.1": biases[1],
        "scale": scale})
    save_arrays("tables.npz", {f"{layer}.{name}": np.ascontiguousarray(array) for layer, table in tables.items()
                               for name, array in table.items()})


def float8():
    """Codes of 8 bits that are numbers, as they are and as views."""
    codes = torch.arange(120, dtype=torch.uint8).reshape(10, 12)
    kinds = ("e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz")
    tensors = {f"{kind}.weight": codes.view(getattr(torch, "float8_" + kind)) for kind in kinds}
    tensors["view.weight"] = tensors["e4m3fn.weight"].t()[2:]
    save("float8.pt", tensors)
    expect("float8", {name: tensor.float() for name, tensor in tensors.items()})


def unread():
    save("unread.pt", {
        "a.weight": numbers((2, 2)),
        "complex.weight": torch.zeros(2, dtype=torch.complex64),
        "float8.weight": torch.zeros(2, dtype=torch.float8_e4m3fn),
        "sparse.weight": torch.eye(3).to_sparse(),
        "rows.weight": torch.eye(3).to_sparse_csr(),
        "nested.weight": torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
        "quantised.weight": torch.quantize_per_tensor(torch.ones(2), 0.1, 3, torch.qint8),
        "meta.weight": torch.zeros(2, device="meta"),
        "negative.weight": torch.ones(2, dtype=torch.complex64).conj().imag,
    })


def by_hand():
    """What a machine with the most significant byte first writes, and an archive that was packed again."""
    with zipfile.ZipFile(HERE / "types.pt") as file:
        entries = [(info.filename, file.read(info)) for info in file.infolist()]
    widths = [2, 2, 4, 8, 1, 1, 2, 4, 8, 1, 2, 4, 8]
    for kind, method in (("big-endian", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
        with zipfile.ZipFile(HERE / f"types-{kind}.pt", "w", method) as file:
            for name, contents in entries:
                if kind == "big-endian" and name.endswith("/byteorder"):
                    contents = b"big"
                if kind == "big-endian" and "/data/" in name:
                    values = np.frombuffer(contents, f"V{widths[int(name.rpartition('/')[2])]}")
                    contents = b"".join(bytes(value)[::-1] for value in values)
                file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), contents, method)


TENSOR = (
    b"ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0%cX\3\0\0\0cpu%stQ"
    b"K\0(%st(%stI00\nNtR"
)


def tensor(key, count, sizes, strides):
    """The operations that put a tensor on the stack."""
    def number(value):
        return b"L%dL\n" % value
    return TENSOR % (key, number(count), b"".join(map(number, sizes)), b"".join(map(number, strides)))


def hostile():
    """What no version of PyTorch writes."""
    values = np.arange(4, dtype="<f4").tobytes()

    def archive(name, contents, storages=(values,), method=zipfile.ZIP_STORED):
        with zipfile.ZipFile(HERE / name, "w", method) as file:
            entries = [("x/data.pkl", b"\x80\2" + contents + b".")]
            entries += [(f"x/data/{index}", storage) for index, storage in enumerate(storages)]
            for entry, contents in entries:
                file.writestr(zipfile.ZipInfo(entry, (1980, 1, 1, 0, 0, 0)), contents, method)

    archive("terabytes.pt", b"}X\1\0\0\0w" + tensor(b"0", 1 << 40, (1 << 20, 1 << 20), (1 << 20, 1)) + b"s")
    archive("repeated.pt", b"}X\1\0\0\0w" + tensor(b"0", 4, (1 << 20, 1 << 20), (0, 0)) + b"s")
    archive("outside.pt", b"}X\1\0\0\0w" + tensor(b"0", 4, (2, 2), (3, 1)) + b"s")
    archive("backwards.pt", b"}X\1\0\0\0w" + tensor(b"0", 4, (4,), (-1,)) + b"s")
    archive("missing.pt", b"}X\1\0\0\0w" + tensor(b"7", 4, (4,), (1,)) + b"s")
    archive("deep.pt", b"]" * 10_000 + tensor(b"0", 4, (4,), (1,)) + b"a" * 10_000, method=zipfile.ZIP_DEFLATED)
    # A list of ten times the same list, thirty levels deep, with a tensor at the bottom.
    laughs = b"](" + tensor(b"0", 4, (4,), (1,)) + b"eq\0"
    for level in range(30):
        laughs += b"](" + b"h%c" % level * 10 + b"eq%c" % (level + 1)
    archive("laughs.pt", laughs)
    # The second storage begins within the first.
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as file:
        file.writestr(zipfile.ZipInfo("x/data/1", (1980, 1, 1, 0, 0, 0)), values)
    start = inner.getvalue()
    header = start[:start.index(b"PK\1\2")]
    record = start[start.index(b"PK\1\2"):start.index(b"PK\5\6")]
    archive("overlap.pt", b"}X\1\0\0\0w" + tensor(b"0", 4, (4,), (1,)) + b"s", (header + values,))
    whole = (HERE / "overlap.pt").read_bytes()
    place, end = whole.index(header), whole.index(b"PK\5\6")
    record = record[:42] + place.to_bytes(4, "little") + record[46:]
    tail = bytearray(whole[end:])
    tail[8:12] = (3).to_bytes(2, "little") * 2
    tail[12:16] = (int.from_bytes(tail[12:16], "little") + len(record)).to_bytes(4, "little")
    (HERE / "overlap.pt").write_bytes(whole[:end] + record + tail)


def other_libraries():
    state = {name: tensor.numpy() for name, tensor in weights(small().state_dict()).items()}
    safetensors.numpy.save_file(state, HERE / "small.safetensors", {"format": "pt"})
    names = sorted(state)
    files = {}
    for number, part in enumerate((names[:2], names[2:]), 1):
        file = f"shards-0000{number}-of-00002.safetensors"
        safetensors.numpy.save_file({name: state[name] for name in part}, HERE / file)
        files |= {name: file for name in part}
    (HERE / "shards.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": files}))
    # As mlx.nn.QuantizedLinear has it: eight integers of four bits in each of 32.
    safetensors.numpy.save_file({
        "fc.weight": np.arange(8, dtype=np.uint32).reshape(4, 2), "fc.scales": np.ones((4, 1), np.float16),
        "fc.biases": np.zeros((4, 1), np.float16), "fc.bias": np.ones(4, np.float32),
    }, HERE / "quantised.safetensors")
    save_arrays("keras-like.npz", {
        "fc1/kernel": np.asfortranarray(numbers((3, 4)).numpy()), "fc1/bias": numbers((4,)).numpy(),
        "fc2/kernel": numbers((4, 2)).numpy().astype(">f8"),
    })
    np.save(HERE / "alone.npy", np.asfortranarray(numbers((3, 4)).numpy()))
    # A dictionary, which NumPy wraps in an array of one object.
    np.save(HERE / "table.npy", {
        "conv.weight": numbers((3, 2, 2, 2)).numpy(), "conv.bias": numbers((3,)).numpy(), "epoch": 3})
    with zipfile.ZipFile(HERE / "objects.npz", "w") as file:
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, np.array([None, "x"], dtype=object), allow_pickle=True)
        file.writestr(zipfile.ZipInfo("settings.npy", (1980, 1, 1, 0, 0, 0)), buffer.getvalue())


if __name__ == "__main__":
    with_numbered_storages()
    state_dicts()
    types()
    views()
    modules()
    checkpoints()
    arrays()
    objects()
    float8()
    unread()
    by_hand()
    hostile()
    other_libraries()
