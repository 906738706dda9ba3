"""Names that try to be more than text: markup, addresses, code, invisible characters."""
import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np

from architectures import Network

NAMES = [
    "</script><script>window.intruder=1</script>",
    "\"><img src=x onerror=\"window.intruder=2\">",
    "'><svg onload=window.intruder=3>",
    "javascript:window.intruder=4",
    "<!--<script>",
    "]]></style><style>*{display:none}</style>",
    "&lt;b&gt; &amp; &#60;i&#62;",
    "\u202egnp.exe\u202c",
    "zero\u200bwidth\ufeff",
    "quote\"and'and`and\\",
    "two\nlines\tand\rmore",
    "line\u2028and\u2029paragraph",
    "${window.intruder=5}",
    "{{constructor.constructor('window.intruder=6')()}}",
    "__proto__",
    "constructor",
    "toString",
    "<a href=javascript:window.intruder=7>here</a>",
    "x" * 300,
    "\U0001f9e0\U0001f469\u200d\U0001f52c e\u0301",
]


def network(names: list[str], seed: int = 5) -> Network:
    """A convolution for each name; every second one is skipped by a longer edge."""
    made = Network(names[0] + " model", seed)
    x = made.input(names[1] + " input", 8, 3)
    for index, name in enumerate(names):
        y = made.convolution(name, x, 3, 3)
        x = made.merge(name + " sum", [x, y]) if index % 2 else y
    return made


def write_safetensors(path: Path, names: list[str]) -> Path:
    """A file of weights alone, whose tensors have these names."""
    header, parts, start = {"__metadata__": {"format": "pt", names[0]: names[1]}}, [], 0
    for index, name in enumerate(names):
        values = np.arange(12, dtype=np.float32).reshape(3, 4) * (index + 1)
        header[name] = {"dtype": "F32", "shape": [3, 4], "data_offsets": [start, start + values.nbytes]}
        parts.append(values.tobytes())
        start += values.nbytes
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))
    return path


def write_pictures(folder: Path, names: list[str]) -> Path:
    """A class for each name, and a picture of that name in it; names of folders have no slash and 255 bytes."""
    usable = [name.replace("/", "\u2215")[:80] for name in names]
    for index, name in enumerate(usable):
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        values = np.random.default_rng(index).integers(0, 256, (8, 8, 3), dtype=np.uint8)
        (place / f"{usable[-1 - index]}.ppm").write_bytes(b"P6\n8 8\n255\n" + values.tobytes())
    return folder


def hostile_inputs(folder: Path, netconv: str) -> dict[str, Path]:
    """What the pages are made of: models, weights, pictures, and folders whose own names are such."""
    place = folder / "<img src=x onerror=window.intruder=8>"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    model = network(NAMES).write(place / "a\"><svg onload=window.intruder=9>.h5")
    other = network(NAMES, seed=6).write(place / "b.h5")
    classifier = network(NAMES[:6], seed=7)
    classifier.classifier(classifier.layers[-1]["name"], len(NAMES))
    classes = classifier.write(place / "classes.h5")
    found = {
        "model": model, "other": other, "classes": classes,
        "weights": write_safetensors(place / "weights.safetensors", NAMES),
        "pictures": write_pictures(place / "pictures", NAMES),
    }
    written = place / "out"
    done = subprocess.run([netconv, "convert", str(model), str(written)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        found["written"] = written
    return found
