"""Writes small Core ML models beside this script, as coremltools converts them from PyTorch, with PyTorch's outputs.

    python3 -m venv /tmp/coreml && /tmp/coreml/bin/pip install coremltools==9.0 torch numpy==1.26.4 scikit-learn==1.5.1
    /tmp/coreml/bin/python make_coreml.py

Each model that is read has an .npz with its inputs, in0 and so on, and the outputs, out0 and so on, for three samples; a
model runs once for each. Weights that are stored in fewer bits are widened by coremltools, and computed with by PyTorch.
Names with `refused-` are models of which one thing must not pass.
"""
import json
import pathlib
import shutil
import warnings

warnings.filterwarnings("ignore")
import coremltools as ct
import coremltools.optimize.coreml as compression
import numpy as np
import torch
from coremltools import proto
from coremltools.models.neural_network import quantization_utils
from torch import nn
from torch.nn import functional as F

FOLDER = pathlib.Path(__file__).parent
SAMPLES = 3
torch.manual_seed(7)


class Of(nn.Module):
    """A module of a function of its children."""

    def __init__(self, function, **children):
        super().__init__()
        self.function = function
        for name, child in children.items():
            setattr(self, name, child)
        for child in self.modules():
            if isinstance(child, nn.BatchNorm2d):
                child.running_mean.copy_(torch.rand(child.num_features))
                child.running_var.copy_(torch.rand(child.num_features) + 0.5)

    def forward(self, *x):
        return self.function(self, *x)


def image_network():
    return Of(lambda m, x: torch.softmax(m.fc(F.max_pool2d(torch.relu(m.bn(m.conv(x))), 2).flatten(1)), -1),
              conv=nn.Conv2d(3, 8, 3, padding=1), bn=nn.BatchNorm2d(8), fc=nn.Linear(8 * 4 * 3, 5))


def plain_network():
    """One without a normalisation, which converters fold into the weights."""
    return Of(lambda m, x: m.fc(torch.relu(m.conv(x)).flatten(1)), conv=nn.Conv2d(3, 16, 3, padding=1),
              fc=nn.Linear(16 * 6 * 5, 8))


def windows(m, x):
    return (m.grouped(x), m.dilated(x), m.depthwise(x), m.sides(x), F.avg_pool2d(x, 3, 2, 1),
            F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), F.max_pool2d(x, (3, 2), (2, 1), (1, 0)),
            F.max_pool2d(x, 2, 2, ceil_mode=True), F.adaptive_avg_pool2d(x, 1))


def activations(m, x):
    return (F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x), F.leaky_relu(x, 0.3), F.elu(x, 0.7), m.prelu(x),
            F.softplus(x), F.softsign(x), F.hardtanh(x, -0.4, 0.6), F.relu6(x * 9), F.hardsigmoid(x), F.hardswish(x),
            torch.log_softmax(x, 1), F.mish(x))


def arithmetic(m, x, y):
    return (x + y, x * y - 2, x / (y.abs() + 1), torch.maximum(x, y), torch.exp(-x.abs()), torch.rsqrt(x * x + 0.1),
            torch.log(x.abs() + 1e-3), torch.erf(x), torch.floor(3 * x), x.clamp(-0.5, 0.5), torch.where(x > y, x, 2 * y),
            torch.remainder(x, 0.3), x ** 2, torch.sign(x))


def parts(m, x):
    return (x[:, 1:3, ::2], x[:, :, -1], torch.cat([x, x[:, :1]], 1), x.permute(0, 2, 1), x.reshape(-1, 6, 4), x.flip(1),
            F.pad(x, (1, 2)), F.pad(x, (2, 1), mode="reflect"), x.sum(1), x.mean((1, 2), keepdim=True), x.amax(2),
            x.norm(dim=2), x.argmax(2).float(), torch.stack([x, -x], 2), *x.split([1, 3], 1), x.unsqueeze(2).squeeze(1),
            torch.topk(x, 2, dim=2)[0])


