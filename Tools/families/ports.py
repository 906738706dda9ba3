"""The weights of a network in the names and orders of another library, by that library's own code.

Each function takes the arrays of the source and its configuration, and returns those of the port.
"""
import importlib

import numpy as np


# mlx-lm

def mlx_lm(module: str):
    """The model's own `sanitize`; its parameters have to have the same names and shapes."""
    def port(state: dict, config: dict) -> dict:
        import mlx.core as mx
        from mlx.utils import tree_flatten

        library = importlib.import_module(f"mlx_lm.models.{module}")
        model = library.Model(library.ModelArgs.from_dict(flat(config)))
        weights = model.sanitize({name: mx.array(value) for name, value in state.items()})
        model.load_weights(list(weights.items()), strict=True)
        return {name: np.array(value) for name, value in tree_flatten(model.parameters())}
    return port


def flat(config: dict) -> dict:
    """The keys that mlx-lm of this version expects beside those that transformers of this version writes."""
    rope = config.get("rope_parameters") or {}
    if "full_attention" in rope:
        rope = rope["full_attention"]
    found = dict(config)
    for key in ("rope_theta", "partial_rotary_factor"):
        if key in rope:
            found[key] = rope[key]
    # Names of sizes that transformers keeps as constants of the class.
    found.setdefault("rope_theta", 10000.0)
    found.setdefault("rope_scaling", None)
    found.setdefault("mlp_only_layers", [])
    if "num_local_experts" in found:
        found.setdefault("num_experts", found["num_local_experts"])
    return found


# mlx-whisper

WHISPER = [
    ("model.", ""), (".layers", ".blocks"), (".self_attn_layer_norm", ".attn_ln"), (".encoder_attn_layer_norm", ".cross_attn_ln"),
    (".self_attn", ".attn"), (".encoder_attn", ".cross_attn"), (".final_layer_norm", ".mlp_ln"), (".q_proj", ".query"),
    (".k_proj", ".key"), (".v_proj", ".value"), (".out_proj", ".out"), (".fc1", ".mlp1"), (".fc2", ".mlp2"),
    ("encoder.layer_norm", "encoder.ln_post"), ("decoder.layer_norm", "decoder.ln"),
    ("decoder.embed_positions.weight", "decoder.positional_embedding"), ("decoder.embed_tokens", "decoder.token_embedding"),
]


def whisper(state: dict, config: dict) -> dict:
    """mlx-whisper has no converter in its package, so the names are spelled out here; `whisper_output` proves them."""
    port = {}
    for name, value in state.items():
        if name in ("model.encoder.embed_positions.weight", "proj_out.weight"):
            continue
        for old, new in WHISPER:
            name = name.replace(old, new)
        port[name] = value.swapaxes(1, 2) if ".conv" in name and value.ndim == 3 else value
    return port


def whisper_output(port: dict, config: dict, mel, tokens) -> np.ndarray:
    """The logits of mlx-whisper's own model with these weights; names and shapes have to be its own."""
    import mlx.core as mx
    from mlx_whisper.whisper import ModelDimensions, Whisper

    model = Whisper(ModelDimensions(
        n_mels=config["num_mel_bins"], n_audio_ctx=config["max_source_positions"], n_audio_state=config["d_model"],
        n_audio_head=config["encoder_attention_heads"], n_audio_layer=config["encoder_layers"],
        n_vocab=config["vocab_size"], n_text_ctx=config["max_target_positions"], n_text_state=config["d_model"],
        n_text_head=config["decoder_attention_heads"], n_text_layer=config["decoder_layers"]), mx.float32)
    # Which heads follow the words is no weight of transformers.
    weights = [(name, mx.array(value)) for name, value in port.items()] + [("alignment_heads", model.alignment_heads)]
    model.load_weights(weights, strict=True)
    return np.array(model(mx.array(mel.transpose(0, 2, 1)), mx.array(tokens)))


