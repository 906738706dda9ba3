import TestSupport

/// A small network for cases without a stored fixture: groups of four channels; depthwise, separable and transposed
/// convolutions within MPSCNN's limits; concatenations at any position; zero padding; merges of three inputs; slopes
/// per channel; and consecutive activations.
enum GroupedNetwork {
  /// Writes `model.json` and its parameters into a folder of that name.
  static func write(to name: String, in folder: TemporaryFolder) throws -> String {
    try folder.write(json, to: "\(name)/model.json")
    for (file, count) in [
      ("grouped_W", 8 * 3 * 2 * 4), ("grouped_b", 8), ("depth_W", 3 * 3 * 8), ("depth_b", 8),
      ("wide_W", 4 * 3 * 3 * 8), ("sum_W", 12 * 5), ("sum_b", 5), ("apart_D", 3 * 2 * 8),
      ("apart_P", 8 * 6), ("apart_b", 6), ("framed_D", 3 * 2 * 8), ("framed_P", 8 * 3),
      ("slopes_a", 12), ("same_W", 4 * 3 * 5 * 8), ("same_b", 5), ("extra_W", 3 * 2 * 6 * 8),
    ] {
      // Any numbers from -0.25 to 0.25 that are not in order.
      let values = (0..<count).map { Float(($0 * 37 + count) % 101 - 50) / 200 }
      try folder.write(
        littleEndian(values), to: "\(name)/\(file).bin")
    }
    return folder.file(name)
  }

  static func parameter(_ role: String, _ file: String, _ layout: String) -> String {
    #"{"role": "\#(role)", "file": "\#(file).bin", "dtype": "float32", "layout": "\#(layout)"}"#
  }

