#!/usr/bin/env python3
"""One verification in parts by Dask: dask_shards.py NETCONV PARTS FOLDER [argument of verify] …

Needs dask[distributed]. Workers are processes of this machine; Client("ADDRESS") takes those of a cluster, which see the
same files. A part is written under its name only when it is whole; one that is there is not run again.
"""
import os
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client


def run(netconv: str, shard: int, parts: int, folder: str, arguments: list[str]) -> str:
    """Runs a part unless it is there, and gives its file."""
    path = Path(folder) / f"shard-{shard}.json"
    if not path.exists():
        found = subprocess.run(
            [netconv, "verify", *arguments, "--shard", f"{shard}/{parts}", "--json", "--quiet"],
            capture_output=True)
        if found.returncode != 0:
            raise RuntimeError(found.stderr.decode())
        part = path.with_name(f".shard-{shard}-{os.getpid()}")
        part.write_bytes(found.stdout)
        part.rename(path)
    return str(path)


def main() -> None:
    netconv, parts, folder, *arguments = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        futures = [client.submit(run, netconv, shard, int(parts), folder, arguments, retries=2)
                   for shard in range(1, int(parts) + 1)]
        files = client.gather(futures)
    sys.exit(subprocess.run([netconv, "merge", *files, "--json"]).returncode)


if __name__ == "__main__":
    main()
