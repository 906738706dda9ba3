"""Trains networks of PyTorch on MNIST, and saves what modules give, for the samples beside this folder."""
import argparse
from pathlib import Path

import mnist
import numpy as np
import torch
from torch import nn

BATCH = 100


def images(directory: Path, parts: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    values, labels = mnist.load(directory, parts)
    return torch.from_numpy(values[:, None]), torch.from_numpy(labels.astype(np.int64))


def train(model: nn.Module, directory: Path, epochs: int) -> None:
    """Adam with a rate that falls as a cosine; images are shifted by up to a pixel, but for the last epoch."""
    x, y = images(directory, mnist.training_parts(directory))
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * len(x) // BATCH)
    model.train()
    for epoch in range(epochs):
        for places in torch.randperm(len(x)).split(BATCH):
            batch = x[places]
            if epoch < epochs - 1:
                batch = batch.roll(tuple(torch.randint(-1, 2, (2,)).tolist()), (2, 3))
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(batch), y[places]).backward()
            optimizer.step()
            schedule.step()


def accuracy(model: nn.Module, directory: Path) -> tuple[int, int]:
    x, y = images(directory, ["t10k"])
    model.eval()
    with torch.no_grad():
        right = sum(
            int((model(part).argmax(1) == digits).sum()) for part, digits in zip(x.split(500), y.split(500)))
    return right, len(x)


def save_activations(model: nn.Module, directory: Path, modules: dict[str, str], path: Path, count: int = 4) -> None:
    """What modules give for the first test images, under the names of layers, with channels last."""
    x = images(directory, ["t10k"])[0][:count]
    saved = {"input": x}
    hooks = [
        model.get_submodule(module).register_forward_hook(
            lambda _, __, y, layer=layer: saved.update({layer: y.clone()}))
        for module, layer in modules.items()
    ]
    with torch.no_grad():
        model.eval()(x)
    for hook in hooks:
        hook.remove()
    np.savez_compressed(
        path, **{
            name: np.moveaxis(y.numpy(), 1, -1) if y.ndim == 4 else y.numpy() for name, y in saved.items()
        })


def make(script: str, network: type, name: str, layers, epochs: int, count: int) -> None:
    """What a training script does: trains the network, and saves NAME.pt and activations.npz.

    `layers` gives the modules of a network by the names of layers of model.json; `count` images are saved.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("idx", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=Path(script).resolve().parent)
    parser.add_argument("--epochs", type=int, default=epochs)
    arguments = parser.parse_args()
    torch.manual_seed(22)
    model = network()
    train(model, arguments.idx, arguments.epochs)
    torch.save(model.state_dict(), arguments.out / f"{name}.pt")
    save_activations(model, arguments.idx, layers(model), arguments.out / "activations.npz", count)
    right, total = accuracy(model, arguments.idx)
    print(f"test accuracy {right / total:.4f} ({right} of {total}), torch {torch.__version__}")
