#!/usr/bin/env python3
"""Runs random Keras models over sequences through netconv and compares the results with Keras's.

Usage: random_models.py NETCONV [--count 500] [--seed 1] [--kinds conv,recurrent,masks] [--keep DIR] [--show]

A seed is one model, always the same; its kind is the seed's remainder, and other kinds than those of --kinds are
passed over. Each model is built in both Kerases with the same weights (in one, now and then, for what the other has
not) and saved as HDF5 by both and as `.keras` by Keras 3. What netconv computes from each, with both engines, must be
what Keras computes from a float64 clone: the largest difference, relative to the output's largest magnitude, may be
1e-5, or twice Keras's own in float32. Behind each difference stands Keras's own in float32, in brackets.
A refusal is printed once for each message, with the forms and engines that give it.

--show prints the models as lines of Keras; --keep leaves models, inputs and Keras's outputs in DIR/SEED.
The exit status is 1 if an output differs, or a model is refused for another reason than those of DELIBERATE. Needs the
packages of Tests/Fixtures/keras.
"""
import argparse
import json
import logging
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Tests/Fixtures/keras"))
ARGUMENTS, sys.argv = sys.argv, sys.argv[:1]    # make_fixtures.py reads a folder from the arguments.
from make_fixtures import KERASES, in_double, keras2, randomise, save, tf  # noqa: E402
sys.argv = ARGUMENTS

from draws import KINDS, drawn  # noqa: E402
from plans import Dice, Plan, flat  # noqa: E402

FORMS = {"keras2.h5": "keras2", "keras3.h5": "keras3", "keras3.keras": "keras3"}
ENGINES = ["fast", "reference"]
# What netconv refuses because versions of Keras differ in it, or because it is not read: parts of its messages.
DELIBERATE = ["versions of Keras differ in what comes of them", "with a mask is not read", "the layer is unrolled, goes backwards"]
BATCH = 3
BOUND = 1e-5
WORST = 1e-4     # Of Keras's float32. Beyond it a model, or its clone, is no measure.


class Report:
    """What came of all models, counted."""

    def __init__(self) -> None:
        self.models = self.forms = self.compared = self.differences = self.skipped = 0
        self.refused = self.idle = 0
        self.refusals: Counter[str] = Counter()
        self.layers: Counter[str] = Counter()
        self.largest = {engine: 0.0 for engine in ENGINES}

    def summary(self) -> str:
        lines = [f"{self.models} models in {self.forms} forms: {self.compared} outputs compared, "
                 f"{self.differences} differ, {self.refused} runs refused, {self.skipped} skipped for Keras",
                 f"  {self.idle} outputs of models are almost the same for every sample, which proves little"]
        lines += [f"  {engine}: the largest difference within the bound is {self.largest[engine]:.1e}"
                  for engine in ENGINES]
        lines += [f"  refused {count} times: {message}" for message, count in self.refusals.most_common()]
        layers = sorted(self.layers.items(), key=lambda item: (-item[1], item[0]))
        return "\n".join([*lines, "  " + ", ".join(f"{name} {count}" for name, count in layers)])


# Keras

def weigh(plan: Plan, model) -> None:
    """The same values in both Kerases: each layer's depend on the seed and on its place in the plan."""
    for index, step in enumerate(plan.steps):
        if step.spec:
            rng = np.random.default_rng([plan.seed, 2, index])
            randomise(SimpleNamespace(layers=[model.get_layer(step.name)]), rng)


def arrays(plan: Plan) -> dict[str, np.ndarray]:
    """Inputs. Of a masked one, the first sample has no end, the second a hole, the third neither beginning nor more."""
    dice = Dice(plan.seed, 3)
    result = {}
    for i in plan.inputs:
        shape = (BATCH, *i.value.shape)
        length = shape[1]
        array = dice.rng.uniform(-1, 1, shape)
        absent = i.masked
        if i.words:
            array = dice.rng.integers(1, i.words, shape)
            absent = 0
        if absent is not None:
            array[0, dice.integer(1, length - 1):] = absent
            start = dice.integer(1, length - 2)
            array[1, start:dice.integer(start + 1, length - 1)] = absent
            array[2, 0] = absent
            array[2, 1:length - 1][dice.rng.random(length - 2) < 0.3] = absent
        result[i.value.layer] = array.astype(i.dtype)
    return result


