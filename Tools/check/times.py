#!/usr/bin/env python3
"""Measures how long each test module takes, and writes the table into CONTRIBUTING.md.

Usage: times.py ROOT COMMAND...

COMMAND runs tests that are built: each module alone, by --filter, one after the other. CPU seconds are the system's, of
the tests and of all that they start. What Swift Testing prints for a test is no measure of it: tests wait for one pool.
"""
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import time

BEGIN, END = "<!-- times of test modules, by make test-times -->\n", "<!-- end of times -->"


def used():
    """Seconds of CPU time that all finished children took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(command, module):
    """A row of the table: how many tests there are, CPU seconds and seconds."""
    start, before = time.monotonic(), used()
    result = subprocess.run(
        [*command, "--filter", rf"^{module}\."], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace")
    seconds, cpu = time.monotonic() - start, used() - before
    tests = re.findall(r"Test run with (\d+) tests?", result.stdout)
    if result.returncode or not tests:
        print("\n".join(line for line in result.stdout.splitlines() if "✘" in line))
        sys.exit(f"{module} fails")
    return module, int(tests[-1]), cpu, seconds


def processor():
    """The name of the CPU, as the system says it."""
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", cpuinfo.read_text()) if cpuinfo.exists() else []
    return names[0] if names else platform.processor()


def table(rows):
    lines = ["| test module | tests | CPU seconds | seconds |", "|---|---|---|---|"]
    for module, tests, cpu, seconds in sorted(rows, key=lambda row: -row[2]):
        lines.append(f"| {module} | {tests:,} | {cpu:.1f} | {seconds:.1f} |")
    sums = [sum(row[column] for row in rows) for column in (1, 2, 3)]
    lines.append(f"| all, one after the other | {sums[0]:,} | {sums[1]:.0f} | {sums[2]:.0f} |")
    lines.append(f"\nOn {os.cpu_count()} cores of {processor()}.\n")
    return "\n".join(lines)


def main():
    root, command = pathlib.Path(sys.argv[1]), ["env", *sys.argv[2:]]
    package = (root / "Package.swift").read_text()
    modules = sorted(re.findall(r'\.testTarget\(\s*name: "(\w+)"', package))
    rows = []
    for module in modules:
        rows.append(measure(command, module))
        print("{}: {} tests, {:.1f} CPU seconds, {:.1f} s".format(*rows[-1]), flush=True)
    page = root / "CONTRIBUTING.md"
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + table(rows) + "\n" + END + rest.split(END, 1)[1])


if __name__ == "__main__":
    main()
