#!/usr/bin/env python3
"""What netconv makes of every fixture, as one digest per line, to compare two states of its sources.

Usage: digests.py NETCONV REPO_ROOT [emit] > FILE

Run it before a change that must change no output, and after it; `diff` shows what changed. Each line is the SHA-256 of
an exit code with what was printed, or of a file that was written, and the command. Speeds are masked. With `emit` there
are lines of that verb alone.
"""
import hashlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TARGETS = ["mps", "mpsgraph", "mlx", "torch", "tensorflow", "onnx", "tflite", "bnns", "coreml", "ncnn", "rtneural", "source"]
SPEEDS = re.compile(rb'("(?:imagesPerSecond|seconds|samplesPerSecond)": )[\d.e+-]+|[\d,]+ (?:images|samples)/s')


class Digests:
    def __init__(self, netconv: Path, root: Path, scratch: Path) -> None:
        self.netconv, self.root, self.scratch = netconv, root, scratch

    def line(self, data: bytes, name: str) -> str:
        data = data.replace(str(self.scratch).encode(), b"SCRATCH").replace(str(self.root).encode(), b"ROOT")
        digest = hashlib.sha256(SPEEDS.sub(rb"\1~", data)).hexdigest()
        return f"{digest[:32]}  {name}"

    def run(self, *arguments: str) -> tuple[bytes, str]:
        result = subprocess.run([self.netconv, *arguments], cwd=self.root, capture_output=True, timeout=600)
        name = " ".join(arguments).replace(str(self.scratch), "SCRATCH")
        return b"%d\n%b\n%b" % (result.returncode, result.stdout, result.stderr), name

    def printed(self, *arguments: str) -> list[str]:
        return [self.line(*self.run(*arguments))]

    def written(self, folder: Path, *arguments: str) -> list[str]:
        """What a command prints, and every file in the folder that it makes."""
        data, name = self.run(*arguments)
        lines = [self.line(data, name)]
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            lines.append(self.line(path.read_bytes(), f"{name}: {path.relative_to(folder)}"))
        return lines

    def of(self, source: str) -> list[str]:
        place = self.place(source)
        lines = self.printed("inspect", source, "--json") + self.printed("inspect", source, "--tensors", "--stats")
        for target in TARGETS:
            out = place / target
            lines += self.written(out, "convert", source, str(out), "--target", target, "--no-strict",
                                  "--formats", "bin,archive,safetensors,npz")
        out = place / "folded"
        lines += self.written(out, "convert", source, str(out), "--fold-batch-norm", "--goldens", "2", "--json")
        lines += self.printed("diff", source, str(out), "--json")
        out = place / "int8"
        lines += self.written(out, "convert", source, str(out), "--target", "source", "--dtype", "int8", "--goldens", "2")
        lines += self.printed("verify", str(place / "mps"), "--against", source, "--json", "--limit", "50")
        lines += self.printed("convert", source, str(place / "half"), "--dtype", "float16", "--dry-run")
        lines += self.written(place / "weights", "convert", source, str(place / "weights"), "--weights-only")
        return lines + self.emitted(source, place)

    def of_code(self, source: str) -> list[str]:
        return self.emitted(source, self.place(source))

    def place(self, source: str) -> Path:
        """A new folder for what is made of a source; its name is the same in each run, for what is printed."""
        place = self.scratch / re.sub(r"\W", "-", source)
        place.mkdir()
        return place

    def emitted(self, source: str, place: Path) -> list[str]:
        """The source text of a model in every language."""
        lines = self.printed("emit", source, "--language", "dsl")
        for language in ["mpscnn", "mpsgraph"]:
            for precision in ["float16", "float32"]:
                out = place / f"{language}-{precision}"
                lines += self.written(out, "emit", source, "--language", language, "--name", "Net", "--output", str(out),
                                      "--precision", precision)
        return lines


def main(netconv: str, root: str, verb: str = "") -> None:
    if verb not in ("", "emit"):
        sys.exit("digests.py: there are digests of everything, or of emit")
    root = Path(root).resolve()
    fixtures = [path for folder, pattern in [
        ("Tests/Fixtures/keras", "*.h5"), ("Tests/Fixtures/keras", "*.keras"), ("Tests/Fixtures/preparation", "*.h5"),
    ] for path in (root / folder).glob(pattern)]
    fixtures += [path.parent for folder in ("Tests/Fixtures", "Samples") for path in (root / folder).rglob("model.json")]
    fixtures.append(root / "Samples/deep-mnist/deep-mnist.h5")
    sources = sorted({str(path.relative_to(root)) for path in fixtures})
    with tempfile.TemporaryDirectory() as scratch:
        digests = Digests(Path(netconv).resolve(), root, Path(scratch))
        out = Path(scratch) / "probe"
        for line in [] if verb else digests.written(out, "probe", str(out)):
            print(line)
        with ThreadPoolExecutor(2) as pool:
            for lines in pool.map(digests.of_code if verb else digests.of, sources):
                print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
