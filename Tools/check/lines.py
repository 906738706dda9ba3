"""Lines of code of each module, without comments and blank lines: make lines

    lines.py ROOT [--against COMMIT]

With a commit, its lines stand beside those of now.
"""
import argparse
import collections
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "words"))
from swift_text import tokens  # noqa: E402


def code_lines(text: str) -> int:
    """The number of lines that have code, or are within a literal."""
    lines = set()
    for kind, line, content in tokens(text):
        if kind != "comment":
            lines.update(range(line, line + 1 + (content.count("\n") if kind == "literal" else 0)))
    return len(lines)


def git(root: pathlib.Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True, text=True).stdout


def modules(root: pathlib.Path, commit: str | None) -> collections.Counter:
    """Lines by module, of the files of a commit or of the work tree."""
    listing = ["ls-tree", "-r", "--name-only", commit] if commit else ["ls-files"]
    counts = collections.Counter()
    for path in git(root, *listing, "Sources").splitlines():
        if path.endswith(".swift"):
            text = git(root, "show", f"{commit}:{path}") if commit else (root / path).read_text()
            counts[path.split("/")[1]] += code_lines(text)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--against", metavar="COMMIT")
    arguments = parser.parse_args()
    now = modules(arguments.root, None)
    before = modules(arguments.root, arguments.against) if arguments.against else None
    for name in sorted(now | (before or {})) + ["total"]:
        row = [now.total() if name == "total" else now[name]]
        if before is not None:
            row.append(row[0] - (before.total() if name == "total" else before[name]))
        print(f"{name:20}" + f"{row[0]:>8}" + "".join(f"{change:+8}" for change in row[1:]))


if __name__ == "__main__":
    main()
