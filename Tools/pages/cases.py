"""What pages are made of, and the command of each."""
import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

from architectures import large_models
from hostile import hostile_inputs

# A file that claims to be huge is for `OversizedModelTests`.
LEFT_OUT = {"bombs"}
# A network with normalisations, and a graph with what an optimizer keeps.
NORM = "Tests/Fixtures/keras/keras3-batch-norm.h5"
TRAINED = "Tests/Fixtures/tensorflow/frozen-training.pb"
CODE = {".py", ".md", ".npy", ".png", ".jpg", ".ppm", ".pgm", ".gz", ".csv", ".swift", ".metal", ".txt", ".cff"}
# The kinds of cases, in the order in which they are looked at, and what gives them.
KINDS = {"sample": "samples", "large": "large", "hostile": "hostile", "fixture": "fixtures"}


@dataclass
class Case:
    """A page: what makes it, and how thoroughly it is looked at."""
    name: str
    arguments: list[str]
    kind: str = "fixture"
    page: Path = Path()
    report: dict = field(default_factory=dict)
    text: str = ""

    @property
    def verb(self) -> str:
        return self.arguments[0]

    @property
    def is_thorough(self) -> bool:
        return self.kind != "fixture"


class Cases:
    """The commands, and their pages in a folder."""

    def __init__(self, netconv: str, root: Path, folder: Path):
        self.netconv, self.root, self.folder = netconv, root, folder
        folder.mkdir(parents=True, exist_ok=True)
        help_texts = {verb: self.run([verb, "--help"]).stdout for verb in ("inspect", "verify", "diff", "relate")}
        self.verbs = {verb for verb, text in help_texts.items() if "--html" in text}

    def run(self, arguments: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.netconv, *arguments], capture_output=True, text=True, cwd=self.root, timeout=600, check=False)

    def make(self, case: Case) -> str | None:
        """Writes the page of a case and reads its report; says why not, or nothing."""
        case.page = self.folder / "pages" / f"{case.name}.html"
        case.page.parent.mkdir(parents=True, exist_ok=True)
        case.page.unlink(missing_ok=True)
        # A page of `inspect` shows what only --stats has otherwise.
        more = ["--stats"] if case.verb == "inspect" else []
        bare = self.run([*case.arguments, *more, "--json"])
        if bare.returncode not in (0, 1) or not bare.stdout.startswith("{"):
            return f"no report: {bare.stderr.strip()[:200]}"
        case.report = json.loads(bare.stdout)
        done = self.run([*case.arguments, "--html", str(case.page)])
        case.text = done.stdout + done.stderr
        if done.returncode != bare.returncode:
            return f"status {done.returncode} with --html, {bare.returncode} with --json: {done.stderr.strip()[:200]}"
        if not case.page.exists():
            return f"no page: {done.stderr.strip()[:200]}"
        return None

    # What cases there are

    def chosen(self, kinds: list[str], part: str) -> list[Case]:
        """The cases of some kinds in whose names `part` is; inputs are made for these kinds alone."""
        found = [case for kind in kinds for case in getattr(self, KINDS[kind])()]
        return [case for case in found if part in case.name and case.verb in self.verbs]

    def samples(self) -> list[Case]:
        made = self.folder / "made"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        outputs = {}
        for name, source in (
            ("deep-mnist", "Samples/deep-mnist/deep-mnist.h5"), ("probe", "Samples/probe/probe.h5"),
            ("lenet", "Samples/lenet-blobs"),
        ):
            self.run(["convert", source, str(made / name), "--goldens", "2"])
            outputs[name] = str(made / name)
        wrong = self.damaged(made)
        not_judged = str(made / "lenet.safetensors")
        self.run([
            "convert", "Samples/pytorch-lenet/lenet.pt", not_judged, "--weights-only", "--target", "mlx", "--convention",
            "torch"])
        photos = str(write_photos(made / "photos"))
        commands = {
            "inspect-deep-mnist": ["inspect", "Samples/deep-mnist/deep-mnist.h5"],
            "inspect-deep-mnist-written": ["inspect", outputs["deep-mnist"]],
            "inspect-lenet": ["inspect", "Samples/lenet-blobs"],
            "inspect-probe": ["inspect", "Samples/probe/probe.h5"],
            "inspect-resnet": ["inspect", "Samples/pytorch-resnet/resnet.pt"],
            "inspect-damaged": ["inspect", wrong["notfinite"]],
            "verify-deep-mnist": ["verify", outputs["deep-mnist"], "--confusion"],
            "verify-lenet-sweep": ["verify", outputs["lenet"], "--limit", "500", "--sweep", "blur=0:4:0.5"],
            "verify-right": ["verify", outputs["deep-mnist"], "--against", "Samples/deep-mnist/deep-mnist.h5"],
            "verify-wrong": ["verify", wrong["transposed"], "--against", "Samples/deep-mnist/deep-mnist.h5"],
            "verify-reference": [
                "verify", "Samples/pytorch-lenet/lenet.pt", "--model", "Samples/pytorch-lenet/model.json", "--reference",
                "Samples/pytorch-lenet/activations.npz"],
            "verify-goldens": ["verify", outputs["lenet"], "--goldens"],
            "verify-goldens-float16": ["verify", outputs["deep-mnist"], "--goldens", "--precision", "float16"],
            "verify-named-classes": [
                "verify", "Samples/deep-mnist/deep-mnist.h5", "--images", photos, "--confusion"],
            "diff-same": ["diff", "Samples/deep-mnist/deep-mnist.h5", outputs["deep-mnist"]],
            "diff-transposed": ["diff", "Samples/deep-mnist/deep-mnist.h5", wrong["transposed"]],
            "relate-transposed": ["relate", "Samples/deep-mnist/deep-mnist.h5", wrong["transposed"]],
            "relate-two": ["relate", "Samples/lenet-blobs", "Samples/deep-mnist/deep-mnist.h5"],
            "relate-norm": ["relate", NORM, str(doubled(self.root / NORM, made / "doubled.h5"))],
            "relate-not-judged": ["relate", "Samples/pytorch-lenet/lenet.pt", not_judged, "--target", "mlx"],
            "relate-left-out": ["relate", TRAINED, TRAINED],
            "diff-left-out": ["diff", TRAINED, TRAINED],
            "verify-output": [
                "verify", "Tests/Fixtures/metrics/heads.h5", "--images", "Tests/Fixtures/metrics/heads-kind.npz", "--layer",
                "kind"],
            "verify-logit": [
                "verify", "Tests/Fixtures/metrics/logits.h5", "--images", "Tests/Fixtures/metrics/logits.npz"],
            "relate-written": ["relate", "Samples/deep-mnist/deep-mnist.h5", outputs["deep-mnist"]],
        }
        return [Case(name, arguments, "sample") for name, arguments in commands.items()]

    def damaged(self, folder: Path) -> dict[str, str]:
        """Deep MNIST with a kernel whose first two axes are exchanged, and with values that are not finite."""
        source = self.root / "Samples/deep-mnist/deep-mnist.h5"
        return {kind: str(damage(source, folder / f"deep-mnist-{kind}.h5", kind)) for kind in ("transposed", "notfinite")}

    def large(self) -> list[Case]:
        models = self.folder / "models"
        models.mkdir(exist_ok=True)
        paths = large_models(self.root, models)
        cases = [Case(f"inspect-{path.stem}", ["inspect", str(path)], "large") for path in paths]
        pair = [str(path) for path in paths if path.stem in ("densenet201", "resnet1001")]
        cases.append(Case("diff-large", ["diff", *pair], "large"))
        cases.append(Case("relate-large", ["relate", pair[0], pair[0]], "large"))
        return cases

    def hostile(self) -> list[Case]:
        inputs = {name: str(path) for name, path in hostile_inputs(self.folder / "hostile", self.netconv).items()}
        commands = {
            "model": ["inspect", inputs["model"]], "weights": ["inspect", inputs["weights"]],
            "written": ["inspect", inputs.get("written", inputs["model"])],
            "classes": ["verify", inputs["classes"], "--images", inputs["pictures"], "--confusion"],
            "compared": ["verify", inputs["model"], "--against", inputs["other"]],
            "diff": ["diff", inputs["model"], inputs["other"]], "relate": ["relate", inputs["model"], inputs["other"]],
            "relate-weights": ["relate", inputs["model"], inputs["weights"]],
        }
        return [Case(f"hostile-{name}", arguments, "hostile") for name, arguments in commands.items()]

    def fixtures(self) -> list[Case]:
        """Each file and each converted folder among the fixtures that netconv can inspect, and pairs of the same model."""
        cases = []
        fixtures = self.root / "Tests/Fixtures"
        for path in sorted([*fixtures.rglob("*"), *(self.root / "Samples").rglob("*")]):
            parts = set(path.relative_to(self.root).parts)
            if parts & LEFT_OUT or (path.is_file() and (path.suffix in CODE or path.suffix == ".npz")):
                continue
            if path.is_dir() and not ((path / "manifest.json").exists() or (path / "model.json").exists()):
                continue
            # What belongs to a converted folder, or to a description of loose arrays.
            if (path.parent / "manifest.json").exists() or (path.suffix in (".bin", ".json") and (path.parent / "model.json").exists()):
                continue
            name = "-".join(path.relative_to(self.root).parts).replace(" ", "_")
            cases.append(Case(f"inspect-{name}", ["inspect", str(path.relative_to(self.root))]))
        for second in sorted((fixtures / "keras").glob("keras3-*.h5")):
            first = second.with_name(second.name.replace("keras3-", "keras2-"))
            if not first.exists():
                continue
            pair = [str(path.relative_to(self.root)) for path in (first, second)]
            for verb in ("diff", "relate"):
                cases.append(Case(f"{verb}-{second.stem}", [verb, *pair]))
            cases.append(Case(f"verify-{second.stem}", ["verify", pair[1], "--against", pair[0]]))
        return cases


