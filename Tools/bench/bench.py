#!/usr/bin/env python3
"""Measures netconv side by side with the tools that one would use instead, and says which limits it meets.

Usage: bench.py NETCONV REPOSITORY --inputs FOLDER [--only NAME,...] [--runs N] [--json | --markdown FILE]

Programs are run as whole processes, in turns, N times after a warm-up; figures are medians, peak memory is
the most of all runs. A ratio below 1 says that netconv takes less. What is not installed is skipped by name.
Inputs are made once, with a script each, and kept in FOLDER: 10 GB, 33 GB with --growth.
Needs: h5py, numpy, onnx, onnxruntime; TensorFlow and Keras, or torch, for the rows that need them.
"""
import argparse
import fnmatch
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import bombs
import conversion
import filters
import kernels
import latency
import machine
import relations
import report
import sequences
import start
import verification
from context import Bench
from inputs import Inputs
from microbenchmarks import MicroBenchmarks
from processes import Failed, Program, run
from table import Row, Table

COMPARISONS: dict[str, Callable[[Bench], Iterator[Row | Table]]] = {
    "convert": conversion.convert,
    "convert-many": conversion.convert_many,
    "bombs": bombs.bombs,
    "rearrangements": kernels.rearrangements,
    "digest": kernels.digest,
    "help": start.help_text,
    "inspect": start.inspect,
    "inspect-variables": start.inspect_variables,
    "inspect-tensors": start.inspect_tensors,
    "relate": relations.relate,
    "verify": verification.verify,
    "verify-rest": verification.rest,
    **{f"run-{network}-{batch}": latency.latency(network, batch)
       for network in latency.NETWORKS for batch in (1, 8)},
    **{f"run-{network}": sequences.latency(network) for network in sequences.NETWORKS},
    "kernels": kernels.kernels,
    "blur": filters.blur,
    "slider": filters.slider,
    "growth-convert": conversion.growth,
    "growth-relate": relations.growth,
    "growth-verify": verification.growth,
    "growth-sequences": sequences.growth,
}


def chosen(patterns: str | None) -> list[str]:
    """The comparisons whose names match one of the patterns; all without patterns."""
    if patterns is None:
        return list(COMPARISONS)
    for pattern in patterns.split(","):
        if not fnmatch.filter(COMPARISONS, pattern):
            sys.exit(f"--only {pattern}: no such comparison; there are {', '.join(COMPARISONS)}")
    return [name for name in COMPARISONS
            if any(fnmatch.fnmatch(name, pattern) for pattern in patterns.split(","))]


def measured(bench: Bench, names: list[str]) -> tuple[list[Row], list[Table]]:
    rows: list[Row] = []
    tables: list[Table] = []
    for name in names:
        print(f"measuring {name}", file=sys.stderr, flush=True)
        try:
            for part in COMPARISONS[name](bench):
                if isinstance(part, Row):
                    rows.append(part)
                else:
                    tables.append(part)
        except (Failed, ImportError) as failure:
            bench.skip(name, str(failure))
    return rows, tables


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=Path)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--inputs", type=Path, required=True, help="where inputs are kept")
    parser.add_argument("--only", help=f"names or patterns, by commas, of {', '.join(COMPARISONS)}")
    parser.add_argument("--runs", type=int, default=5, help="runs of each program after the warm-up")
    parser.add_argument("--growth", action="store_true", help="convert 10 GB of each kind, too")
    parser.add_argument("--mnist", type=Path, help="folder of MNIST's training images, as IDX files")
    parser.add_argument("--swift", default="swift", help="builds the micro-benchmarks")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    parser.add_argument("--markdown", type=Path, help="put the tables into this file, too")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a limit is not met")
    args = parser.parse_args()
    names, netconv = chosen(args.only), str(args.netconv.resolve())

    inputs = Inputs(args.inputs.resolve())
    with tempfile.TemporaryDirectory(dir=inputs.folder) as folder:
        scratch, root = Path(folder), args.repository.resolve()
        micro = MicroBenchmarks(args.swift, root, scratch)
        bench = Bench(netconv, root, inputs, micro, scratch, args.runs, args.growth, args.mnist)
        floor = run(Program("true", ["true"]), scratch).memory
        rows, tables = measured(bench, names)
    about = machine.description(netconv, args.swift) + [
        f"method: medians of {args.runs} runs or more after a warm-up, programs in turns; "
        f"peak memory below {floor:.0f} MiB is not resolved"]
    results = report.Report(about, rows, tables, bench.skipped)
    print(json.dumps(results.json(), indent=2) if args.json else results.text())
    if args.markdown:
        results.put_into(args.markdown)
    return 1 if args.strict and any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
