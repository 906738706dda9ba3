import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Files that RTNeural or Neural Amp Modeler would compute differently, or that are damaged.
@Suite("What cannot be read of RTNeural's JSON and of .nam is refused")
struct AudioRefusalTests {
  /// The error for a fixture in which the first `old` is replaced by `new`.
  private func refusal(_ file: String, _ old: String, _ new: String) throws -> String {
    let text = try String(contentsOfFile: Fixtures.path("audio/\(file)"), encoding: .utf8)
    return try refusal(of: text, old, new)
  }

  private func refusal(of text: String, _ old: String, _ new: String) throws -> String {
    let range = try #require(text.range(of: old), "\(old)")
    let folder = try TemporaryFolder()
    try folder.write(text.replacingCharacters(in: range, with: new), to: "model")
    let error = try #require(thrown { try ReaderRegistry.read(folder.file("model")) }, "\(new)")
    #expect(error.kind == .badData)
    return error.description.replacing(folder.file("model") + ": ", with: "")
  }

  private static let dense = """
    {"in_shape": [null, 2], "layers": [{"type": "dense", "activation": "", "shape": [null, 3],
      "weights": [[[1, 2, 3], [4, 5, 6]], [7, 8, 9]]}]}
    """

  @Test(
    "of RTNeural's JSON",
    arguments: [
      (
        "\"in_shape\"", "\"in_gain\": 3, \"in_shape\"",
        "'in_gain' is 3: the program that the file is for adds or multiplies something around the network, which is "
          + "not read; set it to 0, and do it in the program"
      ),
      (
        "\"in_shape\"", "\"bits\": 8, \"in_shape\"",
        "the key 'bits' is not known, and might change what is computed; known are author, date, esr, in_gain, "
          + "in_shape, in_skip, input_batch, layers, metadata, name, out_gain, output_batch, sample_rate, samplerate, version"
      ),
      (
        "\"dense\"", "\"conv2d\"",
        "'layers[0].type' is 'conv2d', which is not read; known are dense, time-distributed-dense, conv1d, gru, lstm, "
          + "prelu, batchnorm, activation"
      ),
      (
        "\"activation\": \"\"", "\"activation\": \"selu\"",
        "layer 'dense': the activation 'selu' is not known to RTNeural, which would leave it out; known are tanh, "
          + "relu, sigmoid, softmax, elu"
      ),
      (
        "\"activation\": \"\"", "\"activation\": \"\", \"units\": 3",
        "the key 'units' in 'layers[0]' is not known, and might change what is computed; known are activation, name, "
          + "shape, type, weights"
      ),
      (
        "[4, 5, 6]", "[4, 5, 6], [1, 1, 1]",
        "layer 'dense', tensor 'kernel': the lists are of shape [3, 3], expected [2, 3]"
      ),
      (
        "[4, 5, 6]", "[4, 5]",
        "layer 'dense', tensor 'kernel': 'layers[0].weights[0][1]' is a list of 2, expected a list of 3"
      ),
      (
        "[7, 8, 9]", "[7, 8]",
        "layer 'dense', tensor 'bias': the lists are of shape [2], expected [3]"
      ),
      (
        "[7, 8, 9]", "[7, 8, 9], [1]",
        "layer 'dense': 'weights' holds 3 arrays, expected 1 or 2"
      ),
      (
        "5, 6", "NaN, 6",
        "layer 'dense', tensor 'kernel': 'layers[0].weights[0][1][1]' is nan, expected a number that float32 holds"
      ),
      (
        "5, 6", "1e39, 6",
        "layer 'dense', tensor 'kernel': 'layers[0].weights[0][1][1]' is 1e+39, expected a number that float32 holds"
      ),
      (
        "[null, 2]", "[null, 5, 5, 1]",
        "'in_shape' has 4 sizes; networks over (batch, length, channels) or (batch, channels) are read, and no "
          + "two-dimensional ones"
      ),
      ("[null, 2]", "[null, null]", "'in_shape[1]' is null, expected a number of channels"),
      (
        "[null, 3]", "[null, 1048577]",
        "'layers[0].shape[1]' is 1048577, expected a whole number from 1 to 1048576"
      ),
      (
        "[null, 3]", "[null, 4, 3]",
        "layer 'dense': its shape is (4, 3), but its input and weights result in (3)"
      ),
      (
        "\"layers\": [{", "\"layers\": [], \"layers\": [{",
        "is not JSON: the key 'layers' occurs twice, in line 2, column 51"
      ),
    ])
  func rtneural(old: String, new: String, message: String) throws {
    #expect(try refusal(of: Self.dense, old, new) == message)
  }

