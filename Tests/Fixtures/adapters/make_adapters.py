#!/usr/bin/env python3
"""Writes adapters as PEFT saves them, the weights that they belong to, and what PEFT's `merge_and_unload` makes of both.

All numbers but those of `real` are multiples of 1/8, so that a product has one value in any order of its sums.
"""
import copy
import json
import shutil
from pathlib import Path

import torch
from peft import IA3Config, LoraConfig, PeftModel, get_peft_model
from safetensors.torch import save_file
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM
from transformers.pytorch_utils import Conv1D

HERE = Path(__file__).parent
torch.manual_seed(48)


def eighths(shape):
    return torch.randint(-8, 9, tuple(shape)).float() / 8


def fill(parameters, values):
    with torch.no_grad():
        for parameter in parameters:
            parameter.copy_(values(parameter.shape))


def write(name, base, config, dtype=torch.float32, prefix="", values=eighths, adapter_dtype=None):
    """The folder of a base, its adapter, loaded again as users do, and the merged weights."""
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    base = base.to(dtype).eval()
    fill(base.parameters(), values)
    peft = get_peft_model(copy.deepcopy(base), config)
    fill((p for p in peft.parameters() if p.requires_grad), values)
    # DoRA divides by norms; magnitudes are positive.
    with torch.no_grad():
        for key, parameter in peft.named_parameters():
            if "magnitude" in key:
                parameter.copy_(parameter.abs() + 1)
    if adapter_dtype:
        for key, parameter in peft.named_parameters():
            if "lora_" in key:
                parameter.data = parameter.data.to(adapter_dtype)
    peft.save_pretrained(folder / "adapter")
    (folder / "adapter" / "README.md").unlink(missing_ok=True)
    path = folder / "adapter" / "adapter_config.json"
    settings = json.loads(path.read_text())
    settings["base_model_name_or_path"] = f"tiny/{name}"
    settings["target_modules"].sort()
    path.write_text(json.dumps(settings, indent=2, sort_keys=True) + "\n")
    merged = PeftModel.from_pretrained(copy.deepcopy(base), folder / "adapter").merge_and_unload()

    def save(model, file):
        tensors = {}
        for key, tensor in model.state_dict().items():
            if key == "lm_head.weight" and tensor.data_ptr() == model.get_input_embeddings().weight.data_ptr():
                continue
            tensors[key.removeprefix(prefix)] = tensor.detach().clone().contiguous()
        save_file(tensors, folder / file)

    save(base, "base.safetensors")
    save(merged, "merged.safetensors")


def llama():
    return LlamaForCausalLM(LlamaConfig(
        vocab_size=11, hidden_size=8, intermediate_size=12, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, tie_word_embeddings=False))


class Net(nn.Module):
    """One layer of each kind that PEFT adapts; all sizes differ."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 10)
        self.square = Conv1D(7, 7)
        self.wide = Conv1D(9, 4)
        self.table = nn.Embedding(13, 5)
        self.conv1 = nn.Conv1d(3, 8, 5)
        self.conv2 = nn.Conv2d(3, 6, (2, 4))
        self.point = nn.Conv2d(6, 9, 1)
        self.conv3 = nn.Conv3d(2, 4, (1, 2, 3))
        self.head = nn.Linear(10, 3)
        self.norm = nn.LayerNorm(10)

    def forward(self, x):
        return self.head(self.linear(x))


KINDS = ["linear", "table", "conv1", "conv2", "point", "conv3"]


def main():
    write("llama", llama(), LoraConfig(
        r=4, lora_alpha=8, target_modules=["q_proj", "v_proj", "down_proj"], modules_to_save=["lm_head"],
        rank_pattern={"down_proj": 2}, lora_dropout=0.1, task_type="CAUSAL_LM",
        alpha_pattern={r"layers\.1\.self_attn\.v_proj": 16, r"model\.layers\.\d+\.mlp\.(down|up)_proj": 1}),
        dtype=torch.bfloat16)
    write("gpt2", GPT2LMHeadModel(GPT2Config(vocab_size=11, n_positions=6, n_embd=8, n_layer=2, n_head=2)), LoraConfig(
        r=3, lora_alpha=5, use_rslora=True, fan_in_fan_out=True, target_modules=["c_attn", "c_proj", "wte"]),
        prefix="transformer.")
    write("kinds", Net(), LoraConfig(r=4, lora_alpha=6, target_modules=KINDS, bias="all"), dtype=torch.float16)
    write("biases", Net(), LoraConfig(r=2, lora_alpha=3, target_modules=["linear", "conv2"], lora_bias=True))
    write("lora-only", Net(), LoraConfig(r=2, lora_alpha=4, target_modules=["linear", "conv2"], bias="lora_only",
                                         modules_to_save=["head"]), adapter_dtype=torch.bfloat16)
    write("dora", Net(), LoraConfig(r=2, lora_alpha=4, target_modules=KINDS, use_dora=True), dtype=torch.float32)
    write("dora-conv1d", Net(), LoraConfig(r=2, lora_alpha=4, target_modules=["square", "wide"], use_dora=True,
                                           fan_in_fan_out=True), dtype=torch.bfloat16)
    write("real", Net(), LoraConfig(r=8, lora_alpha=12, target_modules=KINDS, use_dora=True), values=torch.randn)
    shutil.rmtree(HERE / "ia3", ignore_errors=True)
    get_peft_model(Net(), IA3Config(target_modules=["linear"], feedforward_modules=[])).save_pretrained(HERE / "ia3")
    (HERE / "ia3" / "README.md").unlink(missing_ok=True)


main()
