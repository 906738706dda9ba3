#!/usr/bin/env python3
"""Builds the wheel: the program, and the module of Python/netconv.

Usage: wheel.py PROGRAM VERSION LICENSES FOLDER

Writes FOLDER/netconv-VERSION-py3-none-manylinux_2_X_x86_64.whl, where 2.X is 2.31, with which PROGRAM was tried, or the
newest version of glibc that it asks for. A wheel is a ZIP archive with a list of its files, which needs no tool to
write; two runs give the same bytes.
"""
import argparse
import base64
import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The first date that ZIP can write.
DATE = (1980, 1, 1, 0, 0, 0)
# Libraries that every system with glibc has, by PEP 600.
ALLOWED = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2"}


def platform(program: Path) -> str:
    """The tag of the systems on which `program` runs; exits if it needs libraries that not every one of them has."""
    dynamic = subprocess.run(["objdump", "-p", program], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED\s+(\S+)", dynamic))
    if needed - ALLOWED or "RPATH" in dynamic or "RUNPATH" in dynamic:
        sys.exit(f"{program} is not for other systems: it needs {', '.join(sorted(needed - ALLOWED)) or 'its RUNPATH'}")
    symbols = subprocess.run(["objdump", "-T", program], capture_output=True, text=True, check=True).stdout
    versions = [tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", symbols)]
    # Systems with an older one than Debian 11 were not tried.
    newest = max(*versions, (2, 31))
    return f"manylinux_{newest[0]}_{newest[1]}_x86_64"


def metadata(version: str) -> str:
    return f"""\
Metadata-Version: 2.1
Name: netconv
Version: {version}
Summary: Converts trained networks for the code that will run them, and proves the result
License: Apache-2.0
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Typing :: Typed
Requires-Python: >=3.10
Provides-Extra: arrays
Requires-Dist: numpy; extra == 'arrays'
License-File: LICENSE
License-File: THIRD-PARTY.txt
Description-Content-Type: text/markdown

""" + (ROOT / "Python/README.md").read_text()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("version")
    parser.add_argument("licenses", type=Path, help="THIRD-PARTY.txt")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    version, tag = arguments.version, f"py3-none-{platform(arguments.program)}"

    info = f"netconv-{version}.dist-info"
    files: dict[str, tuple[bytes, int]] = {}
    for source in sorted((ROOT / "Python/netconv").iterdir()):
        if source.suffix in (".py", ".typed"):
            files[f"netconv/{source.name}"] = (source.read_bytes(), 0o644)
    files["netconv/_version.py"] = (
        f'"""The version of the package and of the program in it."""\nVERSION = "{version}"\n'.encode(), 0o644)
    files[f"netconv-{version}.data/scripts/netconv"] = (arguments.program.read_bytes(), 0o755)
    files[f"{info}/licenses/LICENSE"] = ((ROOT / "LICENSE").read_bytes(), 0o644)
    files[f"{info}/licenses/THIRD-PARTY.txt"] = (arguments.licenses.read_bytes(), 0o644)
    files[f"{info}/METADATA"] = (metadata(version).encode(), 0o644)
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: netconv\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644)
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, (data, _) in files.items()) + f"{info}/RECORD,,\n"
    files[f"{info}/RECORD"] = (record.encode(), 0o644)

    arguments.folder.mkdir(parents=True, exist_ok=True)
    wheel = arguments.folder / f"netconv-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
