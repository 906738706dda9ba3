"""TensorFlow Lite: its own converter must put the same bytes into a model as netconv into files."""
import contextlib
import json
import os
from pathlib import Path


def constants(model) -> list:
    """The constants of a Keras model that TensorFlow's converter has brought into the form of TensorFlow Lite."""
    import tensorflow as tf

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), \
            contextlib.redirect_stderr(nowhere):
        content = tf.lite.TFLiteConverter.from_keras_model(model).convert()
        interpreter = tf.lite.Interpreter(model_content=content)
        interpreter.allocate_tensors()
    found = []
    for detail in interpreter.get_tensor_details():
        with contextlib.suppress(ValueError):  # no constant
            found.append(interpreter.get_tensor(detail["index"]))
    return found


def check(interop, folder: Path, model) -> None:
    found = constants(model)
    for record in json.loads((folder / "manifest.json").read_text())["tensors"]:
        # The normalisation is folded into the convolution, whose values are others then.
        if record["layer"] in ("conv", "bn"):
            continue
        values = (folder / record["places"]["bin"]["file"]).read_bytes()
        shapes = [list(constant.shape) for constant in found if constant.tobytes() == values]
        # A fully-connected kernel has no name for what a flatten has merged, nor slopes for shared axes.
        interop.check(f"tflite: {record['name']} is in TensorFlow Lite's own model",
                      record["shape"] in shapes, f"{record['shape']}, found {shapes}")