def norms(m, x):
    return m.instance(x), m.group(x), m.layer(x)


def attention(m, tokens):
    x = m.norm(m.table(tokens))
    q, k, v = m.q(x), m.k(x), m.v(x)
    return m.out(torch.softmax(q @ k.transpose(1, 2) / 2, -1) @ v).mean(1)


def recurrent(m, x):
    first, (h, c) = m.lstm(x)
    second, _ = m.both(x)
    return first, h[0], c[0], second, m.rnn(x)[0][:, -1]


def resizes(m, x):
    up = lambda **options: F.interpolate(x, scale_factor=2, **options)
    return (up(mode="nearest"), up(mode="bilinear", align_corners=True), up(mode="bilinear", align_corners=False),
            F.interpolate(x, size=(7, 9), mode="bilinear", align_corners=False), F.pixel_shuffle(x, 2))


IMAGE = (3, 8, 6)
NETWORKS = {
    "image": (image_network, [IMAGE]),
    "windows": (lambda: Of(windows, grouped=nn.Conv2d(4, 6, 3, groups=2), dilated=nn.Conv2d(4, 3, 3, dilation=(2, 1)),
                           depthwise=nn.Conv2d(4, 8, (3, 2), stride=(2, 1), groups=4, bias=False),
                           sides=nn.Conv2d(4, 2, (3, 2), padding=(2, 0))), [(4, 9, 7)]),
    "transposed": (lambda: Of(lambda m, x: (m.plain(x), m.padded(x), m.added(x), m.line(x[:, :, 0])),
                              plain=nn.ConvTranspose2d(4, 3, 3, stride=2), added=nn.ConvTranspose2d(4, 2, 3, 2, 1, 1),
                              padded=nn.ConvTranspose2d(4, 6, (3, 2), (2, 1), (1, 0), groups=2),
                              line=nn.ConvTranspose1d(4, 5, 4, 3)), [(4, 5, 6)]),
    "activations": (lambda: Of(activations, prelu=nn.PReLU(5, 0.2)), [(5, 4)]),
    "arithmetic": (lambda: Of(arithmetic), [(4, 6), (4, 6)]),
    "parts": (lambda: Of(parts), [(4, 6)]),
    "norms": (lambda: Of(norms, instance=nn.InstanceNorm2d(4, affine=True), group=nn.GroupNorm(2, 4),
                         layer=nn.LayerNorm((5, 6), eps=1e-3)), [(4, 5, 6)]),
    "attention": (lambda: Of(attention, table=nn.Embedding(11, 8), norm=nn.LayerNorm(8), q=nn.Linear(8, 6),
                             k=nn.Linear(8, 6), v=nn.Linear(8, 6), out=nn.Linear(6, 4)), ["tokens"]),
    "recurrent": (lambda: Of(recurrent, lstm=nn.LSTM(5, 3, batch_first=True), rnn=nn.RNN(5, 4, batch_first=True),
                             both=nn.LSTM(5, 2, batch_first=True, bidirectional=True)), [(6, 5)]),
    "resizes": (lambda: Of(resizes), [(4, 5, 6)]),
}


def arrays(shapes):
    for shape in shapes:
        if shape == "tokens":
            yield torch.randint(0, 11, (SAMPLES, 7))
        else:
            yield torch.rand(SAMPLES, *shape) * 3 - 1.5


def outputs(network, inputs):
    """The outputs for each sample alone."""
    with torch.no_grad():
        found = [network(*(x[index:index + 1] for x in inputs)) for index in range(SAMPLES)]
    found = [one if isinstance(one, tuple) else (one,) for one in found]
    return [torch.cat(values).numpy().astype(np.float32) for values in zip(*found)]


