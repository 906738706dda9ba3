"""How often `netconv verify --find-preparation` names the preparation that a network needs.

For each network and each preparation, images are written such that this preparation, and no other, gives the pixels
that the network was trained with: for the 8 networks of make_networks.py 12 preparations, for the two samples, whose
images are gray, the 9 that differ.

    python3 bench.py NETCONV MODELS FOLDER

MODELS is a folder with what make_networks.py writes; the two samples are found beside this script.
"""

import gzip
import json
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "Tests/Fixtures/preparation"))
from make_networks import MEANS, NATIVE, UNIT_DEVIATIONS, UNIT_MEANS

SAMPLES = ROOT / "Samples"
NATIVES = dict(conv="unit", vector="unit", deep="unit", bytes="bytes", signed="signed", residual="signed", torch="torch",
               caffe="caffe")

# From what a network takes, of any range, back to images of up to 255: what undoes a preparation.
SCALES = {
    "as they are": lambda y: y,
    "1/255": lambda y: y * 255,
    "1/127.5 - 1": lambda y: (y + 1) * 127.5,
    "means": lambda y: y + MEANS,
    "means and deviations": lambda y: (y * UNIT_DEVIATIONS + UNIT_MEANS) * 255,
    "means, BGR": lambda y: y + MEANS[::-1],
    "means and deviations, BGR": lambda y: (y * UNIT_DEVIATIONS[::-1] + UNIT_MEANS[::-1]) * 255,
}
ORDERS = {
    "": lambda y: y,
    "inverted": lambda y: 255 - y,
    "transposed": lambda y: y.swapaxes(1, 2),
    "BGR": lambda y: y[..., ::-1],
}
COLORED = [
    ("as they are", ""), ("1/255", ""), ("1/127.5 - 1", ""), ("means", ""), ("means and deviations", ""),
    ("means, BGR", "BGR"), ("means and deviations, BGR", "BGR"), ("1/255", "BGR"),
    ("1/255", "inverted"), ("1/127.5 - 1", "inverted"), ("1/255", "transposed"),
    ("means and deviations", "transposed"),
]
GRAY = [(s, o) for o in ("", "inverted", "transposed") for s in ("as they are", "1/255", "1/127.5 - 1")]


def words(scale, order, is_first):
    """What netconv calls it, for images of up to 255."""
    means = ", ".join(f"{m:.15g}" for m in (MEANS[::-1] if "BGR" in scale else MEANS))
    units = ", ".join(f"{m:.15g}" for m in (UNIT_MEANS[::-1] if "BGR" in scale else UNIT_MEANS))
    deviations = ", ".join(
        f"{m:.15g}" for m in (UNIT_DEVIATIONS[::-1] if "BGR" in scale else UNIT_DEVIATIONS))
    numbers = {
        "as they are": [], "1/255": ["multiplied by 1/255"], "1/127.5 - 1": ["multiplied by 1/127.5", "minus 1"],
        "means": [f"minus the means {means}"],
        "means and deviations": ["multiplied by 1/255", f"minus the means {units}", f"divided by the deviations {deviations}"],
    }[scale.replace(", BGR", "")]
    orders = {"": [], "inverted": ["subtracted from 255"], "transposed": ["height and width swapped"], "BGR": ["channels as BGR"]}
    first = ["channels moved to the front"] if is_first else []
    return ", ".join(first + orders[order] + numbers) or "as they are"


def idx(path):
    data = gzip.open(path).read()
    sizes = [int.from_bytes(data[4 + 4 * i : 8 + 4 * i], "big") for i in range(data[3])]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(sizes)


def main(program, models, folder):
    digits = idx(SAMPLES / "mnist/t10k-images-idx3-ubyte.gz")[:600]
    figures = idx(SAMPLES / "mnist/t10k-labels-idx1-ubyte.gz")[:600]
    networks = [("LeNet", SAMPLES / "lenet-blobs", digits, figures, "unit"),
                ("Deep MNIST", SAMPLES / "deep-mnist/deep-mnist.h5", digits, figures, "unit")]
    networks += [(kind, f"{models}/{kind}.h5", np.load(f"{models}/{kind}-images.npy"),
                  np.load(f"{models}/{kind}-labels.npy"), native) for kind, native in NATIVES.items()]
    totals = dict(named=0, alike=0, none=0, wrong=0)
    for name, model, images, labels, native in networks:
        is_gray = images.ndim == 3
        wanted = NATIVE[native](images.astype(np.float64))
        line = dict(named=0, alike=0, none=0, wrong=0)
        for index in range(12):
            # Gray images have nine preparations that differ; a vector has the channels in front instead of some.
            if is_gray and index >= len(GRAY):
                continue
            scale, order = (GRAY if is_gray else COLORED)[index]
            is_first = name == "vector" and index in (8, 9)
            if is_first:
                order = ""
                # Its pixels are those of (channels, height, width) behind one another.
                rows = wanted.reshape(len(wanted), 3, *images.shape[1:3])
                source = SCALES[scale](np.moveaxis(rows, 1, -1))
            else:
                source = ORDERS[order](SCALES[scale](wanted))
            np.save(f"{folder}/x.npy", source.astype(np.float32))
            np.save(f"{folder}/y.npy", labels)
            run = subprocess.run(
                [program, "verify", model, "--images", f"{folder}/x.npy", "--labels", f"{folder}/y.npy",
                 "--find-preparation", "--json"], capture_output=True, text=True)
            if run.returncode:
                sys.exit(f"{name}: {run.stderr}")
            report = json.loads(run.stdout)["preparation"]
            expected = words(scale, order, is_first)
            if source.max() <= 1.5:
                expected = expected.replace("subtracted from 255", "subtracted from 1")
            found = report.get("found")
            names = [found["text"]] + found["equals"] if found else report["alike"]
            verdict = ("named" if expected in names else "wrong") if found else (
                "alike" if expected in names else "wrong" if names else "none")
            line[verdict] += 1
            if verdict != "named":
                best = ", ".join(f"{r['text']} {r['accuracy']:.3f}" for r in report["tried"][:3])
                print(f"    {name}, {expected}: {verdict}; {names} {best}", flush=True)
        print(f"| {name} | {sum(line.values())} | {line['named']} | {line['alike']} | {line['none']} | {line['wrong']} |", flush=True)
        for key in totals:
            totals[key] += line[key]
    print(totals)


if __name__ == "__main__":
    main(*sys.argv[1:])
