"""What each target's own library makes of the files that netconv wrote for it: the code of its page in Docs/targets."""
import contextlib
import os
from pathlib import Path

# What has to be importable for the code of a page; targets that are not listed have no library that runs here.
MODULES = {
    "torch": ["torch", "safetensors"],
    "mlx": ["mlx"],
    "tensorflow": ["tensorflow", "keras"],
    "onnx": ["onnx", "onnxruntime"],
    "ncnn": ["ncnn"],
    "coreml": ["coremltools"],
    "tflite": ["tensorflow", "keras"],
}

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def run_page(page: Path, folder: Path, given: dict, section: str | None = None) -> dict:
    """Runs the Python of a page in `folder`, with the names `given`; returns the names that it defined.

    Of a page with a part for sequences, that part is a section of its own; without one, what is before it is run.
    Blocks that the page marks as not run are left out.
    """
    before, _, rest = page.read_text().partition("\n## Sequences\n")
    text = before if section is None else rest.partition("\n## ")[0]
    parts = text.split("```python\n")
    blocks = [block.split("```")[0] for before, block in zip(parts, parts[1:])
              if not before.rstrip().split("\n")[-1].startswith("<!-- not run:")]
    assert blocks, f"{page.name} has no Python"
    names = {"__name__": page.stem} | given
    before = os.getcwd()
    os.chdir(folder)
    try:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), \
                contextlib.redirect_stderr(nowhere):
            for block in blocks:
                exec(compile(block, str(page), "exec"), names)
    finally:
        os.chdir(before)
    return names
