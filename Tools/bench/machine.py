"""What a table was measured on and with."""
import datetime
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys

from context import core_count

PACKAGES = ("h5py", "numpy", "onnx", "onnxruntime", "tensorflow-cpu", "keras")


def first_line(*command: str) -> str | None:
    """What a program says first, up to a remark in brackets; nothing if it is not installed."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True)
    line = (done.stdout or done.stderr).strip().splitlines()[0]
    return re.sub(r"\s*\(.*", "", line)


def processor() -> str:
    """The model as the system names it."""
    if platform.system() == "Darwin":
        return first_line("sysctl", "-n", "machdep.cpu.brand_string") or platform.machine()
    with open("/proc/cpuinfo") as file:
        facts = dict(line.split(":", 1) for line in file if ":" in line)
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    model = facts.get("model name", platform.machine())
    if "cpu family" in facts:
        model += f" (family {facts['cpu family']}, model {facts['model']})"
    return model


def memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


def system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = platform.platform(terse=True)
    return name


def versions(netconv: str, swift: str) -> str:
    commands = ([netconv, "--version"], [swift, "--version"], ["h5ls", "--version"],
                ["openssl", "version"], [sys.executable, "--version"])
    found = [first_line(*command) for command in commands]
    if found[0]:
        found[0] = f"netconv {found[0]}"
    for package in PACKAGES:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(line for line in found if line)


def description(netconv: str, swift: str) -> list[str]:
    """Lines that say what the measurements can be compared with; no names of hosts or users."""
    return [f"date: {datetime.date.today().isoformat()}",
            f"machine: {processor()}, {core_count()} cores, {memory()}, {system()}",
            f"versions: {versions(netconv, swift)}"]
