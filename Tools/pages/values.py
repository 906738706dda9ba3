"""What a page of `inspect` says of values, computed once more from the file."""
import json
from pathlib import Path

import h5py
import numpy as np

from browser import Visit
from cases import Case


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
            stored = file.get(tensor["path"])
            if not isinstance(stored, h5py.Dataset) or stored.dtype not in (np.float32, np.float64):
                continue
            values = stored[()].astype(np.float64).ravel()
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
