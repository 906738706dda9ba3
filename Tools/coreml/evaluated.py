"""Values of ML Programs without a Mac: coremltools' own inference of values, and numpy for operations that have none.

coremltools loads a program operation by operation. If the inputs are constants, it computes the values of most operations
itself, by definitions that are Apple's. The others are defined here, from their documentation.
"""
import os
import pathlib
import sys
import warnings

warnings.filterwarnings("ignore")
os.environ.setdefault("COREMLTOOLS_LOG_LEVEL", "ERROR")
import numpy as np  # noqa: E402

import coremltools  # noqa: E402, F401
from coremltools import proto  # noqa: E402
from coremltools.converters.mil._deployment_compatibility import AvailableTarget  # noqa: E402
from coremltools.converters.mil.frontend.milproto import load as milproto  # noqa: E402
from coremltools.converters.mil.mil import Builder as mb, Function  # noqa: E402
from coremltools.converters.mil.mil.operation import VALUE, precondition  # noqa: E402
from coremltools.converters.mil.mil.ops.registry import SSAOpRegistry  # noqa: E402


def windows(x, sizes, strides, dilations, fill):
    """The values under each window: x with one more axis for each spatial one, at its end."""
    for axis, (size, stride, dilation) in enumerate(zip(sizes, strides, dilations)):
        extent = (size - 1) * dilation + 1
        x = np.lib.stride_tricks.sliding_window_view(x, extent, axis=2 + axis)
        index = [slice(None)] * x.ndim
        index[2 + axis] = slice(None, None, stride)
        index[-1] = slice(None, None, dilation)
        x = x[tuple(index)]
    return x


