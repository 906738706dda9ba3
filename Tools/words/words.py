#!/usr/bin/env python3
"""Counts the words of sentences, and names the longest where a page or a module has too many long ones.

Usage: words.py REPO_ROOT [--longest N] [--all]

The median sentence of a page has at most 15 words, and nine in ten have at most 25. That is asked of each page of
Markdown, of the help, of all messages, and of the comments of each module in Swift. `--longest N` prints the N longest
sentences of each that fails (10 without it), `--all` does so for each that passes as well.

A word has a letter or a digit. Code in backticks is one word, and so are a list of it and what a
message interpolates. Headings, code,
and cells of tables that are no sentences do not count. What has fewer than 10 sentences is measured with all the others
that do: a page of three sentences has no median.

Doc comments of sources begin with a noun or a verb, not with `What` or `Whether`. Prose has none of the words that the
glossary in CONTRIBUTING.md replaces, as far as they have no other meaning.
"""
import argparse
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from swift_text import CODE, comments, literals  # noqa: E402

MEDIAN, NINE_IN_TEN = 15, 25
FEWEST = 10
# What lies in folders of these names was not written here, or is made by a program.
SKIPPED = {".build", ".git", "Fixtures", "checkouts"}
# They begin a sentence as they are.
NAMES = {"netconv", "libhdf5", "libFuzzer", "einops", "ncnn", "coremltools"}
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|etc|vs|cf|Fig|No|approx)\.", re.I)

# How a doc comment does not begin.
QUESTIONS = re.compile(r"\s*///\s+(What|How|Where|Whether|Who|Whose|Which)\b")
REPLACED = re.compile(r"\b(numbers? of (things|words)|dealt out|crews?|in the place of)\b", re.I)


@dataclass
class Sentence:
    path: str
    line: int
    text: str

    @property
    def words(self) -> int:
        return len([word for word in self.text.split() if re.search(r"\w", word)])


def sentences(path: str, line: int, paragraph: str) -> list[Sentence]:
    """The sentences of a paragraph, with the lines on which they begin."""
    text = re.sub(r"``[^`]+``|`[^`]+`", lambda code: CODE + "\n" * code[0].count("\n"), paragraph)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = ABBREVIATIONS.sub(lambda match: match[0].replace(".", ""), text)
    # A list of code is data, and reads as one word.
    text = re.sub(rf"{CODE}(,\s+(and |or )?{CODE}|\s+(and|or)\s+{CODE})+", lambda list: CODE + "\n" * list[0].count("\n"), text)
    found, start = [], 0
    for end in [*(match.end() for match in re.finditer(r"[.!?][\"')*_]*(?=\s+[\"'(*_\w–\\<-])", text)
                  if starts(text[match.end():])), len(text)]:
        piece = text[start:end]
        first = line + text[:start + len(piece) - len(piece.lstrip())].count("\n")
        # What is nothing but code is no sentence.
        if re.search(r"\w", piece.replace(CODE, "")):
            found.append(Sentence(path, first, " ".join(piece.split())))
        start = end
    return found


def starts(rest: str) -> bool:
    """Whether a sentence begins here: with a capital, a digit, or code."""
    first = re.match(r"\s+[\"'(*_–<-]*(\w+|\\)", rest)
    return bool(first) and (first[1][0].isupper() or first[1][0] in "0123456789\\" or first[1] in (CODE, *NAMES))


def markdown(path: str, text: str, first: int = 1) -> list[Sentence]:
    """The sentences of a page: of its paragraphs, lists, and cells that are sentences."""
    found, paragraph, begun, fence, remark = [], [], first, False, False

    def close():
        if paragraph:
            found.extend(sentences(path, begun, "\n".join(paragraph)))
        paragraph.clear()

    indented = False
    for number, line in enumerate(text.split("\n"), first):
        bare = line.strip()
        if remark or bare.startswith("<!--"):
            close()
            remark = "-->" not in line
        elif bare.startswith("```"):
            close()
            fence = not fence
        elif fence:
            continue
        elif not bare:
            close()
        elif line.startswith("    ") and not paragraph and not indented:
            continue
        elif bare.startswith("#"):
            close()
        elif bare.startswith("|"):
            close()
            for cell in re.split(r"(?<!\\)\|", bare.strip("|")):
                if re.search(r"[.!?]\s|[.!?]$", cell.strip()) or len(cell.split()) > NINE_IN_TEN:
                    found.extend(sentences(path, number, cell))
        else:
            item = re.match(r"\s*([-*+]|\d+\.)\s+|- (Parameter|Returns|Throws)", line)
            if item:
                close()
                line = line[item.end():]
            if not paragraph:
                begun = number
            paragraph.append(line)
        indented = bool(paragraph) or (indented and not bare)
        if not bare and not line.startswith("  "):
            indented = False
    close()
    return found


