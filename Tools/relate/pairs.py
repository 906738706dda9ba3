#!/usr/bin/env python3
"""Pairs of weights whose relation is known, and whether `netconv relate` finds it: make relations

    pairs.py NETCONV SCRATCH [--seed N] [--networks N]

Networks are arrays: trained ones of Samples, and random ones. Each is changed in every way of CHANGES, written to a container
under names that say nothing, and related. What netconv says is then carried out with numpy, apart from netconv: it has to give
the very arrays. Of what values do not determine, nothing may be said. The map of each pair is applied with `convert --map`,
which has to give the same arrays again. Containers are .npz, safetensors and, where torch is installed, .pt.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

import numpy as np
from safetensors.numpy import save_file

try:
    import torch
except ImportError:
    torch = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ["Samples/deep-mnist/deep-mnist.h5", "Samples/lenet-blobs", "Samples/pytorch-lenet/lenet.pt",
           "Samples/pytorch-resnet/resnet.pt"]


def run(netconv, *arguments):
    return subprocess.run([netconv, *map(str, arguments)], capture_output=True, text=True, check=False)


def trained(netconv, scratch):
    """The samples' weights, as numpy reads them from an archive; and the same without their smallest and largest tensors."""
    networks = {}
    for sample in SAMPLES:
        file = scratch / "sample.npz"
        file.unlink(missing_ok=True)
        result = run(netconv, "convert", ROOT / sample, file, "--target", "source", "--weights-only", "--quiet")
        assert result.returncode == 0, result.stderr
        with np.load(file) as arrays:
            network = {}
            for key in arrays.files:
                # Of tensors with equal values nobody could say which is which.
                values = np.sort(arrays[key].ravel())
                if values.size and values[0] != values[-1] and not any(
                        np.array_equal(values, np.sort(other.ravel())) for other in network.values()):
                    network[key] = arrays[key]
        name = pathlib.Path(sample).stem
        networks[name] = network
        kernels = {key: value for key, value in network.items() if value.ndim > 1}
        networks[name + "-kernels"] = kernels
        networks[name + "-half"] = dict(list(network.items())[::2])
        networks[name + "-tail"] = dict(list(network.items())[-4:])
    return dict(list(networks.items())[:15])


def random(count, seed):
    networks = {}
    for index in range(count):
        rng = np.random.default_rng(seed * 1000 + index)
        network = {}
        for layer in range(int(rng.integers(2, 7))):
            ranks = {1: (1, 40), 2: (2, 24), 3: (2, 9), 4: (1, 8)}
            rank = int(rng.integers(1, 5))
            low, high = ranks[rank]
            shape = tuple(int(size) for size in rng.integers(low, high + 1, rank))
            if np.prod(shape) < 6:
                shape = (3, 5)
            network[f"layer{layer}"] = rng.standard_normal(shape).astype(np.float32)
        networks[f"random{index}"] = network
    return networks


# Each change takes the arrays and gives others by name, and the names of those that values do not determine.

def permuted(network, rng):
    return {name: np.ascontiguousarray(array.transpose(rng.permutation(array.ndim)))
            for name, array in network.items()}, set()


def reversed_axes(network, rng):
    def one(array):
        axes = [axis for axis in range(array.ndim) if rng.integers(2)]
        return np.ascontiguousarray(np.flip(array.transpose(rng.permutation(array.ndim)), axes))
    return {name: one(array) for name, array in network.items()}, set()


def merged(network, rng):
    def one(array):
        moved = array.transpose(rng.permutation(array.ndim))
        cut = int(rng.integers(0, array.ndim + 1))
        return np.ascontiguousarray(moved).reshape(
            [int(np.prod(moved.shape[:cut])), int(np.prod(moved.shape[cut:]))])
    return {name: one(array) for name, array in network.items()}, set()


def shuffled(network, rng):
    def one(array):
        axis = int(rng.integers(array.ndim))
        return np.ascontiguousarray(np.take(array, rng.permutation(array.shape[axis]), axis))
    return {name: one(array) for name, array in network.items()}, set()


def gates(network, rng):
    def one(array):
        if array.shape[-1] % 4:
            return array
        parts = np.split(array, 4, -1)
        return np.ascontiguousarray(np.concatenate([parts[0], parts[3], parts[1], parts[2]], -1))
    return {name: one(array) for name, array in network.items()}, set()


