#!/usr/bin/env python3
"""Ports of small networks with one planted mistake each, and whether `netconv relate` names it: make planted

    planted.py NETCONV SCRATCH [--seeds N] [--only WORD] [--verbose]

Each case is a network with random weights, a port of it that is right, and the same port with one mistake. Of the right port every
tensor has to be related; of the other, netconv has to fail and to name the tensor and the place. Ports are computed by numpy, and
quantised by gguf and mlx, which are on PyPI. Prints a line for each kind of case.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

import gguf
import numpy as np
from safetensors.numpy import save_file

try:
    import mlx.core as mx
except ImportError:
    mx = None

LAYERS, HIDDEN, HEADS, KEY_HEADS, HEAD, INNER, EXPERTS, VOCABULARY = 4, 64, 4, 2, 16, 128, 4, 96
CONFIG = {"num_attention_heads": HEADS, "num_key_value_heads": KEY_HEADS, "head_dim": HEAD, "hidden_size": HIDDEN,
          "intermediate_size": INNER, "num_local_experts": EXPERTS, "num_hidden_layers": LAYERS}


def llama(rng, experts=False):
    def matrix(*shape):
        return (rng.standard_normal(shape) * 0.05).astype(np.float32)

    network = {"model.embed_tokens.weight": matrix(VOCABULARY, HIDDEN), "lm_head.weight": matrix(VOCABULARY, HIDDEN)}
    network["model.norm.weight"] = (0.2 * rng.standard_normal(HIDDEN)).astype(np.float32)
    for n in range(LAYERS):
        layer = f"model.layers.{n}."
        network[layer + "self_attn.q_proj.weight"] = matrix(HEADS * HEAD, HIDDEN)
        network[layer + "self_attn.k_proj.weight"] = matrix(KEY_HEADS * HEAD, HIDDEN)
        network[layer + "self_attn.v_proj.weight"] = matrix(KEY_HEADS * HEAD, HIDDEN)
        network[layer + "self_attn.o_proj.weight"] = matrix(HIDDEN, HEADS * HEAD)
        for e in range(EXPERTS) if experts else [None]:
            mlp = f"{layer}mlp.experts.{e}." if experts else f"{layer}mlp."
            network[mlp + "gate_proj.weight"] = matrix(INNER, HIDDEN)
            network[mlp + "up_proj.weight"] = matrix(INNER, HIDDEN)
            network[mlp + "down_proj.weight"] = matrix(HIDDEN, INNER)
        network[layer + "input_layernorm.weight"] = (0.2 * rng.standard_normal(HIDDEN)).astype(np.float32)
        network[layer + "post_attention_layernorm.weight"] = (0.2 * rng.standard_normal(HIDDEN)).astype(np.float32)
    return network


def rotary(array, heads):
    return array.reshape(heads, 2, HEAD // 2, -1).swapaxes(1, 2).reshape(array.shape)


# Ports: each takes the network's arrays and returns others, float32, by name.

def renamed(network):
    return {name.replace("self_attn", "attention").replace("model.", ""): array for name, array in network.items()}


def ggml(network):
    port = {}
    for name, array in network.items():
        if "q_proj" in name or "k_proj" in name:
            array = rotary(array, HEADS if "q_proj" in name else KEY_HEADS)
        port[name.replace("model.layers", "blk").replace("_proj", "").replace("self_attn.", "attn_")] = array
    return port


def fused(network):
    port = dict(network)
    for n in range(LAYERS):
        layer = f"model.layers.{n}."
        port[layer + "self_attn.qkv_proj.weight"] = np.concatenate(
            [port.pop(layer + f"self_attn.{p}_proj.weight") for p in "qkv"])
        port[layer + "mlp.gate_up_proj.weight"] = np.concatenate(
            [port.pop(layer + f"mlp.{p}_proj.weight") for p in ("gate", "up")])
    return port


def rotary_fused(network):
    port = dict(network)
    for n in range(LAYERS):
        layer = f"model.layers.{n}.self_attn."
        q, k, v = (port.pop(layer + f"{p}_proj.weight") for p in "qkv")
        port[layer + "qkv.weight"] = np.concatenate([rotary(q, HEADS), rotary(k, KEY_HEADS), v])
    return port


def grouped(network):
    """Megatron's order: for each key head, its queries, its key and its value."""
    port = dict(network)
    for n in range(LAYERS):
        layer = f"model.layers.{n}.self_attn."
        q, k, v = (port.pop(layer + f"{p}_proj.weight") for p in "qkv")
        q, k, v = (array.reshape(KEY_HEADS, -1, HIDDEN) for array in (q, k, v))
        port[layer + "linear_qkv.weight"] = np.concatenate([q, k, v], axis=1).reshape(-1, HIDDEN)
    return port


