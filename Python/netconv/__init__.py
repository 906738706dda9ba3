"""netconv from Python: the program as functions, and what it writes as arrays.

    import netconv

    netconv.convert("ckpt.h5", "out", dtype="float16")
    report = netconv.verify("out", min_accuracy=0.99)
    kernel = netconv.load("out")["conv1_W"]
    kernel.axes                      # ('O', 'H', 'W', 'I')

The functions run the program that came with this package, which needs nothing else. `load` needs numpy.
"""
from ._errors import NetconvError, NetconvWarning
from ._load import load
from ._reports import Container, Conversion, Inspection, Layer, Tensor, Verification
from ._verbs import convert, inspect, verify
from ._version import VERSION as __version__

__all__ = [
    "Container", "Conversion", "Inspection", "Layer", "NetconvError", "NetconvWarning", "Tensor", "Verification",
    "__version__", "convert", "inspect", "load", "verify",
]
