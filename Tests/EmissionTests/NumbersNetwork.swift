import TestSupport

/// A small network of elementwise layers, in every form that both package languages support: normalisations
/// with constants and with parameters, and their inverses; factors, multiples, and vectors that become pixels.
enum NumbersNetwork {
  /// Writes `model.json` and its parameters into a folder of that name.
  static func write(to name: String, in folder: TemporaryFolder) throws -> String {
    for (file, values) in [
      ("means", [0.25, -0.5, 0.125]), ("variances", [0.5, 1.5, 0.0625]), ("mean", [0.375]),
      ("variance", [2]), ("factors", [1.5, -0.75, 0.5]),
      ("fc", [0.5, -1, 0.25, 2, 0.75, -0.125]),
    ] as [(String, [Float])] {
      try folder.write(
        littleEndian(values), to: "\(name)/\(file).bin")
    }
    try folder.write(json, to: "\(name)/model.json")
    return folder.file(name)
  }

  private static func statistics(_ mean: String, _ variance: String) -> [String] {
    [
      GroupedNetwork.parameter("mean", mean, "C"),
      GroupedNetwork.parameter("variance", variance, "C"),
    ]
  }

  private static var json: String {
    let constants = #""mean": [0.5, -0.25, 1], "variance": [0.25, 4, 0.01]"#
    let layers = [
      GroupedNetwork.layer("constants", "Normalization", ["image"], constants),
      GroupedNetwork.layer(
        "back", "Normalization", ["image"], #""invert": true, \#(constants)"#),
      GroupedNetwork.layer(
        "shared", "Normalization", ["image"], #""axes": [], "mean": [0.5], "variance": [0.09]"#),
      GroupedNetwork.layer(
        "measured", "Normalization", ["image"], "", statistics("means", "variances")),
      GroupedNetwork.layer(
        "restored", "Normalization", ["image"], #""invert": true"#,
        statistics("means", "variances")),
      GroupedNetwork.layer(
        "one", "Normalization", ["image"], #""axes": []"#, statistics("mean", "variance")),
      GroupedNetwork.layer(
        "factors", "Scale", ["measured"], "", [GroupedNetwork.parameter("gamma", "factors", "C")]),
      GroupedNetwork.layer(
        "line", "Rescaling", ["image"], #""scale": [0.5, 2, -1], "offset": [1, 0, 0.25]"#),
      GroupedNetwork.layer("sum", "ScaledAdd", ["factors", "line"], #""scale": 0.17"#),
      GroupedNetwork.layer("means", "GlobalAveragePooling2D", ["factors"]),
      GroupedNetwork.layer("pixel", "Reshape", ["means"], #""shape": [1, 1, 3]"#),
      GroupedNetwork.layer("gate", "Activation", ["pixel"], #""function": "sigmoid""#),
      GroupedNetwork.layer("gated", "Multiply", ["line", "gate"]),
      GroupedNetwork.layer("vector", "Reshape", ["gate"], #""shape": [3]"#),
      GroupedNetwork.layer(
        "fc", "Dense", ["vector"], #""units": 2, "activation": "softmax""#,
        [GroupedNetwork.parameter("kernel", "fc", "OI")]),
    ]
    return #"""
      {"format": "netconv-model", "version": 1, "name": "numbers",
       "inputs": [{"name": "image", "shape": [5, 4, 3]}],
       "outputs": ["constants", "back", "shared", "restored", "one", "sum", "gated", "fc"], "layers": [
      \#(layers.joined(separator: ",\n"))
      ]}
      """#
  }
}
