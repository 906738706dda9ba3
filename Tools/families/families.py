#!/usr/bin/env python3
"""Checks Samples/rules against the libraries that the rules are for: each file makes the port's bytes of Hugging Face's own
tensors, for two seeds, and --reverse makes the source's bytes again.

Usage: families.py NETCONV_BINARY REPO_ROOT [--only NAME] [--relate]
       families.py --fixtures REPO_ROOT

--relate also lets `relate --rules` find each port, and applies what it wrote.
--fixtures writes what `make test` compares: names, shapes, and a digest of the ports of counted values.
Needs the packages of requirements.txt and PyTorch. Prints one line per check; the exit status is 1 if any failed.
"""
import argparse
import hashlib
import json
import logging
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

import ports
import sources

# Rules files, the networks that they convert, and the port; a file may fit several networks.
CASES = {
    "llama-gguf": [(sources.llama, ports.gguf("LLAMA", rotary=True)),
                   (sources.llama_with_biases, ports.gguf("LLAMA", rotary=True))],
    "qwen-gguf": [(sources.qwen3, ports.gguf("QWEN3")), (sources.qwen2, ports.gguf("QWEN2"))],
    "qwen3-moe-gguf": [(sources.qwen3_moe, ports.gguf("QWEN3MOE"))],
    "qwen3-moe-mlx": [(sources.qwen3_moe, ports.mlx_lm("qwen3_moe"))],
    "qwen3-next-mlx": [(sources.qwen3_next, ports.mlx_lm("qwen3_next"))],
    "gemma3-gguf": [(sources.gemma3, ports.gguf("GEMMA3", plus_one=True))],
    "mixtral-gguf": [(sources.mixtral, ports.gguf("LLAMA", rotary=True))],
    "mixtral-mlx": [(sources.mixtral, ports.mlx_lm("mixtral"))],
    "deepseek-v3-gguf": [(sources.deepseek_v3, ports.gguf("DEEPSEEK2"))],
    "deepseek-v3-mlx": [(sources.deepseek_v3, ports.mlx_lm("deepseek_v3"))],
    "whisper-mlx": [(sources.whisper, ports.whisper)],
    "clip-vision-gguf": [(sources.clip, ports.gguf(
        "MMPROJ", prefix="vision_tower.", skipped=("text_", "visual_projection", "logit_scale")))],
    "clip-openai": [(sources.clip, ports.openai_clip)],
    "sd-unet-ldm": [(sources.unet, ports.ldm_unet)],
}
# mlx-lm reads these from Hugging Face's files as they are: no rules are needed.
UNCHANGED = {"llama": sources.llama, "qwen2": sources.qwen2, "qwen3": sources.qwen3, "gemma3_text": sources.gemma3}
SEEDS = (11, 12)


