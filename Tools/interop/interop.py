#!/usr/bin/env python3
"""Checks what netconv writes against independent software: h5py, numpy, einops, unzip, jsonschema, and the
libraries that each target's files are for (the folder consumers); and runs the code of the documentation.

Usage: interop.py NETCONV_BINARY REPO_ROOT

Prints one line per check and a summary; the exit status is 1 if any check failed.
Needs the packages of requirements.txt and the program `unzip`; with `node`, TensorFlow.js is asked too.
"""
import gzip
import hashlib
import importlib.util
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import einops
import h5py
import jsonschema
import numpy as np

import consumers
import consumers.tfjs
import consumers.tflite
import filters
import weights
from consumers import network, sequences
from documentation import Documentation

ALIGNMENT = 256
IMAGES = 16
TARGETS = ["mps", "mpsgraph", "mlx", "torch", "tensorflow", "onnx", "tflite", "bnns", "coreml",
           "ncnn"]
# Fixtures whose tensors netconv puts together from several arrays, or from arrays in another order.
ASSEMBLED = ("keras1-recurrent", "keras1-words", "keras1-films", "keras2-cudnn", "keras2-local")


class Checks:
    """Runs checks and counts them."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0

    def check(self, name: str, condition: bool, detail: str = "") -> bool:
        if condition:
            self.passed += 1
            print(f"ok      {name}")
        else:
            self.failed += 1
            print(f"FAILED  {name}{': ' + detail if detail else ''}")
        return bool(condition)

    def attempt(self, name: str, action, *arguments) -> None:
        """A group of checks; an exception in it is one failure."""
        try:
            action(*arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a failure
            self.check(name, False, f"{type(error).__name__}: {error}"[:500])


class Interop(Checks):
    def __init__(self, netconv: Path, root: Path, scratch: Path) -> None:
        super().__init__()
        self.netconv = netconv
        self.root = root
        self.scratch = scratch
        self.schemas = {path.name: json.loads(path.read_text())
                        for path in (root / "Schemas").glob("*.schema.json")}

    # Running netconv

    def run(self, *arguments) -> subprocess.CompletedProcess:
        command = [str(self.netconv), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=600)

    def convert(self, source: Path, name: str, *options) -> Path | None:
        """Converts into a folder called `name`; `None` if netconv refuses."""
        destination = self.scratch / name
        result = self.run("convert", source, destination, *options)
        if result.returncode != 0:
            self.last_error = result.stderr.strip().splitlines()[:1]
            return None
        return destination

    @staticmethod
    def replace(folder: Path, file: str, values) -> None:
        """Other values for a tensor of a folder, and their digest in its manifest."""
        values.tofile(folder / file)
        manifest = json.loads((folder / "manifest.json").read_text())
        tensor = next(tensor for tensor in manifest["tensors"]
                      if tensor["places"]["bin"]["file"] == file)
        tensor["sha256"] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
        # Another manifest has another checksum; without one it is read.
        del manifest["sha256"]
        (folder / "manifest.json").write_text(json.dumps(manifest))

    def validate(self, name: str, document, schema: str) -> None:
        file = f"{schema}.v1.schema.json"
        if file not in self.schemas:
            self.check(f"{name} against {file}", False, "no such schema")
            return
        try:
            # As anybody would: the file alone, and no registry.
            jsonschema.validate(document, self.schemas[file])
            problem = ""
        except jsonschema.ValidationError as error:
            problem = f"{error.json_path}: {error.message}"[:300]
        self.check(f"{name} against {file}", not problem, problem)

    # (a) against h5py and numpy

    def deep_mnist(self, source: Path, folder: Path) -> None:
        kernels = {
            "conv1": lambda k: k.transpose(3, 0, 1, 2),
            "conv2": lambda k: k.transpose(3, 0, 1, 2),
            "fc1": lambda k: k.reshape(7, 7, 64, 1024).transpose(3, 0, 1, 2),
            "fc2": lambda k: k.reshape(1, 1, 1024, 10).transpose(3, 0, 1, 2),
        }
        with h5py.File(source) as file:
            for layer, rearranged in kernels.items():
                group = file[f"model_weights/{layer}/{layer}"]
                kernel = np.ascontiguousarray(rearranged(group["kernel:0"][()]), "<f4")
                bias = group["bias:0"][()].astype("<f4")
                for suffix, expected in (("W", kernel), ("b", bias)):
                    written = (folder / f"weights/{layer}_{suffix}.bin").read_bytes()
                    self.check(f"deep-mnist {layer}_{suffix}.bin equals h5py and numpy",
                               written == expected.tobytes())
        files = {path.name for path in (folder / "weights").iterdir()}
        self.check("deep-mnist has these eight files and no other",
                   files == {f"{layer}_{suffix}.bin" for layer in kernels for suffix in "Wb"},
                   ", ".join(sorted(files)))

    # (b) against einops

    def rearrangements(self, name: str, folder: Path, read) -> None:
        """Every tensor of a manifest, from its source by its pattern; `read` gives a source."""
        manifest = json.loads((folder / "manifest.json").read_text())
        wrong = []
        for tensor in manifest["tensors"]:
            stored = self.numbers(read(tensor["source"]), tensor["source"])
            # Where `read` has computed, in more digits than the source has, the last one of float32 may differ.
            is_computed = stored.dtype == np.float64 and tensor["source"]["dtype"] == "float32"
            how = tensor["rearrangement"]
            with np.errstate(over="ignore"):
                values = einops.rearrange(stored, how["pattern"], **how["sizes"])
            target = how["pattern"].split("->")[1].split()
            for axis in how["flip"]:
                values = np.flip(values, target.index(axis))
            if "gates" in how:
                values = self.in_order_of_gates(values, how["pattern"].split("->")[1], how["gates"])
            values = np.ascontiguousarray(values, np.dtype(tensor["dtype"]).newbyteorder("<"))
            written = (folder / tensor["places"]["bin"]["file"]).read_bytes()
            facts = {
                "bytes": np.allclose(np.frombuffer(written, "<f4"), values.reshape(-1), 3e-7, 3e-8)
                if is_computed else written == values.tobytes(),
                "shape": list(values.shape) == tensor["shape"],
                "source shape": list(stored.shape) == tensor["source"]["shape"],
                "source dtype": is_computed
                or tensor["source"]["dtype"] in (stored.dtype.name, "bfloat16"),
                "length": len(written) == tensor["places"]["bin"]["length"],
                "sha256": hashlib.sha256(written).hexdigest() == tensor["sha256"],
                "statistics": self.statistics_agree(values, tensor["statistics"]),
            }
            wrong += [f"{tensor['name']}: {fact}" for fact, good in facts.items() if not good]
        count = len(manifest["tensors"])
        used = any(layer.get("parameters") for layer in manifest.get("model", {}).get("layers", [{"parameters": 1}]))
        self.check(f"{name}: {count} tensors equal einops", (count > 0 or not used) and not wrong,
                   "; ".join(wrong[:4]) or "no tensors")

    @staticmethod
    def in_order_of_gates(values, pattern: str, gates: list[int]) -> np.ndarray:
        """The values with the axis g, which may be merged with others, in the order that `gates` says."""
        apart = pattern.replace("(", "").replace(")", "")
        values = einops.rearrange(values, f"{pattern} -> {apart}", g=len(gates))
        values = np.take(values, gates, apart.split().index("g"))
        return einops.rearrange(values, f"{apart} -> {pattern}")

    @staticmethod
    def numbers(stored, source: dict) -> np.ndarray:
        """What a source holds, as an array: a number is one of length 1, and bfloat16 is opaque to h5py."""
        stored = np.asarray(stored)
        if stored.dtype.kind == "V" and source["dtype"] == "bfloat16":
            bits = np.frombuffer(stored.tobytes(), "<u2").astype(np.uint32) << 16
            stored = bits.view(np.float32).reshape(stored.shape)
        return stored.reshape(source["shape"]) if stored.ndim == 0 else stored

    @staticmethod
    def statistics_agree(values: np.ndarray, statistics: dict) -> bool:
        finite = values[np.isfinite(values)].astype(np.float64)
        if statistics["nonFinite"] != values.size - finite.size:
            return False
        if finite.size == 0:
            return all(statistics[key] is None for key in ("min", "max", "mean", "std"))
        expected = {"min": finite.min(), "max": finite.max(), "mean": finite.mean(),
                    "std": finite.std()}
        scale = np.abs(finite).max()
        return all(abs(statistics[key] - value) <= 1e-6 * scale for key, value in expected.items())

    def keras_fixtures(self) -> None:
        fixtures = sorted((self.root / "Tests/Fixtures/keras").glob("*.h5"))
        refused = []
        for source in fixtures:
            folder = self.convert(source, f"fixture-{source.stem}")
            if folder is None:
                self.weights_only(source)
                refused.append(source.stem)
                if source.with_suffix(".npz").exists():
                    print(f"note    {source.stem} is refused: {' '.join(self.last_error)}"[:200])
                continue
            if not self.is_assembled(source.stem):
                with h5py.File(source) as file:
                    self.attempt(f"{source.stem}: einops", self.rearrangements, source.stem, folder,
                                 lambda origin: self.keras_values(file, origin))
            manifest = json.loads((folder / "manifest.json").read_text())
            self.validate(f"{source.stem} manifest.json", manifest, "manifest")
            self.confined(source.stem, folder, manifest)
        print(f"note    {len(refused)} of {len(fixtures)} fixtures refused: {', '.join(refused)}")
        self.check("most Keras fixtures convert", len(refused) * 2 < len(fixtures))

    @staticmethod
    def is_assembled(name: str) -> bool:
        """Whether a fixture's arrays are not the tensors: gates apart, cuDNN's order, locally connected kernels.

        That these tensors are right show the outputs that Keras has given, which `make test` compares.
        """
        found = name.startswith(ASSEMBLED)
        if found:
            print(f"note    {name}: its tensors are put together from other arrays")
        return found

    @staticmethod
    def keras_values(file: h5py.File, origin: dict) -> np.ndarray:
        """What a dataset stands for: LoRA is added to a kernel, two numbers of four bits are taken from each byte, and heads and
        their widths, or all axes that an equation sums over, are one axis. Arrays of calls are in the configuration."""
        if origin["path"] == "inbound_nodes":
            return Interop.array_of_calls(json.loads(file.attrs["model_config"]), origin["shape"])
        # A bias of two rows is two biases: PATH[0] and PATH[1].
        path, _, row = origin["path"].partition("[")
        data = file[path][()]
        if row:
            data = data[int(row.rstrip("]"))]
        if data.dtype.kind != "V":
            data = data.astype(data.dtype.newbyteorder("="))
        folder, name = path.rsplit("/", 1)
        if f"{folder}/lora_{name}_a" in file:
            layers = [json.loads(file.attrs["model_config"])]
            for part in folder.split("/")[3:]:
                layers = [layer for layer in layers[0]["config"]["layers"]
                          if layer["config"]["name"] == part]
            settings = layers[0]["config"]
            a, b = (file[f"{folder}/lora_{name}_{half}"][()].astype("f8") for half in "ab")
            data = data + settings["lora_alpha"] / settings["lora_rank"] * (a @ b)
        if data.dtype == np.int8 and list(data.shape) != origin["shape"]:
            low, high = data << 4 >> 4, data >> 4
            data = np.stack([low, high], -1).reshape(len(data), -1)[:, :origin["shape"][1]]
        if data.ndim > len(origin["shape"]) and data.size == np.prod(origin["shape"]):
            data = data.reshape(origin["shape"])
        return data

    @staticmethod
    def array_of_calls(config, shape: list[int]) -> np.ndarray:
        """The only array of a shape, apart from axes of 1, in a configuration."""
        found = []

        def search(value) -> None:
            if isinstance(value, dict):
                for part in value.values():
                    search(part)
            elif isinstance(value, list):
                try:
                    array = np.array(value)
                except ValueError:
                    array = np.array([])
                if array.dtype.kind in "if" and [n for n in array.shape if n != 1] == [n for n in shape if n != 1]:
                    found.append(array.astype("<f4").reshape(shape))
                else:
                    for part in value:
                        search(part)

        search(config)
        if len(found) != 1:
            raise ValueError(f"{len(found)} arrays of shape {shape}")
        return found[0]

    def weights_only(self, source: Path) -> None:
        """The tensors of a fixture whose graph cannot be read, if there is nothing else the matter with it."""
        folder = self.convert(source, f"weights-{source.stem}", "--weights-only")
        if folder is None:
            return
        name = f"{source.stem} --weights-only"
        if not self.is_assembled(source.stem):
            with h5py.File(source) as file:
                self.attempt(f"{name}: einops", self.rearrangements, name, folder,
                             lambda origin: self.keras_values(file, origin))
        manifest = json.loads((folder / "manifest.json").read_text())
        self.validate(f"{name} manifest.json", manifest, "manifest")
        self.confined(name, folder, manifest)
        inspection = json.loads(self.run("inspect", source, "--json").stdout)
        self.validate(f"{source.stem} inspect --json", inspection, "inspect")

    def confined(self, name: str, folder: Path, manifest: dict) -> None:
        """No file outside of the folder, and none shared by two tensors (whatever the case)."""
        files = [tensor["places"]["bin"]["file"] for tensor in manifest["tensors"]]
        inside = all((folder / file).resolve().is_relative_to(folder.resolve()) for file in files)
        distinct = len({file.lower() for file in files}) == len(files)
        self.check(f"{name}: files are inside the folder and distinct", inside and distinct)

    def lenet(self, folder: Path) -> None:
        sample = self.root / "Samples/lenet-blobs"
        document = json.loads((sample / "model.json").read_text())
        declared = {parameter["file"]: parameter
                    for layer in document["layers"] for parameter in layer.get("parameters", [])}
        seen = set()

        def read(origin):
            file = Path(origin["path"]).name
            seen.add(file)
            if origin["layout"] != declared[file]["layout"]:
                raise ValueError(f"{file}: layout {origin['layout']} is not the declared one")
            return np.fromfile(sample / file, "<f4").reshape(origin["shape"])
        self.rearrangements("lenet-blobs", folder, read)
        self.check("lenet-blobs: every declared file is a source", seen == set(declared))

    # (c) the archive

    def archive(self, name: str, folder: Path) -> None:
        path = folder / "model.netpack"
        test = subprocess.run(["unzip", "-t", path], capture_output=True, text=True)
        self.check(f"{name}: unzip accepts model.netpack", test.returncode == 0, test.stdout[-200:])
        manifest_bytes = (folder / "manifest.json").read_bytes()
        tensors = {tensor["places"]["archive"]["tensor"]: tensor
                   for tensor in json.loads(manifest_bytes)["tensors"]}
        data = path.read_bytes()
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            self.check(f"{name}: zipfile finds no bad entry", archive.testzip() is None)
            self.check(f"{name}: every entry is stored",
                       all(entry.compress_type == zipfile.ZIP_STORED for entry in entries))
            self.check(f"{name}: manifest.json is last and equals the folder's",
                       entries[-1].filename == "manifest.json"
                       and archive.read(entries[-1]) == manifest_bytes)
        names = [entry.filename for entry in entries]
        self.check(f"{name}: one entry per tensor",
                   len(set(names)) == len(names) and set(tensors) <= set(names))
        wrong = []
        for entry in entries:
            tensor = tensors.get(entry.filename)
            if tensor is None:
                continue
            lengths = struct.unpack_from("<HH", data, entry.header_offset + 26)
            start = entry.header_offset + 30 + sum(lengths)
            place = tensor["places"]["archive"]
            file = (folder / tensor["places"]["bin"]["file"]).read_bytes()
            if start % ALIGNMENT or start != place["offset"]:
                wrong.append(f"{entry.filename} starts at {start}")
            if data[start:start + place["length"]] != file:
                wrong.append(f"{entry.filename} differs")
        self.check(f"{name}: entries start at multiples of {ALIGNMENT}, where the manifest says, and equal "
                   "the files", not wrong, "; ".join(wrong[:3]))

    # (d) the documents

    def documents(self, source: Path, folder: Path) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        self.validate("deep-mnist manifest.json", manifest, "manifest")
        self.validate("deep-mnist manifest's model", manifest["model"], "model")
        for path in sorted((self.root / "Samples").glob("*/model.json")):
            self.validate(str(path.relative_to(self.root)), json.loads(path.read_text()), "model")
        self.check("manifest names the source",
                   manifest["source"]["file"] == source.name
                   and manifest["source"]["bytes"] == source.stat().st_size
                   and manifest["source"]["sha256"]
                   == hashlib.sha256(source.read_bytes()).hexdigest())
        with gzip.open(self.root / "Samples/mnist/t10k-images-idx3-ubyte.gz") as file:
            pixels = np.frombuffer(file.read(16 + IMAGES * 784), np.uint8, offset=16)
        images = self.scratch / "images.npz"
        batch = pixels.reshape(IMAGES, 28, 28, 1).astype(np.float32) / np.float32(255)
        np.savez(images, image=batch)
        outputs = self.scratch / "outputs.npz"
        commands = {
            "convert": ("convert", source, self.scratch / "json", "--json"),
            "preflight": ("convert", source, self.scratch / "unwritten", "--dry-run", "--json",
                          "--dtype", "float16"),
            "inspect": ("inspect", source, "--json"),
            "relate": ("relate", source, folder, "--json"),
            "verify": ("verify", folder, "--json"),
            "run": ("run", folder, "--input", images, "--output", outputs, "--json"),
        }
        for name, command in commands.items():
            result = self.run(*command)
            if self.check(f"netconv {name} --json succeeds", result.returncode == 0,
                          result.stderr.strip()[:300]):
                self.attempt(f"netconv {name} --json", lambda name, text: self.validate(
                    f"netconv {name} --json", json.loads(text), name), name, result.stdout)
        if outputs.exists():
            with np.load(outputs) as arrays:
                shapes = {key: arrays[key].shape for key in arrays}
                self.check("numpy reads what netconv run wrote", shapes == {"fc2": (IMAGES, 10)},
                           str(shapes))

    def integers(self, source: Path) -> None:
        """int8 with scales, multiplied out by numpy: no value is off by more than half a step."""
        folder = self.convert(source, "int8", "--target", "source", "--dtype", "int8")
        if not self.check("netconv convert --dtype int8", folder is not None):
            return
        manifest = json.loads((folder / "manifest.json").read_text())
        self.validate("int8 manifest.json", manifest, "manifest")
        kernels = [tensor for tensor in manifest["tensors"] if "scale" in tensor]
        self.check("int8: every kernel has scales", len(kernels) == 4)
        page = consumers.run_page(self.root / "Docs/targets/source.md", folder, {})
        with h5py.File(source) as file:
            for tensor in kernels:
                scales = np.fromfile(folder / page["places"][tensor["scale"]], "<f4")
                values = page["weights"][tensor["name"]].astype(np.float64)
                stored = file[tensor["source"]["path"]][()].reshape(tensor["shape"])
                self.check(f"int8: {tensor['name']} is within half a step of h5py's values",
                           bool((np.abs(values - stored) <= scales / 2).all()))
                largest = np.abs(values / scales).reshape(-1, len(scales)).max(axis=0)
                self.check(f"int8: {tensor['name']} has 127 in every channel",
                           bool((largest == 127).all()))

    def trust(self, source: Path, folder: Path) -> None:
        """The verbs that say whether something is right: their verdicts and their documents."""
        lenet = self.root / "Samples/lenet-blobs"
        wrong = self.scratch / "wrong-flatten"
        shutil.copytree(lenet, wrong)
        model = (wrong / "model.json").read_text().replace("(IHW)O", "(HWI)O")
        (wrong / "model.json").write_text(model)
        changed = self.convert(source, "changed", "--formats", "bin")
        kernel = np.fromfile(changed / "weights/conv2_W.bin", "<f4")
        kernel[1234] = np.nextafter(kernel[1234], np.float32(1))
        self.replace(changed, "weights/conv2_W.bin", kernel)
        goldens, probe = self.scratch / "goldens", self.scratch / "probe"
        few = ("--limit", "100")
        cases = [
            ("verify --against", "verify", 0, ("verify", folder, "--against", source, *few)),
            ("verify --against, wrong", "verify", 1, ("verify", wrong, "--against", lenet, *few)),
            ("diff", "diff", 0, ("diff", source, folder)),
            ("diff, one ULP", "diff", 1, ("diff", source, changed)),
            ("convert --goldens", "convert", 0, ("convert", source, goldens, "--goldens", "3")),
            ("verify --goldens", "verify-goldens", 0, ("verify", goldens, "--goldens")),
            ("probe", "probe", 0, ("probe", probe)),
            ("probe --check", "probe-check", 0, ("probe", "--check", probe / "probe.npz")),
        ]
        documents = {}
        for name, schema, status, command in cases:
            result = self.run(*command, "--json")
            if self.check(f"netconv {name} exits with {status}", result.returncode == status,
                          f"{result.returncode}: {result.stderr.strip()[:300]}"):
                documents[name] = json.loads(result.stdout)
                self.validate(f"netconv {name} --json", documents[name], schema)
        diagnoses = {layer["name"]: layer["diagnosis"]["kind"]
                     for layer in documents["verify --against, wrong"]["comparison"]["layers"]
                     if not layer["passed"]}
        self.check("a wrong flatten is found in fc1 alone", diagnoses == {"fc1": "flattenOrder"},
                   str(diagnoses))
        for path in goldens.rglob("goldens.json"):
            self.validate("goldens.json", json.loads(path.read_text()), "goldens")

    # (e), (f) twice, and again from the result

    @staticmethod
    def contents(folder: Path) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes()
                for path in sorted(folder.rglob("*")) if path.is_file()}

    def repeated(self, name: str, source: Path, folder: Path) -> None:
        again = self.convert(source, f"{name}-again")
        self.check(f"{name}: two conversions give the same bytes",
                   again is not None and self.contents(folder) == self.contents(again))
        for what, path in (("folder", folder), ("archive", folder / "model.netpack")):
            back = self.convert(path, f"{name}-from-{what}")
            if not self.check(f"{name}: its {what} converts again", back is not None):
                continue
            first, second = self.contents(folder / "weights"), self.contents(back / "weights")
            models = [json.loads((place / "manifest.json").read_text())["model"]
                      for place in (folder, back)]
            self.check(f"{name}: converting its {what} gives the same weights", first == second)
            self.check(f"{name}: converting its {what} gives the same model",
                       models[0] == models[1])

    # (g) the consumers' own libraries

    def reference(self, source: Path, inputs: np.ndarray) -> np.ndarray | None:
        """What netconv computes of a network whose output is called fc."""
        given, output = source.with_suffix(".npy"), source.with_suffix(".npz")
        np.save(given, inputs)
        result = self.run("run", source, "--input", given, "--output", output)
        if not self.check(f"netconv runs the consumers' {source.name}", result.returncode == 0,
                          result.stderr.strip()[:300]):
            return None
        return np.load(output)["fc"]

    def consumers(self) -> None:
        """Every target's files, loaded and run by the library that they are for."""
        source = network.write(self.scratch / "network")
        expected = self.reference(source, network.images())
        if expected is None:
            return
        folders = {}
        for target in TARGETS:
            # Not each has a layout for every tensor of it.
            folders[target] = self.convert(source, f"for-{target}", "--target", target, "--no-strict")
            self.check(f"{target}: the network converts", folders[target] is not None,
                       " ".join(getattr(self, "last_error", [])))
        for target in TARGETS:
            if folders[target] is not None:
                self.attempt(target, self.consumer, target, folders, network.images(), expected)
        for target, without in sequences.TARGETS.items():
            self.attempt(f"{target}: sequences", self.consumer_of_sequences, target, without)

    @staticmethod
    def is_there(target: str) -> bool:
        """Whether the library of a target can be imported; says so if it cannot."""
        if target not in consumers.MODULES:
            print(f"note    {target}: there is no library that runs here")
            return False
        missing = [module for module in consumers.MODULES[target]
                   if importlib.util.find_spec(module) is None]
        if missing:
            print(f"SKIPPED {target}: {', '.join(missing)} could not be installed")
        return not missing

    def consumer_of_sequences(self, target: str, without: tuple[str, ...]) -> None:
        """The network over sequences, less what the target does not have, by the target's page."""
        source = self.scratch / f"sequences-{target}"
        sequences.write(source, without)
        inputs = sequences.inputs()
        expected = self.reference(source, inputs)
        folder = self.convert(source, f"{source.name}-out", "--target", target, "--strict")
        if not self.check(f"{target}: it has a layout for all of the sequences' network",
                          folder is not None, " ".join(getattr(self, "last_error", []))):
            return
        if expected is None or not self.is_there(target):
            return
        if target == "tflite":
            consumers.tflite.check_lstm(self, folder, source)
            return
        names = consumers.run_page(self.root / f"Docs/targets/{target}.md", folder,
                                   {"sequences": inputs}, "Sequences")
        # Nine steps through four layers, each of them rounded.
        self.agrees(f"{target}, sequences", names, expected)

    def agrees(self, what: str, names: dict, expected: np.ndarray) -> None:
        """Compares what a page has computed; of Core ML, which can run nothing here, the shape of the program's output."""
        if "program" in names:
            shape = tuple(names["program"].functions["main"].outputs[0].shape)
            self.check(f"{what}: coremltools builds a program from the files, with the right output",
                       names["model"] is not None and shape == (1, expected.shape[1]), str(shape))
            return
        found = names["outputs"]
        error = float(np.abs(found - expected).max() / np.abs(expected).max())
        self.check(f"{what}: its library loads the files as its page says, and computes the same",
                   found.shape == expected.shape and error < 1e-5, f"{found.shape}, {error}")
        print(f"note    {what}: differs by {error:.1e} of the largest output")

    def consumer(self, target: str, folders: dict, images: np.ndarray, expected) -> None:
        """Runs the Python of the target's page on the files that were written for it."""
        if not self.is_there(target):
            return
        pages = self.root / "Docs/targets"
        if target == "tflite":
            keras = consumers.run_page(pages / "tensorflow.md", folders["tensorflow"],
                                       {"images": images})
            consumers.tflite.check(self, folders[target], keras["model"])
            return
        names = consumers.run_page(pages / f"{target}.md", folders[target], {"images": images})
        # Sums of up to 440 products, in another order than netconv's.
        self.agrees(target, names, expected)

    # Options of a build

    def embed_options(self) -> None:
        """What netconv takes in a file of options, its schema takes, and nothing else."""
        folder = self.root / "Samples/BuildPlugin/Sources/Digits"
        schema = self.schemas["embed-options.v1.schema.json"]
        validator = jsonschema.Draft202012Validator(schema)
        file = self.scratch / "lenet.netconv.json"
        cases = [json.loads((folder / "lenet.netconv.json").read_text()), {}, [], {"langage": "mpscnn"}]
        cases += [{"target": target} for target in ("bnns", "tpu", 1)]
        cases += [{"dtype": dtype} for dtype in (
            "float16", "float8", "fc*=float16", "fc*=float8", [], ["float32", "fc1=float16"], ["float8"], [16], 16)]
        cases += [{"fold": fold} for fold in (True, "yes")]
        cases += [{"language": language} for language in ("mpscnn", "mpsgraph", "dsl", "metal", 1)]
        cases += [{"language": "mpscnn", **rest} for rest in (
            {"target": "mps"}, {"dtype": "float32"}, {"dtype": ["float16"]}, {"dtype": "bfloat16"},
            {"dtype": "fc*=float32"}, {"dtype": ["float16", "float32"]}, {"fold": True},
            {"name": "Digits"}, {"name": "digits"}, {"name": "Di-gits"}, {"name": 1})]
        cases += [{"name": "Digits"}]
        for options in cases:
            file.write_text(json.dumps(options))
            result = self.run("embed", folder / "lenet.h5", "--options", file, "--archive",
                              self.scratch / "lenet.netpack", "--code", self.scratch / "lenet.swift")
            self.check(f"netconv embed and its schema agree about {json.dumps(options)}",
                       (result.returncode == 0) == validator.is_valid(options),
                       f"exit code {result.returncode}: {result.stderr.strip()[:200]}")

    def all(self) -> None:
        for file, schema in sorted(self.schemas.items()):
            self.attempt(file, jsonschema.Draft202012Validator.check_schema, schema)
            self.check(f"{file} is a schema with an identifier", "$id" in schema)
        samples = {"deep-mnist": self.root / "Samples/deep-mnist/deep-mnist.h5",
                   "lenet-blobs": self.root / "Samples/lenet-blobs"}
        folders = {}
        for name, source in samples.items():
            folder = self.convert(source, name)
            if self.check(f"netconv convert {source.relative_to(self.root)}", folder is not None,
                          "" if folder else " ".join(self.last_error)):
                folders[name] = folder
        if "deep-mnist" in folders:
            source, folder = samples["deep-mnist"], folders["deep-mnist"]
            self.attempt("deep-mnist", self.deep_mnist, source, folder)
            with h5py.File(source) as file:
                self.attempt("deep-mnist: einops", self.rearrangements, "deep-mnist", folder,
                             lambda origin: file[origin["path"]][()])
            self.attempt("documents", self.documents, source, folder)
            self.attempt("int8", self.integers, source)
            self.attempt("trust", self.trust, source, folder)
        self.attempt("options of a build", self.embed_options)
        if "lenet-blobs" in folders:
            self.attempt("lenet-blobs", self.lenet, folders["lenet-blobs"])
        for name, folder in folders.items():
            self.attempt(f"{name}: archive", self.archive, name, folder)
            self.attempt(f"{name}: repeated", self.repeated, name, samples[name], folder)
        self.attempt("Keras fixtures", self.keras_fixtures)
        self.attempt("consumers", self.consumers)
        self.attempt("TensorFlow.js", consumers.tfjs.check, self)
        self.attempt("filters", filters.check, self, self.scratch / "filters")
        self.attempt("weights", weights.check, self)
        pages = self.scratch / "pages"
        pages.mkdir()
        self.attempt("documentation",
                     Documentation(self.netconv, self.root, pages, self.check).all)


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    netconv, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        interop = Interop(netconv, root, Path(scratch))
        interop.all()
    print(f"{interop.passed} passed, {interop.failed} failed")
    return 1 if interop.failed else 0


if __name__ == "__main__":
    sys.exit(main())
