"""Networks that netconv writes as Core ML packages, as coremltools reads and computes them, against `netconv run`.

    written.py NETCONV [--pattern GLOB] [--reasons N] [--list] [SOURCE ...]

Every fixture and sample that netconv runs is converted. coremltools loads each package with its types and weights, and
computes three samples of numbers from -1 to 2, or of numbers of tokens. What is refused is counted by its reason. The
package is then read again by netconv, and its outputs compared once more. Exits with 1 if a value is wrong, or a package
is not sound.
"""
import argparse
import collections
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "onnx"))
import evaluated  # noqa: E402
import networks  # noqa: E402
from networks import reason  # noqa: E402


def identifier(name):
    """A name as it is in a program; the number of a repeated value is part of it."""
    text = re.sub("[^A-Za-z0-9_]", "_", name)
    return "_" + text if text[:1].isdigit() else text


def compare(found, expected, program):
    """`WRONG` with a reason; `None` if the values are equal."""
    # A value that is given twice is numbered the second time, and once in a graph.
    own = {identifier(name): values for name, values in expected.items()
           if identifier(name) in found or identifier(re.sub(r":\d+$", "", name)) not in found}
    return networks.compare(found, own, program, False)


class Checked(networks.Checked):
    """One source, and what becomes of it as a package."""

    def result(self):
        """`equal`, `refused` or `WRONG`, with a reason; `None` if netconv does not run the source."""
        archive, path = self.folder / "model.netpack", self.folder / "written.mlpackage"
        known = self.expected(archive)
        if known is None:
            return None
        feeds, expected = known
        named = {identifier(name): value for name, value in feeds.items()}
        result = self.call("convert", self.source, path, "--force", "--quiet")
        if result.returncode == 65:
            return "refused", "refused: " + reason(result.stderr)
        if result.returncode:
            return "WRONG", f"exit code {result.returncode}: {result.stderr[:300]}"
        wrong = self.evaluated(path, named, expected, "coremltools")
        return wrong or self.half(named) or self.read_again(path, named, expected)

    def evaluated(self, path, feeds, expected, program):
        """`WRONG` unless coremltools accepts a package and computes the same."""
        try:
            evaluated.accepted(path)
            found = evaluated.evaluated(path, feeds)
        except Exception as error:
            return "WRONG", f"{type(error).__name__}: {str(error)[:300]} ({program})"
        return compare(found, expected, program)

    def half(self, feeds):
        """`WRONG` if the package with float16 kernels does not compute what netconv does with the same kernels."""
        archive, path = self.folder / "half.netpack", self.folder / "half.mlpackage"
        for destination, target in ((archive, "mps"), (path, "coreml")):
            arguments = ("--dtype", "float16", "--target", target, "--no-strict")
            if self.call("convert", self.source, destination, "--force", "--quiet", *arguments).returncode:
                return None  # Values that float16 cannot hold.
        expected = self.run(archive, dict(zip(self.names, feeds.values())))
        if isinstance(expected, str):
            return "WRONG", f"float16 does not run: {expected}"
        return self.evaluated(path, feeds, expected, "coremltools, float16")

    @property
    def names(self):
        return [name for name, _ in self.inputs()]

    def read_again(self, path, feeds, expected):
        again = self.run(path, feeds)
        if isinstance(again, str):
            return "equal", "not read again: " + reason(again)
        # An output is called after the last layer, which may be a transposition.
        names = [identifier(name) for name in expected]
        if len(again) == len(names):
            again = dict(zip(names, again.values()))
        return compare(again, expected, "netconv, which read it again") or ("equal", "read again")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=pathlib.Path)
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    parser.add_argument("--pattern", default="*")
    parser.add_argument("--reasons", type=int, default=40)
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
