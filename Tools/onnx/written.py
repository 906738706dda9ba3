"""Networks that netconv writes as ONNX, through onnx.checker and onnxruntime, against `netconv run`.

    written.py NETCONV [--pattern GLOB] [--reasons N] [SOURCE ...]

Every fixture and sample that netconv runs is converted alone, and with channels first at the ends. Three samples of numbers
from -1 to 2, or of numbers of tokens, go through both programs. What is refused is counted by its reason. The file is then
read again by netconv, and its outputs compared once more. Exits with 1 if a value is wrong, or a file is not sound.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES, TOLERANCE = 3, 1e-5
ENDINGS = (".h5", ".hdf5", ".keras", ".onnx", ".pb", ".pt", ".pth", ".pt2", ".nam", ".json", ".netpack", ".index", ".safetensors")


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

    def __init__(self, netconv, source, folder):
        self.netconv, self.source, self.folder = netconv, source, folder

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
        if not inputs or self.call("convert", self.source, archive, "--force", "--quiet", "--no-strict").returncode:
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

    def result(self, layout):
        """`equal`, `refused` or `WRONG`, with a reason; `None` if netconv does not run the source."""
        archive, path = self.folder / "model.netpack", self.folder / "written.onnx"
        known = self.expected(archive)
        if known is None:
            return None
        feeds, expected = known
        wanted_first = set()
        if layout == "channels-first":
            if self.call("convert", self.source, path, "--force", "--quiet").returncode == 0:
                wanted_first = set(moved_inputs(onnx.load(path)))
        result = self.call("convert", self.source, path, "--force", "--quiet", "--onnx-layout", layout)
        if result.returncode == 65:
            return "refused", "refused: " + reason(result.stderr)
        if result.returncode:
            return "WRONG", f"exit code {result.returncode}: {result.stderr[:300]}"
        try:
            model = onnx.load(path)
            onnx.checker.check_model(model, full_check=True)
            onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
            session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
            fed = {
                name: np.moveaxis(array, -1, 1) if layout == "channels-first" and name in wanted_first else array
                for name, array in feeds.items()
                if name in {value.name for value in session.get_inputs()}}
            found = dict(zip((value.name for value in session.get_outputs()), session.run(None, fed)))
        except Exception as error:  # Whatever onnx and onnxruntime have against a file is a mistake.
            return "WRONG", f"{type(error).__name__}: {str(error)[:400]}"
        wrong = compare(found, expected, "onnxruntime", layout == "channels-first")
        if wrong or layout == "channels-first":
            return wrong or ("equal", "")
        again = self.run(path, feeds)
        if isinstance(again, str):
            return "equal", "not read again: " + reason(again)
        # Layers are called after weights and nodes, and outputs after their layers.
        again = dict(zip(found, again.values())) if len(again) == len(found) else again
        wrong = compare(again, expected, "netconv, which read it again", True)
        if wrong:
            return wrong
        differing = self.call("diff", self.source, path)
        return "equal", "read again" if differing.returncode == 0 else f"read again, and diff gives {differing.returncode}"


def reason(text):
    """The last part of an error, without the names in front."""
    line = [line for line in text.strip().splitlines() if "warning" not in line][0]
    return re.sub(r"'[^']*'", "'…'", re.sub(r"^netconv: error: ([^ ]*: |layer '[^']*'(, [^:]*)?: )*", "", line))[:120]


def moved_inputs(model):
    """Inputs that a transposition puts the channels of in front."""
    names = {value.name for value in model.graph.input}
    for node in model.graph.node:
        if node.op_type == "Transpose" and node.input[0] in names:
            order = list(node.attribute[0].ints)
            if order == [0, len(order) - 1, *range(1, len(order) - 1)]:
                yield node.input[0]


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=pathlib.Path)
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    parser.add_argument("--pattern", default="*")
    parser.add_argument("--reasons", type=int, default=20)
    arguments = parser.parse_args()
    counts, reasons = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for source in arguments.sources or sources():
            if not source.match(arguments.pattern):
                continue
            for layout in ("channels-last", "channels-first"):
                result = Checked(arguments.netconv.resolve(), source, pathlib.Path(folder)).result(layout)
                if result is None:
                    counts["not run by netconv"] += 1
                    break
                counts[result[0]] += 1
                if result[0] == "WRONG":
                    print(f"{source}, {layout}: {result[1]}", flush=True)
                elif result[1]:
                    reasons[result[1]] += 1
    for reason, count in reasons.most_common(arguments.reasons):
        print(f"{count:4} {reason}")
    print(", ".join(f"{count} {result}" for result, count in counts.most_common()))
    sys.exit(1 if counts["WRONG"] else 0)


if __name__ == "__main__":
    main()