# GGUF

def gguf(architecture: str, *, rotary: bool = False, plus_one: bool = False, prefix: str = "", skipped=()):
    """gguf-py's names. llama.cpp permutes the rows of rotary heads, and adds 1 to Gemma's norms."""
    def port(state: dict, config: dict) -> dict:
        import gguf

        layers = (config.get("vision_config") or config)["num_hidden_layers"]
        names = gguf.get_tensor_name_map(gguf.MODEL_ARCH[architecture], layers)
        arrays = {}
        for name, value in prepared(state, config).items():
            if name.startswith(tuple(skipped)):
                continue
            if plus_one and name.endswith("norm.weight"):
                value = value + np.float32(1)
            for part, heads in (("q_proj", "num_attention_heads"), ("k_proj", "num_key_value_heads")):
                if rotary and f".{part}." in name:
                    value = interleaved(value, config[heads])
            suffixes = (".weight", ".bias")
            found = names.get_name(prefix + name, try_suffixes=suffixes)
            assert found, f"gguf has no name for {name}"
            arrays[found] = value
        return arrays
    return port


def interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """Halves of each head in turns, as ggml's rotary embedding expects them for these architectures."""
    half = rows.shape[0] // heads // 2
    return np.ascontiguousarray(rows.reshape(heads, 2, half, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape))


def prepared(state: dict, config: dict) -> dict:
    """The tensors that GGUF has in other pieces: stacked experts, and DeepSeek's two halves of kv_b."""
    arrays, experts = {}, {}
    for name, value in state.items():
        base, found, rest = name.partition(".experts.")
        if found:
            number, part = rest.split(".", 1)
            experts.setdefault(f"{base}.experts.{part}", {})[int(number)] = value
        elif name.endswith(".kv_b_proj.weight"):
            heads, nope = config["num_attention_heads"], config["qk_nope_head_dim"]
            apart = value.reshape(heads, -1, value.shape[1])
            arrays[name.replace("kv_b", "k_b")] = apart[:, :nope].swapaxes(1, 2)
            arrays[name.replace("kv_b", "v_b")] = apart[:, nope:]
        else:
            arrays[name.replace("e_score_correction_bias", "e_score_correction.bias")] = value
    return arrays | {name: np.stack([of[number] for number in range(len(of))]) for name, of in experts.items()}


# Originals, by the way back that diffusers has

def ldm_unet(state: dict, config: dict) -> dict:
    """CompVis's names: diffusers only converts from them, so the names of counted tensors are traced back."""
    import torch
    from diffusers.loaders.single_file_utils import convert_ldm_unet_checkpoint

    original = {}
    for name in ldm_names(config):
        original[f"model.diffusion_model.{name}"] = torch.zeros(1)
    places = {name: torch.tensor([index]) for index, name in enumerate(original)}
    traced = convert_ldm_unet_checkpoint(places, config)
    names = list(places)
    return {names[int(traced[name])]: value for name, value in state.items()}