def write_photos(folder: Path) -> Path:
    """Pictures in a folder for each of ten classes, whose names are in no order that numbers have."""
    names = ["walrus", "badger", "heron", "newt", "ibex", "otter", "lynx", "crane", "tapir", "moth"]
    for index, name in enumerate(names):
        (folder / name).mkdir(parents=True)
        for number in range(2):
            values = np.random.default_rng(10 * index + number).integers(0, 256, (28, 28), dtype=np.uint8)
            (folder / name / f"{number}.pgm").write_bytes(b"P5\n28 28\n255\n" + values.tobytes())
    return folder


def doubled(source: Path, path: Path) -> Path:
    """A copy of a Keras model with twice the gamma of its first normalisation."""
    shutil.copy(source, path)
    with h5py.File(path, "r+") as file:
        scales: list[str] = []
        file.visititems(lambda key, item: scales.append(key) if isinstance(item, h5py.Dataset) and "gamma" in key else None)
        file[scales[0]][...] = 2 * file[scales[0]][()]
    return path


def damage(source: Path, path: Path, kind: str) -> Path:
    """A copy of a Keras model whose last kernel of a convolution is damaged."""
    shutil.copy(source, path)
    with h5py.File(path, "r+") as file:
        kernels: list[str] = []
        file.visititems(lambda key, item: kernels.append(key) if isinstance(item, h5py.Dataset) and item.ndim == 4 else None)
        values = file[kernels[-1]][()]
        if kind == "transposed":
            file[kernels[-1]][...] = np.swapaxes(values, 0, 1)
        else:
            values.flat[7], values.flat[8], values.flat[99] = np.nan, np.inf, -np.inf
            file[kernels[-1]][...] = values
    return path