def converted(network, shapes, inputs=None, **options):
    network.eval()
    examples = [x[:1] for x in arrays(shapes)]
    types = inputs or [ct.TensorType(name=f"in{index}", shape=x.shape, dtype=np.int32 if x.dtype == torch.int64 else np.float32)
                       for index, x in enumerate(examples)]
    options = {"convert_to": "mlprogram", "compute_precision": ct.precision.FLOAT32,
               "minimum_deployment_target": ct.target.iOS15} | options
    return ct.convert(torch.jit.trace(network, examples), inputs=types, skip_model_load=True, **options)


def settle(package):
    """Replaces the identifiers in a manifest, which differ each time."""
    path = package / "Manifest.json"
    text = path.read_text()
    for index, identifier in enumerate(sorted(json.loads(text)["itemInfoEntries"])):
        text = text.replace(identifier, f"00000000-0000-4000-8000-{index:012}")
    path.write_text(text)
    for own in package.rglob("*"):
        own.chmod(0o755 if own.is_dir() else 0o644)


def save(name, model, network, shapes, inputs=None):
    """Stores a model, with the outputs of a network for some samples."""
    path = FOLDER / (name + (".mlmodel" if model.get_spec().WhichOneof("Type").startswith("neural") else ".mlpackage"))
    shutil.rmtree(path, ignore_errors=True)
    model.save(str(path))
    if path.is_dir():
        settle(path)
    inputs = inputs or list(arrays(shapes))
    expected = outputs(network, inputs)
    stored = {f"in{index}": x.numpy().astype(np.float32) for index, x in enumerate(inputs)}
    np.savez(FOLDER / f"{name}.npz", **stored, **{f"out{index}": y for index, y in enumerate(expected)})


def widened(name, network, compressed):
    """Replaces the weights of a network by those that coremltools makes of compressed ones."""
    dense = compression.get_weights_metadata(compression.decompress_weights(compressed), weight_threshold=1)
    weights = dict(network.named_parameters())
    found = 0
    for key, metadata in dense.items():
        for own, parameter in weights.items():
            if key.startswith(own.replace(".", "_")) and own.endswith("weight"):
                parameter.data = torch.tensor(np.asarray(metadata.val).astype(np.float32).reshape(parameter.shape))
                found += 1
    assert found == 2, (name, list(dense))
    return network


def programs():
    for name, (make, shapes) in NETWORKS.items():
        network = make()
        save(name, converted(network, shapes), network, shapes)
    network = plain_network()
    shapes = [(3, 6, 5)]
    half = converted(network, shapes, compute_precision=ct.precision.FLOAT16)
    batch = converted(network, shapes, inputs=[ct.TensorType(name="in0", shape=(ct.RangeDim(1, 8), *shapes[0]))])
    save("batch", batch, network, shapes)
    # One scale for all channels, and a bias for each.
    biases = [-0.5, -0.25, -1]
    picture = converted(network, shapes, inputs=[ct.ImageType(name="in0", shape=(1, *shapes[0]), scale=1 / 64, bias=biases)])
    scaled = Of(lambda m, x: network(x / 64 + torch.tensor(biases).reshape(3, 1, 1)))
    save("picture", picture, scaled, shapes, [torch.randint(0, 256, (SAMPLES, *shapes[0])).float()])
    labels = ct.ClassifierConfig([f"class {index}" for index in range(8)])
    classifier = Of(lambda m, x: torch.softmax(network(x), -1), network=network)
    save("classifier", converted(classifier, shapes, classifier_config=labels), classifier, shapes)
    with torch.no_grad():
        rounded = plain_network()
        for own, other in zip(rounded.parameters(), network.parameters()):
            own.copy_(other.half().float())
    save("half", half, rounded, shapes)
    whole = converted(network, shapes, minimum_deployment_target=ct.target.iOS16)
    config = compression.OptimizationConfig
    forms = {
        "palette": lambda: compression.palettize_weights(whole, config(compression.OpPalettizerConfig(nbits=4, weight_threshold=1))),
        "palette-6": lambda: compression.palettize_weights(whole, config(compression.OpPalettizerConfig(nbits=6, weight_threshold=1))),
        "affine": lambda: compression.linear_quantize_weights(
            whole, config(compression.OpLinearQuantizerConfig(mode="linear", dtype="uint8", weight_threshold=1))),
        "symmetric": lambda: compression.linear_quantize_weights(
            whole, config(compression.OpLinearQuantizerConfig(mode="linear_symmetric", weight_threshold=1))),
        "sparse": lambda: compression.prune_weights(
            whole, config(compression.OpMagnitudePrunerConfig(target_sparsity=0.6, weight_threshold=1))),
    }
    for name, make in forms.items():
        compressed = make()
        copy = plain_network()
        copy.load_state_dict(network.state_dict())
        save(name, compressed, widened(name, copy, compressed), shapes)


