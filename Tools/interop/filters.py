"""Steps of preprocessing on random pictures, against scipy, Pillow and TensorFlow."""
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np

COUNT = 60
# A thousandth of the range of pixels; float32 rounds each of up to a few dozen sums.
TOLERANCE = 1e-3
METHODS = ("nearest", "bilinear", "area", "bicubic")


def load_oracles(root: Path):
    path = root / "Tests/Fixtures/filters/oracles.py"
    spec = importlib.util.spec_from_file_location("oracles", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["oracles"] = module
    spec.loader.exec_module(module)
    return module


def lies_between(size: int, result: int) -> bool:
    """Whether the middle of a pixel of the result is on the border of two of the picture."""
    return any((2 * place + 1) * size % (2 * result) == 0 for place in range(result))


def random_step(random, x, oracles, has_tensorflow):
    """A step as model.json has it, and what becomes of a picture."""
    height, width, _ = x.shape
    match random.integers(5 if has_tensorflow else 4):
        case 0:
            factor = float(random.uniform(0, 2))
            return {"step": "saturation", "value": factor}, oracles.saturation(x, factor)
        case 1:
            radius, sigma = float(random.uniform(0.1, 12)), float(random.uniform(0.3, 6))
            return ({"step": "blur", "value": radius, "sigma": sigma}, oracles.gaussian(x, radius, sigma))
        case 2:
            radius = int(random.integers(0, 12))
            return {"step": "boxBlur", "value": radius}, oracles.box(x, radius)
        case 3:
            size, method = random.integers(1, 2 * max(x.shape), 2), METHODS[random.integers(4)]
            # Half-way between two pixels, Pillow takes the one that its own rounding errors lead to.
            while method == "nearest" and (lies_between(x.shape[1], size[0]) or lies_between(x.shape[0], size[1])):
                size = random.integers(1, 2 * max(x.shape), 2)
            width, height = map(int, size)
            return ({"step": "resize", "width": width, "height": height, "method": method, "antialias": True},
                    oracles.pillow(x, width, height, method))
        case _:
            size, method = random.integers(1, 2 * max(x.shape), 2), METHODS[random.integers(4)]
            width, height = map(int, size)
            return ({"step": "resize", "width": width, "height": height, "method": method},
                    oracles.tensorflow(x, width, height, method))


def check(checks, folder: Path) -> None:
    """Runs a network that gives what it is fed; `checks` is the run of interop.py."""
    oracles = load_oracles(checks.root)
    has_tensorflow = importlib.util.find_spec("tensorflow") is not None
    random = np.random.default_rng(20)
    model = folder / "model"
    model.mkdir(parents=True, exist_ok=True)
    worst, wrong = 0.0, []
    for _ in range(COUNT):
        x = random.integers(0, 256, (*random.integers(1, 60, 2), 3)).astype(np.uint8)
        step, expected = random_step(random, x.astype(np.float64), oracles, has_tensorflow)
        document = {
            "format": "netconv-model", "version": 1, "name": "m", "outputs": ["y"],
            "inputs": [{"name": "x", "shape": list(expected.shape), "preprocessing": [step]}],
            "layers": [{"name": "y", "operator": "Flatten", "inputs": ["x"]}]}
        (model / "model.json").write_text(json.dumps(document))
        np.save(folder / "x.npy", x[None])
        result = checks.run("run", model, "--input", folder / "x.npy", "--output", folder / "y.npz", "--force")
        if result.returncode != 0:
            wrong.append(f"{step}: {result.stderr.strip()}"[:200])
            continue
        found = np.load(folder / "y.npz")["y"].reshape(expected.shape)
        difference = float(np.abs(found - expected).max())
        worst = max(worst, difference)
        if not difference <= TOLERANCE:
            wrong.append(f"{step} of {x.shape}: {difference}")
    checks.check(f"{COUNT} random pictures after steps, against scipy, Pillow and TensorFlow (at most {worst:.1e} of "
                 "255 apart)", not wrong, "; ".join(wrong[:3]))