def fused(network, rng):
    name = max(network, key=lambda name: network[name].size)
    parts = [network[name]] + [(network[name] * np.float32(1 + index)).astype(np.float32) + np.float32(index)
                               for index in (1, 2)]
    # A has the parts, B has them as one.
    source = network | {f"{name}-part{index}": part for index, part in enumerate(parts[1:])}
    other = {key: value for key, value in network.items() if key != name}
    return other | {"fused": np.concatenate(parts, int(rng.integers(network[name].ndim)))}, set(), source


def cut(network, rng):
    result = {}
    for name, array in network.items():
        axis = int(np.argmax(array.shape))
        half = array.shape[axis] // 2
        if half < 2 or array.size < 24:
            result[name] = array
            continue
        first, second = np.split(array, [half], axis)
        result[name + "-1"], result[name + "-2"] = np.ascontiguousarray(first), np.ascontiguousarray(second)
    return result, set()


def padded(network, rng):
    def one(array):
        widths = [(0, 0)] * array.ndim
        widths[int(rng.integers(array.ndim))] = (0, 2)
        return np.pad(array, widths)
    return {name: one(array) if array.size >= 12 else array for name, array in network.items()}, set()


def negated(network, rng):
    return {name: -array if array.size >= 4 else array for name, array in network.items()}, set()


def halves(network, rng):
    return {name: np.ascontiguousarray(array.transpose(rng.permutation(array.ndim))).astype(np.float16)
            for name, array in network.items()}, set()


def half(change):
    """The same, and then rounded."""
    def both(network, rng):
        result = change(network, rng)
        return ({name: array.astype(np.float16) for name, array in result[0].items()}, *result[1:])
    both.__name__ = f"half {change.__name__}"
    return both


def widened(change):
    """Rounded to float16, and stored as float32 again."""
    def both(network, rng):
        result = half(change)(network, rng)
        return ({name: array.astype(np.float32) for name, array in result[0].items()}, *result[1:])
    both.__name__ = f"widened {change.__name__}"
    return both


def scaled(network, rng):
    """Each tensor times a number of its own."""
    return {name: (array * np.float32(rng.choice([0.5, 2.0, 4.0]))).astype(np.float32) if array.size >= 8 else array
            for name, array in network.items()}, set()


def changed(network, rng):
    """One value of one tensor is another: that tensor is nobody's."""
    name = max(network, key=lambda name: network[name].size)
    array = network[name].copy()
    array.flat[int(rng.integers(array.size))] += np.float32(0.37)
    return network | {name: array}, {name}


def constants(network, rng):
    return {name: array for name, array in network.items()} | {"ones": np.ones(7, np.float32)}, {"ones"}, \
        network | {"a": np.ones(7, np.float32), "b": np.ones(7, np.float32)}


def tied(network, rng):
    name = max(network, key=lambda name: network[name].size)
    return network, {name}, network | {"tied": network[name].copy()}


def renamed(network, rng):
    names = list(network)
    return {names[index]: network[names[index]] for index in rng.permutation(len(names))}, set()


CHANGES = [renamed, permuted, reversed_axes, merged, shuffled, gates, fused, cut, padded, negated, halves, changed, constants,
           tied, half(gates), half(cut), half(fused), half(padded), widened(permuted), scaled]
CONTAINERS = [".npz", ".safetensors"] + ([".pt"] if torch else [])


def write(arrays, path):
    if path.suffix == ".npz":
        np.savez(path, **arrays)
    elif path.suffix == ".pt":
        torch.save({name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}, path)
    else:
        save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, path)


# What netconv says, carried out.

def groups(side):
    return [group.split() if inner else [single]
            for inner, group, single in [(match[1] is not None, match[1] or "", match[2])
                                         for match in re.finditer(r"\(([^)]*)\)|(\S+)", side)]]


