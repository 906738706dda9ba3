#!/usr/bin/env python3
"""One verification on several engines, each against one run: make shards

    shards.py NETCONV REPO_ROOT SCRATCH

Needs the packages of requirements.txt and the program `parallel`. Fails where a merged report differs from that of one run in
anything but times.
"""
import subprocess
import sys
import time
from pathlib import Path

PARTS = 5


def timeless(report: str) -> str:
    return "\n".join(line for line in report.splitlines() if "imagesPerSecond" not in line)


def main() -> None:
    netconv, root, scratch = (Path(part).resolve() for part in sys.argv[1:])
    scratch.mkdir(parents=True, exist_ok=True)
    samples = root / "Samples/shards"
    failed = []

    def run(*command) -> str:
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if result.returncode != 0:
            failed.append(f"{command[0]} ends with {result.returncode}: {result.stderr[-500:]}")
        return result.stdout

    def check(name: str, holds: bool) -> None:
        print(("ok      " if holds else "FAILED  ") + name)
        if not holds:
            failed.append(name)

    lenet = root / "Samples/lenet-blobs"
    for name, arguments in [
        ("classes", [lenet, "--limit", "2000"]),
        ("agreement", [lenet, "--limit", "500", "--against", lenet]),
    ]:
        whole = timeless(run(netconv, "verify", *arguments, "--json"))
        folder = scratch / f"parallel-{name}"
        # A part that is killed, whenever that is, leaves nothing under its name, and is run again.
        killed = subprocess.Popen(
            [samples / "parallel.sh", netconv, str(PARTS), folder, *map(str, arguments)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(0.7)
        subprocess.run(["kill", "-KILL", "--", f"-{killed.pid}"], check=False)
        killed.wait()
        there = sorted(path.name for path in folder.glob("shard-*.json"))
        run(samples / "parallel.sh", netconv, PARTS, folder, *arguments)
        merged = run(netconv, "merge", *sorted(folder.glob("shard-*.json")), "--json")
        check(f"{name} by GNU parallel, killed with {len(there)} of {PARTS} parts done, are those of one run",
              timeless(merged) == whole)
        merged = run(sys.executable, samples / "dask_shards.py", netconv, PARTS,
                     scratch / f"dask-{name}", *arguments)
        check(f"{name} by Dask are those of one run", timeless(merged) == whole)
    validator = Path(sys.executable).with_name("kubernetes-validate")
    run(validator, "--strict", samples / "job.yaml")
    check("the job of Kubernetes is valid", not failed)
    for failure in failed:
        print(failure, file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