def networks():
    """Neural networks of specification 1 to 5."""
    options = {"convert_to": "neuralnetwork", "compute_precision": None, "minimum_deployment_target": None}
    network = image_network()
    model = converted(network, [IMAGE], **options)
    save("network", model, network, [IMAGE])
    network = plain_network()
    model = converted(network, [(3, 6, 5)], **options)
    for name, bits, mode in (("network-linear", 8, "linear"), ("network-linear-5", 5, "linear"), ("network-table", 3, "linear_lut"),
                             ("network-half", 16, "linear")):
        quantised = quantization_utils.quantize_weights(model, bits, mode)
        spec = quantised if isinstance(quantised, proto.Model_pb2.Model) else quantised.get_spec()
        dense = proto.Model_pb2.Model()
        dense.CopyFrom(spec)
        copy = plain_network()
        copy.load_state_dict(network.state_dict())
        if bits == 16:
            for parameter in copy.parameters():
                parameter.data = parameter.data.half().float()
        else:
            quantization_utils._dequantize_nn_spec(dense.neuralNetwork)
        layers = {layer.WhichOneof("layer"): layer for layer in dense.neuralNetwork.layers}
        if bits != 16:
            for own, parameters in ((copy.conv, layers["convolution"].convolution), (copy.fc, layers["innerProduct"].innerProduct)):
                own.weight.data = torch.tensor(np.array(parameters.weights.floatValue, np.float32).reshape(own.weight.shape))
                own.bias.data = torch.tensor(np.array(parameters.bias.floatValue, np.float32))
        save(name, ct.models.MLModel(spec, skip_model_load=True), copy, [(3, 6, 5)])


def refused():
    shapes = [(6, 5)]
    gru = proto.Model_pb2.Model()
    gru.specificationVersion = 1
    layer = gru.neuralNetwork.layers.add()
    layer.name, layer.gru.inputVectorSize, layer.gru.outputVectorSize = "gru", 5, 4
    layer.input.extend(["x"])
    layer.output.extend(["y"])
    tree = proto.Model_pb2.Model()
    tree.specificationVersion = 1
    tree.treeEnsembleClassifier.treeEnsemble.numPredictionDimensions = 2
    pipeline = proto.Model_pb2.Model()
    pipeline.specificationVersion = 1
    pipeline.pipeline.models.add().CopyFrom(tree)
    for name, model in (("gru", gru), ("tree", tree), ("pipeline", pipeline)):
        value = model.description.input.add()
        value.name = "x"
        value.type.multiArrayType.shape.append(5)
        value.type.multiArrayType.dataType = 65568
        output = model.description.output.add()
        output.name = "y"
        output.type.multiArrayType.dataType = 65568
        (FOLDER / f"refused-{name}.mlmodel").write_bytes(model.SerializeToString(deterministic=True))
    loop = Of(lambda m, x: torch.cumsum(x, 1))
    path = FOLDER / "refused-cumsum.mlpackage"
    shutil.rmtree(path, ignore_errors=True)
    converted(loop, shapes).save(str(path))
    settle(path)


if __name__ == "__main__":
    programs()
    networks()
    refused()
