import Foundation
import TestSupport

/// A network whose layers have arbitrary names: convolutions with the first names, then an activation for each other name.
enum HostileNetwork {
  /// Names with a meaning in Swift, in templates, in file systems or in a terminal, or with minimal differences.
  static let names = [
    "NAME_conv", "quote\" \\(x) \\", "new\nline", "😀", "NAME", "let", "self", "Self", "init",
    "class",
    "func", "any", "await", "try", "type", "zip", "autoreleasepool", "\"", "\\", "\\(x)",
    "\\u{41}", "carriage\rreturn", "tab\t", "*/", "/*", "//", "\"\"\"", "#\"\"\"", "ü", "日本",
    "👩‍👩‍👧", "\u{202e}right to left", "\u{2028}line", "Conv", "conv", "CONV", "a_b", "a.b", "a-b", "aB",
    "a_b_2", "aB_2", "1", "1x1", "_", "$0", "`back`", "device", "queue", "archive",
    "commandBuffer", "kernels", "images", "input", "output", "inputs", "graph", "layers", "tensors",
    "encode", "predict", "format", "activations", "values", "sourceImage", "result", "results",
    "error", "MPSImage", "Data", "Foundation", "Zed", "ZedError", "ZedArchive", "zed", "Float", " ",
    "a b", "loader", "Input", "Model", "%s", "${HOME}", "#if", "@main", "..", "/", "a/b", "\\\\",
  ]

  /// The number of names that are used for convolutions.
  static let convolutions = 4

  /// Writes `model.json` and its parameters into a folder of that name.
  static func write(
    _ names: [String] = names, to name: String, in folder: TemporaryFolder
  ) throws -> String {
    var layers: [[String: Any]] = []
    for (index, layer) in names.enumerated() {
      guard index < convolutions else {
        layers.append([
          "name": layer, "operator": "Activation", "inputs": [names[index % convolutions]],
          "attributes": ["function": index % 2 == 0 ? "tanh" : "sigmoid"],
        ])
        continue
      }
      layers.append([
        "name": layer, "operator": "Convolution2D", "inputs": ["image"],
        "attributes": ["outputChannels": 4, "kernelSize": [1, 1], "padding": "same"],
        "parameters": [
          ["role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "OHWI"],
          ["role": "bias", "file": "b.bin", "dtype": "float32", "layout": "O"],
        ],
      ])
    }
    let model: [String: Any] = [
      "format": "netconv-model", "version": 1, "name": names[0], "outputs": names,
      "inputs": [["name": "image", "shape": [2, 3, 4]]], "layers": layers,
    ]
    try folder.write(
      try JSONSerialization.data(withJSONObject: model, options: .sortedKeys),
      to: "\(name)/model.json")
    for (file, count) in [("W", 16), ("b", 4)] {
      let values = (0..<count).map { index -> Float in Float((index * 37 + count) % 19 - 9) / 16 }
      let bytes = values.flatMap { value -> [UInt8] in
        withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
      }
      try folder.write(bytes, to: "\(name)/\(file).bin")
    }
    return folder.file(name)
  }
}
