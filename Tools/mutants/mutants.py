#!/usr/bin/env python3
"""Plants small mistakes in the sources, and says which tests find them.

Usage: mutants.py ROOT --build COMMAND --test COMMAND [--count N] [--seed N] [--only MODULE]

Works in a copy of the last commit beside the build folder, which it builds first. Each mutant is one change of one line.
The tests of its module run first, then all that `make test` runs. One that they let live meets the tests as `make proof`
runs them: what only those find, `make test` should find, too. Exits with 1 if there are two or more of these.

A mutant that does not compile is drawn again. One that no test finds may be the same program: look at it.
"""
import argparse
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import time

MODULES = ["Readers", "Transforms", "Writers", "Lowering", "Execution", "Relations", "Diagnosis", "Emission"]
# What tests of a mutant may take: a loop that no longer ends is found, too.
LIMIT = 1800

# Kind, where it is, and what it becomes. Operators have spaces around them, which generic parameters have not.
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
KINDS = [
    ("flipped comparison", re.compile(r" (<|<=|>|>=|==|!=) (?=[\w(\-.])"), lambda m: f" {COMPARISONS[m[1]]} "),
    ("off by one", re.compile(r" [+-] 1\b(?!\.)"), lambda m: ""),
    ("off by one", re.compile(r"(?<=[\w)\]])\.\.<(?=[\w(])"), lambda m: "..."),
    ("dropped term", re.compile(r" [+-] [a-z]\w*(\.\w+)?(?![\w(.\[])"), lambda m: ""),
    ("swapped index", re.compile(r"\[([01])\]"), lambda m: f"[{1 - int(m[1])}]"),
    ("swapped index", re.compile(r"(?<=\w)\((\w+), (\w+)\)"), lambda m: f"({m[2]}, {m[1]})"),
]


class Mutant:
    """One change of one line."""

    def __init__(self, module, path, line, kind, before, after):
        self.module, self.path, self.line, self.kind = module, path, line, kind
        self.before, self.after = before, after

    def __str__(self):
        return f"{self.path}:{self.line + 1}: {self.kind}\n  - {self.before.strip()}\n  + {self.after.strip()}"


def mutants(root, module):
    """All changes that can be made in a module."""
    found = []
    for path in sorted((root / "Sources" / module).rglob("*.swift")):
        text = False
        for number, line in enumerate(path.read_text().splitlines()):
            # Texts over several lines, comments, and what is said to users.
            if line.count('"""') % 2:
                text = not text
            code = line.split("//")[0]
            if text or '"' in code or code.lstrip().startswith(("import", "@", "#", "func", "case")):
                continue
            for kind, pattern, change in KINDS:
                for match in pattern.finditer(code):
                    after = line[:match.start()] + change(match) + line[match.end():]
                    if after != line:
                        found.append(Mutant(module, path.relative_to(root), number, kind, line, after))
    return found


def drawn(root, modules, seed):
    """Each mutant once: the modules in turn, and of each a kind and one of that kind by chance."""
    source = random.Random(seed)
    rest = {}
    for module in modules:
        kinds = rest.setdefault(module, {})
        for mutant in mutants(root, module):
            kinds.setdefault(mutant.kind, []).append(mutant)
    while any(rest.values()):
        for kinds in filter(None, rest.values()):
            kind = source.choice(sorted(kinds))
            yield kinds[kind].pop(source.randrange(len(kinds[kind])))
            if not kinds[kind]:
                del kinds[kind]


def run(command, root, environment=None):
    """Whether a command succeeds within the limit, and what it printed; its children end with it."""
    process = subprocess.Popen(
        command, cwd=root, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return False, output + "\nstopped after the limit"
    return process.returncode == 0, output


def finder(output):
    """The first test that failed."""
    failed = re.search(r"[✘✗] Test (.+?)(?: with \d+ test cases?)? (?:recorded an issue|failed)", output)
    return failed[1] if failed else output.strip().splitlines()[-1] if output.strip() else "a crash"


class Bench:
    """A copy of the sources, in which mutants are built and tested."""

    def __init__(self, root, build, test, proof):
        self.tree, self.build_command, self.test = root, build, test
        self.proof = proof

    def build(self):
        return all(
            run([*self.build_command, "--product", product], self.tree)[0]
            for product in ("netconv", "FaultShim", "ConfinementProbe", "filter-sliders", "netconvPackageTests"))

    def verdict(self, mutant):
        """Who finds it: the module's tests, all tests, or those that only `make proof` runs whole; `None` if it does not
        compile.
        """
        path = self.tree / mutant.path
        text = path.read_text()
        lines = text.splitlines(keepends=True)
        lines[mutant.line] = mutant.after + "\n"
        path.write_text("".join(lines))
        try:
            if not self.build():
                return None
            for name, filters, environment in [
                ("own tests", [rf"^{mutant.module}Tests\."], {}), ("make test", [], {}),
                ("only make proof", [self.proof], {"NETCONV_PROOF": "1"}),
            ]:
                arguments = [word for pattern in filters for word in ("--filter", pattern)]
                passed, output = run([*self.test, "--skip-build", *arguments], self.tree, environment)
                if not passed:
                    return name, finder(output)
            return "nobody", ""
        finally:
            path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--build", required=True, help="the command that builds, but for the product")
    parser.add_argument("--test", required=True, help="the command that tests")
    parser.add_argument("--proof", required=True, help="a filter: the tests that run whole in make proof alone")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one module")
    options = parser.parse_args()
    root = options.root.resolve()
    build, test = (["env", *shlex.split(command)] for command in (options.build, options.test))
    tree = root / build[build.index("--scratch-path") + 1] / "mutants"
    subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=root, stderr=subprocess.DEVNULL)
    subprocess.run(["git", "worktree", "add", "--detach", tree, "HEAD"], cwd=root, check=True)
    try:
        return survey(Bench(tree, build, test, options.proof), options)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=root)


def survey(bench, options):
    if not bench.build():
        sys.exit("the sources do not build as they are")
    counts = {}
    for mutant in drawn(bench.tree, [options.only] if options.only else MODULES, options.seed):
        if sum(counts.values()) == options.count:
            break
        start = time.monotonic()
        verdict = bench.verdict(mutant)
        if verdict is None:
            continue
        name, test = verdict
        counts[name] = counts.get(name, 0) + 1
        print(f"{mutant}\n  found by {name}{': ' if test else ''}{test} ({time.monotonic() - start:.0f} s)", flush=True)
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))
    return 1 if counts.get("only make proof", 0) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
