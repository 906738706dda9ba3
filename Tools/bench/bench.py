#!/usr/bin/env python3
"""Measures whole processes of netconv against the tools one would use instead.

Usage: bench.py NETCONV REPO_ROOT [--scratch DIR] [--python PYTHON] [--runs N]

Each comparison alternates between the programs, N times after one warm-up, and gives the medians of
wall time, CPU time (user + system) and peak memory as the kernel reports them for the process. A
ratio above 1 says that netconv takes less. A peer that is not installed is named as skipped.
Peak memory is never below that of this script, from which the kernel starts to count.
PYTHON (this interpreter by default) runs the Python peers; it needs h5py, numpy, onnx, onnxruntime.
"""
import argparse
import importlib.util
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass
class Usage:
    """What one process took."""
    wall: float
    cpu: float
    memory: float


def measure(command: list[str], log: Path) -> Usage:
    with open(log, "wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=sink, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        text = log.read_text(errors="replace").strip()[-400:]
        raise RuntimeError(f"{' '.join(command)} failed with {process.returncode}: {text}")
    return Usage(wall, usage.ru_utime + usage.ru_stime, in_mib(usage.ru_maxrss))


def in_mib(memory: int) -> float:
    """The kernel's figure, which is in bytes on macOS and in KiB elsewhere."""
    return memory / (2**20 if sys.platform == "darwin" else 2**10)


class Bench:
    def __init__(self, runs: int, scratch: Path) -> None:
        self.runs = runs
        self.scratch = scratch

    def compare(self, title: str, commands: dict[str, list[str]], before=lambda name: None) -> None:
        """Runs the commands in turn; the first is netconv."""
        print(f"\n{title}")
        if not commands:
            return
        results: dict[str, list[Usage]] = {name: [] for name in commands}
        for turn in range(self.runs + 1):
            for name, command in list(commands.items()):
                before(name)
                try:
                    usage = measure(command, self.scratch / "log")
                except (RuntimeError, OSError) as error:
                    print(f"  {name} is left out: {error}")
                    del commands[name], results[name]
                    continue
                if turn > 0:
                    results[name].append(usage)
        medians = {name: Usage(*(statistics.median(getattr(usage, field) for usage in usages)
                                 for field in ("wall", "cpu", "memory")))
                   for name, usages in results.items() if usages}
        base = medians.get("netconv")
        print(f"  {'':16}{'wall s':>9}{'ratio':>8}{'cpu s':>9}{'ratio':>8}{'MiB':>9}{'ratio':>8}")
        for name, median in medians.items():
            row = f"  {name:16}"
            for field, digits in (("wall", 3), ("cpu", 3), ("memory", 1)):
                value = getattr(median, field)
                ratio = f"{value / getattr(base, field):8.2f}" if base else f"{'-':>8}"
                row += f"{value:9.{digits}f}{ratio}"
            print(row)


def own_memory() -> float:
    """Peak memory of this script in MiB."""
    return in_mib(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def has_modules(python: str, *names: str) -> bool:
    if python == sys.executable:
        return all(importlib.util.find_spec(name) for name in names)
    test = subprocess.run([python, "-c", "import " + ", ".join(names)], capture_output=True)
    return test.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("netconv", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--scratch", type=Path, help="keep the large checkpoint here")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    netconv, root, python = str(args.netconv.resolve()), args.root.resolve(), args.python

    with tempfile.TemporaryDirectory() as temporary:
        scratch = args.scratch.resolve() if args.scratch else Path(temporary)
        scratch.mkdir(parents=True, exist_ok=True)
        bench = Bench(args.runs, scratch)
        checkpoint = root / "Samples/deep-mnist/deep-mnist.h5"
        print(f"medians of {args.runs} runs after a warm-up, {os.cpu_count()} CPUs; "
              f"memory below {own_memory():.0f} MiB is not resolved")

        commands = {"netconv": [netconv, "verify", str(checkpoint)]}
        if has_modules(python, "h5py", "numpy", "onnx", "onnxruntime"):
            onnx = scratch / "deep-mnist.onnx"
            subprocess.run([python, HERE / "deep_mnist_onnx.py", checkpoint, onnx], check=True)
            commands["onnxruntime"] = [python, str(HERE / "onnx_verify.py"), str(onnx),
                                       str(root / "Samples/mnist")]
        else:
            print("skipped: onnxruntime is not installed")
        bench.compare("verify deep-mnist on 10,000 images", commands)

        large = scratch / "large.h5"
        if not large.exists():
            if not has_modules(python, "h5py", "numpy"):
                print("skipped: the large checkpoint needs h5py")
                return 0
            subprocess.run([python, HERE / "make_large_checkpoint.py", large], check=True)
        size = f"{large.stat().st_size / 1e6:.0f} MB"

        commands = {"netconv": [netconv, "inspect", str(large)]}
        if h5ls := shutil.which("h5ls"):
            commands["h5ls -r"] = [h5ls, "-r", str(large)]
        else:
            print("skipped: h5ls is not installed")
        bench.compare(f"inspect a checkpoint of {size}", commands)

        out = scratch / "out"
        commands = {"netconv": [netconv, "convert", str(large), str(out), "--formats", "bin"]}
        if has_modules(python, "h5py", "numpy"):
            commands["h5py script"] = [python, str(HERE / "h5py_convert.py"), str(large), str(out)]
        else:
            print("skipped: h5py is not installed")
        bench.compare(f"convert a checkpoint of {size}", commands,
                      before=lambda name: shutil.rmtree(out, ignore_errors=True))
        shutil.rmtree(out, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