def padded(op, x, sizes, dilations, fill):
    kind, strides = op.pad_type.val, list(op.strides.val)
    count = len(sizes)
    if kind == "valid":
        sides = [(0, 0)] * count
    elif kind == "custom":
        pad = op.pad.val
        sides = [(pad[2 * axis], pad[2 * axis + 1]) for axis in range(count)]
    else:
        sides = []
        for axis in range(count):
            length, extent = x.shape[2 + axis], (sizes[axis] - 1) * dilations[axis] + 1
            total = max(0, (-(-length // strides[axis]) - 1) * strides[axis] + extent - length)
            sides.append((total // 2, total - total // 2) if kind == "same" else (total - total // 2, total // 2))
    return np.pad(x, [(0, 0), (0, 0)] + sides, constant_values=fill)


def conv(op):
    x, weight = op.x.val.astype(np.float64), op.weight.val.astype(np.float64)
    sizes, groups = weight.shape[2:], op.groups.val
    x = padded(op, x, sizes, op.dilations.val, 0)
    found = windows(x, sizes, op.strides.val, op.dilations.val, 0)
    count, own = len(sizes), weight.shape[1]
    parts = []
    for group in range(groups):
        kernel = weight[group * (len(weight) // groups):(group + 1) * (len(weight) // groups)]
        part = found[:, group * own:(group + 1) * own]
        axes = [1] + list(range(2 + count, 2 + 2 * count))
        parts.append(np.moveaxis(np.tensordot(part, kernel, (axes, list(range(1, kernel.ndim)))), -1, 1))
    sum_ = np.concatenate(parts, 1)
    if op.bias is not None:
        sum_ = sum_ + op.bias.val.reshape([-1] + [1] * count)
    return sum_.astype(np.float32)


def conv_transpose(op):
    x, weight = op.x.val.astype(np.float64), op.weight.val.astype(np.float64)
    sizes, groups, count = weight.shape[2:], op.groups.val, weight.ndim - 2
    strides, dilations, pad = op.strides.val, op.dilations.val, op.pad.val
    assert op.pad_type.val == "custom" and op.output_shape is None
    full = [(x.shape[2 + a] - 1) * strides[a] + (sizes[a] - 1) * dilations[a] + 1 for a in range(count)]
    own = x.shape[1] // groups
    sum_ = np.zeros([x.shape[0], weight.shape[1] * groups] + full)
    for place in np.ndindex(*sizes):
        index = tuple(slice(place[a] * dilations[a], place[a] * dilations[a] + (x.shape[2 + a] - 1) * strides[a] + 1,
                            strides[a]) for a in range(count))
        for group in range(groups):
            part = np.tensordot(x[:, group * own:(group + 1) * own], weight[(slice(group * own, (group + 1) * own), slice(None)) + place],
                                ([1], [0]))
            outputs = slice(group * weight.shape[1], (group + 1) * weight.shape[1])
            sum_[(slice(None), outputs) + index] += np.moveaxis(part, -1, 1)
    cut = tuple(slice(pad[2 * a], full[a] - pad[2 * a + 1]) for a in range(count))
    sum_ = sum_[(slice(None), slice(None)) + cut]
    if op.bias is not None:
        sum_ = sum_ + op.bias.val.reshape([-1] + [1] * count)
    return sum_.astype(np.float32)


def pool(op, is_mean):
    sizes, count = list(op.kernel_sizes.val), len(op.kernel_sizes.val)
    ones = [1] * count
    axes = tuple(range(2 + count, 2 + 2 * count))
    assert not op.ceil_mode.val
    if not is_mean:
        x = padded(op, op.x.val, sizes, ones, -np.inf)
        return windows(x, sizes, op.strides.val, ones, 0).max(axes)
    sums = windows(padded(op, op.x.val.astype(np.float64), sizes, ones, 0), sizes, op.strides.val, ones, 0).sum(axes)
    if not op.exclude_padding_from_average.val:
        return (sums / np.prod(sizes)).astype(np.float32)
    counts = windows(padded(op, np.ones_like(op.x.val, np.float64), sizes, ones, 0), sizes, op.strides.val, ones, 0).sum(axes)
    return (sums / counts).astype(np.float32)


def normalized(op, mean, variance):
    shape = [1, -1] + [1] * (op.x.val.ndim - 2)
    y = (op.x.val - mean) / np.sqrt(variance + op.epsilon.val)
    y = y if op.gamma is None else y * op.gamma.val.reshape(shape)
    return (y if op.beta is None else y + op.beta.val.reshape(shape)).astype(np.float32)


def batch_norm(op):
    shape = [1, -1] + [1] * (op.x.val.ndim - 2)
    return normalized(op, op.mean.val.reshape(shape), op.variance.val.reshape(shape))


def instance_norm(op):
    axes = tuple(range(2, op.x.val.ndim))
    x = op.x.val.astype(np.float64)
    return normalized(op, x.mean(axes, keepdims=True), x.var(axes, keepdims=True))


ACTIVATIONS = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0), "linear": lambda x: x,
    "hard_sigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1), "sigmoid_hard": lambda x: np.clip(0.2 * x + 0.5, 0, 1),
}


def steps(op, gates, step):
    assert op.direction.val == "forward"
    kernel, recurrent = op.weight_ih.val.astype(np.float64), op.weight_hh.val.astype(np.float64)
    bias = 0 if op.bias is None else op.bias.val
    state, outputs = step[0], []
    for x in op.x.val.astype(np.float64):
        state = step[1](x @ kernel.T + state[0] @ recurrent.T + bias, state)
        outputs.append(state[0])
    outputs = np.stack(outputs) if op.output_sequence.val else outputs[-1][None]
    return [outputs.astype(np.float32)] + [value.astype(np.float32) for value in state]


def lstm(op):
    gate, cell, out = (ACTIVATIONS[value.val] for value in (op.recurrent_activation, op.cell_activation, op.activation))

    def step(sums, state):
        i, f, o, z = np.split(sums, 4, axis=1)
        c = gate(f) * state[1] + gate(i) * cell(z)
        return gate(o) * out(c), c
    return steps(op, 4, ((op.initial_h.val.astype(np.float64), op.initial_c.val.astype(np.float64)), step))


def rnn(op):
    activation = ACTIVATIONS[op.activation.val]
    return steps(op, 1, ((op.initial_h.val.astype(np.float64),), lambda sums, state: (activation(sums),)))


def upsample_nearest_neighbor(op):
    return op.x.val.repeat(int(op.scale_factor_height.val), -2).repeat(int(op.scale_factor_width.val), -1)


def resize_bilinear(op):
    x = op.x.val.astype(np.float64)
    for axis, size in ((-2, int(op.target_size_height.val)), (-1, int(op.target_size_width.val))):
        length, places = x.shape[axis], np.arange(size, dtype=np.float64)
        mode = op.sampling_mode.val
        if mode == "STRICT_ALIGN_CORNERS":
            places = places * ((length - 1) / (size - 1) if size > 1 else 0)
        elif mode == "DEFAULT":
            places = places * ((length - length / size) / (size - 1) if size > 1 else 0)
        else:
            assert mode == "UNALIGN_CORNERS", mode
            places = places * length / size + 0.5 * length / size - 0.5
        places = np.clip(places, 0, length - 1)
        low = np.floor(places).astype(int)
        high, share = np.minimum(low + 1, length - 1), places - low
        shape = [-1, 1] if axis == -2 else [-1]
        share = share.reshape(shape)
        x = np.take(x, low, axis) * (1 - share) + np.take(x, high, axis) * share
    return x.astype(np.float32)


def gather_nd(op):
    x, indices, batch = op.x.val, op.indices.val, int(op.batch_dims.val)
    assert batch == 1
    return np.stack([own[tuple(np.moveaxis(places, -1, 0))] for own, places in zip(x, indices)])


def gather_along_axis(op):
    return np.take_along_axis(op.x.val, op.indices.val, op.axis.val)


def clip(op):
    return np.clip(op.x.val, op.alpha.val, op.beta.val)


def topk(op):
    """The first of equal values; the definition in coremltools sorts without an order among them."""
    order = np.argsort(op.x.val if op.ascending.val else -op.x.val, axis=op.axis.val, kind="stable")
    indices = np.take(order, np.arange(op.k.val), axis=op.axis.val)
    return np.take_along_axis(op.x.val, indices, axis=op.axis.val), indices.astype(np.int32)


OWN = {
    "topk": topk,
    "conv": conv, "conv_transpose": conv_transpose, "max_pool": lambda op: pool(op, False), "avg_pool": lambda op: pool(op, True),
    "batch_norm": batch_norm, "instance_norm": instance_norm, "lstm": lstm, "rnn": rnn,
    "upsample_nearest_neighbor": upsample_nearest_neighbor, "resize_bilinear": resize_bilinear, "gather_nd": gather_nd,
    "gather_along_axis": gather_along_axis, "elu": lambda op: np.where(op.x.val > 0, op.x.val, op.alpha.val * np.expm1(op.x.val)),
    "sigmoid_hard": lambda op: np.clip(op.alpha.val * op.x.val + op.beta.val, 0, 1).astype(np.float32),
    # The definition in coremltools overflows for large values.
    "softplus": lambda op: np.logaddexp(op.x.val, np.float32(0)), "clip": clip,
    "sigmoid": lambda op: 1 / (1 + np.exp(-op.x.val)), "identity": lambda op: op.x.val,
    "reduce_log_sum_exp": lambda op: np.log(np.exp(op.x.val.astype(np.float64)).sum(
        tuple(op.axes.val), keepdims=op.keep_dims.val)).astype(np.float32),
    "log": lambda op: np.log(op.x.val + op.epsilon.val),
    "flatten2d": lambda op: op.x.val.reshape(len(op.x.val), -1),
}


def define():
    """Gives operations without an inference of values one of their own."""
    for name, function in OWN.items():
        for operation in SSAOpRegistry.core_ops[name].values():
            operation.value_inference = precondition(allow=VALUE)(lambda self, function=function: function(self))


define()


def specification(package):
    model = proto.Model_pb2.Model()
    model.ParseFromString((pathlib.Path(package) / "Data/com.apple.CoreML/model.mlmodel").read_bytes())
    return model


def accepted(package):
    """Loads a package with its open sizes: types of every value are inferred, and compared with those that are stated."""
    model = specification(package)
    weights = str(pathlib.Path(package) / "Data/com.apple.CoreML/weights")
    milproto.load(model, model.specificationVersion, weights)
    function = model.mlProgram.functions["main"]
    names = [value.name for value in function.inputs]
    assert [value.name for value in model.description.input] == names, "inputs have other names in the description"
    outputs = list(function.block_specializations[function.opset].outputs)
    assert [value.name for value in model.description.output] == outputs, "outputs have other names in the description"
    return model


def evaluated(package, feeds):
    """The outputs of a package for arrays by name."""
    model = specification(package)
    function = model.mlProgram.functions["main"]
    context = milproto.TranscriptionContext(str(pathlib.Path(package) / "Data/com.apple.CoreML/weights"))
    block = function.block_specializations[function.opset]
    with np.errstate(all="ignore"), Function({}, opset_version=AvailableTarget(model.specificationVersion)):
        for value in function.inputs:
            context.register_var_with_name(value.name, mb.const(val=feeds[value.name].astype(np.float32)))
        for operation in block.operations:
            milproto._load_operation(context, operation)
            for output in operation.outputs:
                value = context.get_var_from_name(output.name)
                if value.val is None and operation.type.startswith("constexpr"):
                    value = mb.const(val=value.op.materialized_val_inference())
                    context.register_var_with_name(output.name, value)
                assert value.val is not None, f"{operation.type} has no value"
        return {name: np.asarray(context.get_var_from_name(name).val) for name in block.outputs}


if __name__ == "__main__":
    accepted(sys.argv[1])
