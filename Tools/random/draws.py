"""Draws random models over sequences: an operation takes a sequence and gives another, or None if it does not fit.

A sequence is a Value of rank 2 (steps, channels), a vector one of rank 1. Each operation reads the dice before it adds
anything to the plan, and adds nothing if it gives None.
"""
from plans import Dice, Input, Plan, Spec, Step, Value

KINDS = ["conv", "recurrent", "masks", "transformer"]
PLAIN = ["linear", "relu", "tanh", "sigmoid", "elu", "selu", "softplus", "softsign", "swish", "gelu", "hard_sigmoid",
         "softmax", "exponential"]
# What a recurrent layer can go through many times without growing.
BOUNDED = ["tanh", "tanh", "tanh", "sigmoid", "softsign", "hard_sigmoid", "elu", "relu", "swish", "linear"]
MERGES = ["Add", "Add", "Add", "Multiply", "Average", "Maximum", "Minimum", "Subtract"]


class Draw:
    """A plan in the making."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice(seed, 1)
        self.plan = Plan(seed, KINDS[seed % len(KINDS)])
        self.counts: dict[str, int] = {}

    def name(self, kind: str) -> str:
        """Without the `_` of Keras's own names, which Keras 3 gives to the operations on masks in a model."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return f"{kind.lower()}{self.counts[kind]}"

    def input(self, shape: tuple[int, ...], open: bool = False, **options) -> Value:
        value = Value(self.name("steps" if len(shape) > 1 else "given"), 0, shape, open)
        self.plan.inputs.append(Input(value, **options))
        return value

    def add(self, kind: str, inputs, *shapes: tuple[int, ...], states=(), opened: list[bool] | None = None,
            **options) -> Value | list[Value]:
        """A step; its result, or the list of its results if it has more than one shape."""
        inputs = inputs if isinstance(inputs, list) else [inputs]
        name = self.name(kind)
        opened = opened or [inputs[0].open and len(shape) > 1 for shape in shapes]
        values = [Value(name, index, shape, o) for index, (shape, o) in enumerate(zip(shapes, opened))]
        self.plan.steps.append(Step(name, Spec(kind, **options, name=name), inputs, values, list(states)))
        return values if len(values) > 1 else values[0]

    def again(self, value: Value, x: Value) -> Value:
        """The layer of `value` called once more, on an input of the same shape; behind it, a layer of its own."""
        result = Value(self.name("again"), 0, value.shape, value.open)
        self.plan.steps.append(Step(value.layer, None, [x], [result]))
        return self.add("Activation", result, result.shape, activation="linear")

    def activation(self) -> str:
        return "linear" if self.dice.chance(0.4) else self.dice.one(*PLAIN)

    def through(self, x: Value, operations: list, depth: int) -> Value:
        """`depth` operations, one behind the other."""
        for _ in range(depth):
            for _ in range(20):
                y = self.dice.one(*operations)(self, x)
                if y is not None and y.shape[0] <= 40 and len(y.shape) == 2:
                    x = y
                    break
        return x


def optional(dice: Dice, **options) -> dict:
    """Each of the options with a chance of a half."""
    return {key: value for key, value in options.items() if dice.chance(0.5)}


# Convolutions

def window(dice: Dice, length: int, padding: str) -> tuple[dict, int]:
    """The options of a window that fits, and how many steps it gives."""
    size = dice.integer(1, 5)
    strides, dilation = dice.one((1, 1), (1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3))
    while padding == "valid" and (size - 1) * dilation + 1 > length:
        size -= 1
    options = {"kernel_size": size, "padding": padding}
    options |= {"strides": strides} if strides > 1 else {}
    options |= {"dilation_rate": dilation} if dilation > 1 else {}
    return options, after(length, (size - 1) * dilation + 1, strides, padding)


def after(length: int, extent: int, strides: int, padding: str) -> int:
    return (length - extent) // strides + 1 if padding == "valid" else -(-length // strides)


def biased(g: Draw) -> dict:
    return {"activation": g.activation()} | ({"use_bias": False} if g.dice.chance(0.25) else {})


