"""What `convert` has written, as arrays by name."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ._errors import NetconvError
from ._manifest import Manifest
from ._program import StrPath

if TYPE_CHECKING:
    from ._arrays import Array


def load(out: StrPath, *, container: str | None = None) -> dict[str, Array]:
    """The tensors of a converted folder or a lone archive, by name, in the order of the layers.

    Each is a `numpy.memmap` that cannot be written, with `axes` such as `('O', 'H', 'W', 'I')`. Values of int8 have a
    `scale` beside them. `container` chooses one of several forms in a folder: bin, archive, safetensors or npz.

    Raises NetconvError, exit code 65, where the files are not what the manifest says: its own SHA-256, sizes, shapes,
    and the SHA-256 of each tensor are compared first. bfloat16 needs the package ml_dtypes.
    """
    try:
        from ._arrays import array
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise NetconvError("netconv.load needs numpy; pip install numpy", 66) from error
    manifest = Manifest(os.fspath(out))
    places = manifest.places(container)
    return {tensor["name"]: array(manifest, tensor, places[tensor["name"]]) for tensor in manifest.tensors}