def swift(path: str, text: str) -> dict[str, list[Sentence]]:
    """The sentences of a source: of its comments and of its literals."""
    found = {"comments": [], "texts": []}
    for line, comment in comments(text):
        if not comment.lstrip().startswith(("swift-format", "swift-tools", "MARK:")):
            found["comments"] += markdown(path, comment, line)
    for line, literal in literals(text):
        # Names, paths and parts of code are no prose.
        if len(re.findall(r"\b[a-zA-Z]{2,}\b", literal.replace(CODE, ""))) < 4 or is_code(literal):
            continue
        paragraphs, at = re.split(r"(\n\s*\n)", literal), line
        for part in paragraphs:
            lines = part.split("\n")
            # Commands of an example, and columns of a list, are lines of their own.
            prose = [text if not re.match(r"\s{2,}|netconv ", text) else "" for text in lines]
            for piece in re.split(r"\n\n+", "\n".join(prose)):
                found["texts"] += sentences(path, at, piece)
            at += part.count("\n")
    return found


def is_code(literal: str) -> bool:
    return bool(re.search(r"[{};]\s*$|^\s*(let|var|func|import|//|#|@)\b|://|->|\(\w+: ", literal, re.M)) \
        and not re.search(r"[a-z]; [a-z]", literal)


def pages(root: Path) -> list[Path]:
    top = [root / name for name in ("README.md", "CONTRIBUTING.md")]
    others = [path for folder in ("Docs", "Samples", "Sources", "Emitted", "Tests", "Fuzzing", "Tools")
              for path in sorted((root / folder).rglob("*.md"))]
    return [path for path in top + others
            if path.exists() and not {".build", ".git", "checkouts"} & set(path.relative_to(root).parts)]


def measured(root: Path) -> dict[str, list[Sentence]]:
    """The sentences of each page, and of each module's help, messages and comments."""
    groups: dict[str, list[Sentence]] = {}
    for path in pages(root):
        name = str(path.relative_to(root))
        groups[name] = markdown(name, path.read_text())
    folders = ("Sources", "Plugins", "Emitted", "Tests", "Fuzzing", "Samples", "Benchmarks", "Tools")
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*.swift")):
        parts = path.relative_to(root).parts
        if SKIPPED & set(parts):
            continue
        name = str(path.relative_to(root))
        module = "/".join(parts[:2])
        found = swift(name, path.read_text())
        groups.setdefault(f"{module}, comments", []).extend(found["comments"])
        if parts[0] in ("Sources", "Plugins"):
            help = module == "Sources/NetconvCLI" and parts[2] in ("Commands", "Process", "NetconvCommand.swift")
            groups.setdefault("help" if help else "messages", []).extend(found["texts"])
    return merged(groups)


def merged(groups: dict[str, list[Sentence]]) -> dict[str, list[Sentence]]:
    """Small groups are one group of their kind."""
    result: dict[str, list[Sentence]] = {}
    for name, found in groups.items():
        kind = "comments" if name.endswith(", comments") else "pages"
        result.setdefault(name if len(found) >= FEWEST else f"short {kind}", []).extend(found)
    return result


def questions(text: str) -> list[int]:
    """The lines of a source on which a doc comment begins with a question word."""
    lines = text.split("\n")
    return [number for number, (before, line) in enumerate(zip(["", *lines], lines), 1)
            if QUESTIONS.match(line) and not before.lstrip().startswith("///")]


def misworded(root: Path, groups: dict[str, list[Sentence]]) -> list[str]:
    """The places with a doc comment that begins with a question word, or with a word that the glossary replaces."""
    found = [f"{path.relative_to(root)}:{line}: a doc comment begins with a noun or a verb"
             for folder in ("Sources", "Plugins", "Fuzzing") for path in sorted((root / folder).rglob("*.swift"))
             for line in questions(path.read_text())]
    for sentence in (sentence for group in groups.values() for sentence in group):
        if (match := REPLACED.search(sentence.text)) and not sentence.path.startswith(("CONTRIBUTING", "Tests/")):
            found.append(f"{sentence.path}:{sentence.line}: '{match[0]}': see the glossary in CONTRIBUTING.md")
    return found


def ninth_in_ten(counts: list[int]) -> int:
    """The count that nine in ten do not exceed."""
    ordered = sorted(counts)
    return ordered[-(-len(ordered) * 9 // 10) - 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--longest", type=int, default=10)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    failed, everything = 0, []
    root = arguments.root.resolve()
    groups = measured(root)
    wrong = misworded(root, groups)
    for name, found in groups.items():
        if not found or arguments.only not in name:
            continue
        counts = [sentence.words for sentence in found]
        everything += counts
        median, most = statistics.median(counts), ninth_in_ten(counts)
        fails = median > MEDIAN or most > NINE_IN_TEN
        failed += fails
        if fails or arguments.all:
            print(f"{'FAILED ' if fails else 'ok     '} {name}: {len(counts)} sentences, median {median:g}, "
                  f"nine in ten at most {most}")
            for sentence in sorted(found, key=lambda each: -each.words)[:arguments.longest]:
                print(f"  {sentence.path}:{sentence.line}: {sentence.words} words: {sentence.text}")
    if everything:
        print(f"{len(everything)} sentences, median {statistics.median(everything):g}, "
              f"nine in ten at most {ninth_in_ten(everything)}")
    if failed:
        print(f"{failed} have longer sentences than a median of {MEDIAN} and {NINE_IN_TEN} for nine in ten", file=sys.stderr)
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
