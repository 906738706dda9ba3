"""ONNX's own cases of single operators through netconv, and a table of what is equal, refused and wrong.

    node_cases.py NETCONV [--operator PATTERN] [--reasons N]

The first input is fed, and all others become initializers; with several of one shape, all of these are fed as well. Only
cases whose first input and output are float32, int32, int64 or bool are run; all are fed as float32. The first axis is the
batch, unless netconv says that it reads the graph as one sample. Exits with 1 if a value is wrong.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

TOLERANCE = 1e-5
TYPES = (np.float32, np.int32, np.int64, np.bool_)
# Expected values with four digits, and an output that has lost its batch of one: netconv has the batch in front.
TOLERATED = {"test_averagepool_2d_ceil_last_window_starts_on_pad": 1e-3, "test_squeeze": np.inf}


def arrays(values):
    return [numpy_helper.to_array(v) if isinstance(v, onnx.TensorProto) else np.asarray(v) for v in values]


def cases(pattern):
    """Models of one node with their inputs and outputs, and the inputs that are fed."""
    for case in collect_testcases(None):
        if case.model is None or len(case.model.graph.node) != 1 or not case.data_sets:
            continue
        node = case.model.graph.node[0]
        if node.domain or not re.fullmatch(pattern, node.op_type):
            continue
        try:
            inputs, outputs = (arrays(values) for values in case.data_sets[0])
        except (TypeError, ValueError):
            continue
        if not inputs or any(a.dtype == object or a.size == 0 for a in inputs + outputs) or len(case.model.graph.input) != len(inputs):
            continue
        if inputs[0].dtype not in TYPES or outputs[0].dtype not in TYPES or inputs[0].ndim == 0:
            continue
        yield case, inputs, outputs[0], [0]
        alike = [k for k, a in enumerate(inputs) if a.dtype == inputs[0].dtype and a.shape == inputs[0].shape]
        if len(alike) > 1 and node.op_type not in ("GRU", "LSTM", "RNN"):
            yield case, inputs, outputs[0], alike
        if node.op_type == "Attention":
            batched = [k for k, a in enumerate(inputs) if a.ndim > 2 and a.dtype == np.float32 and len(a) == len(inputs[0])]
            if batched != alike:
                yield case, inputs, outputs[0], batched


def written(case, inputs, fed):
    """The model with the inputs that are not fed as initializers, and its first output alone."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    names = [value.name for value in case.model.graph.input]
    del model.graph.input[:]
    model.graph.input.extend(case.model.graph.input[k] for k in fed)
    del model.graph.output[1:]
    for k, array in enumerate(inputs):
        if k not in fed:
            model.graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(array), names[k]))
    return model, [names[k] for k in fed]


def equals(found, expected, tolerance):
    if tolerance == np.inf:
        return True
    expected = np.float32(expected)
    finite = np.isfinite(expected)
    return (
        found.shape == expected.shape
        and np.array_equal(np.isnan(found), np.isnan(expected))
        and np.array_equal(found[np.isinf(expected)], expected[np.isinf(expected)])
        and np.abs(found - expected)[finite].max(initial=0) <= tolerance * max(1e-6, np.abs(expected[finite]).max(initial=0)))


def run(netconv, case, inputs, expected, fed, folder):
    """`equal`, `refused` or `WRONG`, with a reason."""
    model, names = written(case, inputs, fed)
    path, output = folder / "model.onnx", folder / "output.npz"
    onnx.save(model, path)
    for is_whole in (False, True):
        array = folder / "input.npz"
        # What mixes samples is read as one sample, which has an axis more in front.
        np.savez(array, **{name: np.float32(inputs[k][None] if is_whole else inputs[k]) for name, k in zip(names, fed)})
        result = subprocess.run(
            [netconv, "run", path, "--force", "--input", array, "--output", output], capture_output=True, text=True)
        if "is read as one sample" not in result.stderr:
            break
    if result.returncode == 65:
        lines = [line for line in result.stderr.strip().splitlines() if not line.startswith("netconv: warning")]
        return "refused", re.sub(r"^\s*'[^']*': ", "", lines[-1])[:100]
    if result.returncode:
        return "WRONG", f"exit code {result.returncode}: {result.stderr[:200]}"
    with np.load(output) as file:
        found = file[file.files[0]]
    if not equals(found, expected[None] if is_whole else expected, TOLERATED.get(case.name, TOLERANCE)):
        return "WRONG", f"{found.shape} for {expected.shape}"
    return "equal", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=pathlib.Path)
    parser.add_argument("--operator", default=".*")
    parser.add_argument("--reasons", type=int, default=0)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    table, reasons = collections.defaultdict(collections.Counter), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for case, inputs, expected, fed in cases(arguments.operator):
            result, reason = run(arguments.netconv.resolve(), case, inputs, expected, fed, pathlib.Path(folder))
            operator = case.model.graph.node[0].op_type
            table[operator][result] += 1
            if result == "WRONG":
                print(f"{case.name}, fed {fed}: {reason}")
            elif reason:
                reasons[f"{operator}: {reason}"] += 1
    print("| operator | equal | refused |\n|---|---|---|")
    total = collections.Counter()
    for operator, counts in sorted(table.items()):
        total.update(counts)
        print(f"| {operator} | {counts['equal']} | {counts['refused']} |")
    for reason, count in reasons.most_common(arguments.reasons):
        print(f"{count:4} {reason}")
    print(", ".join(f"{count} {result}" for result, count in total.most_common()))
    sys.exit(1 if total["WRONG"] else 0)


if __name__ == "__main__":
    main()
