#!/usr/bin/env python3
"""Runs netconv on damaged HDF5 files: each is a file of the fixtures with a few bytes changed.

Usage: damaged.py NETCONV FOLDER COUNT [SEED]

No file may end netconv by a signal, keep it busy for 60 seconds, or make it say that it is wrong itself (exit code 70).
Prints how often it ended with which code, and the files that broke a rule, which are kept in /tmp.
What decides is the number of a file and the seed alone.
"""
import collections
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ALLOWED = {0, 65}
SECONDS = 60


def places(data, generator):
    """A place to change: most of a file is values, so that structures are hit on purpose."""
    marks = [b"GCOL", b"TREE", b"SNOD", b"HEAP", b"OHDR", b"OCHK", b"FRHP", b"FHDB", b"BTHD", b"BTLF", b"BTIN",
             b"FADB", b"FAHD", b"EAHD", b"EAIB", b"\x89HDF", b"\x01\x00"]
    if generator.random() < 0.7:
        mark = generator.choice(marks)
        found, start = [], data.find(mark)
        while start >= 0 and len(found) < 400:
            found.append(start)
            start = data.find(mark, start + 1)
        if found:
            return min(len(data) - 1, generator.choice(found) + generator.randrange(0, 96))
    return generator.randrange(len(data))


def mutated(data, generator):
    data = bytearray(data)
    for _ in range(generator.randint(1, 4)):
        if not data:
            break
        place = places(bytes(data), generator)
        end = min(len(data), place + generator.randint(1, 16))
        kind = generator.randrange(8)
        if kind == 0:
            data[place] ^= 1 << generator.randrange(8)
        elif kind == 1:
            data[place] = generator.choice([0, 1, 0x7F, 0x80, 0xFF])
        elif kind == 2:
            data[place] = (data[place] + generator.choice([1, 255, 8, 248])) & 0xFF
        elif kind == 3:
            data[place:end] = bytes(end - place)
        elif kind == 4:
            data[place:end] = b"\xff" * (end - place)
        elif kind == 5:
            source = places(bytes(data), generator)
            part = data[source:source + end - place]
            data[place:place + len(part)] = part
        elif kind == 6:
            width = generator.choice([2, 4, 8])
            number = generator.choice([0, 1, 2**31 - 1, 2**32 - 1, 2**63 - 1, len(data), len(data) - 8,
                                       generator.randrange(len(data))])
            data[place:place + width] = (number % 2**(8 * width)).to_bytes(width, "little")[:len(data) - place]
        elif generator.random() < 0.2:
            del data[place:]
    return bytes(data)


def run(netconv, folder, data, number):
    path = pathlib.Path(folder) / f"{number}.h5"
    path.write_bytes(data)
    start = time.monotonic()
    try:
        code = subprocess.run([netconv, "inspect", "--stats", path], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        code = "no end"
    seconds = time.monotonic() - start
    if code not in ALLOWED:
        os.replace(path, f"/tmp/netconv-hdf5-{os.getpid()}-{number}.h5")
    else:
        path.unlink()
    return code, seconds


def main():
    netconv, source, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    files = sorted(f for f in source.rglob("*") if f.suffix in (".h5", ".hdf5") and 0 < f.stat().st_size < 300_000)
    contents = [(f.name, f.read_bytes()) for f in files]
    codes, slowest = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(3) as pool:
        def one(number):
            generator = random.Random(f"{seed} {number}")
            name, data = generator.choice(contents)
            return number, name, *run(netconv, folder, mutated(data, generator), number)

        for number, name, code, seconds in pool.map(one, range(count)):
            codes[code] += 1
            slowest = max(slowest, seconds)
            if code not in ALLOWED:
                print(f"mutation {number} of {name}: {code}", flush=True)
    print(f"{count} files, seed {seed}: " + ", ".join(f"{n} times {c}" for c, n in codes.most_common())
          + f"; the slowest took {slowest:.1f} s")
    return 1 if set(codes) - ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main())