def doubled(k, plan: Plan, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    """The inputs in float64. The value of masked steps is then another number in Keras 2; Keras 3 takes float32's."""
    result = []
    for i in plan.inputs:
        array = inputs[i.value.layer]
        if i.dtype == "float32":
            double = array.astype(np.float64)
            if i.masked is not None and k is keras2:
                double[array == np.float32(i.masked)] = i.masked
            array = double
        result.append(array)
    return result


def computed(k, model, inputs: list[np.ndarray], floats: str) -> list[np.ndarray]:
    before = k.backend.floatx()
    k.backend.set_floatx(floats)
    try:
        results = flat(model(inputs if len(inputs) > 1 else inputs[0], training=False))
    finally:
        k.backend.set_floatx(before)
    return [np.asarray(result) for result in results]


def exact(k, model, plan: Plan, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    results = computed(k, in_double(k, model), doubled(k, plan, inputs), "float64")
    assert all(result.dtype == np.float64 for result in results), [result.dtype for result in results]
    return results


def classes(k, model) -> list[str]:
    """The layer classes in a model, and in its layers."""
    found = []

    def look(value) -> None:
        if isinstance(value, dict):
            if hasattr(k.layers, str(value.get("class_name"))) or value.get("class_name") == "Sequential":
                found.append(value["class_name"])
            for item in value.values():
                look(item)
        elif isinstance(value, list):
            for item in value:
                look(item)
    look(json.loads(model.to_json())["config"]["layers"])
    return [name for name in found if name != "InputLayer"]


# netconv

def distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference relative to the largest magnitude of `b`; infinite if the shapes differ."""
    if a.shape != b.shape or not np.isfinite(a).all():
        return np.inf
    return float(np.abs(a - b).max() / (np.abs(b).max() or 1))


def run(netconv: str, path: Path, inputs: Path, engine: str) -> tuple[list[str], list[np.ndarray]] | str:
    """The names and arrays that netconv writes, or its message."""
    output = path.parent / "out.npz"
    output.unlink(missing_ok=True)
    result = subprocess.run(
        [netconv, "run", path, "--input", inputs, "--output", output, "--force", "--engine", engine],
        capture_output=True, text=True)
    if result.returncode != 0:
        message = result.stderr.strip().removeprefix("netconv: error: ").replace(f"{path}: ", "")
        return message or f"exit status {result.returncode}"
    with np.load(output) as file:
        return list(file.files), [file[name] for name in file.files]


def general(message: str) -> list[str]:
    """A message without what belongs to one model; if it lists layers, one for each of their classes."""
    first, *others = message.splitlines()
    first = re.sub(r"\d+", "N", re.sub(r"'[^']*\d[^']*'", "'…'", first))
    found = sorted(set(re.findall(r"^ +'[^']*' \(([\w.]+)\)", "\n".join(others), re.MULTILINE)))
    return [f"{re.sub('^N layers? (is|are)', 'layers are', first)}: {name}" for name in found] or [first]


def matched(plan: Plan, names: list[str], results: list[np.ndarray]) -> list[np.ndarray | None]:
    """netconv's outputs in the order of Keras's: by name, or by place if a layer has several results."""
    labels = [value.label for value in plan.outputs]
    if set(labels) == set(names):
        return [results[names.index(label)] for label in labels]
    return results if len(results) == len(labels) else [None] * len(labels)


def compare(netconv: str, form: str, path: Path, plan: Plan, expected: list[np.ndarray], own: list[float],
            report: Report, refused: dict[str, list[str]]) -> None:
    """Runs one file with both engines. `own` is how far Keras is in float32; messages are added to `refused`."""
    for engine in ENGINES:
        where = f"seed {plan.seed}  {form:12}  {engine:9}"
        answer = run(netconv, path, path.parent / "in.npz", engine)
        if isinstance(answer, str):
            report.refused += 1
            report.refusals.update(general(answer))
            refused.setdefault(" ".join(answer.split()), []).append(f"{form} {engine}")
            continue
        for index, (value, result) in enumerate(zip(plan.outputs, matched(plan, *answer))):
            report.compared += 1
            difference = np.inf if result is None else distance(result, expected[index])
            # Where Keras itself is no better, the network makes much of roundings.
            if difference <= max(BOUND, 2 * own[index]):
                report.largest[engine] = max(report.largest[engine], difference)
                continue
            report.differences += 1
            note = f"names {answer[0]}" if result is None else f"shape {result.shape}, not {expected[index].shape}" \
                if result.shape != expected[index].shape else f"({own[index]:.1e})"
            print(f"{where}  {value.label}: {difference:.1e}  {note}")


def described(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def check(netconv: str, plan: Plan, folder: Path, report: Report) -> None:
    """One model, in all its forms."""
    inputs = arrays(plan)
    np.savez(folder / "in.npz", **inputs)
    for k in KERASES.values():
        k.backend.clear_session()
    counted, refused = False, {}
    for version, k in KERASES.items():
        if plan.only not in (None, version):
            continue
        try:
            model = plan.model(k)
            weigh(plan, model)
            expected = exact(k, model, plan, inputs)
            single = computed(k, model, list(inputs.values()), "float32")
        except Exception as error:  # noqa: BLE001 - what Keras cannot do is no concern of netconv's
            report.skipped += 1
            print(f"seed {plan.seed}  {version}: skipped, {described(error)}")
            continue
        if not all(np.isfinite(result).all() for result in expected):
            report.skipped += 1
            print(f"seed {plan.seed}  {version}: skipped, Keras's outputs are not finite")
            continue
        own = [distance(a, b) for a, b in zip(single, expected)]
        if max(own) > WORST:
            report.skipped += 1
            print(f"seed {plan.seed}  {version}: skipped, Keras's float32 and float64 differ by {max(own):.1e}")
            continue
        np.savez(folder / f"{version}.npz", **{v.label: result for v, result in zip(plan.outputs, expected)})
        if not counted:
            report.models += 1
            report.layers.update(classes(k, model))
            report.idle += sum(distance(result, result[:1].repeat(BATCH, 0)) < 1e-3 for result in expected)
        counted = True
        for form in [form for form, saver in FORMS.items() if saver == version]:
            path = folder / f"model.{form}"
            try:
                save(k, model, path)
            except Exception as error:  # noqa: BLE001 - as above
                report.skipped += 1
                print(f"seed {plan.seed}  {form}: not saved, {described(error)}")
                continue
            report.forms += 1
            compare(netconv, form, path, plan, expected, own, report, refused)
    for message, runs in refused.items():
        print(f"seed {plan.seed}  {', '.join(runs)}  refused: {message}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", help="the binary")
    parser.add_argument("--count", type=int, default=500, help="how many models")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of models, with commas")
    parser.add_argument("--keep", type=Path, help="where models, inputs and outputs stay")
    parser.add_argument("--show", action="store_true", help="print each model")
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"no kind {', '.join(unknown)}; there are {', '.join(KINDS)}")
    quiet()
    report = Report()
    try:
        for plan in selected(options.seed, options.count, kinds):
            attempt(options, plan, report)
    except KeyboardInterrupt:
        print("interrupted")
    print(report.summary())
    refusals = [message for message in report.refusals if not any(part in message for part in DELIBERATE)]
    return 1 if report.differences or refusals or not report.compared else 0


def selected(seed: int, count: int, kinds: list[str]):
    """The first `count` models of these kinds, from a seed on."""
    while count > 0:
        plan = drawn(seed)
        if plan.kind in kinds:
            yield plan
            count -= 1
        seed += 1


def attempt(options, plan: Plan, report: Report) -> None:
    """One model, in a folder of its own."""
    if options.show:
        print("\n".join([f"seed {plan.seed}, {plan.kind}{', Sequential' if plan.sequential else ''}"
                         f"{f', {plan.only} only' if plan.only else ''}:",
                         *(f"    {line}" for line in plan.lines())]))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep / str(plan.seed) if options.keep else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        check(options.netconv, plan, folder, report)
        (folder / "out.npz").unlink(missing_ok=True)
    sys.stdout.flush()


def quiet() -> None:
    """No warnings of Keras and TensorFlow about masks, formats and threads."""
    warnings.filterwarnings("ignore")
    tf.get_logger().setLevel(logging.ERROR)
    logging.getLogger("absl").setLevel(logging.ERROR)


if __name__ == "__main__":
    sys.exit(main())