def carry_out(part, sources, target):
    """The array that a part says, from the arrays of A."""
    shape = list(target.shape)
    for section in part["to"]:
        shape[section["axis"]] = len(range(section["start"], section["end"], section["step"]))
    if "source" not in part:
        return np.zeros(shape, target.dtype)
    array = sources[part["source"]["name"]]
    for section in part["from"]:
        array = np.take(array, range(section["start"], section["end"], section["step"]), section["axis"])
    left, right = (groups(side) for side in part["pattern"].split(" -> "))
    sizes = dict(part["sizes"])
    for group, size in zip(left, array.shape):
        names = [name for name in group if name != "1"]
        known = int(np.prod([sizes[name] for name in names if name in sizes]))
        for name in names:
            sizes.setdefault(name, size // known)
    axes = [name for group in left for name in group if name != "1"]
    order = [name for group in right for name in group if name != "1"]
    array = array.reshape([sizes[name] for name in axes]).transpose([axes.index(name) for name in order])
    array = np.flip(array, [order.index(name) for name in part["reversed"]])
    for name, places in part["orders"].items():
        array = np.take(array, places, order.index(name))
    array = array.reshape(shape)
    change = part.get("change", "")
    if change == "negated":
        array = -array
    elif change.startswith("rounded to "):
        array = array.astype(change.removeprefix("rounded to "))
    elif re.fullmatch(r"times [0-9.]+", change):
        array = array * np.float32(change.removeprefix("times "))
    elif change:
        raise ValueError(f"a change that nobody made: {change}")
    return array


def check(report, sources, targets, open_names):
    """What is wrong with a report."""
    wrong = []
    for entry in report["tensors"]:
        name = entry["tensor"]["name"]
        target = targets[name]
        if name in open_names:
            if entry["status"] == "related":
                wrong.append(f"{name}: related, and values do not tell")
            continue
        if entry["status"] != "related":
            wrong.append(f"{name} {target.shape}: {entry['status']} {entry.get('ambiguity', '')}")
            continue
        try:
            made = np.empty_like(target)
            for part in entry["parts"]:
                place = [slice(None)] * target.ndim
                for section in part["to"]:
                    place[section["axis"]] = slice(section["start"], section["end"], section["step"])
                made[tuple(place)] = carry_out(part, sources, target)
        except (KeyError, ValueError) as error:
            wrong.append(f"{name}: cannot be carried out: {error}")
            continue
        if made.tobytes() != target.tobytes():
            # The sign of an added zero is not said.
            if not np.array_equal(made, target):
                wrong.append(f"{name}: carried out, it is another array")
    return wrong


def apply(netconv, options, a, b, targets, hidden):
    """What is wrong with the arrays that the map of a pair makes."""
    rule, made = options.scratch / "map.json", options.scratch / "made.npz"
    run(netconv, "relate", a, b, "--map", rule, "--force", "--quiet")
    if json.loads(rule.read_text())["unrelated"] or hidden:
        return []
    outcome = run(netconv, "convert", a, made, "--map", rule, "--force", "--quiet")
    if outcome.returncode:
        return [outcome.stderr.strip()]
    with np.load(made) as arrays:
        return [f"{name}: the map makes another array" for name, target in targets.items()
                if arrays[name].dtype != target.dtype or not np.array_equal(arrays[name], target)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netconv", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--networks", type=int, default=15, help="random networks")
    options = parser.parse_args()
    netconv = options.netconv.resolve()
    options.scratch.mkdir(parents=True, exist_ok=True)
    networks = trained(netconv, options.scratch) | random(options.networks, options.seed)
    pairs, failed = 0, 0
    for number, (name, network) in enumerate(networks.items()):
        for change in CHANGES:
            rng = np.random.default_rng([options.seed, number, CHANGES.index(change)])
            result = change(network, rng)
            arrays, open_names = result[0], result[1]
            source = result[2] if len(result) > 2 else network
            names = [f"t{index}" for index in range(len(arrays))]
            targets = dict(zip(names, arrays.values()))
            hidden = {new for new, old in zip(names, arrays) if old in open_names}
            a = options.scratch / ("a" + CONTAINERS[number % len(CONTAINERS)])
            b = options.scratch / ("b" + CONTAINERS[(number + CHANGES.index(change) + 1) % len(CONTAINERS)])
            write(source, a)
            write(targets, b)
            outcome = run(netconv, "relate", a, b, "--json")
            pairs += 1
            if outcome.returncode not in (0, 1):
                wrong = [outcome.stderr.strip()]
            else:
                wrong = check(json.loads(outcome.stdout), source, targets, hidden)
                wrong += apply(netconv, options, a, b, targets, hidden)
            if wrong:
                failed += 1
                print(f"FAILED  {name}, {change.__name__}: {'; '.join(wrong[:4])}")
    print(f"{pairs} pairs, {failed} failed; {len(networks)} networks")
    sys.exit(1 if failed else 0)


main()