class Families:
    def __init__(self, netconv: Path, root: Path) -> None:
        self.netconv, self.root = netconv, root
        self.passed = self.failed = 0

    def check(self, name: str, problem: str) -> bool:
        self.passed, self.failed = self.passed + (not problem), self.failed + bool(problem)
        print(f"FAILED  {name}: {problem}" if problem else f"ok      {name}", flush=True)
        return not problem

    def run(self, *arguments) -> str:
        """Runs netconv; returns its error, or an empty text."""
        result = subprocess.run([str(self.netconv), *map(str, arguments)], capture_output=True, text=True)
        return "" if result.returncode == 0 else f"exit code {result.returncode}: {result.stderr.strip()[:400]}"

    def case(self, name: str, make, port, scratch: Path, relates: bool) -> None:
        rules = self.root / f"Samples/rules/{name}.json"
        suffix = ".gguf" if name.endswith("gguf") else ".safetensors"
        what = f"{name} of {make.__name__}"
        for seed in SEEDS:
            folder = scratch / f"{name}-{make.__name__}-{seed}"
            state, config = sources.save(make, folder, seed)
            expected = port(state, config)
            made, back = folder / f"port{suffix}", folder / "back.safetensors"
            problem = self.run("convert", folder / "model.safetensors", made, "--weights-only", "--rules", rules, "-q")
            found = {} if problem else read(made)
            self.check(f"{what}: the port's bytes, seed {seed}", problem or difference(found, expected))
            if problem:
                return
            problem = self.run("convert", made, back, "--weights-only", "--rules", rules, "--reverse", "--config",
                               folder / "config.json", "-q")
            kept = self.kept(rules, state)
            self.check(f"{what}: the source's bytes again, seed {seed}", problem or difference(read(back), kept))
        self.others(name, what, config, folder, found, state)
        if relates:
            self.related(what, scratch, name, make, suffix)

    def related(self, what: str, scratch: Path, name: str, make, suffix: str) -> None:
        """Rules that `relate` finds from the first seed make the port's bytes of the second."""
        first, second = (scratch / f"{name}-{make.__name__}-{seed}" for seed in SEEDS)
        rules, made = first / "found.json", second / f"related{suffix}"
        result = subprocess.run([str(self.netconv), "relate", first / "model.safetensors", first / f"port{suffix}", "--rules",
                                 rules, "--json"], capture_output=True, text=True)
        if not self.check(f"{what}: relate writes rules", "" if result.returncode in (0, 1) else result.stderr[:400]):
            return
        unsaid = {tensor["name"] for tensor in json.loads(result.stdout)["rules"]["unsaid"]}
        if unsaid:
            print(f"note    {what}: no rule of relate makes {', '.join(sorted(unsaid))}")
        problem = self.run("convert", second / "model.safetensors", made, "--weights-only", "--rules", rules, "-q")
        expected = {key: value for key, value in read(second / f"port{suffix}").items() if key not in unsaid}
        self.check(f"{what}: rules of relate make all others", problem or difference(read(made), expected))

    @staticmethod
    def kept(rules: Path, state: dict) -> dict:
        """The tensors that no rule drops."""
        import fnmatch

        dropped = []
        for rule in json.loads(rules.read_text())["rules"]:
            names = rule.get("drop", [])
            dropped += [names] if isinstance(names, str) else names
        return {name: value for name, value in state.items()
                if not any(fnmatch.fnmatchcase(name, pattern) for pattern in dropped)}

    def others(self, name: str, what: str, config: dict, folder: Path, found: dict, state: dict) -> None:
        """What else a library says of a port."""
        if name == "whisper-mlx":
            self.check(f"{what}: mlx-whisper computes transformers' logits", whisper_difference(folder, found, config))
        if name == "clip-openai":
            text = {key: value for key, value in state.items() if key.startswith("text_") and "position_ids" not in key}
            self.check(f"{what}: diffusers converts the text tower back", difference(ports.openai_text(found, config), text))

    def unchanged(self, name: str, make, scratch: Path) -> None:
        state, config = sources.save(make, scratch / f"plain-{name}", SEEDS[0])
        self.check(f"mlx-lm reads {name} as it is", difference(ports.mlx_lm(name)(state, config), state))


def read(path: Path) -> dict:
    """The arrays of a file, in float32, by the library of its format."""
    if path.suffix != ".gguf":
        return load_file(path) if path.exists() else {}
    import gguf

    return {tensor.name: tensor.data.reshape([int(size) for size in reversed(tensor.shape)])
            for tensor in gguf.GGUFReader(path).tensors} if path.exists() else {}


def difference(found: dict, expected: dict) -> str:
    """What is wrong with `found`; empty if names, shapes, types and bytes are those of `expected`."""
    missing, extra = sorted(expected.keys() - found.keys()), sorted(found.keys() - expected.keys())
    if missing or extra:
        return f"{len(missing)} missing {missing[:3]}, {len(extra)} too many {extra[:3]}"
    for name, value in expected.items():
        value = np.array(value, order="C")
        if found[name].shape != value.shape or found[name].dtype != value.dtype:
            return f"{name} is {found[name].dtype} {found[name].shape}, not {value.dtype} {value.shape}"
        if found[name].tobytes() != value.tobytes():
            return f"{name} has other values"
    return ""


