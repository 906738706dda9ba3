#!/usr/bin/env python3
"""Runs the code of README.md and of the pages in Docs, and compares what it prints with what they show.

Usage: documentation.py NETCONV_BINARY REPO_ROOT [--write] [--only shell|python]

Blocks that begin with `$` or `netconv` are run by bash, those of Python by this Python; Swift is compiled by `make test`
(DocumentationTests). The blocks of a page are run in one folder, from top to bottom. `--write` puts what was printed
in the place of what the page shows. A comment in front of a block, which nobody sees when the page is rendered, says:

    <!-- not run: WHY -->       the block is not run
    <!-- run by: WHAT -->       something else runs it
    <!-- excerpt of: FILE -->   the block's lines stand in the file that a block before it has written
    <!-- written to: FILE -->   the block is the text of a file, which blocks behind it use
    <!-- setup: LINES -->       what bash does first
    <!-- before: LINES -->      code in front of the block's, in its language
    <!-- after: LINES -->       code behind it
    <!-- varies: PATTERN -->    what may differ from one computer to the next

What may differ everywhere: images a second, and distances below 0.0001, which are errors of rounding.
"""
import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

KEYS = ["not run", "run by", "excerpt of", "written to", "setup", "before", "after", "varies"]
MASKS = [r"[\d,]+ (?:images|samples)/s", r"\b\d\.?\d*e-(?:0?[5-9]|[1-9]\d)\b"]


@dataclass
class Block:
    page: str
    line: int  # The first line of the code, from 0.
    language: str  # Empty for what is indented.
    lines: list[str]
    remarks: dict[str, list[str]] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line + 1}"

    @property
    def kind(self) -> str:
        if self.language:
            return self.language
        if all(re.match(r"make\b", line) for line in self.lines if line.strip()):
            return "make"
        return "shell" if re.match(r"\$ |netconv ", self.lines[0]) else "text"

    def remark(self, key: str) -> str:
        return "\n".join(self.remarks.get(key, []))


def blocks(page: str, text: str) -> list[Block]:
    """The blocks of a page with the remarks in front of them."""
    lines, found, remarks, index = text.split("\n"), [], {}, 0
    while index < len(lines):
        line = lines[index]
        if line.startswith("<!--"):
            end = index
            while "-->" not in lines[end]:
                end += 1
            comment = "\n".join(lines[index:end + 1])[4:].split("-->")[0].strip()
            key = next((key for key in KEYS if comment.startswith(key + ":")), None)
            if key:
                remarks.setdefault(key, []).append(comment[len(key) + 1:].strip())
            index = end + 1
            continue
        fence = re.match(r"```(\S*)$", line)
        isIndented = line.startswith("    ") and (index == 0 or not lines[index - 1].strip())
        if fence or isIndented:
            start = end = index + 1 if fence else index
            while end < len(lines) and not (
                    lines[end] == "```" if fence
                    else lines[end].strip() and not lines[end].startswith("    ")):
                end += 1
            index = end + 1 if fence else end
            while not fence and not lines[end - 1].strip():
                end -= 1
            code = lines[start:end] if fence else [line[4:] for line in lines[start:end]]
            found.append(Block(page, start, (fence[1] or "unknown") if fence else "", code, remarks))
            remarks = {}
            continue
        if line.strip():
            remarks = {}
        index += 1
    return found


def masked(line: str, varies: list[str]) -> str:
    for pattern in varies + MASKS:
        line = re.sub(pattern, "~", line)
    # Columns are as wide as what was masked.
    return re.sub(r" +|-{4,}", " ", line).rstrip()


def fits(shown: list[str], printed: list[str], varies: list[str]) -> bool:
    """Whether lines are those that are shown; `…` stands for any number of them."""
    if not shown:
        return not printed
    if shown[0].strip() == "…":
        return any(fits(shown[1:], printed[count:], varies) for count in range(len(printed) + 1))
    return bool(printed) and masked(shown[0], varies) == masked(printed[0], varies) \
        and fits(shown[1:], printed[1:], varies)


