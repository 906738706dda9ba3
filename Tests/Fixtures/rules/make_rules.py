"""Weights in the names of two libraries, and rules between them; the expected arrays are computed by numpy and einops.

Needs numpy, einops and safetensors. Run in this folder: python make_rules.py
"""

import json

import numpy as np
from einops import rearrange
from safetensors.numpy import save_file

HIDDEN, HEADS, KEY_HEADS, HEAD, INNER, LAYERS, EXPERTS = 12, 4, 2, 6, 20, 2, 3
random = np.random.default_rng(48)


def array(*shape):
    return random.normal(size=shape).astype(np.float32)


source = {"model.embed_tokens.weight": array(11, HIDDEN), "model.norm.weight": array(HIDDEN)}
for n in range(LAYERS):
    layer = f"model.layers.{n}."
    source[layer + "self_attn.q_proj.weight"] = array(HEADS * HEAD, HIDDEN)
    source[layer + "self_attn.k_proj.weight"] = array(KEY_HEADS * HEAD, HIDDEN)
    source[layer + "self_attn.v_proj.weight"] = array(KEY_HEADS * HEAD, HIDDEN)
    source[layer + "self_attn.o_proj.weight"] = array(HIDDEN, HEADS * HEAD)
    source[layer + "self_attn.rotary_emb.inv_freq"] = array(HEAD // 2)
    source[layer + "mlp.gate_up_proj.weight"] = array(2 * INNER, HIDDEN)
    for e in range(EXPERTS):
        source[layer + f"mlp.experts.{e}.down_proj.weight"] = array(HIDDEN, INNER)
    source[layer + "input_layernorm.weight"] = array(HIDDEN)

rules = {
    "format": "netconv-rules",
    "version": 1,
    "rules": [
        {"drop": "*.inv_freq"},
        {"rename": "s/^model\\.//"},
        {
            "from": "layers.{n}.self_attn.q_proj.weight",
            "pattern": "(h t d) i -> (h d t) i",
            "sizes": {"h": "num_attention_heads", "t": 2},
        },
        {
            "from": "layers.{n}.self_attn.k_proj.weight",
            "pattern": "(h t d) i -> (h d t) i",
            "sizes": {"h": "num_key_value_heads", "t": 2},
        },
        {
            "from": [f"layers.{{n}}.self_attn.{p}_proj.weight" for p in "qkv"],
            "to": "layers.{n}.attention.wqkv.weight",
            "join": 0,
            "parts": [
                "num_attention_heads * head_dim",
                "num_key_value_heads*head_dim",
                "num_key_value_heads*head_dim",
            ],
        },
        {"from": "layers.{n}.self_attn.o_proj.weight", "to": "layers.{n}.attention.wo.weight"},
        {
            "from": "layers.{n}.mlp.gate_up_proj.weight",
            "to": ["layers.{n}.feed_forward.w1.weight", "layers.{n}.feed_forward.w3.weight"],
            "split": 0,
            "parts": ["intermediate_size", "2 * intermediate_size / 2"],
        },
        {
            "from": "layers.{n}.mlp.experts.{e}.down_proj.weight",
            "to": "layers.{n}.feed_forward.experts.w2",
            "pattern": "o i -> i o",
            "stack": "e",
        },
        {"from": "*norm.weight", "add": 1},
        {"from": "embed_tokens.weight", "to": "tok_embeddings.weight", "scale": 0.5},
    ],
}
config = {
    "num_attention_heads": HEADS,
    "num_key_value_heads": KEY_HEADS,
    "head_dim": HEAD,
    "intermediate_size": INNER,
}

made = {
    "tok_embeddings.weight": source["model.embed_tokens.weight"] * np.float32(0.5),
    "norm.weight": source["model.norm.weight"] + np.float32(1),
}
for n in range(LAYERS):
    old, new = f"model.layers.{n}.", f"layers.{n}."
    q, k, v = (source[old + f"self_attn.{p}_proj.weight"] for p in "qkv")
    q = rearrange(q, "(h t d) i -> (h d t) i", h=HEADS, t=2)
    k = rearrange(k, "(h t d) i -> (h d t) i", h=KEY_HEADS, t=2)
    made[new + "attention.wqkv.weight"] = np.concatenate([q, k, v])
    made[new + "attention.wo.weight"] = source[old + "self_attn.o_proj.weight"]
    gate, up = np.split(source[old + "mlp.gate_up_proj.weight"], 2)
    made[new + "feed_forward.w1.weight"] = gate
    made[new + "feed_forward.w3.weight"] = up
    made[new + "feed_forward.experts.w2"] = np.stack(
        [source[old + f"mlp.experts.{e}.down_proj.weight"].T for e in range(EXPERTS)]
    )
    made[new + "input_layernorm.weight"] = source[old + "input_layernorm.weight"] + np.float32(1)

# The arrays that the rules undone give: without what was dropped, and with the names after the first two rules; adding 1
# loses bits that subtracting it does not bring back.
back = {}
for name, value in source.items():
    if "inv_freq" not in name:
        is_norm = name.endswith("norm.weight")
        back[name.removeprefix("model.")] = (
            (value + np.float32(1)) - np.float32(1) if is_norm else value
        )

# save_file writes the memory of an array, whatever its strides.
source, made, back = (
    {name: np.ascontiguousarray(value) for name, value in arrays.items()}
    for arrays in (source, made, back)
)
save_file(source, "source.safetensors", metadata={"format": "pt"})
save_file(made, "made.safetensors")
save_file(back, "back.safetensors")
for name, value in [("rules", rules), ("config", config)]:
    with open(name + ".json", "w") as file:
        json.dump(value, file, indent=2)
        file.write("\n")
undone = dict(rules, rules=[rule for rule in rules["rules"] if "rename" not in rule])
with open("reversible.json", "w") as file:
    json.dump(undone, file, indent=2)
    file.write("\n")
