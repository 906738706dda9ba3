import TestSupport

/// A small network for sequence layers without a stored fixture that MPSGraph supports: causal padding that the last
/// window does not use, depthwise kernels, transposed convolutions, mixtures of steps, a softmax over steps.
enum SequenceNetwork {
  /// Writes `model.json` and its parameters into a folder of that name.
  static func write(to name: String, in folder: TemporaryFolder) throws -> String {
    try folder.write(json, to: "\(name)/model.json")
    for (file, count) in [
      ("causal_W", 3 * 3 * 4), ("ahead_W", 5 * 3 * 2), ("chance_W", 2 * 3 * 4), ("chance_b", 4),
      ("depth_W", 3 * 3 * 2), ("depth_b", 6), ("apart_D", 4 * 3 * 2), ("apart_P", 6 * 5),
      ("apart_b", 5), ("back_W", 4 * 5 * 3), ("back_b", 5), ("spread_W", 3 * 2 * 3),
    ] {
      // Any numbers from -0.25 to 0.25 that are not in order.
      let values = (0..<count).map { Float(($0 * 37 + count) % 101 - 50) / 200 }
      try folder.write(
        littleEndian(values), to: "\(name)/\(file).bin")
    }
    return folder.file(name)
  }

  private static let layers: [(name: String, type: String, attributes: String, files: [String])] = [
    (
      "causal", "Convolution1D",
      #""outputChannels": 4, "kernelSize": [3], "strides": [4], "padding": "causal""#,
      ["kernel causal_W WIO"]
    ),
    (
      "ahead", "Convolution1D",
      #""outputChannels": 2, "kernelSize": [5], "strides": [3], "padding": "causal", "activation": "tanh""#,
      ["kernel ahead_W OWI"]
    ),
    (
      "chance", "Convolution1D",
      #""outputChannels": 4, "kernelSize": [2], "activation": {"function": "softmax", "axis": [0]}"#,
      ["kernel chance_W WIO", "bias chance_b O"]
    ),
    (
      "depth", "DepthwiseConvolution1D",
      #""kernelSize": [3], "depthMultiplier": 2, "dilation": [2], "padding": "causal", "activation": "relu""#,
      ["kernel depth_W WIM", "bias depth_b O"]
    ),
    (
      "apart", "SeparableConvolution1D",
      #""outputChannels": 5, "kernelSize": [4], "depthMultiplier": 2, "strides": [3], "padding": "same", "activation": "relu""#,
      ["depthwise apart_D WIM", "pointwise apart_P WIO", "bias apart_b O"]
    ),
    (
      "back", "TransposedConvolution1D",
      #""outputChannels": 5, "kernelSize": [4], "strides": [3], "padding": "same", "activation": "tanh""#,
      ["kernel back_W WOI", "bias back_b O"]
    ),
    (
      "spread", "TransposedConvolution1D",
      #""outputChannels": 2, "kernelSize": [3], "strides": [2], "dilation": [3], "outputPadding": [1]"#,
      ["kernel spread_W WOI"]
    ),
    ("mixed", "UpSampling1D", #""size": [3], "interpolation": "bilinear""#, []),
    ("mean", "AveragePooling1D", #""poolSize": [5], "strides": [2], "padding": "same""#, []),
  ]

  private static var json: String {
    let texts = layers.map { layer in
      GroupedNetwork.layer(
        layer.name, layer.type, ["steps"], layer.attributes,
        layer.files.map { file in
          let words = file.split(separator: " ").map(String.init)
          return GroupedNetwork.parameter(words[0], words[1], words[2])
        })
    }
    return #"""
      {"format": "netconv-model", "version": 1, "name": "sequence",
       "inputs": [{"name": "steps", "shape": [12, 3]}],
       "outputs": \#(layers.map(\.name)), "layers": [
      \#(texts.joined(separator: ",\n"))
      ]}
      """#
  }
}