def convolution(g: Draw, x: Value) -> Value:
    length, channels = x.shape
    options, steps = window(g.dice, length, g.dice.one("valid", "same", "causal"))
    groups = g.dice.one(*[n for n in (1, 1, 1, 2, 3, 4) if channels % n == 0])
    filters = groups * g.dice.integer(1, 6 // groups)
    options |= {"groups": groups} if groups > 1 else {}
    return g.add("Conv1D", x, (steps, filters), filters=filters, **options, **biased(g))


def depthwise(g: Draw, x: Value) -> Value:
    length, channels = x.shape
    options, steps = window(g.dice, length, g.dice.one("valid", "same"))
    multiplier = g.dice.one(1, 1, 2, 3)
    return g.add("DepthwiseConv1D", x, (steps, channels * multiplier), depth_multiplier=multiplier, **options,
                 **biased(g))


def separable(g: Draw, x: Value) -> Value:
    causal = ["causal"] if g.plan.only == "keras2" else []
    options, steps = window(g.dice, x.shape[0], g.dice.one("valid", "same", *causal))
    filters = g.dice.integer(1, 6)
    return g.add("SeparableConv1D", x, (steps, filters), filters=filters, depth_multiplier=g.dice.one(1, 1, 2, 3),
                 **options, **biased(g))


def transposed(g: Draw, x: Value) -> Value | None:
    size, strides, padding = g.dice.integer(1, 5), g.dice.one(1, 1, 2, 2, 3), g.dice.one("valid", "same")
    extra = g.dice.one(None, None, *range(strides))
    filters, length = g.dice.integer(1, 6), x.shape[0]
    options = {"filters": filters, "kernel_size": size, "strides": strides, "padding": padding} | biased(g)
    if extra is None:
        steps = length * strides + (max(size - strides, 0) if padding == "valid" else 0)
    else:
        if padding == "same" and not 1 <= size % 2 + extra <= strides:
            return None     # TensorFlow wants a length that a convolution would take back to this one.
        steps = (length - 1) * strides + size - (size // 2 * 2 if padding == "same" else 0) + extra
        options["output_padding"] = extra
    return g.add("Conv1DTranspose", x, (steps, filters), **options)


def pooling(g: Draw, x: Value) -> Value:
    length, channels = x.shape
    size, padding, strides = min(g.dice.integer(1, 4), length), g.dice.one("valid", "same"), g.dice.one(None, 1, 2, 3)
    return g.add(g.dice.one("MaxPooling1D", "AveragePooling1D"), x,
                 (after(length, size, strides or size, padding), channels),
                 pool_size=size, strides=strides, padding=padding)


def global_pooling(g: Draw, x: Value) -> Value:
    kept = g.dice.chance(0.4)
    shape = (1, x.shape[1]) if kept else (x.shape[1],)
    kind = g.dice.one("GlobalMaxPooling1D", "GlobalAveragePooling1D")
    return g.add(kind, x, shape, opened=[False], **({"keepdims": True} if kept else {}))


# Shapes

def padded(g: Draw, x: Value) -> Value:
    length, channels = x.shape
    if g.dice.chance(0.4):
        both = g.dice.integer(1, 3)
        return g.add("ZeroPadding1D", x, (length + 2 * both, channels), padding=both)
    left, right = g.dice.integer(0, 3), g.dice.integer(0, 3)
    return g.add("ZeroPadding1D", x, (length + left + right, channels), padding=(left, right))


def cropped(g: Draw, x: Value) -> Value | None:
    length, channels = x.shape
    left, right = g.dice.integer(0, 2), g.dice.integer(0, 2)
    if length - left - right < 1:
        return None
    return g.add("Cropping1D", x, (length - left - right, channels), cropping=(left, right))


def repeated(g: Draw, x: Value) -> Value | None:
    size = g.dice.integer(1, 3)
    return g.add("UpSampling1D", x, (x.shape[0] * size, x.shape[1]), size=size) if x.shape[0] < 15 else None


def reshaped(g: Draw, x: Value) -> Value | None:
    if x.open:
        return None
    count = x.shape[0] * x.shape[1]
    channels = g.dice.one(*[n for n in range(1, 9) if count % n == 0 and count // n <= 40] or [0])
    if channels == 0:
        return None
    target = g.dice.one((count // channels, channels), (-1, channels))
    return g.add("Reshape", x, (count // channels, channels), target_shape=target)


def turned(g: Draw, x: Value) -> Value | None:
    if x.open or x.shape[0] > 14:
        return None
    return g.add("Permute", x, (x.shape[1], x.shape[0]), dims=(2, 1))


# Layers that keep the shape

def normalized(g: Draw, x: Value) -> Value:
    if g.dice.chance(0.6):
        return g.add("BatchNormalization", x, x.shape,
                     **optional(g.dice, center=False, scale=False, epsilon=1e-5))
    return layer_normalized(g, x)


def layer_normalized(g: Draw, x: Value) -> Value | None:
    if x.shape[1] < 3:      # One or two channels have no values worth the name left.
        return None
    return g.add("LayerNormalization", x, x.shape, **optional(g.dice, center=False, scale=False, epsilon=0.01))


def dropped(g: Draw, x: Value) -> Value:
    kind = g.dice.one("Dropout", "Dropout", "SpatialDropout1D", "GaussianDropout", "GaussianNoise")
    option = {"stddev": 0.3} if kind == "GaussianNoise" else {"rate": 0.3}
    return g.add(kind, x, x.shape, **option)


def activated(g: Draw, x: Value) -> Value | None:
    kind, options = g.dice.one(
        ("Activation", {"activation": g.dice.one(*PLAIN)}), ("Activation", {"activation": "relu"}),
        ("ReLU", {"max_value": 1.5, "negative_slope": 0.1, "threshold": 0.2}), ("ReLU", {}),
        ("LeakyReLU", {"negative_slope": 0.2}), ("ELU", {"alpha": 0.7}), ("PReLU", {"shared_axes": [1]}),
        ("Softmax", {}))
    if kind == "Softmax" and g.plan.kind == "masks":
        return None     # It takes the mask of the steps for one of the channels.
    return g.add(kind, x, x.shape, **options)


def dense(g: Draw, x: Value) -> Value:
    units = g.dice.integer(1, 6)
    return g.add("Dense", x, (*x.shape[:-1], units), units=units, **biased(g))


# Joins

def same_length(g: Draw, x: Value, channels: int) -> Value:
    """A branch that keeps the length; mostly one that keeps a mask, too."""
    if g.dice.chance(0.8 if g.plan.kind == "masks" else 0.3):
        return g.add("Dense", x, (x.shape[0], channels), units=channels, **biased(g))
    options = {"kernel_size": g.dice.integer(1, 4), "padding": g.dice.one("same", "causal")}
    return g.add("Conv1D", x, (x.shape[0], channels), filters=channels, **options, **biased(g))


def residual(g: Draw, x: Value) -> Value:
    branches = [same_length(g, x, x.shape[1])]
    if g.dice.chance(0.3):
        branches.append(same_length(g, branches[0], x.shape[1]))
    kind = g.dice.one(*MERGES)
    inputs = [x, *branches] if g.dice.chance(0.5) else [*branches, x]
    return g.add(kind, inputs[:2] if kind == "Subtract" else inputs, x.shape)


def beside(g: Draw, x: Value) -> Value | None:
    if x.shape[1] > 12:
        return None
    y = same_length(g, x, g.dice.integer(1, 5))
    inputs = [x, y] if g.dice.chance(0.5) else [y, x]
    axis = g.dice.one(-1, -1, 2)
    return g.add("Concatenate", inputs, (x.shape[0], x.shape[1] + y.shape[1]), axis=axis)


def behind(g: Draw, x: Value) -> Value | None:
    if x.shape[0] > 14:
        return None
    y = convolution(g, x)
    if y.shape[1] != x.shape[1]:
        y = g.add("Dense", y, (y.shape[0], x.shape[1]), units=x.shape[1])
    inputs = [x, y] if g.dice.chance(0.5) else [y, x]
    return g.add("Concatenate", inputs, (x.shape[0] + y.shape[0], x.shape[1]), axis=g.dice.one(1, 1, -2))


def shared(g: Draw, x: Value) -> Value:
    """One layer called twice."""
    y = same_length(g, x, x.shape[1])
    return g.again(y, y)


def nested(g: Draw, x: Value) -> Value | None:
    """A Sequential model as a layer."""
    if x.open:
        return None
    filters, units = g.dice.integer(1, 5), g.dice.integer(1, 5)
    return g.add("Sequential", x, (x.shape[0], units), layers=[
        Spec("Input", shape=x.shape), Spec("Conv1D", filters=filters, kernel_size=3, padding="same", name="conv"),
        Spec("Dense", units=units, activation="tanh", name="fc")])


# Recurrent layers

def recurrent(dice: Dice, kind: str, suffix: str = "", units: int = 0) -> Spec:
    """A recurrent layer or, with the suffix "Cell", a cell; without what belongs to sequences."""
    options = {"units": units or dice.integer(1, 6)}
    if dice.chance(0.35):
        options["activation"] = dice.one(*BOUNDED)
    if kind != "SimpleRNN" and dice.chance(0.4):
        options["recurrent_activation"] = dice.one("hard_sigmoid", "hard_sigmoid", "tanh", "softsign", "sigmoid")
    if dice.chance(0.2):
        options["use_bias"] = False
    if kind == "GRU" and dice.chance(0.5):
        options["reset_after"] = dice.chance(0.3)
    if kind == "LSTM" and dice.chance(0.2):
        options["unit_forget_bias"] = False
    if dice.chance(0.15):
        options |= {"dropout": 0.2, "recurrent_dropout": 0.1}
    return Spec(kind + suffix, **options)


def kind_of(dice: Dice) -> str:
    return dice.one("LSTM", "LSTM", "GRU", "GRU", "SimpleRNN")


def states_of(spec: Spec) -> list[tuple[int]]:
    """The shapes of the states."""
    return [(spec.options["units"],)] * (2 if spec.kind.startswith("LSTM") else 1)


def direction(g: Draw, x: Value) -> dict:
    """The options that say how a layer goes over a sequence."""
    options = {"go_backwards": True} if g.dice.chance(0.25) else {}
    if g.dice.chance(0.2) and not x.open and x.shape[0] > 1:
        options["unroll"] = True
    return options


def recurrence(g: Draw, x: Value, sequences: bool = True) -> Value:
    spec = recurrent(g.dice, kind_of(g.dice))
    units = spec.options["units"]
    options = spec.options | direction(g, x) | ({"return_sequences": True} if sequences else {})
    return g.add(spec.kind, x, (x.shape[0], units) if sequences else (units,), **options)


def last(g: Draw, x: Value) -> Value:
    return g.dice.one(recurrence, recurrence, two_directions, cells)(g, x, False)


def two_directions(g: Draw, x: Value, sequences: bool = True) -> Value:
    """Bidirectional, with one result."""
    dice = g.dice
    mode = dice.one("concat", "concat", "sum", "mul", "ave")
    forward = within(g, x, sequences)
    backward, units = None, forward.options["units"]
    if dice.chance(0.3):
        # Keras 3 takes the shape of both from the forward one.
        free = mode == "concat" and g.plan.only == "keras2"
        backward = within(g, x, sequences, 0 if free else units)
        backward.options["go_backwards"] = True
    width = units + (backward or forward).options["units"] if mode == "concat" else units
    options = {"layer": forward, "merge_mode": mode} | ({"backward_layer": backward} if backward else {})
    return g.add("Bidirectional", x, (x.shape[0], width) if sequences else (width,), **options)


def within(g: Draw, x: Value, sequences: bool, units: int = 0) -> Spec:
    """A layer for Bidirectional."""
    spec = recurrent(g.dice, kind_of(g.dice), units=units)
    if sequences:
        spec.options["return_sequences"] = True
    if g.dice.chance(0.15) and not x.open and x.shape[0] > 1:
        spec.options["unroll"] = True
    return spec


def both_directions(g: Draw, x: Value) -> Value:
    """Bidirectional that gives both directions apart, joined behind it."""
    forward = within(g, x, True)
    units = forward.options["units"]
    a, b = g.add("Bidirectional", x, (x.shape[0], units), (x.shape[0], units), layer=forward, merge_mode=None)
    if g.dice.chance(0.5):
        return g.add("Subtract", [a, b], a.shape)
    return g.add("Concatenate", [b, a], (x.shape[0], 2 * units))


def both_ends(g: Draw, x: Value) -> Value:
    """Bidirectional with its states, which go into a dense layer or start another Bidirectional."""
    forward = within(g, x, True)
    forward.options["return_state"] = True
    units, states = forward.options["units"], states_of(forward)
    y, *rest = g.add("Bidirectional", x, (x.shape[0], 2 * units), *states, *states, layer=forward)
    if g.dice.chance(0.5):
        other = recurrent(g.dice, forward.kind, units=units)
        other.options["return_sequences"] = True
        return g.add("Bidirectional", y, (x.shape[0], units), states=rest, layer=other, merge_mode="sum")
    return scaled(g, y, g.dice.one(*rest))


def scaled(g: Draw, x: Value, vector: Value) -> Value:
    """A sequence and a vector, through a dense layer added to each step."""
    units = x.shape[1]
    y = g.add("Dense", vector, (units,), units=units, activation="tanh")
    y = g.add("Reshape", y, (1, units), target_shape=(1, units))
    return g.add("Add", [x, y], x.shape)


def cells(g: Draw, x: Value, sequences: bool = True) -> Value:
    """RNN over a cell, a list of cells, or StackedRNNCells."""
    specs = [recurrent(g.dice, kind_of(g.dice), "Cell") for _ in range(g.dice.integer(1, 3))]
    units = specs[-1].options["units"]
    cell = specs[0] if len(specs) == 1 else g.dice.one(specs, Spec("StackedRNNCells", cells=specs))
    options = direction(g, x) | ({"return_sequences": True} if sequences else {})
    return g.add("RNN", x, (x.shape[0], units) if sequences else (units,), cell=cell, **options)


def two_ways_of_cells(g: Draw, x: Value) -> Value:
    """Bidirectional around RNN."""
    specs = [recurrent(g.dice, kind_of(g.dice), "Cell") for _ in range(g.dice.integer(1, 2))]
    units = specs[-1].options["units"]
    layer = Spec("RNN", cell=specs[0] if len(specs) == 1 else specs, return_sequences=True)
    return g.add("Bidirectional", x, (x.shape[0], 2 * units), layer=layer)


def with_states(g: Draw, x: Value) -> Value:
    """A layer whose states go on: into a dense layer, or as what another begins with."""
    spec = recurrent(g.dice, kind_of(g.dice))
    units, states = spec.options["units"], states_of(spec)
    options = spec.options | direction(g, x) | {"return_sequences": True, "return_state": True}
    y, *rest = g.add(spec.kind, x, (x.shape[0], units), *states, **options)
    if g.dice.chance(0.3):
        return scaled(g, y, g.dice.one(*rest))
    return begun(g, g.dice.one(x, y), spec.kind, units, rest)


def begun(g: Draw, x: Value, kind: str, units: int, states: list[Value]) -> Value:
    spec = recurrent(g.dice, kind, units=units)
    options = spec.options | direction(g, x) | {"return_sequences": True}
    return g.add(kind, x, (x.shape[0], units), states=states, **options)


def given_states(g: Draw, x: Value) -> Value | None:
    """Initial states that are inputs of the model, as they are or through a dense layer."""
    if len(g.plan.inputs) > 2:
        return None
    kind, units = kind_of(g.dice), g.dice.integer(1, 6)
    states = [g.input((units,)) for _ in range(2 if kind == "LSTM" else 1)]
    if g.dice.chance(0.3):
        states = [g.add("Dense", state, (units,), units=units, activation="tanh") for state in states]
    return begun(g, x, kind, units, states)


def last_repeated(g: Draw, x: Value) -> Value:
    """The last step of one layer for each step of the next."""
    y = last(g, x)
    count = g.dice.integer(2, 7)
    return g.add("RepeatVector", y, (count, y.shape[0]), n=count, opened=[False])


def each_step(g: Draw, x: Value) -> Value:
    units = g.dice.integer(1, 6)
    return g.add("TimeDistributed", x, (x.shape[0], units), layer=Spec("Dense", units=units, **biased(g)))


def each_sequence(g: Draw, x: Value) -> Value | None:
    """TimeDistributed over sequences of rank 2 or images, which a Reshape makes of the steps."""
    if x.open:
        return None
    length, width, inner = x.shape[0], g.dice.integer(3, 5), g.dice.integer(1, 3)
    if g.dice.chance(0.4):
        y = g.add("Dense", x, (length, 3 * width * inner), units=3 * width * inner)
        y = g.add("Reshape", y, (length, 3, width, inner), target_shape=(length, 3, width, inner))
        return each_image(g, y)
    y = g.add("Dense", x, (length, width * inner), units=width * inner)
    y = g.add("Reshape", y, (length, width, inner), target_shape=(length, width, inner))
    if g.dice.chance(0.3):
        y = convolved_steps(g, y)
    return each_series(g, y)


def convolved_steps(g: Draw, x: Value) -> Value:
    """(steps, length, channels) through a recurrent convolution, which goes through the steps."""
    steps, length, _ = x.shape
    filters, size = g.dice.integer(1, 3), g.dice.integer(1, 3)
    # What follows has windows of up to three.
    padding = "valid" if length - size >= 2 and g.dice.chance(0.5) else "same"
    options = {"go_backwards": True} if g.dice.chance(0.25) else {}
    if g.dice.chance(0.3):
        options["activation"] = g.dice.one(*BOUNDED)
    if g.dice.chance(0.2):
        options["use_bias"] = False
    return g.add("ConvLSTM1D", x, (steps, after(length, size, 1, padding), filters), filters=filters,
                 kernel_size=size, padding=padding, return_sequences=True, **options)


def each_image(g: Draw, x: Value) -> Value:
    """(steps, rows, columns, channels) through a convolution, and each step flattened."""
    length, rows, columns, channels = x.shape
    filters = g.dice.integer(1, 3)
    count = (rows - 1) * (columns - 1) * filters
    conv = Spec("Conv2D", filters=filters, kernel_size=2, activation="relu", name="conv")
    if g.dice.chance(0.5):
        return g.add("TimeDistributed", x, (length, count), layer=Spec(
            "Sequential", layers=[Spec("Input", shape=x.shape[1:]), conv, Spec("Flatten", name="flatten")],
            name=g.name("body")))
    del conv.options["name"]
    y = g.add("TimeDistributed", x, (length, rows - 1, columns - 1, filters), layer=conv)
    return g.add("TimeDistributed", y, (length, count), layer=Spec("Flatten"))


def each_series(g: Draw, x: Value) -> Value:
    """(steps, length, channels) through a convolution, and each step made a vector."""
    length, width, channels = x.shape
    filters, padding = g.dice.integer(1, 4), g.dice.one("valid", "same", "causal")
    size = g.dice.integer(1, 3)
    width = after(width, size, 1, padding)
    y = g.add("TimeDistributed", x, (length, width, filters), layer=Spec(
        "Conv1D", filters=filters, kernel_size=size, padding=padding, activation=g.activation()))
    end, shape = g.dice.one(
        (Spec("Flatten"), width * filters), (Spec("GlobalMaxPooling1D"), filters),
        (Spec("GlobalAveragePooling1D"), filters), (Spec("LSTM", units=3), 3))
    return g.add("TimeDistributed", y, (length, shape), layer=end)


# Masks

def masking(g: Draw, x: Value, value: float) -> Value:
    return g.add("Masking", x, x.shape, **({"mask_value": value} if value or g.dice.chance(0.5) else {}))


def masked_padding(g: Draw, x: Value) -> Value:
    """Steps of zeros that a Masking leaves out."""
    return masking(g, padded(g, x), 0.0)


def through_masked(g: Draw, x: Value) -> Value:
    """Joins of what has masks."""
    a = g.dice.one(dense, each_step, recurrence)(g, x)
    b = g.add("Dense", x, a.shape, units=a.shape[1])
    if g.dice.chance(0.5):
        return g.add(g.dice.one("Add", "Multiply", "Average", "Maximum"), [a, b], a.shape)
    if a.shape[0] < 15 and g.dice.chance(0.4):
        return g.add("Concatenate", [a, b], (2 * a.shape[0], a.shape[1]), axis=1)
    return g.add("Concatenate", [a, x], (a.shape[0], a.shape[1] + x.shape[1]))


def zeros_for_masked(g: Draw, x: Value) -> Value:
    """A recurrent layer that gives zeros for masked steps."""
    spec = recurrent(g.dice, kind_of(g.dice))
    return g.add(spec.kind, x, (x.shape[0], spec.options["units"]), **spec.options, **direction(g, x),
                 return_sequences=True, zero_output_for_mask=True)


CONVOLUTIONS = [convolution] * 4 + [depthwise, separable, transposed] * 2 + [
    pooling, pooling, padded, cropped, repeated, reshaped, turned, normalized, normalized, dropped, activated, dense,
    residual, residual, beside, behind, shared, nested]
RECURRENCES = [recurrence] * 4 + [two_directions] * 3 + [cells, with_states, given_states] * 2 + [
    both_directions, both_ends, two_ways_of_cells, last_repeated, each_step, each_sequence]
AMONG_RECURRENCES = [convolution, pooling, normalized, dropped, activated, dense, residual, beside, shared]
PASSING = [dropped, dense, activated, layer_normalized, normalized, through_masked, through_masked, each_step, residual,
           beside]
DROPPING = [convolution, turned, repeated, pooling, padded, cropped, reshaped, depthwise]
CONSUMING = [recurrence] * 4 + [two_directions] * 3 + [cells] * 2 + [
    zeros_for_masked, both_directions, both_ends, with_states, two_ways_of_cells, last_repeated, masked_padding]


# Models

def drawn(seed: int) -> Plan:
    """The plan of a seed."""
    g = Draw(seed)
    if g.dice.chance(0.15):
        g.plan.only = g.dice.one("keras2", "keras3")
    return {"conv": conv_model, "recurrent": recurrent_model, "masks": masks_model,
            "transformer": transformer_model}[g.plan.kind](g)


def beginning(g: Draw) -> Value:
    return g.input((g.dice.integer(3, 14), g.dice.integer(1, 6)), open=g.dice.chance(0.2))


def attended(g: Draw, x: Value) -> Value:
    """Attention of a sequence to itself or to another; its steps and channels stay."""
    d = g.dice
    y = g.through(x, [convolution, pooling], 1) if d.chance(0.3) else x
    call = {"use_causal_mask": True} if d.chance(0.4) else {}
    kinds = ["MultiHeadAttention"] * 4 + ["Attention", "AdditiveAttention"]
    kind = d.one(*kinds, *(["GroupQueryAttention"] * 3 if g.plan.only == "keras3" else []))
    if kind in ("Attention", "AdditiveAttention"):
        y = y if y.shape[1] == x.shape[1] else g.add("Dense", y, (y.shape[0], x.shape[1]), units=x.shape[1])
        options = {"use_scale": True} if kind == "AdditiveAttention" or d.chance(0.5) else {}
        options |= {"score_mode": "concat"} if kind == "Attention" and d.chance(0.3) else {}
        result = g.add(kind, [x, y], x.shape, **options)
    elif kind == "GroupQueryAttention":
        y = y if y.shape[1] == x.shape[1] else g.add("Dense", y, (y.shape[0], x.shape[1]), units=x.shape[1])
        groups = d.integer(1, 3)
        options = {"head_dim": d.integer(2, 5), "num_query_heads": groups * d.integer(1, 3), "num_key_value_heads": groups}
        options |= optional(d, use_bias=False, use_gate=True, sliding_window=d.integer(1, 4))
        result = g.add(kind, [x, y], x.shape, **options)
    else:
        # Keras 3.15 adds biases of heads of width 1 along the wrong axis, if there are as many heads as steps.
        options = {"num_heads": d.integer(1, 4), "key_dim": d.integer(2, 6)}
        options |= optional(d, value_dim=d.integer(2, 5), use_bias=False, dropout=0.2, output_shape=x.shape[1])
        result = g.add(kind, [x, y], x.shape, **options)
    step = g.plan.steps[-1]
    step.spread, step.call = kind.startswith(("Group", "Multi")), call
    return result


def transformer_model(g: Draw) -> Plan:
    """Layers of attention and of dense layers, each added to what goes in, with normalisations before or after."""
    x = beginning(g)
    if g.dice.chance(0.7):
        x = g.add("Dense", x, (x.shape[0], width := g.dice.integer(2, 9)), units=width)
    is_before = g.dice.chance(0.5)
    for _ in range(g.dice.integer(1, 4)):
        for part in ("attention", "dense"):
            y = g.add("LayerNormalization", x, x.shape, epsilon=1e-3) if is_before else x
            if part == "attention":
                y = attended(g, y)
            else:
                units = g.dice.integer(2, 12)
                y = g.add("Dense", y, (x.shape[0], units), units=units, activation=g.dice.one("gelu", "relu", "swish"))
                y = g.add("Dense", y, x.shape, units=x.shape[1])
            x = g.add("Add", [x, y], x.shape)
            x = x if is_before else g.add("LayerNormalization", x, x.shape, epsilon=1e-3)
    return finished(g, x, [attended, dense, layer_normalized], [flattened, global_pooling, global_pooling])


def joined(g: Draw, x: Value) -> Value:
    """Another input, through a layer of its own, joined to what is there."""
    other = g.input((x.shape[0], g.dice.integer(1, 6)), open=x.open)
    y = same_length(g, other, x.shape[1])
    if g.dice.chance(0.5):
        return g.add("Concatenate", [x, y], (x.shape[0], 2 * x.shape[1]))
    return g.add("Add", [y, x], x.shape)


def ended(g: Draw, x: Value, ends: list) -> Value:
    """The last layers of an output: the sequence as it is, or a vector of it and dense layers."""
    if g.dice.chance(0.3):
        return x
    y = g.dice.one(*ends)(g, x)
    if y is None:
        return x
    for _ in range(g.dice.integer(0, 2)):
        units = g.dice.integer(1, 7)
        y = g.add("Dense", y, (*y.shape[:-1], units), units=units,
                  activation=g.dice.one("linear", "relu", "softmax", "sigmoid", "tanh"))
    return y


def flattened(g: Draw, x: Value) -> Value | None:
    if x.open:
        return None
    count = x.shape[0] * x.shape[1]
    if g.dice.chance(0.25):
        return g.add("Reshape", x, (count,), target_shape=(-1,))
    return g.add("Flatten", x, (count,))


def finished(g: Draw, x: Value, operations: list, ends: list) -> Plan:
    """One output, sometimes a second from what a step in the middle gives."""
    called_again = {step.name for step in g.plan.steps if not step.spec}
    between = [value for step in g.plan.steps for value in step.outputs
               if len(value.shape) == 2 and len(step.outputs) == 1 and step.name not in called_again]
    outputs = [ended(g, x, ends)]
    if g.dice.chance(0.25) and between:
        y = ended(g, g.through(g.dice.one(*between), operations, g.dice.integer(0, 1)), ends)
        outputs.append(y if y not in outputs else g.add("Activation", y, y.shape, activation="tanh"))
    # An output is what a layer gives, not an input, and each is another layer's.
    given = [i.value for i in g.plan.inputs]
    outputs = [g.add("Activation", y, y.shape, activation="tanh") if y in given else y for y in outputs]
    g.plan.outputs = outputs if g.dice.chance(0.5) else outputs[::-1]
    plan = g.plan.needed()
    plan.sequential = g.dice.chance(0.6) and plan.chain
    return plan


def conv_model(g: Draw) -> Plan:
    x = g.through(beginning(g), CONVOLUTIONS, g.dice.integer(0, 2))
    if g.dice.chance(0.15):
        x = joined(g, x)
    x = g.through(x, CONVOLUTIONS, g.dice.integer(1, 3))
    return finished(g, x, CONVOLUTIONS, [flattened, flattened, global_pooling])


def recurrent_model(g: Draw) -> Plan:
    ends = [last, last, last, flattened, global_pooling]
    if g.dice.chance(0.12):
        x = each_input(g)
    else:
        x = beginning(g)
        if g.dice.chance(0.3):
            x = g.through(x, AMONG_RECURRENCES, g.dice.integer(1, 2))
        if g.dice.chance(0.1):
            x = joined(g, x)
    for _ in range(g.dice.integer(1, 3)):
        x = g.through(x, RECURRENCES, 1)
        if g.dice.chance(0.25):
            x = g.through(x, AMONG_RECURRENCES, 1)
    return finished(g, x, RECURRENCES, ends)


def each_input(g: Draw) -> Value:
    """An input of series or of images."""
    length = g.dice.integer(3, 8)
    if g.dice.chance(0.5):
        return each_series(g, g.input((length, g.dice.integer(3, 6), g.dice.integer(1, 3))))
    return each_image(g, g.input((length, g.dice.integer(3, 4), g.dice.integer(3, 5), g.dice.integer(1, 3))))


def masked_beginning(g: Draw, length: int, open: bool) -> Value:
    """Words that are embedded, or steps of which a value says that they are not there."""
    if g.dice.chance(0.5):
        words, units = g.dice.integer(4, 9), g.dice.integer(1, 6)
        x = g.input((length,), dtype=g.dice.one("int32", "float32"), words=words, open=open)
        return g.add("Embedding", x, (length, units), input_dim=words, output_dim=units, opened=[open],
                     **({"mask_zero": True} if g.dice.chance(0.8) else {}))
    value = g.dice.one(0.0, 0.0, -1.0, 0.1)
    return masking(g, g.input((length, g.dice.integer(1, 6)), open=open, masked=value), value)


def masks_model(g: Draw) -> Plan:
    length, open = g.dice.integer(3, 14), g.dice.chance(0.2)
    x = masked_beginning(g, length, open)
    if g.dice.chance(0.2):
        y = masked_beginning(g, length, open)
        if g.dice.chance(0.5) or x.shape != y.shape:
            x = g.add("Concatenate", [x, y], (length, x.shape[1] + y.shape[1]))
        else:
            x = g.add("Add", [x, y], x.shape)
    x = g.through(x, PASSING, g.dice.integer(0, 2))
    if g.dice.chance(0.2):
        x = g.through(x, DROPPING, 1)
    for _ in range(g.dice.integer(0, 2)):
        x = g.through(x, CONSUMING, 1)
        if g.dice.chance(0.3):
            x = g.through(x, g.dice.one(PASSING, PASSING, DROPPING), 1)
    return finished(g, x, PASSING + CONSUMING, [last, last, last, global_pooling, global_pooling, flattened])