  @Test(
    "of layers that RTNeural computes in one way",
    arguments: [
      (
        "rtneural-lstm.json", "\"type\": \"lstm\",\n   \"activation\": \"tanh\"",
        "\"type\": \"lstm\",\n   \"activation\": \"relu\"",
        "layer 'lstm': the activation is 'relu', which RTNeural ignores: it computes tanh here"
      ),
      (
        "rtneural-conv.json", "\"type\": \"batchnorm\",\n   \"activation\": \"\"",
        "\"type\": \"batchnorm\",\n   \"activation\": \"relu\"",
        "layer 'batchnorm': the activation is 'relu', which RTNeural ignores: it computes none here"
      ),
      (
        "rtneural-frame.json", "15,\n    4", "14,\n    4",
        "layer 'conv1d': its shape has 14 steps of 23; RTNeural's JSON has neither strides nor another padding than "
          + "causal"
      ),
      (
        "rtneural-conv.json", "\"groups\": 2", "\"groups\": 4",
        "layer 'conv1d_3': 4 groups do not divide 6 input and 4 output channels"
      ),
      (
        "rtneural-conv.json", "\"groups\": 2", "\"groups\": 1",
        "layer 'conv1d_3', tensor 'kernel': the lists are of shape [5, 3, 4], expected [5, 6, 4]"
      ),
    ])
  func forms(file: String, old: String, new: String, message: String) throws {
    #expect(try refusal(file, old, new) == message)
  }

  @Test(
    "of .nam",
    arguments: [
      (
        "wavenet-standard.nam", "\"weights\": [", "\"weights\": [0.5, ",
        "'weights' holds 476 numbers, but the network that 'config' describes has 475"
      ),
      (
        "lstm-1.nam", "\"hidden_size\": 3", "\"hidden_size\": 4",
        "layer 'lstm_0': 'weights' holds 70 numbers, of which 70 are left; expected 80 here"
      ),
      (
        "wavenet-standard.nam", "\"WaveNet\"", "\"ConvNet\"",
        "the architecture 'ConvNet' of Neural Amp Modeler is not read; WaveNet, LSTM, and chains and containers of them are"
      ),
      (
        "wavenet-standard.nam", "0.7.0", "0.8.0",
        "version '0.8.0' of Neural Amp Modeler's format is not known; 0.5, 0.6 and 0.7 are"
      ),
      (
        "wavenet-standard.nam", "\"Tanh\"", "\"Fasttanh\"",
        "the activation 'Fasttanh' is not read; known are Hardswish, Hardtanh, LeakyReLU, PReLU, ReLU, SiLU, Sigmoid, "
          + "Softsign, Tanh"
      ),
      (
        "wavenet-standard.nam", "\"conv_pre_film\": {\"active\": false",
        "\"conv_pre_film\": {\"active\": true",
        "'config.layers[0].conv_pre_film': such a part of a WaveNet is not read, and changes what is computed"
      ),
      (
        "wavenet-standard.nam", "\"head\": null", "\"head\": null, \"condition_dsp\": {}",
        "'config.condition_dsp': such a part of a WaveNet is not read, and changes what is computed"
      ),
      (
        "wavenet-standard.nam", "\"slimmable\": null", "\"slimmable\": {}",
        "'config.layers[0].slimmable': such a part of a WaveNet is not read, and changes what is computed"
      ),
      (
        "wavenet-standard.nam", "\"dilations\": [1, 2, 4]", "\"dilations\": [1, 2]",
        "'config.layers[0].kernel_sizes' is a list of 3, expected one for each of 2 dilations"
      ),
      (
        "wavenet-standard.nam", "\"dilations\": [1, 2, 4]", "\"dilations\": [1, 2, 1048576]",
        "one sample of the output sees 2097167 of the input, expected at most 1048576"
      ),
      (
        "wavenet-standard.nam", "\"gating_mode\": [\"none\"", "\"gating_mode\": [\"both\"",
        "'config.layers[0].gating_mode[0]' is 'both', expected none, gated or blended"
      ),
      (
        "wavenet-parts.nam", "\"max_val\": 1.0", "\"max_val\": 2.0",
        "'config.layers[0].activation[1]' is Hardtanh with other bounds than -1 and 1, which the trainer computes and "
          + "plugins do not; it is not read"
      ),
      (
        "wavenet-gated-legacy.nam", "\"gated\": true", "\"gated\": true, \"gating_mode\": \"none\"",
        "'config.layers[0]' has both 'gated' and 'gating_mode'; expected one"
      ),
      (
        "wavenet-gated-legacy.nam", "\"gated\": true", "\"gates\": true",
        "the key 'gates' in 'config.layers[0]' is not known, and might change what is computed; known are activation, "
          + "activation_post_film, activation_pre_film, bottleneck, channels, condition_size, conv_post_film, "
          + "conv_pre_film, dilations, gated, gating_mode, groups_input, groups_input_mixin, head, head1x1, "
          + "head1x1_post_film, head_bias, head_size, input_mixin_post_film, input_mixin_pre_film, input_size, "
          + "kernel_size, kernel_sizes, layer1x1, layer1x1_post_film, secondary_activation, slimmable"
      ),
    ])
  func nam(file: String, old: String, new: String, message: String) throws {
    #expect(try refusal(file, old, new) == message)
  }

