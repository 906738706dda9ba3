"""What netconv reads from files of weights that PyTorch, safetensors, MLX and NumPy write, against what they read."""
import importlib.util
import json
from pathlib import Path

import numpy as np


def check(interop) -> None:
    """All libraries that are there."""
    folder = interop.scratch / "weights"
    folder.mkdir()
    interop.attempt("NumPy's files", _numpy, interop, folder)
    for name, action in {"torch": _torch, "safetensors": _safetensors, "mlx": _mlx}.items():
        if importlib.util.find_spec(name):
            interop.attempt(f"{name}'s files", action, interop, folder)
        else:
            print(f"skipped files of {name}: not installed")


def _compare(interop, path: Path, expected: dict) -> None:
    """Every value that netconv writes of a file, as float32, against the library's; each has to be there."""
    out = interop.convert(path, "weights-" + path.name.replace(".", "-"), "--weights-only", "--target", "source")
    if not interop.check(f"{path.name} is read", out is not None, str(getattr(interop, "last_error", ""))):
        return
    manifest = json.loads((out / "manifest.json").read_text())
    found = {}
    for tensor in manifest["tensors"]:
        place = tensor["places"]["bin"]
        values = (out / place["file"]).read_bytes()
        found[tensor["source"]["path"]] = (tuple(tensor["source"]["shape"]), tensor["dtype"], values)
    problems = [name for name in expected.keys() | found.keys() if name not in expected or name not in found]
    for name in expected.keys() & found.keys():
        values = np.asarray(expected[name], order="C")
        shape, dtype, data = found[name]
        if shape != values.shape or dtype != "float32" or data != values.astype("<f4").tobytes():
            problems.append(name)
    interop.check(f"{path.name}: the bytes of {len(expected)} tensors", not problems, ", ".join(sorted(problems))[:300])


def _values(*shape) -> np.ndarray:
    """Numbers that float16 and bfloat16 hold, too."""
    count = int(np.prod(shape))
    return (((np.arange(count) * 7 + 3) % 61 - 30) / 8).astype(np.float32).reshape(shape)


def _numpy(interop, folder: Path) -> None:
    arrays = {
        "conv/kernel": _values(3, 2, 4, 5), "conv/bias": _values(5), "fc/kernel": np.asfortranarray(_values(6, 7)),
        "half/kernel": _values(3, 4).astype(np.float16), "double/kernel": _values(3, 4).astype(np.float64),
        "big/kernel": _values(3, 4).astype(">f4"), "whole/kernel": np.arange(-6, 6, dtype=np.int16).reshape(3, 4),
    }
    np.savez(folder / "stored.npz", **arrays)
    np.savez_compressed(folder / "packed.npz", **arrays)
    np.save(folder / "alone.npy", arrays["fc/kernel"])
    for name in ["stored.npz", "packed.npz"]:
        _compare(interop, folder / name, {key: np.load(folder / name)[key] for key in arrays})
    _compare(interop, folder / "alone.npy", {"alone": np.load(folder / "alone.npy")})


def _torch(interop, folder: Path) -> None:
    import torch
    from torch import nn

    torch.manual_seed(22)
    module = nn.Sequential(
        nn.Conv2d(3, 8, (3, 5)), nn.BatchNorm2d(8), nn.Flatten(), nn.Linear(24, 4), nn.LSTM(4, 6, bidirectional=True))
    whole = torch.randn(6, 8, 10)
    views = {
        "whole.weight": whole, "part.weight": whole[1:4], "turned.weight": whole.permute(2, 0, 1),
        "steps.weight": whole[::2, 1::3], "one.weight": whole[0, 0].expand(4, 10), "scalar.weight": torch.tensor(2.5),
        "none.weight": torch.zeros(0, 3),
    }
    types = {
        f"{name}.weight": torch.from_numpy(_values(3, 4)).to(getattr(torch, name))
        for name in ["float16", "bfloat16", "float64", "int8", "uint8", "int16", "int32", "int64"]
    }
    states = {"module": module.state_dict(), "views": views, "types": types}
    for name, state in states.items():
        for protocol in range(1, 6):  # what PyTorch writes with protocol 0, it cannot read
            for suffix, is_archive in {"": True, "-old": False}.items():
                torch.save(state, folder / f"{name}-protocol{protocol}{suffix}.pt", pickle_protocol=protocol,
                           _use_new_zipfile_serialization=is_archive)
    torch.save({"state_dict": module.state_dict(), "epoch": 3}, folder / "lightning.ckpt")
    torch.jit.script(module[:4]).save(str(folder / "script.pt"))
    paths = [*sorted(folder.glob("*.pt")), folder / "lightning.ckpt"]
    for path in paths:
        # Written above, so that nothing of a stranger's is run.
        state = torch.jit.load(path).state_dict() if path.name == "script.pt" else torch.load(path, weights_only=False)
        _compare(interop, path, _arrays(state.get("state_dict", state)))


def _arrays(state: dict) -> dict:
    """The weights of a state dictionary; counters are none."""
    return {
        name: tensor.float().numpy() for name, tensor in state.items() if not name.endswith("num_batches_tracked")
    }


def _safetensors(interop, folder: Path) -> None:
    import safetensors.numpy

    arrays = {
        "conv.weight": _values(4, 3, 5, 2), "conv.bias": _values(4), "half.weight": _values(3, 4).astype(np.float16),
        "double.weight": _values(3, 4).astype(np.float64), "whole.weight": np.arange(12, dtype=np.int32).reshape(3, 4),
    }
    path = folder / "numpy.safetensors"
    safetensors.numpy.save_file(arrays, path)
    _compare(interop, path, safetensors.numpy.load_file(path))
    if not importlib.util.find_spec("torch"):
        return
    import safetensors.torch
    import torch

    path = folder / "torch.safetensors"
    tensors = {"a.weight": torch.from_numpy(_values(3, 4)).bfloat16(), "a.bias": torch.from_numpy(_values(3))}
    safetensors.torch.save_file(tensors, path, {"format": "pt"})
    _compare(interop, path, _arrays(safetensors.torch.load_file(path)))


def _mlx(interop, folder: Path) -> None:
    import mlx.core as mx

    arrays = {
        "conv.weight": mx.array(_values(4, 3, 5, 2)), "conv.bias": mx.array(_values(4)),
        "half.weight": mx.array(_values(3, 4)).astype(mx.float16),
        "brain.weight": mx.array(_values(3, 4)).astype(mx.bfloat16),
    }
    mx.save_safetensors(str(folder / "mlx.safetensors"), arrays)
    del arrays["brain.weight"]
    mx.savez(str(folder / "mlx.npz"), **arrays)
    for name in ["mlx.safetensors", "mlx.npz"]:
        read = mx.load(str(folder / name))
        _compare(interop, folder / name, {key: np.array(value.astype(mx.float32)) for key, value in read.items()})
