import ModelIR
import TestSupport

/// Indices, booleans and roundings that are off by one step, which no rounding tolerance may accept.
extension SilentError {
  /// An ONNX fixture, its inputs, and the meaning of each output.
  private static let stepped: [(fixture: String, inputs: [String], outputs: [String])] = [
    ("arg-max-classes", ["x"], ["the index of a class"]),
    (
      "arg-max", ["x"],
      ["a channel's index", "a column's index", "the index of the last of equal rows"]
    ),
    (
      "comparisons", ["x", "y"],
      [
        "greater", "not larger", "less than a number", "not smaller than a table", "equal", "both",
        "either",
      ]
    ),
    ("steps", ["x"], ["a floor", "a ceiling", "a rounding", "a sign"]),
    ("casts", ["x"], ["an integer", "a truth value"]),
    ("hardmax", ["x"], ["the one among channels", "the one among columns"]),
    ("integer-division", ["x", "y"], ["a quotient by 7", "a quotient", "a negative quotient"]),
    ("gather-elements", ["x", "k"], ["a value at an index"]),
  ]

  static let inSteps: [SilentError] = stepped.flatMap { fixture, inputs, outputs in
    outputs.enumerated().map { index, output in
      SilentError(
        "verify --reference", "ONNX: \(output) is off by one", 1, "is the first layer that"
      ) { line in
        let stored = try arrays(Fixtures.path("onnx/\(fixture).npz"))
        let fed = inputs.enumerated().compactMap { number, name in
          stored["in\(number)"].map { (name, NDArray(shape: $0.shape, values: $0.values)) }
        }
        try writeArchive(fed, to: line.folder.file("x.npz"))
        let model = Fixtures.path("onnx/\(fixture).onnx")
        try line.prepare("run", model, "--input", "x.npz", "--output", "y.npz", "-q")
        let given = try arrays(line.folder.file("y.npz")).sorted { $0.key < $1.key }
        var right = given.map { ($0.key, NDArray(shape: $0.value.shape, values: $0.value.values)) }
        let place = right[index].1.count / 2
        let value = right[index].1.values[place]
        right[index].1.values[place] = value == 0 ? 1 : value - 1
        try writeArchive(fed + right, to: line.folder.file("r.npz"))
        return try line.netconv("verify", model, "--reference", "r.npz")
      }
    }
  }
}
