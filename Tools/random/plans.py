"""A model as data: drawn once from a seed, then built in either Keras, and shown as a few lines of Python."""
from dataclasses import dataclass, field, replace

import numpy as np

import tf_keras as keras2

# What Keras 2 calls an option of Keras 3.
OLDER = {("LeakyReLU", "negative_slope"): "alpha"}


class Mismatch(Exception):
    """A shape that Keras computes otherwise than the plan."""


class Dice:
    """Choices that depend on nothing but the numbers they are made from."""

    def __init__(self, *seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def integer(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        return int(self.rng.integers(low, high + 1))

    def number(self, low: float, high: float) -> float:
        return round(float(self.rng.uniform(low, high)), 2)

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def one(self, *options):
        return options[self.integer(0, len(options) - 1)]


class Spec:
    """A layer, or a cell or a model in one, with its options."""

    def __init__(self, kind: str, **options) -> None:
        self.kind = kind
        self.options = options

    def make(self, k):
        maker = k.Sequential if self.kind == "Sequential" else getattr(k.layers, self.kind)
        options = {self.option(k, key): made(k, value) for key, value in self.options.items()}
        return maker(**options)

    def option(self, k, key: str) -> str:
        return OLDER.get((self.kind, key), key) if k is keras2 else key

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(f'{key}={value!r}' for key, value in self.options.items())})"


def made(k, value):
    if isinstance(value, Spec):
        return value.make(k)
    return [made(k, item) for item in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Value:
    """What a layer gives: `shape` without the batch; of an `open` one, the model leaves the length to its input."""
    layer: str
    index: int
    shape: tuple[int, ...]
    open: bool = False

    @property
    def label(self) -> str:
        return f"{self.layer}[{self.index}]" if self.index else self.layer

    @property
    def written(self) -> tuple[int | None, ...]:
        return (None, *self.shape[1:]) if self.open else self.shape


@dataclass
class Input:
    value: Value
    dtype: str = "float32"
    words: int = 0                   # The values of an integer input are below this.
    masked: float | None = None      # The value of the steps that a Masking behind it leaves out.


@dataclass
class Step:
    """A call of a layer; without a `spec`, of one that an earlier step has made."""
    name: str
    spec: Spec | None
    inputs: list[Value]
    outputs: list[Value]
    states: list[Value] = field(default_factory=list)
    spread: bool = False             # Whether the inputs are arguments of their own.
    call: dict = field(default_factory=dict)


@dataclass
class Plan:
    seed: int
    kind: str
    only: str | None = None          # "keras2" or "keras3", for what the other has not.
    inputs: list[Input] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    sequential: bool = False

    @property
    def chain(self) -> bool:
        """Whether each step has one input, which is what the step before it gives, and nothing else."""
        values = [self.inputs[0].value, *(step.outputs[0] for step in self.steps)]
        return len(self.inputs) == 1 and self.outputs == values[-1:] and all(
            step.spec and step.inputs == [value] and not step.states and len(step.outputs) == 1
            for step, value in zip(self.steps, values))

    def needed(self) -> "Plan":
        """The plan without what no output needs."""
        wanted, kept = set(self.outputs), []
        for step in reversed(self.steps):
            if wanted.intersection(step.outputs):
                wanted.update(step.inputs, step.states)
                kept.insert(0, step)
        return replace(self, inputs=[i for i in self.inputs if i.value in wanted], steps=kept)

    def model(self, k):
        """The model in one Keras, without values in its weights."""
        if self.sequential:
            first = self.inputs[0]
            return k.Sequential([k.layers.Input(first.value.written, dtype=first.dtype, name=first.value.layer),
                                 *(step.spec.make(k) for step in self.steps)], name="net")
        tensors = {i.value: k.layers.Input(i.value.written, dtype=i.dtype, name=i.value.layer) for i in self.inputs}
        layers = {}
        for step in self.steps:
            if step.spec:
                layers[step.name] = step.spec.make(k)
            inputs = [tensors[value] for value in step.inputs]
            options = {"initial_state": [tensors[value] for value in step.states]} if step.states else {}
            arguments = inputs if step.spread else [inputs if len(inputs) > 1 else inputs[0]]
            results = flat(layers[step.name](*arguments, **options, **step.call))
            if len(results) != len(step.outputs):
                raise Mismatch(f"{step.name} gives {len(results)} tensors, not {len(step.outputs)}")
            for value, result in zip(step.outputs, results):
                shape = tuple(result.shape)[1:]
                if shape != value.written and value.open == (None in shape):
                    raise Mismatch(f"{value.label} is {shape}, not {value.written}")
                tensors[value] = result
        outputs = [tensors[value] for value in self.outputs]
        inputs = [tensors[i.value] for i in self.inputs]
        return k.Model(*(tensors if len(tensors) > 1 else tensors[0] for tensors in (inputs, outputs)), name="net")

    def lines(self) -> list[str]:
        """The model as lines of Keras."""
        lines = []
        for i in self.inputs:
            masked = "" if i.masked is None else f"  # steps of {i.masked} are masked"
            lines.append(f"{i.value.layer} = Input({i.value.written}, dtype='{i.dtype}'){masked}  "
                         f"# given {i.value.shape}")
        for step in self.steps:
            inputs = ", ".join(value.label for value in step.inputs)
            inputs = f"[{inputs}]" if len(step.inputs) > 1 and not step.spread else inputs
            inputs += "".join(f", {key}={value!r}" for key, value in step.call.items())
            states = f", initial_state=[{', '.join(value.label for value in step.states)}]" if step.states else ""
            callee = step.spec or f"the layer {step.name}"
            shapes = ", ".join(str(value.shape) for value in step.outputs)
            lines.append(f"{step.outputs[0].layer} = {callee}({inputs}{states})  # {shapes}")
        return [*lines, f"outputs = [{', '.join(value.label for value in self.outputs)}]"]


def flat(value) -> list:
    """The tensors in lists of lists."""
    return [tensor for item in value for tensor in flat(item)] if isinstance(value, (list, tuple)) else [value]
