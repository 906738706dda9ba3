#!/usr/bin/env python3
"""Builds and runs what a small change usually breaks, and says what it leaves out.

Usage: check.py ROOT --build COMMAND --test COMMAND [--seconds N]

What has changed since the last run without a failure is found by the contents of files. The two commands are those of
the Makefile, so that nothing is compiled here and once more there; the build compiles only the files that the change
reaches. Then run, fastest first, the tests of the modules that changed, and small ones of their users, as long as N
seconds last. How long each test takes is known from the runs before; one that is new runs.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import time

from tests import Times, run_tests

# What tests read besides sources: any of it may be of any test.
DATA = ("Tests/Fixtures", "Samples", "Schemas", "Docs", "Fuzzing/Seeds", "Plugins")
FOLDERS = ("Sources", "Tests", "Samples", "Schemas", "Docs", "Fuzzing", "Plugins", "Package.swift", "CONTRIBUTING.md")
# Tests of the sources' text, whatever changes.
ALWAYS = "ArchitectureTests"
# Bytes of source of the tests of users that are compiled: to compile tests takes longer than to run most of them.
USERS = 150_000


class Package:
    """The modules of Package.swift, and who depends on whom."""

    def __init__(self, description):
        self.targets = {target["name"]: target for target in description["targets"]}
        self.users = collections.defaultdict(set)
        for name, target in self.targets.items():
            for other in target.get("target_dependencies", []):
                self.users[other].add(name)
        # They run the program, whatever they import.
        if "NetconvCLITests" in self.targets:
            self.users["netconv"].add("NetconvCLITests")

    @property
    def suites(self):
        return sorted(name for name, target in self.targets.items() if target["type"] == "test")

    def owner(self, path):
        """The module that a file belongs to: the one whose folder is the longest around it."""
        owners = [name for name, target in self.targets.items() if path.startswith(target["path"] + "/")]
        return max(owners, key=lambda name: len(self.targets[name]["path"]), default=None)

    def dependents(self, names):
        found, rest = set(), list(names)
        while rest:
            for user in self.users[rest.pop()] - found:
                found.add(user)
                rest.append(user)
        return found


def contents(root):
    """A digest of each file that a test can depend on."""
    digests = {}
    for folder in FOLDERS:
        start = root / folder
        for path in [start] if start.is_file() else sorted(start.rglob("*")):
            if path.is_file() and ".build" not in path.parts and "__pycache__" not in path.parts:
                digests[str(path.relative_to(root))] = hashlib.sha1(path.read_bytes()).hexdigest()
    return digests


def changed_modules(package, paths):
    """The modules that changed, and whether something did that any test may read."""
    modules = {package.owner(path) for path in paths if path.endswith((".swift", ".c", ".h", ".modulemap"))}
    modules.discard(None)
    everything = any(path.startswith(DATA) and package.owner(path) is None for path in paths)
    return modules, everything or "Package.swift" in paths


def own_suites(package, modules):
    """The tests of the modules themselves: of a module, those that are called after it, and else its users'."""
    own = set()
    for module in modules:
        if package.targets[module]["type"] == "test":
            own.add(module)
        elif module + "Tests" in package.targets:
            own.add(module + "Tests")
        else:
            own |= {user + "Tests" for user in package.users[module]} & set(package.suites)
            own |= package.users[module] & set(package.suites)
    return own


def quick(package, root, suites):
    """The suites that are compiled soonest, smallest first."""
    def size(suite):
        return sum(path.stat().st_size for path in (root / package.targets[suite]["path"]).rglob("*.swift"))

    chosen, rest = set(), USERS
    for suite in sorted(suites, key=size):
        rest -= size(suite)
        if rest >= 0:
            chosen.add(suite)
    return chosen


class Commands:
    """How this package is built and tested: two commands of the Makefile, each behind the environment that it needs."""

    def __init__(self, build, test):
        self.build, self.test = (["env", *shlex.split(command)] for command in (build, test))
        self.swift = next(word for word in self.build if not re.match(r"env$|\w+=", word))
        self.folder = pathlib.Path(self.build[self.build.index("--scratch-path") + 1])