  static func layer(
    _ name: String, _ type: String, _ inputs: [String], _ attributes: String = "",
    _ parameters: [String] = []
  ) -> String {
    #"""
    {"name": "\#(name)", "operator": "\#(type)", "inputs": \#(inputs), "attributes": {\#(attributes)},
     "parameters": [\#(parameters.joined(separator: ", "))]}
    """#
  }

  private static let activations = [
    #""relu6""#, #""sigmoid""#, #""tanh""#, #""softplus""#, #""softsign""#, #""exponential""#,
    #""hardSigmoid""#,
    #""gelu""#, #"{"function": "elu", "alpha": 0.7}"#,
    #"{"function": "leakyRelu", "negativeSlope": 0.2}"#,
    #"{"function": "relu", "maxValue": 0.1, "negativeSlope": 0.5}"#, #"{"function": "logSoftmax"}"#,
  ]

  private static var json: String {
    let window = #""strides": [2, 1], "dilation": [1, 1], "padding": "same""#
    var layers = [
      layer(
        "grouped", "Convolution2D", ["image"],
        #""outputChannels": 8, "kernelSize": [3, 2], "groups": 2, \#(window), "activation": "linear""#,
        [parameter("kernel", "grouped_W", "OHWI"), parameter("bias", "grouped_b", "O")]),
      layer(
        "depth", "DepthwiseConvolution2D", ["image"],
        #""kernelSize": [3, 3], "depthMultiplier": 1, \#(window), "activation": "tanh""#,
        [parameter("kernel", "depth_W", "HWIM"), parameter("bias", "depth_b", "O")]),
      layer("three", "Add", ["grouped", "depth", "depth"]),
      layer("zeros", "ZeroPadding2D", ["grouped"], #""padding": [[1, 1], [2, 0]]"#),
      layer(
        "wide", "Convolution2D", ["zeros"],
        #""outputChannels": 4, "kernelSize": [3, 3], "strides": [1, 1], "dilation": [1, 1], "groups": 1, "padding": "valid", "activation": "linear""#,
        [parameter("kernel", "wide_W", "OHWI")]),
      layer(
        "max", "MaxPooling2D", ["zeros"],
        #""poolSize": [3, 3], "strides": [1, 1], "padding": "valid""#),
      layer("joined", "Concatenate", ["wide", "max"]),
      layer("largest", "GlobalMaxPooling2D", ["joined"]),
      layer(
        "sum", "Dense", ["largest"], #""units": 5, "activation": "linear""#,
        [parameter("kernel", "sum_W", "OI"), parameter("bias", "sum_b", "O")]),
      layer("chance", "Activation", ["sum"], #""function": "softmax""#),
    ]
    layers += more + transposed
    var outputs = [
      "three", "chance", "apart", "framed", "slopes", "repeated", "rescaled", "divided",
      "largest_three", "part", "framing", "ends", "both", "same",
      "extra",
    ]
    for (index, function) in activations.enumerated() {
      layers.append(layer("f\(index)", "Activation", ["joined"], #""function": \#(function)"#))
      outputs.append("f\(index)")
    }
    return #"""
      {"format": "netconv-model", "version": 1, "name": "grouped",
       "inputs": [{"name": "image", "shape": [9, 7, 8]}],
       "outputs": \#(outputs), "layers": [
      \#(layers.joined(separator: ",\n"))
      ]}
      """#
  }

  private static let transposed = [
    layer(
      "same", "TransposedConvolution2D", ["image"],
      #""outputChannels": 5, "kernelSize": [4, 3], "strides": [2, 3], "padding": "same", "activation": "relu""#,
      [parameter("kernel", "same_W", "HWOI"), parameter("bias", "same_b", "O")]),
    layer(
      "extra", "TransposedConvolution2D", ["grouped"],
      #""outputChannels": 6, "kernelSize": [3, 2], "strides": [2, 3], "padding": "valid", "outputPadding": [1, 2]"#,
      [parameter("kernel", "extra_W", "HWOI")]),
  ]

  private static var more: [String] {
    let once = #""strides": [1, 1], "dilation": [1, 1]"#
    return [
      layer(
        "apart", "SeparableConvolution2D", ["image"],
        #""outputChannels": 6, "kernelSize": [3, 2], "strides": [2, 1], "padding": "same", "activation": "silu""#,
        [
          parameter("depthwise", "apart_D", "HWIM"), parameter("pointwise", "apart_P", "HWIO"),
          parameter("bias", "apart_b", "O"),
        ]),
      layer(
        "framed", "SeparableConvolution2D", ["zeros"],
        #""outputChannels": 3, "kernelSize": [2, 3], \#(once), "padding": "valid""#,
        [parameter("depthwise", "framed_D", "HWIM"), parameter("pointwise", "framed_P", "HWIO")]),
      layer(
        "slopes", "PReLU", ["joined"], #""sharedAxes": [0, 1]"#,
        [parameter("alpha", "slopes_a", "HWC")]),
      layer("repeated", "UpSampling2D", ["wide"], #""size": [2, 3]"#),
      layer("part", "Cropping2D", ["wide"], #""cropping": [[1, 0], [2, 1]]"#),
      layer("rescaled", "Rescaling", ["joined"], #""scale": [0.5], "offset": [0.25]"#),
      layer("positive", "Activation", ["joined"], #""function": "exponential""#),
      layer("divided", "Divide", ["joined", "positive"]),
      layer("largest_three", "Maximum", ["three", "depth", "grouped"]),
    ] + concatenations
  }

  /// Concatenations of channels in every way, and zero padding around them.
  ///
  /// Of 8, 6, 4, 6 and 6 channels the first and the last are written in place, the others together. The zeros are read
  /// by a layer that cannot pad by itself.
  private static var concatenations: [String] {
    [
      layer("place", "Subtract", ["three", "grouped"]),
      layer("last", "Activation", ["apart"], #""function": "tanh""#),
      layer("odd", "Concatenate", ["place", "apart", "wide", "apart", "last"]),
      layer("ends", "Concatenate", ["wide", "apart"]),
      layer("framing", "ZeroPadding2D", ["odd"], #""padding": [[1, 0], [2, 1]]"#),
      layer("framed_sum", "Activation", ["framing"], #""function": "softsign""#),
      layer(
        "halved", "AveragePooling2D", ["framing"],
        #""poolSize": [3, 3], "strides": [2, 2], "padding": "same""#),
      layer("halves", "GlobalMaxPooling2D", ["halved"]),
      layer("all", "GlobalMaxPooling2D", ["framed_sum"]),
      layer("both", "Concatenate", ["halves", "all"]),
    ]
  }
}
