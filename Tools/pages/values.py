"""What a page of `inspect` says of values, computed once more from the file."""
import json
import re
from pathlib import Path

import h5py
import numpy as np

from browser import Visit
from cases import Case


def stored_values(file: h5py.File, tensor: dict) -> np.ndarray | None:
    """The values of a tensor in float64, in no order; nothing if they are not stored, or not as floats."""
    stored = file.get(tensor["path"])
    if not isinstance(stored, h5py.Dataset):
        return None
    count = int(np.prod(tensor["shape"]))
    parts = [stored]
    if stored.size != count:
        # Keras 1 has a data set for each gate, and the report names the first: lstm_1_W_i, lstm_1_W_c and so on.
        gate = re.compile("[a-z](:0)?$")
        stem = gate.sub("", stored.name.rsplit("/", 1)[-1])
        parts = [part for name, part in stored.parent.items() if gate.sub("", name) == stem]
    if any(part.dtype not in (np.float32, np.float64) for part in parts):
        return None
    values = np.concatenate([part[()].astype(np.float64).ravel() for part in parts])
    # Nobody has stored the sum of the two biases of cuDNN, the local kernels among zeros, or a kernel with its LoRA.
    is_computed = values.size != count or any("lora" in name for name in stored.parent)
    return None if is_computed else values


def check(visit: Visit, case: Case) -> list[str]:
    """Counts, zeros and histograms of the tensors of an HDF5 file of Keras in float32 and float64."""
    source = Path(case.arguments[1])
    if case.verb != "inspect" or source.suffix != ".h5":
        return []
    data = json.loads(visit.page.evaluate("document.getElementById('page-data').textContent"))
    root = Path(case.report["path"])
    path = root if root.is_absolute() else Path(__file__).parents[2] / root
    faults = []
    with h5py.File(path) as file:
        for tensor, more in zip(case.report["tensors"], data["tensors"]):
            values = stored_values(file, tensor)
            if values is None:
                continue
            finite = values[np.isfinite(values)]
            expected = {
                "count": values.size, "zeros": int((values == 0).sum()), "nonFinite": int(values.size - finite.size),
                "counted": int(finite.size)}
            statistics = tensor.get("statistics") or {}
            histogram = more.get("histogram") or {"counts": []}
            found = {
                "count": more.get("count", statistics.get("count")), "zeros": more.get("zeros", statistics.get("zeros")),
                "nonFinite": statistics.get("nonFinite"), "counted": sum(histogram["counts"])}
            faults += [f"{tensor['path']}: {key} is {found[key]}, expected {expected[key]}" for key in expected if found[key] != expected[key]]
            if finite.size:
                bins = len(histogram["counts"])
                again, _ = np.histogram(finite, bins, (histogram["low"], histogram["high"])) if histogram["low"] < histogram["high"] else (None, None)
                # A value on the border of two bars may be in either.
                if again is not None and np.abs(np.array(histogram["counts"]) - again).sum() > max(2, 2e-3 * finite.size):
                    faults.append(f"{tensor['path']}: the histogram is not that of its values")
    return faults[:5]
