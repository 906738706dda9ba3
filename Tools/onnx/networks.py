"""What scripts share that compare the networks that netconv writes with `netconv run`: sources, feeds and verdicts."""
import json
import pathlib
import re
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES, TOLERANCE = 3, 1e-5
ENDINGS = (".h5", ".hdf5", ".keras", ".onnx", ".tflite", ".pb", ".pt", ".pth", ".pt2", ".nam", ".json", ".netpack", ".index", ".safetensors")


def sources():
    """Files and folders that may be networks."""
    for folder in ("Tests/Fixtures", "Samples"):
        for path in sorted((ROOT / folder).rglob("*")):
            if "bombs" in path.parts or "BuildPlugin" in path.parts:
                continue
            if path.is_file() and path.name.endswith(ENDINGS) or path.is_dir() and (
                    (path / "saved_model.pb").exists() or (path / "manifest.json").exists()):
                yield path


class Checked:
    """One source, and what becomes of it."""

    def __init__(self, netconv, source, folder, dtype="float32"):
        self.netconv, self.source, self.folder = netconv, source, folder
        self.options = [] if dtype == "float32" else ["--dtype", dtype]
        # Of containers, that of the source has every type.
        self.target = ["--target", "source"] if dtype == "int8" else []

    def call(self, *arguments):
        return subprocess.run([self.netconv, *map(str, arguments)], capture_output=True, text=True)

    def inputs(self):
        """Names and shapes of the inputs; nothing if there is no graph."""
        result = self.call("inspect", "--json", self.source)
        try:
            report = json.loads(result.stdout)
        except ValueError:
            return None
        return [(value["name"], value["shape"]) for value in report.get("inputs") or []] if report.get("hasGraph") else None

    def feeds(self, inputs, largest):
        """Three samples of each input; of tokens if there is a largest."""
        dice = np.random.default_rng(len(self.source.name))
        for name, shape in inputs:
            sizes = [SAMPLES, *(9 if size is None else size for size in shape)]
            if largest is None:
                yield name, (dice.random(sizes) * 3 - 1).astype(np.float32)
            else:
                yield name, dice.integers(0, largest + 1, sizes).astype(np.float32)

    def run(self, path, feeds):
        """The outputs by name, or the error."""
        array, output = self.folder / "input.npz", self.folder / "output.npz"
        np.savez(array, **feeds)
        result = self.call("run", path, "--input", array, "--output", output, "--force", "--engine", "reference")
        if result.returncode:
            return result.stderr.strip()
        with np.load(output) as file:
            return {name: file[name] for name in file.files}

    def expected(self, archive):
        """What is fed, and what netconv gives; `None` if it does not run."""
        inputs = self.inputs()
        if not inputs or self.call("convert", self.source, archive, "--force", "--quiet", "--no-strict", *self.target, *self.options).returncode:
            return None
        feeds = dict(self.feeds(inputs, None))
        outputs = self.run(archive, feeds)
        tokens = isinstance(outputs, str) and re.search(r"vectors for 0 to (\d+)", outputs)
        while tokens:
            largest = int(tokens[1])
            feeds = dict(self.feeds(inputs, largest))
            outputs = self.run(archive, feeds)
            tokens = isinstance(outputs, str) and re.search(r"vectors for 0 to (\d+)", outputs)
            if tokens and int(tokens[1]) >= largest:
                return None
        return None if isinstance(outputs, str) else (feeds, outputs)


def reason(text):
    """The last part of an error, without the names in front."""
    line = [line for line in text.strip().splitlines() if "warning" not in line][0]
    return re.sub(r"'[^']*'", "'…'", re.sub(r"^netconv: error: ([^ ]*: |layer '[^']*'(, [^:]*)?: )*", "", line))[:120]


def compare(found, expected, program, takes_first):
    """`WRONG` with a reason; `None` if the values are equal, in one of two orders where both are right."""
    # A value that is given twice is numbered the second time, and once in a graph.
    expected = {name: a for name, a in expected.items() if name in found or re.sub(r":\d+$", "", name) not in found}
    if set(found) != set(expected):
        return "WRONG", f"{program} gives {sorted(found)} for {sorted(expected)}"
    for name, values in expected.items():
        orders = [found[name]]
        if takes_first and values.ndim > 2:
            orders.append(np.moveaxis(found[name], 1, -1))
        reasons = [differs(own, values) for own in orders]
        if None not in reasons:
            return "WRONG", f"{name}: {reasons[0]} ({program})"
    return None


def differs(own, values):
    """What tells values from those that are expected; `None` if they are equal."""
    if own.shape != values.shape:
        return f"{own.shape} for {values.shape}"
    finite = np.isfinite(values)
    distance = np.abs(own.astype(np.float64) - values)[finite].max(initial=0)
    largest = max(1e-6, np.abs(values[finite]).max(initial=0))
    if not np.array_equal(finite, np.isfinite(own)) or distance > TOLERANCE * largest:
        return f"a distance of {distance:.3g}, where the largest is {largest:.3g}"
    return None