def whisper_difference(folder: Path, port: dict, config: dict) -> str:
    """Small values, so that sums in another order agree; the encoder's positions are those that mlx-whisper computes."""
    import torch
    import transformers

    small = lambda values: {name: value / np.float32(256) for name, value in values.items()}
    model = transformers.WhisperForConditionalGeneration.from_pretrained(folder).eval()
    positions = {name: value.clone() for name, value in sources.whisper().state_dict().items()
                 if name == "model.encoder.embed_positions.weight"}
    state = {name: value / 256 for name, value in model.state_dict().items()}
    model.load_state_dict(state | positions)
    random = np.random.default_rng(5)
    mel = random.normal(size=(2, config["num_mel_bins"], 2 * config["max_source_positions"])).astype(np.float32)
    tokens = random.integers(4, 60, (2, 7))
    with torch.no_grad():
        expected = model(input_features=torch.from_numpy(mel), decoder_input_ids=torch.from_numpy(tokens)).logits.numpy()
    found = ports.whisper_output(small(port), config, mel, tokens)
    worst = float(np.abs(found - expected).max() / np.abs(expected).max())
    # 1e-5: sums of float32 in another order, three layers deep.
    return "" if worst < 1e-5 else f"relative difference {worst}"


def fixtures(root: Path) -> None:
    """Names and shapes of sources, and a digest of their ports, for values that count from 1."""
    folder = root / "Tests/Fixtures/families"
    folder.mkdir(exist_ok=True)
    for name, cases in CASES.items():
        make, port = cases[0]
        with tempfile.TemporaryDirectory() as scratch:
            state, config = sources.save(make, Path(scratch), 0)
            made = port(state, config)
        digest = hashlib.sha256()
        for tensor in sorted(made):
            digest.update(np.ascontiguousarray(made[tensor], "<f4").tobytes())
        text = (root / f"Samples/rules/{name}.json").read_text()
        document = {
            "source": {tensor: list(state[tensor].shape) for tensor in sorted(state)},
            "config": {key: value for key, value in config.items() if f'"{key}' in text or f'"{key}.' in text},
            "port": {tensor: list(made[tensor].shape) for tensor in sorted(made)},
            "dropped": sorted(state.keys() - Families.kept(root / f"Samples/rules/{name}.json", state).keys()),
            "sha256": digest.hexdigest(),
        }
        for key in ("text_config", "vision_config"):
            if key in document["config"]:
                document["config"][key] = {"hidden_size": config[key]["hidden_size"]}
        (folder / f"{name}.json").write_text(json.dumps(document, separators=(",", ":")) + "\n")
    llama = root / "Tests/Fixtures/rules/llama"
    sources.save(sources.llama, llama, SEEDS[0])
    sizes = {key: value for key, value in json.loads((llama / "config.json").read_text()).items() if key in sources.TEXT}
    (llama / "config.json").write_text(json.dumps(sizes, indent=2) + "\n")
    (llama / "generation_config.json").unlink()


def main() -> int:
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--only")
    parser.add_argument("--relate", action="store_true")
    parser.add_argument("--fixtures", action="store_true")
    options = parser.parse_args()
    if options.fixtures:
        fixtures(options.paths[0].resolve())
        return 0
    netconv, root = (path.resolve() for path in options.paths)
    families = Families(netconv, root)
    listed = {path.stem for path in (root / "Samples/rules").glob("*.json")}
    families.check("each file of Samples/rules has a case", ", ".join(sorted(listed ^ CASES.keys())))
    with tempfile.TemporaryDirectory() as scratch:
        for name, cases in CASES.items():
            if options.only in (None, name):
                for make, port in cases:
                    families.case(name, make, port, Path(scratch), options.relate)
        for name, make in UNCHANGED.items():
            if options.only in (None, name):
                families.unchanged(name, make, Path(scratch))
    print(f"{families.passed} passed, {families.failed} failed")
    return 1 if families.failed else 0


if __name__ == "__main__":
    sys.exit(main())
