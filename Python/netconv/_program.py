"""Where the program is, and how it is run."""
from __future__ import annotations

import json
import os
import subprocess
import sysconfig
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._errors import NetconvError, NetconvWarning
from ._version import VERSION

StrPath = str | os.PathLike[str]

_ERROR = "netconv: error: "
_WARNING = "netconv: warning: "


def program() -> Path:
    """The program that was installed with this package; `NETCONV` names another one."""
    named = os.environ.get("NETCONV")
    if named:
        return Path(named)
    folders = [sysconfig.get_path("scripts")]
    if os.name == "posix":
        folders.append(sysconfig.get_path("scripts", "posix_user"))
    # With pip install --target the scripts lie beside the packages.
    folders.append(str(Path(__file__).resolve().parent.parent / "bin"))
    for folder in folders:
        candidate = Path(folder) / "netconv"
        if candidate.is_file():
            return candidate
    raise NetconvError(
        f"the program netconv {VERSION} is not in {', '.join(folders)}; install the package again", 66)


def run(verb: str, arguments: Sequence[str]) -> tuple[dict[str, Any], int, str]:
    """Runs a verb with --json: what it prints, its exit code (0 or 1), and what it says of a verdict that is no.

    Raises NetconvError with any other exit code.
    """
    command = [str(program()), verb, *arguments, "--json"]
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise NetconvError(f"{command[0]} cannot be started: {error.strerror}", 66) from error
    said = result.stderr.decode("utf-8", "replace").strip()
    errors = _told(said)
    if result.returncode not in (0, 1):
        raise NetconvError(errors or f"netconv ended with {result.returncode}", result.returncode)
    try:
        document = json.loads(result.stdout)
    except ValueError as error:
        if result.returncode == 1:
            raise NetconvError(errors or "the verdict is negative", 1) from error
        raise NetconvError("netconv printed no JSON", 70) from error
    if not isinstance(document, dict):
        raise NetconvError("netconv printed JSON of another kind", 70)
    return document, result.returncode, errors


def _told(said: str) -> str:
    """The error that the program told; its warnings become Python's."""
    message: list[str] = []
    into: list[str] | None = message
    told: list[list[str]] = []
    for line in said.splitlines():
        if line.startswith(_WARNING):
            into = [line[len(_WARNING):]]
            told.append(into)
        elif line.startswith(_ERROR):
            into = message
            into.append(line[len(_ERROR):])
        elif into is not None:
            into.append(line)
    for lines in told:
        warnings.warn("\n".join(lines), NetconvWarning, stacklevel=4)
    return "\n".join(message).strip()


def options(**values: object) -> list[str]:
    """`min_accuracy=0.9` as `--min-accuracy 0.9`; a list repeats the option, and None and False leave it out."""
    words: list[str] = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)):
            for one in value:
                words.append(f"{option}={os.fspath(one)}")
        else:
            words.append(f"{option}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words


def path(value: StrPath) -> str:
    """A path as an argument that is no option, whatever its name begins with."""
    text = os.fspath(value)
    return f".{os.sep}{text}" if text.startswith("-") else text
