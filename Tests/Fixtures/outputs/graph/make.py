"""What netconv wrote before its graph had constants, several outputs of a layer and named sizes: later states read it.

Usage: make.py NETCONV, with the netconv of that time, in an environment with numpy. Of each source NAME there are
NAME.netpack, with goldens, and NAME.npz: what was fed, and what every layer made of it, for `--reference`.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).parent
FIXTURES = HERE.parent.parent
# A source, the arrays that are fed, and the shapes of inputs whose sizes are open.
SOURCES = [
    ("keras/keras2-recurrent-states.h5", {}),  # a layer for each output of an LSTM and of a GRU
    ("keras/keras2-first-flattened.h5", {}),  # channels first, and kernels behind a flatten
    ("keras/keras2-open-length.h5", {"steps": (2, 7, 3)}),  # sequences of any length
    ("tensorflow/graph-channel-scale.pb", {}),  # an addition that is a BatchNormalization
]


def main():
    netconv = sys.argv[1]
    for source, shapes in SOURCES:
        path = FIXTURES / source
        output = HERE / (path.stem + ".netpack")
        output.unlink(missing_ok=True)
        network = json.loads(subprocess.check_output([netconv, "inspect", path, "--json"]))
        random = numpy.random.default_rng(len(source))
        fed = {}
        for place in network["inputs"]:
            shape = shapes.get(place["name"]) or (2, *place["shape"])
            fed[place["name"]] = random.uniform(-1, 1, shape).astype(numpy.float32)
        with tempfile.TemporaryDirectory() as folder:
            inputs, outputs = f"{folder}/in.npz", f"{folder}/out.npz"
            numpy.savez(inputs, **fed)
            subprocess.check_call([netconv, "convert", path, output, "--golden-inputs", inputs, "--goldens", "2", "--quiet"])
            layers = [word for layer in network["layers"] for word in ("--layer", layer["name"])]
            subprocess.check_call([netconv, "run", output, "--input", inputs, "--output", outputs, *layers, "--quiet"])
            with numpy.load(outputs) as made:
                numpy.savez_compressed(HERE / (path.stem + ".npz"), **fed, **made)


if __name__ == "__main__":
    main()
