"""What the verbs report, with types: the documents that Schemas/*.v1.schema.json describe."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Tensor:
    """A tensor that was written, or that a network has."""

    name: str
    """What it is called: `conv1_W`, or its place in a source."""
    layer: str | None
    role: str | None
    dtype: str
    layout: str | None
    """Its axes as written: `OHWI`."""
    shape: tuple[int, ...]
    bytes: int


@dataclass(frozen=True)
class Container:
    """A form in which the weights were written."""

    format: str
    bytes: int


@dataclass(frozen=True)
class Conversion:
    """What `convert` has written."""

    source: str
    destination: str
    target: str
    dtype: str
    framework: str | None
    bytes: int
    containers: tuple[Container, ...]
    tensors: tuple[Tensor, ...]
    document: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole report."""

    @staticmethod
    def of(document: Mapping[str, Any]) -> Conversion:
        one = document["conversions"][0]
        return Conversion(
            source=one["source"], destination=one["destination"], target=one["target"], dtype=one["dtype"],
            framework=one.get("framework"), bytes=one["bytes"],
            containers=tuple(Container(each["format"], each["bytes"]) for each in one["containers"]),
            tensors=tuple(_tensor(each, each["name"], each["length"]) for each in one["tensors"]),
            document=document)


@dataclass(frozen=True)
class Layer:
    """A layer of a network."""

    name: str
    operator: str
    class_name: str | None
    inputs: tuple[str, ...]
    output_shape: tuple[int | None, ...] | None
    parameter_count: int | None


@dataclass(frozen=True)
class Inspection:
    """What is in a file."""

    path: str
    format: str
    framework: str | None
    has_graph: bool
    bytes: int
    parameter_count: int | None
    layers: tuple[Layer, ...]
    tensors: tuple[Tensor, ...]
    document: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole report."""

    @staticmethod
    def of(document: Mapping[str, Any]) -> Inspection:
        return Inspection(
            path=document["path"], format=document["format"], framework=document.get("framework"),
            has_graph=document["hasGraph"], bytes=document["bytes"],
            parameter_count=document.get("parameterCount"),
            layers=tuple(_layer(each) for each in document.get("layers", ())),
            tensors=tuple(_tensor(each, each["path"], each["bytes"]) for each in document["tensors"]),
            document=document)


@dataclass(frozen=True)
class Verification:
    """What a run on samples has found. What was not asked for is None."""

    path: str
    passed: bool
    accuracy: float | None
    interval: tuple[float, float] | None
    """Wilson's interval around the accuracy, 95 %."""
    correct: int | None
    count: int | None
    recall: tuple[float | None, ...] | None
    confusion: tuple[tuple[int, ...], ...] | None
    dataset: str | None
    document: Mapping[str, Any] = field(repr=False, compare=False)
    """The whole report, with what a comparison found."""

    @staticmethod
    def of(document: Mapping[str, Any]) -> Verification:
        interval = document.get("interval")
        recall, confusion = document.get("recall"), document.get("confusion")
        return Verification(
            path=document["path"], passed=document["passed"], accuracy=document.get("accuracy"),
            interval=None if interval is None else (interval[0], interval[1]),
            correct=document.get("correct"), count=document.get("count"),
            recall=None if recall is None else tuple(recall),
            confusion=None if confusion is None else tuple(tuple(row) for row in confusion),
            dataset=document.get("dataset"), document=document)


def _tensor(document: Mapping[str, Any], name: str, length: int) -> Tensor:
    return Tensor(
        name=name, layer=document.get("layer"), role=document.get("role"), dtype=document["dtype"],
        layout=document.get("layout"), shape=tuple(document["shape"]), bytes=length)


def _layer(document: Mapping[str, Any]) -> Layer:
    shape = document.get("outputShape")
    return Layer(
        name=document["name"], operator=document["operator"], class_name=document.get("className"),
        inputs=tuple(document["inputs"]), output_shape=None if shape is None else tuple(shape),
        parameter_count=document.get("parameterCount"))