class Documentation:
    def __init__(self, netconv: Path, root: Path, scratch: Path, check, writes=False, only=None):
        self.netconv, self.root, self.scratch = netconv, root, scratch
        self.check, self.writes, self.only = check, writes, only

    def all(self) -> None:
        pages = [self.root / "README.md", self.root / "CONTRIBUTING.md",
                 *sorted((self.root / "Docs").rglob("*.md"))]
        for page in pages:
            self.page(page)

    def page(self, path: Path) -> None:
        name = str(path.relative_to(self.root))
        text = path.read_text()
        folder = self.scratch / name.replace("/", "-")
        folder.mkdir()
        bin = folder / ".bin"
        bin.mkdir()
        (bin / "netconv").symlink_to(self.netconv)
        for linked in ("Samples", "Tests"):
            (folder / linked).symlink_to(self.root / linked)
        for copy in ("ckpt.h5", "checkpoint.h5"):
            shutil.copyfile(self.root / "Samples/deep-mnist/deep-mnist.h5", folder / copy)
        lines = text.split("\n")
        for block in reversed(changes := [
                (block, found) for block in blocks(name, text)
                if (found := self.block(block, folder)) is not None]):
            block, found = block
            indent = "" if block.language else "    "
            lines[block.line:block.line + len(block.lines)] = [
                (indent + line).rstrip() for line in found]
        if self.writes and changes:
            path.write_text("\n".join(lines))
            print(f"wrote   {name}")

    def block(self, block: Block, folder: Path) -> list[str] | None:
        """Runs a block; gives its lines if the page has to be changed."""
        if block.kind == "make" or block.remark("not run") or block.remark("run by"):
            return None
        if file := block.remark("written to"):
            (folder / file).write_text("\n".join(block.lines) + "\n")
            return None
        if self.only and block.kind != self.only:
            return None
        if file := block.remark("excerpt of"):
            code = "\n".join(block.lines)
            self.check(f"{block.place}: stands in {file}", code in (folder / file).read_text())
            return None
        if block.kind == "shell":
            return self.shell(block, folder)
        if block.kind == "python":
            self.python(block, folder)
        elif block.kind != "swift":
            self.check(f"{block.place}: is run, or marked as not run", False,
                       f"nothing runs {block.kind}")
        return None

    def run(self, command: list[str], folder: Path) -> subprocess.CompletedProcess:
        environment = {**os.environ, "PATH": f"{folder}/.bin:{os.environ['PATH']}"}
        return subprocess.run(command, cwd=folder, env=environment, text=True,
                              capture_output=True, timeout=600)

    def bash(self, command: str, folder: Path) -> subprocess.CompletedProcess:
        return self.run(["bash", "-c", command], folder)

    def setup(self, block: Block, folder: Path) -> bool:
        result = self.bash("set -e\n" + block.remark("setup"), folder)
        return result.returncode == 0 or self.check(
            f"{block.place}: setup", False, result.stdout + result.stderr)

    def shell(self, block: Block, folder: Path) -> list[str] | None:
        if not self.setup(block, folder):
            return None
        if not block.lines[0].startswith("$ "):
            # Forms of commands, whose output is not shown.
            result = self.bash("set -e\n" + "\n".join(block.lines), folder)
            self.check(f"{block.place}: {block.lines[0]}", result.returncode == 0, result.stderr)
            return None
        varies = [line for line in block.remark("varies").split("\n") if line]
        written, differs, index = [], False, 0
        while index < len(block.lines):
            command = block.lines[index][2:]
            end = index + 1
            while end < len(block.lines) and not block.lines[end].startswith("$ "):
                end += 1
            shown = block.lines[index + 1:end]
            while shown and not shown[-1].strip():
                shown.pop()
            result = self.bash(command, folder)
            # Warnings may be left out; a verdict stands behind the report.
            printed = [line.rstrip() for line in result.stdout.rstrip("\n").split("\n")]
            errors = [line.rstrip() for line in result.stderr.rstrip("\n").split("\n")]
            right = result.returncode == 0 if not shown else (
                fits(shown, printed, varies) or fits(shown, printed + errors, varies))
            if not right and shown and "…" not in [line.strip() for line in shown]:
                differs, shown = True, printed
            if right or not self.writes:
                self.check(f"{block.place}: $ {command}", right,
                           "it prints\n" + "\n".join(printed + errors))
            written += [block.lines[index], *shown]
            index = end
        return written if differs else None

    def python(self, block: Block, folder: Path) -> None:
        code = "\n".join([block.remark("before"), *block.lines, block.remark("after")])
        needed = {name for line in re.findall(r"^(?:import|from) (.+)", code, re.M)
                  for name in re.findall(r"^\w+|(?<=, )\w+", line.split(" import ")[0])}
        missing = sorted(name for name in needed if importlib.util.find_spec(name) is None)
        if missing:
            print(f"skipped {block.place}: without {', '.join(missing)}")
            return
        if not self.setup(block, folder):
            return
        result = self.run([sys.executable, "-c", code], folder)
        self.check(f"{block.place}: runs", result.returncode == 0, result.stderr[-2000:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("netconv", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", choices=["shell", "python"])
    arguments = parser.parse_args()
    failures = 0

    def check(name: str, condition: bool, detail: str = "") -> bool:
        nonlocal failures
        failures += not condition
        print(f"ok      {name}" if condition else f"FAILED  {name}: {detail}")
        return condition

    with tempfile.TemporaryDirectory() as scratch:
        Documentation(arguments.netconv.resolve(), arguments.root.resolve(), Path(scratch), check,
                      arguments.write, arguments.only).all()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
