"""A network of eight layers, its port to other names and orders, and ports in which something is unlike in few layers.

Needs numpy, einops and safetensors. Run in this folder: python make_siblings.py
"""

import numpy as np
from einops import rearrange
from safetensors.numpy import save_file

LAYERS, WIDTH, HEADS, INNER, EXPERTS = 8, 8, 2, 10, 3
random = np.random.default_rng(49)


def save(name, arrays):
    # save_file writes the memory of an array, whatever its strides.
    save_file({key: np.ascontiguousarray(value) for key, value in arrays.items()}, name + ".safetensors")


def array(*shape):
    return random.normal(size=shape).astype(np.float32)


source = {}
for n in range(LAYERS):
    layer = f"model.layers.{n}."
    for part in "qkv":
        source[layer + f"self_attn.{part}_proj.weight"] = array(WIDTH, WIDTH)
    for part in ["gate", "up"]:
        source[layer + f"mlp.{part}_proj.weight"] = array(INNER, WIDTH)
    for e in range(EXPERTS):
        source[layer + f"experts.{e}.down.weight"] = array(INNER, WIDTH)
    source[layer + "norm.weight"] = array(WIDTH)


def port(unlike=(), layers=()):
    """The port, with each of `unlike` in `layers`."""
    made = {}
    for n in range(LAYERS):
        old, new = f"model.layers.{n}.", f"blocks.{n}."
        is_unlike = lambda kind: kind in unlike and n in layers
        q, k, v = (source[old + f"self_attn.{part}_proj.weight"] for part in "qkv")
        made[new + "wq"] = rearrange(q, "(h t d) i -> (h d t) i", h=HEADS, t=2)
        made[new + "wk"] = k if is_unlike("rotary") else rearrange(k, "(h t d) i -> (h d t) i", h=HEADS, t=2)
        made[new + "wv"] = rearrange(v, "(h d) i -> h d i", h=HEADS)[::-1] if is_unlike("heads") else v
        made[new + "wv"] = made[new + "wv"].reshape(WIDTH, WIDTH)
        gate, up = (source[old + f"mlp.{part}_proj.weight"] for part in ["gate", "up"])
        made[new + "wi"] = np.concatenate([up, gate] if is_unlike("gate") else [gate, up])
        experts = [source[old + f"experts.{e}.down.weight"] for e in range(EXPERTS)]
        if is_unlike("experts"):
            experts[1], experts[2] = experts[2], experts[1]
        for e, expert in enumerate(experts):
            made[new + f"moe.{e}"] = expert.T
        made[new + "ln"] = source[old + "norm.weight"] * (2 if is_unlike("scale") else 1)
    if "layers" in unlike:
        first, second = (f"blocks.{n}." for n in layers)
        for key in [key for key in made if key.startswith(first)]:
            other = second + key.removeprefix(first)
            made[key], made[other] = made[other], made[key]
    return made


save("source", source)
save("port", port())
save("first-three", port(["rotary"], [0, 1, 2]))
save("each-fourth", port(["rotary"], [3, 7]))
for kind in ["rotary", "heads", "gate", "experts"]:
    save(kind, port([kind], [5]))
save("rotary-first", port(["rotary"], [0]))
save("layers", port(["layers"], [2, 3]))