def transposed(network):
    return {name.replace("weight", "kernel"): np.ascontiguousarray(array.T) if array.ndim == 2 else array
            for name, array in network.items()}


def plus_one(network):
    return {name: array + np.float32(1) if array.ndim == 1 else array for name, array in network.items()}


def stacked(network, transpose=False):
    port = {name: array for name, array in network.items() if ".experts." not in name}
    for n in range(LAYERS):
        for p in ("gate", "up", "down"):
            arrays = [network[f"model.layers.{n}.mlp.experts.{e}.{p}_proj.weight"] for e in range(EXPERTS)]
            port[f"model.layers.{n}.mlp.switch_mlp.{p}_proj.weight"] = np.stack(
                [array.T for array in arrays] if transpose else arrays)
    return port


def stacked_joined(network):
    port = {name: array for name, array in network.items() if ".experts." not in name}
    for n in range(LAYERS):
        experts = [[network[f"model.layers.{n}.mlp.experts.{e}.{p}_proj.weight"] for p in ("gate", "up", "down")]
                   for e in range(EXPERTS)]
        port[f"model.layers.{n}.mlp.experts.gate_up_proj"] = np.stack(
            [np.concatenate([gate, up]).T for gate, up, _ in experts])
        port[f"model.layers.{n}.mlp.experts.down_proj"] = np.stack([down.T for _, _, down in experts])
    return port


def in_turns(network):
    port = dict(network)
    for n in range(LAYERS):
        layer = f"model.layers.{n}.mlp."
        gate, up = port.pop(layer + "gate_proj.weight"), port.pop(layer + "up_proj.weight")
        port[layer + "gate_up_proj.weight"] = np.stack([gate, up], axis=1).reshape(-1, HIDDEN)
    return port


# Mistakes: each changes arrays of the port in place, and returns the words that netconv has to print.

def pick(port, rng, word, rank=None):
    names = [name for name in port if re.search(word, name) and (rank is None or port[name].ndim == rank)]
    return names[int(rng.integers(len(names)))]


def one_value(word):
    def change(port, rng):
        name = pick(port, rng, word)
        place = tuple(int(rng.integers(size)) for size in port[name].shape)
        port[name][place] += np.float32(0.5)
        return [name, "(" + ", ".join(map(str, place)) + ")"]
    return change


def one_row(word, axis=0):
    def change(port, rng):
        name = pick(port, rng, word)
        row = int(rng.integers(port[name].shape[axis]))
        places = [slice(None)] * port[name].ndim
        places[axis] = row
        port[name][tuple(places)] = (rng.standard_normal(port[name][tuple(places)].shape) * 0.05).astype(np.float32)
        return [name, rf"axis {axis} .*\b{row}\b"]
    return change


