"""Networks that netconv writes as ONNX, through onnx.checker and onnxruntime, against `netconv run`.

    written.py NETCONV [--pattern GLOB] [--reasons N] [SOURCE ...]

Every fixture and sample that netconv runs is converted alone, and with channels first at the ends. Three samples of numbers
from -1 to 2, or of numbers of tokens, go through both programs. What is refused is counted by its reason. The file is then
read again by netconv, and its outputs compared once more. Exits with 1 if a value is wrong, or a file is not sound.
"""
import argparse
import collections
import pathlib
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

import networks
from networks import compare, reason


class Checked(networks.Checked):
    """One source, and what becomes of it as ONNX."""

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
        result = self.call(
            "convert", self.source, path, "--force", "--quiet", "--onnx-layout", layout, *self.options)
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
        if self.options:
            return "equal", "read again"
        differing = self.call("diff", self.source, path)
        return "equal", "read again" if differing.returncode == 0 else f"read again, and diff gives {differing.returncode}"


def moved_inputs(model):
    """Inputs that a transposition puts the channels of in front."""
    names = {value.name for value in model.graph.input}
    for node in model.graph.node:
        if node.op_type == "Transpose" and node.input[0] in names:
            order = list(node.attribute[0].ints)
            if order == [0, len(order) - 1, *range(1, len(order) - 1)]:
                yield node.input[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=pathlib.Path)
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    parser.add_argument("--pattern", default="*")
    parser.add_argument("--reasons", type=int, default=20)
    parser.add_argument("--dtype", default="float32")
    arguments = parser.parse_args()
    counts, reasons = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for source in arguments.sources or networks.sources():
            if not source.match(arguments.pattern):
                continue
            for layout in ("channels-last", "channels-first"):
                result = Checked(
                    arguments.netconv.resolve(), source, pathlib.Path(folder), arguments.dtype).result(layout)
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
