"""Networks that netconv writes as TensorFlow Lite, through its interpreter, against `netconv run`.

    written.py NETCONV [--pattern GLOB] [--reasons N] [--list] [SOURCE ...]

Every fixture and sample that netconv runs is converted. Three samples of numbers from -1 to 2, or of numbers of tokens, go
through both programs, in the interpreter by its reference kernels and by its default ones. What is refused is counted by its
reason. The file is then read again by netconv, its outputs compared once more, and written again: that must give the same
file from then on. Exits with 1 if a value is wrong, or a file is not sound.
"""
import argparse
import collections
import multiprocessing
import os
import pathlib
import sys
import tempfile
import warnings

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
warnings.filterwarnings("ignore")
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "onnx"))
import networks  # noqa: E402
from networks import compare, reason  # noqa: E402

RESOLVERS = {
    "reference kernels": tf.lite.experimental.OpResolverType.BUILTIN_REF,
    "default kernels": tf.lite.experimental.OpResolverType.BUILTIN,
}


def interpreted(path, feeds, resolver, pipe):
    """Sends the outputs of a file by name, run twice: nothing may stay from one run to the next."""
    try:
        interpreter = tf.lite.Interpreter(str(path), experimental_op_resolver_type=resolver)
    except ValueError as error:
        # Not all builtin operators have a reference kernel.
        pipe.send(None if "Didn't find op" in str(error) else str(error)[-300:])
        return
    inputs = {detail["name"]: detail["index"] for detail in interpreter.get_input_details()}
    for name, index in inputs.items():
        interpreter.resize_tensor_input(index, feeds[name].shape)
    interpreter.allocate_tensors()
    found = []
    for _ in range(2):
        for name, index in inputs.items():
            interpreter.set_tensor(index, feeds[name])
        interpreter.invoke()
        found.append({detail["name"]: interpreter.get_tensor(detail["index"])
                      for detail in interpreter.get_output_details()})
    same = all(np.array_equal(found[0][name], found[1][name], equal_nan=True) for name in found[0])
    pipe.send(found[0] if same else "a second run gives other values")


def run(path, feeds, resolver):
    """The outputs of a file by name, or an error; a kernel that crashes takes only a child with it."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=interpreted, args=(path, feeds, resolver, theirs))
    child.start()
    theirs.close()
    try:
        found = ours.recv()
    except EOFError:
        found = "the interpreter fails"
    child.join()
    return found


def in_order(found, expected):
    """The outputs with the names that are expected: netconv names layers after the last part of a name with slashes."""
    # A value that is given twice is numbered the second time, and once in a graph.
    if set(found) == set(expected) or len(found) != len(expected):
        return found
    return dict(zip(expected, found.values()))


class Checked(networks.Checked):
    """One source, and what becomes of it as TensorFlow Lite."""

    def result(self):
        """`equal`, `refused` or `WRONG`, with a reason; `None` if netconv does not run the source."""
        archive, path = self.folder / "model.netpack", self.folder / "written.tflite"
        known = self.expected(archive)
        if known is None:
            return None
        feeds, expected = known
        result = self.call("convert", self.source, path, "--force", "--quiet")
        if result.returncode == 65:
            return "refused", "refused: " + reason(result.stderr)
        if result.returncode:
            return "WRONG", f"exit code {result.returncode}: {result.stderr[:300]}"
        for program, resolver in RESOLVERS.items():
            found = run(path, feeds, resolver)
            if found is None and program == "reference kernels":
                continue
            if not isinstance(found, dict):
                return "WRONG", f"{found} ({program})"
            wrong = compare(found, expected, program, False)
            if wrong:
                return wrong
        wrong = self.half(feeds)
        return wrong or self.read_again(path, feeds, expected, found)

    def half(self, feeds):
        """`WRONG` if the file with float16 kernels does not compute what netconv does with the same kernels."""
        archive, path = self.folder / "half.netpack", self.folder / "half.tflite"
        for destination, target in ((archive, "mps"), (path, "tflite")):
            arguments = ("--dtype", "float16", "--target", target, "--no-strict")
            if self.call("convert", self.source, destination, "--force", "--quiet", *arguments).returncode:
                return None  # Values that float16 cannot hold.
        expected, found = self.run(archive, feeds), run(path, feeds, RESOLVERS["default kernels"])
        if not isinstance(expected, dict) or not isinstance(found, dict):
            return "WRONG", f"float16 does not run: {expected if isinstance(expected, str) else found}"
        return compare(found, expected, "default kernels, float16", False)

    def read_again(self, path, feeds, expected, found):
        again = self.run(path, feeds)
        if isinstance(again, str):
            return "equal", "not read again: " + reason(again)
        wrong = compare(in_order(again, found), expected, "netconv, which read it again", False)
        if wrong:
            return wrong
        # A network is called like its file. Names with slashes lose one part at a time.
        written = [path]
        while len(written) < 6 and (len(written) < 3 or written[-1].read_bytes() != written[-2].read_bytes()):
            source, destination = written[-1], self.folder / f"written-{len(written)}" / path.name
            destination.parent.mkdir(exist_ok=True)
            written.append(destination)
            result = self.call("convert", source, destination, "--force", "--quiet")
            if result.returncode:
                return "equal", "not written again: " + reason(result.stderr)
        if written[-1].read_bytes() != written[-2].read_bytes():
            return "equal", "read again, but each time that it is written again, names differ"
        same = "the same file" if path.read_bytes() == written[1].read_bytes() else "another file"
        differing = self.call("diff", self.source, path)
        return "equal", f"read again ({same}), diff gives {differing.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=pathlib.Path)
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    parser.add_argument("--pattern", default="*")
    parser.add_argument("--reasons", type=int, default=30)
    parser.add_argument("--list", action="store_true", help="name the sources with each result")
    arguments = parser.parse_args()
    counts, reasons = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for source in arguments.sources or networks.sources():
            if not source.match(arguments.pattern):
                continue
            result = Checked(arguments.netconv.resolve(), source, pathlib.Path(folder)).result()
            if result is None:
                counts["not run by netconv"] += 1
                continue
            counts[result[0]] += 1
            if result[0] == "WRONG" or arguments.list:
                print(f"{source}: {result[0]}, {result[1]}", flush=True)
            if result[0] != "WRONG":
                reasons[result[1]] += 1
    for text, count in reasons.most_common(arguments.reasons):
        print(f"{count:4} {text}")
    print(", ".join(f"{count} {result}" for result, count in counts.most_common()))
    sys.exit(1 if counts["WRONG"] else 0)


if __name__ == "__main__":
    main()