  @Test(
    "of chains and containers",
    arguments: [
      (
        "chain-models.nam", "\"LSTM\"", "\"Linear\"",
        "'config.models[1]' is Linear, whose weights the trainer takes from the oldest sample on and plugins from the "
          + "newest; it is not read"
      ),
      (
        "chain-models.nam", "\"LSTM\"", "\"SlimmableContainer\"",
        "'config.models[1]' is a container of networks inside a chain, where none can be chosen; it is not read"
      ),
      (
        "chain-models.nam", "\"architecture\": \"LSTM\", ", "",
        "'config.models[1]' has no 'architecture'; the trainer once wrote chains so, and what their parts are cannot be "
          + "told"
      ),
      (
        "chain-models.nam", "\"sample_rate\": 48000.0", "\"sample_rate\": 44100.0",
        "'config.models[0]' is for 44100.0 samples a second, expected 48000.0, as in the rest of the chain"
      ),
      (
        "chain-layers.nam", "\"config\": {\"layers\"", "\"weights\": [1], \"config\": {\"layers\"",
        "'weights' is not empty, but a sequential has its weights in its parts, and these would not be read"
      ),
      (
        "chain-layers.nam", "{\"layers\": [", "{\"models\": [], \"layers\": [",
        "'config' has both 'models' and 'layers'; expected one"
      ),
      (
        "chain-layers.nam", "\"hidden_size\": 5", "\"hidden_size\": 6",
        "layer 'lstm_1': 'config.layers[0].weights' holds 386 numbers, of which 182 are left; expected 288 here"
      ),
      (
        "container.nam", "\"max_value\": 0.5", "\"max_value\": 0.125",
        "'max_value' 0.125 follows 0.25, expected ascending sizes"
      ),
      (
        "container.nam", "\"max_value\": 1.0", "\"max_value\": 0.75",
        "the last 'max_value' is 0.75, expected at least 1"
      ),
      (
        "container.nam", "\"weights\": [], ", "\"weights\": [1], ",
        "'weights' is not empty, but a SlimmableContainer has its weights in its parts, and these would not be read"
      ),
    ])
  func chains(file: String, old: String, new: String, message: String) throws {
    #expect(try refusal(file, old, new) == message)
  }

  @Test("a size that no network of a container has, and one of a file with one network")
  func entries() throws {
    var options = ReaderOptions()
    options.graph.entry = "0.3"
    let error = try #require(
      thrown { try ReaderRegistry.read(Fixtures.path("audio/container.nam"), options) })
    #expect(error.kind == .usage)
    #expect(
      error.description.hasSuffix(
        "'entry' names '0.3', but the networks have the sizes 0.25, 0.5, 1.0"))
    let other = try #require(
      thrown { try ReaderRegistry.read(Fixtures.path("audio/lstm-1.nam"), options) })
    #expect(other.description.contains("holds one network"))
  }

  @Test("a weight that is not a number, and a list that is cut off", arguments: ["lstm-2.nam"])
  func weights(file: String) throws {
    let text = try String(contentsOfFile: Fixtures.path("audio/\(file)"), encoding: .utf8)
    let start = try #require(text.range(of: "\"weights\": [")).upperBound
    let first = text[start...].prefix { $0 != "," }
    #expect(
      try refusal(of: text, "\"weights\": [\(first)", "\"weights\": [NaN")
        == "layer 'lstm_0': 'weights[0]' is nan, expected a number that float32 holds")
    #expect(
      try refusal(of: text, "\"weights\": [\(first), ", "\"weights\": [")
        == "layer 'head': 'weights' holds 385 numbers, of which 0 are left; expected 1 here")
  }
}