def ldm_names(config: dict) -> list[str]:
    """All names that a network of CompVis may have with these blocks: more than it has do no harm."""
    resnet = [f"{part}.{kind}" for part in ("in_layers.0", "in_layers.2", "emb_layers.1", "out_layers.0", "out_layers.3",
                                            "skip_connection") for kind in ("weight", "bias")]
    block = [f"{part}.{kind}" for part in ("norm1", "norm2", "norm3", "attn1.to_out.0", "attn2.to_out.0", "ff.net.0.proj",
                                           "ff.net.2") for kind in ("weight", "bias")]
    block += [f"{part}.to_{kind}.weight" for part in ("attn1", "attn2") for kind in "qkv"]
    attention = [f"{part}.{kind}" for part in ("norm", "proj_in", "proj_out") for kind in ("weight", "bias")]
    attention += [f"transformer_blocks.0.{name}" for name in block]
    names = [f"{part}.{kind}" for part in ("time_embed.0", "time_embed.2", "input_blocks.0.0", "out.0", "out.2")
             for kind in ("weight", "bias")]
    blocks, layers = len(config["block_out_channels"]), config["layers_per_block"]
    down = [kind.startswith("CrossAttn") for kind in config["down_block_types"]]
    up = [kind.startswith("CrossAttn") for kind in config["up_block_types"]]
    for index in range(blocks):
        for layer in range(layers):
            place = f"input_blocks.{1 + index * (layers + 1) + layer}"
            names += [f"{place}.0.{name}" for name in resnet]
            names += [f"{place}.1.{name}" for name in attention] if down[index] else []
        if index < blocks - 1:
            names += [f"input_blocks.{(index + 1) * (layers + 1)}.0.op.{kind}" for kind in ("weight", "bias")]
        for layer in range(layers + 1):
            place = f"output_blocks.{index * (layers + 1) + layer}"
            names += [f"{place}.0.{name}" for name in resnet]
            names += [f"{place}.1.{name}" for name in attention] if up[index] else []
        if index < blocks - 1:
            place = f"output_blocks.{index * (layers + 1) + layers}.{2 if up[index] else 1}.conv"
            names += [f"{place}.{kind}" for kind in ("weight", "bias")]
    names += [f"middle_block.{index}.{name}" for index in (0, 2) for name in resnet]
    return names + [f"middle_block.1.{name}" for name in attention]


def openai_clip(state: dict, config: dict) -> dict:
    """OpenAI's names. The text tower is checked by `openai_text`; the other one has the same parts."""
    port = {}
    for tower, prefix in (("text_model", ""), ("vision_model", "visual.")):
        own = {name.removeprefix(f"{tower}."): value for name, value in state.items() if name.startswith(f"{tower}.")}
        for name in list(own):
            before, found, rest = name.partition(".self_attn.q_proj.")
            if found:
                rows = [own.pop(f"{before}.self_attn.{part}_proj.{rest}") for part in "qkv"]
                own[f"{before}.attn.in_proj_{rest}"] = np.concatenate(rows)
        for name, value in own.items():
            for old, new in CLIP:
                name = name.replace(old, new)
            port[prefix + name] = value
    port["token_embedding.weight"] = port.pop("embeddings.token_embedding.weight")
    port["positional_embedding"] = port.pop("embeddings.position_embedding.weight")
    port["visual.positional_embedding"] = port.pop("visual.embeddings.position_embedding.weight")
    port["visual.class_embedding"] = port.pop("visual.embeddings.class_embedding")
    port["visual.conv1.weight"] = port.pop("visual.embeddings.patch_embedding.weight")
    port["text_projection"] = state["text_projection.weight"].T
    port["visual.proj"] = state["visual_projection.weight"].T
    port["logit_scale"] = state["logit_scale"]
    return port


CLIP = [("encoder.layers.", "transformer.resblocks."), ("self_attn.", "attn."), ("layer_norm1", "ln_1"), ("layer_norm2", "ln_2"),
        ("mlp.fc1", "mlp.c_fc"), ("mlp.fc2", "mlp.c_proj"), ("final_layer_norm", "ln_final"), ("pre_layrnorm", "ln_pre"),
        ("post_layernorm", "ln_post")]


def openai_text(port: dict, config: dict) -> dict:
    """The text tower of a port, converted back by diffusers."""
    import types

    import torch
    from diffusers.loaders.single_file_utils import convert_open_clip_checkpoint

    text = {f"text.{name}": torch.from_numpy(np.array(value, order="C")) for name, value in port.items()
            if not name.startswith("visual.") and name != "logit_scale"}
    model = types.SimpleNamespace(config=types.SimpleNamespace(hidden_size=config["text_config"]["hidden_size"]))
    found = convert_open_clip_checkpoint(model, text, prefix="text.")
    return {name: value.numpy() for name, value in found.items()}
