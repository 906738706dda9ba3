#!/usr/bin/env python3
"""Reads action.yml and the sample workflow as YAML, and runs the steps of the action as GitHub would; needs PyYAML.

Usage: action_test.py PROGRAM REPOSITORY
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml


def run(action: dict, inputs: dict, folder: Path, program: Path) -> tuple[int, dict[str, str], str]:
    """The exit code of the action, the outputs of its steps and what they printed."""
    values = {name: each.get("default", "") for name, each in action["inputs"].items()} | inputs
    bound = lambda text: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: values[match.group(1)], text)
    outputs, printed = folder / "outputs", ""
    outputs.write_text("")
    status = 0
    for step in action["runs"]["steps"]:
        condition = step.get("if")
        if condition is not None:
            name = re.fullmatch(r"inputs\.([a-z-]+) != ''", condition).group(1)
            if not values[name]:
                continue
        environment = {"PATH": f"{program.parent}:/usr/bin:/bin", "GITHUB_OUTPUT": str(outputs),
                       "GITHUB_STEP_SUMMARY": str(folder / "summary")}
        environment |= {name: bound(text) for name, text in step["env"].items()}
        # How GitHub starts `shell: bash`.
        result = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                                cwd=folder, env=environment, capture_output=True, text=True)
        printed += result.stdout + result.stderr
        status = result.returncode
        if status:
            break
    return status, dict(line.split("=", 1) for line in outputs.read_text().splitlines()), printed


def main() -> int:
    program, repository = (Path(each).resolve() for each in sys.argv[1:3])
    action = yaml.safe_load((repository / "action.yml").read_text())
    workflow = yaml.safe_load((repository / ".github/workflows/convert.yml.sample").read_text())
    used = next(step for step in workflow["jobs"]["convert"]["steps"] if "netconv@" in step.get("uses", ""))
    assert set(used["with"]) <= set(action["inputs"]), used["with"]
    sample = str(repository / "Samples/lenet-blobs")
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([program, "convert", sample, folder / "same.netpack", "--quiet"], check=True, capture_output=True)
        subprocess.run([program, "convert", sample, folder / "other.netpack", "--dtype", "int8", "--target", "source", "--quiet"],
                       check=True, capture_output=True)
        for what, inputs, status, expected in [
            ("conversion alone", {}, 0, {}),
            ("options", {"arguments": "--target torch --quiet"}, 0, {}),
            ("an accuracy", {"min-accuracy": "0.9"}, 0, {"accuracy"}),
            ("an accuracy that is too low", {"min-accuracy": "1"}, 1, {"accuracy"}),
            ("samples that are not there", {"min-accuracy": "0.9", "images": "no.npz"}, 66, {"accuracy"}),
            ("the same weights", {"baseline": "same.netpack"}, 0, {"different": "false"}),
            ("other weights", {"baseline": "other.netpack"}, 0, {"different": "true"}),
            ("other weights as a failure", {"baseline": "other.netpack", "fail-if-different": "true"}, 1, {"different": "true"}),
            ("no such baseline", {"baseline": "nothing.netpack"}, 66, {}),
            ("no such source", {"source": "nothing.h5"}, 66, {}),
        ]:
            found, outputs, printed = run(action, {"source": sample} | inputs, folder, program)
            holds = found == status and (outputs == expected if isinstance(expected, dict) else set(outputs) == expected)
            if not holds:
                failed += 1
                print(f"FAILED: {what}: exit code {found}, {outputs}\n{printed}")
    print(f"the steps of action.yml: {failed} of 10 failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
