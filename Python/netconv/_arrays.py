"""Arrays that know their axes; the only file that needs numpy."""
from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._errors import NetconvError
from ._manifest import CANNOT_OPEN, Manifest, Place

_DTYPES = {"float32": "<f4", "float16": "<f2", "int8": "i1"}
# A letter, a group that a flatten has merged, or the literal 1.
_AXES = re.compile(r"\([^()]+\)|[^()]")


class Array(np.memmap[Any, Any]):
    """A tensor as it lies in its file, with its axes; a part or result of it is an array without."""

    axes: tuple[str, ...] | None
    """Its axes, slowest first: `('O', 'H', 'W', 'I')`; `(IHW)` is one that a flatten has merged."""
    layer: str | None
    role: str | None
    """What it is to the layer: kernel, bias."""
    reversed: tuple[str, ...] | None
    """The axes along which its values lie in reversed order, as the target wants them."""
    scale: str | None
    """Of int8, the name of the tensor that its values are to be multiplied by, one for each output channel."""

    def __array_finalize__(self, obj: Any) -> None:
        super().__array_finalize__(obj)
        # What numpy makes of an array may have other axes.
        self.axes = self.layer = self.role = self.reversed = self.scale = None


def array(manifest: Manifest, tensor: Mapping[str, Any], place: Place) -> Array:
    """A tensor at a place, after its size and its SHA-256 were compared with the manifest."""
    name = tensor["name"]
    shape = tensor.get("shape")
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        raise manifest.damaged(f"manifest.json: the shape of tensor '{name}' is no shape")
    dtype = _dtype(manifest, name, manifest.text(tensor, "dtype"))
    if math.prod(shape) * dtype.itemsize != place.length:
        raise manifest.damaged(
            f"tensor '{name}' of shape {tuple(shape)} and {tensor['dtype']} needs "
            f"{math.prod(shape) * dtype.itemsize} bytes, and manifest.json says {place.length}")
    axes = tuple(_AXES.findall(manifest.text(tensor, "layout")))
    if len(axes) != len(shape):
        raise manifest.damaged(f"tensor '{name}' has {len(shape)} axes, and its layout {tensor['layout']} has {len(axes)}")
    try:
        with open(place.file, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            # A file that holds nothing else is exactly as long.
            alone = place.file.parent.name == "weights"
            if place.offset + place.length > size or (alone and place.length != size):
                raise manifest.damaged(
                    f"{place.file.name} has {size} bytes, and tensor '{name}' needs {place.length} at {place.offset}")
            values = np.memmap(file, dtype=dtype, mode="r", offset=place.offset, shape=tuple(shape)).view(Array)
    except OSError as error:
        raise NetconvError(f"{place.file}: {error.strerror or error}", CANNOT_OPEN) from error
    if hashlib.sha256(values.reshape(-1).view(np.uint8).data).hexdigest() != tensor.get("sha256"):
        raise manifest.damaged(f"tensor '{name}' in {place.file.name} is not what was written: its SHA-256 differs")
    values.axes = axes
    values.layer, values.role = tensor.get("layer"), tensor.get("role")
    values.reversed = tuple(tensor.get("reversed", ()))
    values.scale = tensor.get("scale")
    return values


def _dtype(manifest: Manifest, name: str, text: str) -> np.dtype[Any]:
    if text in _DTYPES:
        return np.dtype(_DTYPES[text])
    if text == "bfloat16":
        try:
            import ml_dtypes
        except ModuleNotFoundError as error:
            raise NetconvError(
                f"{manifest.path}: tensor '{name}' is bfloat16, which numpy has not; pip install ml_dtypes", 66) from error
        bfloat16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return bfloat16
    raise manifest.damaged(f"tensor '{name}' is of type {text}, which this package does not know")
