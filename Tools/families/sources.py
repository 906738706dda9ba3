"""Tiny networks of real families, made by transformers and diffusers, in the files that these libraries write."""
import json
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.numpy import load_file, save_file

# Sizes of different meanings differ, so that an exchanged axis shows. Each has more than two layers and experts.
TEXT = {"vocab_size": 40, "hidden_size": 24, "intermediate_size": 44, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 6, "max_position_embeddings": 32}


def llama():
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**TEXT))


def llama_with_biases():
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(
        **TEXT | {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True}))


def qwen2():
    sizes = {key: value for key, value in TEXT.items() if key != "head_dim"}
    return transformers.Qwen2ForCausalLM(transformers.Qwen2Config(**sizes))


def qwen3():
    return transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**TEXT))


def qwen3_moe():
    return transformers.Qwen3MoeForCausalLM(transformers.Qwen3MoeConfig(
        **TEXT, num_experts=5, num_experts_per_tok=2, moe_intermediate_size=20))


def qwen3_next():
    return transformers.Qwen3NextForCausalLM(transformers.Qwen3NextConfig(
        **TEXT | {"num_hidden_layers": 4}, num_experts=5, num_experts_per_tok=2, moe_intermediate_size=20,
        shared_expert_intermediate_size=12, linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=6,
        linear_value_head_dim=8))


def gemma3():
    return transformers.Gemma3ForCausalLM(transformers.Gemma3TextConfig(**TEXT))


def mixtral():
    return transformers.MixtralForCausalLM(transformers.MixtralConfig(
        **TEXT, num_local_experts=5, num_experts_per_tok=2))


def deepseek_v3():
    sizes = TEXT | {"num_key_value_heads": 4}
    del sizes["head_dim"]
    return transformers.DeepseekV3ForCausalLM(transformers.DeepseekV3Config(
        **sizes, moe_intermediate_size=20, n_routed_experts=6, num_experts_per_tok=2, n_group=2, topk_group=1,
        first_k_dense_replace=1, n_shared_experts=1, q_lora_rank=14, kv_lora_rank=10, qk_rope_head_dim=4,
        qk_nope_head_dim=6, v_head_dim=8))


def whisper():
    return transformers.WhisperForConditionalGeneration(transformers.WhisperConfig(
        vocab_size=60, num_mel_bins=10, d_model=24, encoder_layers=3, decoder_layers=3, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=96, decoder_ffn_dim=96, max_source_positions=20,
        max_target_positions=14, pad_token_id=1, bos_token_id=2, eos_token_id=3, decoder_start_token_id=2))


def clip():
    tower = {"num_hidden_layers": 3, "num_attention_heads": 4}
    return transformers.CLIPModel(transformers.CLIPConfig(
        text_config={**tower, "hidden_size": 24, "intermediate_size": 44, "vocab_size": 40, "max_position_embeddings": 12,
                     "projection_dim": 24},
        vision_config={**tower, "hidden_size": 20, "intermediate_size": 36, "image_size": 12, "patch_size": 4,
                       "projection_dim": 24},
        projection_dim=24))


def unet():
    """The blocks of Stable Diffusion 1, each with few channels."""
    import diffusers

    return diffusers.UNet2DConditionModel(
        sample_size=8, in_channels=4, out_channels=4, layers_per_block=2, block_out_channels=(4, 8, 12, 12),
        norm_num_groups=2, attention_head_dim=2, cross_attention_dim=6)


def save(make, folder: Path, seed: int) -> tuple[dict, dict]:
    """Writes the network as its library does, with values of `seed` (or counted, for 0); returns arrays and configuration.

    The values are multiples of 1/1024 below 32: one can be added to each and subtracted again without a rounding.
    """
    torch.manual_seed(0)
    make().save_pretrained(folder)
    written = next(folder.glob("*.safetensors"))
    written = written.rename(folder / "model.safetensors")
    state = load_file(written)
    random = np.random.default_rng(seed)
    count = 1
    for name in sorted(state):
        shape, dtype = state[name].shape, state[name].dtype
        if dtype != np.float32:
            continue
        size = int(np.prod(shape))
        # Counted values are different in all places, and float32 has each of them.
        values = random.integers(-2**15, 2**15, size) / 1024 if seed else np.arange(count, count + size)
        state[name] = values.astype(np.float32).reshape(shape)
        count += size
    assert count < 2**24
    save_file(state, written, {"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    return state, config
