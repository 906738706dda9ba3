#!/usr/bin/env python3
"""Trains a LeNet with PyTorch, and saves its state dictionary and what its layers give.

Usage: train.py IDX_DIR [OUT_DIR] [--epochs N]

IDX_DIR holds the MNIST files, plain or gzipped. OUT_DIR is the directory of this script unless given.
Needs: torch, numpy.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mnist"))

import torch
import torch_mnist
from torch import nn


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 5), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Sequential(nn.Linear(400, 48), nn.ReLU(), nn.Linear(48, 10))

    def forward(self, x):
        return self.classifier(torch.flatten(self.features(x), 1))


# The module whose output is that of a layer of model.json: there a layer has its activation.
LAYERS = {
    "features.1": "features.0", "features.2": "pool", "features.4": "features.3", "features.5": "pool_2",
    "classifier.1": "classifier.0", "classifier.2": "classifier.2",
}

if __name__ == "__main__":
    torch_mnist.make(__file__, LeNet, "lenet", lambda _: LAYERS, epochs=6, count=4)
