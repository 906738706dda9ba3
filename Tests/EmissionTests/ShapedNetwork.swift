import TestSupport

/// A small network for layers without a stored fixture that MPSGraph supports: resized images, a sum with a multiple,
/// and each activation that takes several operations.
enum ShapedNetwork {
  /// Writes `model.json` and its parameters into a folder of that name.
  static func write(to name: String, in folder: TemporaryFolder) throws -> String {
    try folder.write(json, to: "\(name)/model.json")
    // Any numbers from -2.5 to 2.5 that are not in order.
    let values = (0..<12).map { index -> Float in Float(index * 37 % 101 - 50) / 20 }
    let bytes = values.flatMap { value -> [UInt8] in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    try folder.write(bytes, to: "\(name)/mixed_W.bin")
    return folder.file(name)
  }

  private static let activations = [
    #""selu""#, #""mish""#, #""silu""#, #""hardSilu""#, #""hardTanh""#, #""hardSigmoid""#,
    #""logSigmoid""#, #""tanhShrink""#, #""sparsePlus""#, #""sparseSigmoid""#, #""relu6""#,
    #"{"function": "celu", "alpha": 0.7}"#, #"{"function": "gelu", "approximate": true}"#,
    #"{"function": "gelu", "approximate": false}"#,
    #"{"function": "softShrink", "threshold": 0.25}"#,
    #"{"function": "squareplus", "b": 2}"#, #"{"function": "leakyRelu", "negativeSlope": 1.5}"#,
    #"{"function": "relu", "maxValue": 0.5, "negativeSlope": 0.1}"#,
    #"{"function": "softmax", "axis": [0, 1]}"#, #"{"function": "logSoftmax", "axis": [1]}"#,
    #"{"function": "softmax", "axis": [0]}"#,
  ]

  private static let layers: [(name: String, type: String, input: String, attributes: String)] = [
    ("near", "Resizing", "mixed", #""size": [7, 4], "interpolation": "nearest""#),
    ("linear", "Resizing", "mixed", #""size": [3, 11], "interpolation": "bilinear""#),
    ("twice", "UpSampling2D", "mixed", #""size": [2, 3], "interpolation": "nearest""#),
    ("larger", "UpSampling2D", "mixed", #""size": [3, 2], "interpolation": "bilinear""#),
    ("cut", "Cropping2D", "mixed", #""cropping": [[1, 0], [0, 2]]"#),
    ("rows", "Cropping2D", "mixed", #""cropping": [[1, 2], [0, 0]]"#),
    ("middle", "CenterCrop", "mixed", #""size": [2, 4]"#),
    ("turned", "Permute", "mixed", #""order": [2, 0, 1]"#),
    ("shares", "Rescaling", "mixed", #""scale": [0.5, 2, -1, 0.25], "offset": [1]"#),
  ]

  private static var json: String {
    var texts = [
      GroupedNetwork.layer(
        "mixed", "Dense", ["image"], #""units": 4, "activation": "linear""#,
        [GroupedNetwork.parameter("kernel", "mixed_W", "OI")]),
      GroupedNetwork.layer("sum", "ScaledAdd", ["mixed", "shares"], #""scale": 0.3"#),
      GroupedNetwork.layer("means", "Average", ["mixed", "shares", "sum"]),
    ]
    texts.insert(
      contentsOf: layers.map { GroupedNetwork.layer($0.name, $0.type, [$0.input], $0.attributes) },
      at: 1)
    var outputs = ["means"] + layers.map(\.name)
    for (index, function) in activations.enumerated() {
      texts.append(
        GroupedNetwork.layer("f\(index)", "Activation", ["mixed"], #""function": \#(function)"#))
      outputs.append("f\(index)")
    }
    return #"""
      {"format": "netconv-model", "version": 1, "name": "shaped",
       "inputs": [{"name": "image", "shape": [5, 6, 3]}],
       "outputs": \#(outputs), "layers": [
      \#(texts.joined(separator: ",\n"))
      ]}
      """#
  }
}