def one_head(word):
    def change(port, rng):
        name = pick(port, rng, word)
        head = int(rng.integers(port[name].shape[0] // HEAD))
        rows = slice(head * HEAD, (head + 1) * HEAD)
        port[name][rows] = (rng.standard_normal(port[name][rows].shape) * 0.05).astype(np.float32)
        return [name, rf"axis 0 from {rows.start} to {rows.stop - 1}"]
    return change


def heads_exchanged(word):
    def change(port, rng):
        name = pick(port, rng, word)
        first, second = (slice(head * HEAD, (head + 1) * HEAD) for head in
                         sorted(rng.choice(port[name].shape[0] // HEAD, 2, replace=False)))
        port[name][first], port[name][second] = port[name][second].copy(), port[name][first].copy()
        return [name]
    return change


def one_expert(word):
    def change(port, rng):
        name = pick(port, rng, word)
        expert = int(rng.integers(EXPERTS))
        port[name][expert] = (rng.standard_normal(port[name][expert].shape) * 0.05).astype(np.float32)
        return [name, rf"axis 0 .*\b{expert}\b"]
    return change


def experts_exchanged(word):
    def change(port, rng):
        name = pick(port, rng, word)
        first, second = rng.choice(EXPERTS, 2, replace=False)
        port[name][[first, second]] = port[name][[second, first]]
        return [name]
    return change


def other_values(word):
    def change(port, rng):
        name = pick(port, rng, word)
        port[name][...] = (rng.standard_normal(port[name].shape) * 0.05).astype(np.float32)
        return [name]
    return change


def not_permuted(word, heads):
    def change(port, rng):
        name = pick(port, rng, word)
        array = port[name]
        port[name] = array.reshape(heads, HEAD // 2, 2, -1).swapaxes(1, 2).reshape(array.shape)
        return [name]
    return change


def added_again(port, rng):
    name = pick(port, rng, "norm", 1)
    port[name] += np.float32(1)
    return [name]


def not_added(port, rng):
    name = pick(port, rng, "norm", 1)
    port[name] -= np.float32(1)
    return [name]


def names_exchanged(first, second):
    def change(port, rng):
        name = pick(port, rng, first)
        other = re.sub(first, second, name)
        port[name], port[other] = port[other], port[name]
        return [name, other]
    return change


def halves_exchanged(word, axis=0):
    def change(port, rng):
        name = pick(port, rng, word)
        port[name] = np.concatenate(np.split(port[name], 2, axis)[::-1], axis)
        return [name]
    return change


def fine_tuned(word, size=1e-4):
    def change(port, rng):
        name = pick(port, rng, word)
        port[name] = (port[name] * (1 + size * rng.standard_normal(port[name].shape))).astype(np.float32)
        return [name]
    return change


# Files.

def safetensors(port, folder):
    save_file({name: np.ascontiguousarray(array) for name, array in port.items()}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(CONFIG))
    return folder / "model.safetensors"


def bfloats(port, folder):
    import ml_dtypes
    return safetensors({name: array.astype(ml_dtypes.bfloat16) for name, array in port.items()}, folder)


def blocks(kind):
    def write(port, folder, damage=None):
        path = folder / "port.gguf"
        writer = gguf.GGUFWriter(path, "llama")
        for name, array in port.items():
            array = np.ascontiguousarray(array)
            if array.ndim > 1 and array.shape[-1] % 32 == 0:
                codes = gguf.quants.quantize(array, kind)
                if damage and name == damage[0]:
                    codes = damage[1](codes)
                writer.add_tensor(name, codes, raw_dtype=kind)
            else:
                writer.add_tensor(name, array)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path
    return write


def groups(bits, size):
    def write(port, folder, damage=None):
        arrays = {}
        for name, array in port.items():
            array = mx.array(np.ascontiguousarray(array)).astype(mx.bfloat16)
            if array.ndim == 2 and array.shape[-1] % size == 0:
                codes, scales, biases = mx.quantize(array, size, bits, stream=mx.cpu)
                if damage and name == damage[0]:
                    scales = damage[1](scales)
                stem = name.removesuffix("weight")
                arrays |= {name: codes, stem + "scales": scales, stem + "biases": biases}
            else:
                arrays[name] = array
        mx.save_safetensors(str(folder / "model.safetensors"), arrays)
        (folder / "config.json").write_text(
            json.dumps(CONFIG | {"quantization": {"group_size": size, "bits": bits}}))
        return folder / "model.safetensors"
    return write


def float8(port, folder):
    """Blocks of 32 x 32 with a scale each, as DeepSeek has them."""
    import ml_dtypes
    arrays = {}
    for name, array in port.items():
        if array.ndim == 2 and array.shape[0] % 32 == 0:
            parts = array.reshape(array.shape[0] // 32, 32, array.shape[1] // 32, 32)
            scales = (np.abs(parts).max((1, 3)) / 448).astype(np.float32)
            codes = (parts / scales[:, None, :, None]).reshape(array.shape).astype(ml_dtypes.float8_e4m3fn)
            arrays |= {name: codes, name + "_scale_inv": scales}
        else:
            arrays[name] = array
    import torch
    from safetensors.torch import save_file as save
    save({name: torch.from_numpy(array.view(np.uint8)).view(torch.float8_e4m3fn)
          if array.dtype == ml_dtypes.float8_e4m3fn else torch.from_numpy(np.ascontiguousarray(array))
          for name, array in arrays.items()}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(
        CONFIG | {"quantization_config": {"quant_method": "fp8", "weight_block_size": [32, 32]}}))
    return folder / "model.safetensors"


Q8, Q4 = gguf.GGMLQuantizationType.Q8_0, gguf.GGMLQuantizationType.Q4_0

# A kind: whether it has experts, the port, the file, the mistake.
KINDS = {
    "a layer's keys not permuted": (False, ggml, safetensors, not_permuted("attn_k", KEY_HEADS)),
    "a layer's keys not permuted, Q8_0": (False, ggml, blocks(Q8), not_permuted("attn_k", KEY_HEADS)),
    "heads exchanged": (False, ggml, safetensors, heads_exchanged("attn_q")),
    "heads exchanged in Q, K, V": (False, rotary_fused, safetensors, heads_exchanged("qkv")),
    "norm + 1 twice": (False, plus_one, safetensors, added_again),
    "norm + 1 forgotten in a layer": (False, plus_one, safetensors, not_added),
    "gate and up exchanged": (False, renamed, safetensors, names_exchanged("gate", "up")),
    "gate and up exchanged in one tensor": (False, fused, safetensors, halves_exchanged("gate_up")),
    "gate and up exchanged in experts": (True, stacked_joined, safetensors, halves_exchanged("gate_up", 2)),
    "experts exchanged": (True, stacked, safetensors, experts_exchanged("gate")),
    "experts exchanged, Q8_0": (True, stacked, blocks(Q8), experts_exchanged("gate")),
    "one value": (False, renamed, safetensors, one_value("proj")),
    "one value in Q, K, V": (False, rotary_fused, safetensors, one_value("qkv")),
    "one value in experts": (True, stacked_joined, safetensors, one_value("gate_up")),
    "one row": (False, transposed, safetensors, one_row("q_proj", 1)),
    "one row in Q, K, V": (False, fused, safetensors, one_row("qkv")),
    "one row, Q4_0": (False, ggml, blocks(Q4), one_row("attn_q")),
    "one head in Q, K, V by groups": (False, grouped, safetensors, one_head("linear_qkv")),
    "one expert": (True, stacked, safetensors, one_expert("down")),
    "one expert, Q8_0": (True, stacked, blocks(Q8), one_expert("down")),
    "a tensor of another checkpoint": (False, fused, bfloats, other_values("o_proj")),
    "a tensor of another checkpoint, FP8": (False, renamed, float8, other_values("o_proj")),
    "a fine-tune, Q4_0": (False, ggml, blocks(Q4), fine_tuned("down")),
    "rows in turns, one value": (False, in_turns, safetensors, one_value("gate_up")),
}
if mx is not None:
    KINDS |= {
        "a fine-tune, MLX": (False, renamed, groups(4, 64), fine_tuned("down")),
        "one row, MLX": (False, renamed, groups(4, 32), one_row("down")),
    }


def relate(netconv, a, b):
    result = subprocess.run([netconv, "relate", str(a), str(b)], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout + result.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("netconv")
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    clean_right = named = total = 0
    for kind, (experts, port, write, mistake) in KINDS.items():
        if options.only not in kind:
            continue
        right, found = 0, 0
        for seed in range(options.seeds):
            rng = np.random.default_rng([seed, sum(kind.encode())])
            shutil.rmtree(options.scratch, ignore_errors=True)
            for name in ("a", "b", "c"):
                (options.scratch / name).mkdir(parents=True)
            network = llama(rng, experts)
            a = safetensors(network, options.scratch / "a")
            status, text = relate(options.netconv, a, write(port(network), options.scratch / "b"))
            is_right = status in (0, 1) and re.search(r"^complete: ", text, re.M) is not None
            right += is_right
            if not is_right and options.verbose:
                print(f"--- {kind}, seed {seed}: the right port\n{text}")
            damaged = {name: np.array(array) for name, array in port(network).items()}
            words = mistake(damaged, rng)
            status, other = relate(options.netconv, a, write(damaged, options.scratch / "c"))
            lines = other.splitlines()
            news = "\n".join(line for line in lines if line not in text.splitlines())
            is_named = status == 1 and all(re.search(word.replace("(", r"\(").replace(")", r"\)")
                                                     if word.startswith("(") else word, news) for word in words)
            found += is_named
            if not is_named and options.verbose:
                print(f"--- {kind}, seed {seed}: {words} not in\n{news}")
        total += options.seeds
        clean_right += right
        named += found
        print(f"{kind}: {right} of {options.seeds} right ports related, {found} mistakes named", flush=True)
    print(f"{total} pairs: {clean_right} right ports related, {named} mistakes named")


if __name__ == "__main__":
    main()
