#!/usr/bin/env python3
"""Trains a small residual network with PyTorch, and saves its state dictionary and what its layers give.

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


class Block(nn.Module):
    """Two convolutions and a way around them, as torchvision's BasicBlock has them."""

    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = nn.Identity() if stride == 1 else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.downsample(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(8)
        self.layer1 = Block(8, 8, 1)
        self.layer2 = Block(8, 16, 2)
        self.layer3 = Block(16, 32, 2)
        self.fc = nn.Linear(32, 10)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = self.layer3(self.layer2(self.layer1(x)))
        return self.fc(x.mean((2, 3)))


def layers(model: nn.Module) -> dict[str, str]:
    kinds = (nn.Conv2d, nn.BatchNorm2d, nn.Linear)
    return {name: name for name, module in model.named_modules() if isinstance(module, kinds)}


if __name__ == "__main__":
    torch_mnist.make(__file__, ResNet, "resnet", layers, epochs=4, count=2)