def describe(commands, root):
    """What SwiftPM says of Package.swift; kept as long as that does not change."""
    kept = root / commands.folder / "check/package.json"
    digest = hashlib.sha1((root / "Package.swift").read_bytes()).hexdigest()
    if kept.exists():
        known = json.loads(kept.read_text())
        if known["digest"] == digest:
            return Package(known["description"])
    result = subprocess.run(
        ["env", "NETCONV_WITHOUT_PLUGIN=1", commands.swift, "package", "--scratch-path", commands.folder, "describe",
         "--type", "json"], cwd=root, stdout=subprocess.PIPE, check=True)
    description = json.loads(result.stdout)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"digest": digest, "description": description}))
    return Package(description)


def build(commands, root, suites):
    """The program and the tests that were chosen."""
    os.environ["NETCONV_TESTS"] = ",".join(sorted(suites))
    return all(
        subprocess.run([*commands.build, "--product", product], cwd=root).returncode == 0
        for product in ("netconv", "netconvPackageTests"))


def lint(commands, root, paths):
    paths = [path for path in paths if path.endswith(".swift") and (root / path).exists()]
    command = [commands.swift, "format", "lint", "--strict", *paths]
    return not paths or subprocess.run(command, cwd=root).returncode == 0


def used():
    """Seconds of CPU time that all finished children took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=60, help="what building and testing may take together")
    parser.add_argument("--build", required=True, help="the command that builds, but for the product")
    parser.add_argument("--test", required=True, help="the command that tests")
    options = parser.parse_args()
    root, start = options.root.resolve(), time.monotonic()
    commands = Commands(options.build, options.test)
    folder = root / commands.folder / "check"
    state = folder / "green.json"
    green = json.loads(state.read_text()) if state.exists() else None
    now = contents(root)
    changed = sorted(path for path in set(now) | set(green or {}) if now.get(path) != (green or {}).get(path))
    if not changed:
        print("nothing has changed since the last check without a failure")
        return 0
    package = describe(commands, root)
    modules, everything = changed_modules(package, changed)
    if green is None:
        print("the first check builds every module, which takes minutes")
        own, related = {ALWAYS}, set(package.suites) - {ALWAYS}
    else:
        print(f"changed: {', '.join(sorted(modules)) or 'no module'}; {len(changed)} files, such as {changed[0]}")
        own = own_suites(package, modules) | {ALWAYS}
        related = (set(package.suites) if everything else package.dependents(modules) & set(package.suites)) - own
        if not lint(commands, root, changed):
            return 1
    users = related
    related = quick(package, root, users)
    if not build(commands, root, own | related):
        return 1
    built = time.monotonic() - start
    print(f"built: {built:.0f} s, {used():.0f} s of CPU time", flush=True)
    limit = max(options.seconds - (0 if green is None else built), options.seconds / 4)
    times = Times(folder / "times.json")
    left = times.left_out(own, related, limit)
    passed, unfinished = run_tests(root, commands.test, own | related, left, times, limit)
    print(f"{time.monotonic() - start:.0f} s, {used():.0f} s of CPU time; ran {', '.join(sorted(own | related))}")
    report(sorted({*left, *unfinished}), users - related, set(package.suites) - own - users, times)
    if passed:
        state.write_text(json.dumps(now))
    return 0 if passed else 1


def report(left, large, untouched, times):
    """What was not run, and how it is."""
    by_suite = collections.Counter(re.match(r"\w+", test).group() for test in left)
    if by_suite:
        print(f"left out, as too slow, {len(left)} tests of {sum(times.seconds[test] for test in left):.0f} s: "
              + ", ".join(f"{count} of {suite}" for suite, count in sorted(by_suite.items())))
    if large:
        print(f"left out, as they take long to compile, though they use what has changed: {', '.join(sorted(large))}")
    if untouched:
        print(f"left out, as nothing that they use has changed: {', '.join(sorted(untouched))}")
    print("never run here: emitted packages, unless make built-standins was run")
    print("all of it: make test")


if __name__ == "__main__":
    sys.exit(main())
