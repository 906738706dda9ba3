import Documents
import ModelIR
import TestSupport
import Testing

@Suite struct DocumentErrorTests {
  private static let kernel =
    #"{"role": "kernel", "file": "k.bin", "dtype": "float32", "layout": "IO"}"#
  private static let dense =
    #"{"name": "d", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3}}"#

  /// The error for a model.
  private func problem(
    format: String = #""netconv-model""#, version: String = "1",
    inputs: String = #"[{"name": "x", "shape": [4]}]"#, outputs: String = #"["d"]"#,
    layers: String = "[\(dense)]", more: String = ""
  ) -> String? {
    problem(
      """
      {"format": \(format), "version": \(version), "inputs": \(inputs), "outputs": \(outputs), \
      "layers": \(layers)\(more)}
      """)
  }

  private func problem(_ text: String) -> String? {
    let error = thrown { try JSONDocument.decode(ModelDocument.self, from: Array(text.utf8)) }
    #expect(error == nil || error?.kind == .badData)
    return error?.description
  }

  /// The error for a layer after three valid ones.
  private func problem(layer: String) -> String? {
    problem(layers: "[\(Self.dense), \(Self.dense), \(Self.dense), \(layer)]")
  }

  private func problem(parameter: String) -> String? {
    problem(
      layer: """
        {"name": "d", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3}, \
        "parameters": [\(parameter)]}
        """)
  }

  private func problem(_ operation: String, attributes: String) -> String? {
    problem(
      layer: """
        {"name": "d", "operator": "\(operation)", "inputs": ["x"], "attributes": \(attributes)}
        """)
  }

  @Test func `what is sound has no problem`() {
    #expect(problem() == nil)
    #expect(problem(parameter: Self.kernel) == nil)
    #expect(problem("Dense", attributes: #"{"units": 3}"#) == nil)
  }

  @Test func `another format or version is not read`() {
    #expect(
      problem(format: #""netconv-manifest""#)
        == "format is 'netconv-manifest', expected 'netconv-model'")
    #expect(problem(format: "1") == "format: is a number, expected a string")
    #expect(
      problem(version: "2")
        == "version is 2, this netconv reads version 1; use the netconv that wrote it")
    #expect(problem(version: #""1""#) == "version: is a string, expected a whole number")
    #expect(problem(version: "null") == "version: is null, expected a whole number")
    #expect(problem("{}") == "the key 'format' is missing")
    #expect(problem("[]") == "is an array, expected an object")
  }

  @Test func `wrong types are named with their place`() {
    #expect(problem(inputs: "{}") == "inputs: is an object, expected an array")
    #expect(problem(outputs: "[1]") == "outputs[0]: is a number, expected a string")
    #expect(problem(layers: "[[]]") == "layers[0]: is an array, expected an object")
    #expect(
      problem(inputs: #"[{"name": "x", "shape": [4, "3"]}]"#)
        == "inputs[0].shape[1]: is a string, expected a whole number")
    #expect(
      problem(inputs: #"[{"name": "x", "shape": [4], "scale": "1"}]"#)
        == "inputs[0].scale: is a string, expected a number")
    #expect(
      problem(
        parameter: #"{"role": "kernel", "file": "k", "dtype": "float32", "layout": 5}"#)
        == "layers[3].parameters[0].layout: is a number, expected a string")
    #expect(
      problem("GlobalAveragePooling2D", attributes: #"{"keepDimensions": 1}"#)
        == "layers[3].attributes.keepDimensions: is a number, expected true or false")
    #expect(
      problem("Dense", attributes: "[]")
        == "layers[3].attributes: is an array, expected an object")
  }

  @Test func `missing keys and nulls are named with their place`() {
    #expect(
      problem(parameter: #"{"file": "k.bin", "dtype": "float32", "layout": "IO"}"#)
        == "layers[3].parameters[0]: the key 'role' is missing")
    #expect(
      problem(parameter: #"{"role": null, "file": "k", "dtype": "float32", "layout": "IO"}"#)
        == "layers[3].parameters[0].role: is null, expected a string")
    #expect(
      problem("Dense", attributes: "{}") == "layers[3].attributes: the key 'units' is missing")
    #expect(
      problem(layer: #"{"name": "d", "operator": "Dense", "inputs": ["x"]}"#)
        == "layers[3].attributes: the key 'units' is missing")
    #expect(problem(layer: #"{"operator": "Dense"}"#) == "layers[3]: the key 'name' is missing")
  }

  @Test func `a parameter without a file is for other weights`() {
    #expect(
      problem(parameter: #"{"role": "kernel", "layout": "IO"}"#)
        == "the parameter 'kernel' names no file beside the description; if its values are among other weights, "
        + "read those, with this description as their graph")
  }

  @Test func `keys that mean nothing are errors, wherever they are`() {
    #expect(problem(more: #", "weights": 1"#) == "unknown key 'weights'")
    for _ in 0..<5 {
      #expect(problem(more: #", "c": 1, "a": 2, "b": 3"#) == "unknown key 'a'")
    }
    #expect(
      problem(inputs: #"[{"name": "x", "shape": [4], "sclae": 2}]"#)
        == "inputs[0]: unknown key 'sclae'; did you mean 'scale'?")
    #expect(
      problem(layer: #"{"name": "d", "operator": "Flatten", "inputs": [], "colour": 1}"#)
        == "layers[3]: unknown key 'colour'")
    #expect(
      problem("Flatten", attributes: #"{"units": 3}"#)
        == "layers[3].attributes: unknown key 'units'")
    #expect(
      problem(
        parameter: #"{"role": "kernel", "file": "k", "dtype": "float32", "layout": "IO", "x": 1}"#)
        == "layers[3].parameters[0]: unknown key 'x'")
  }

  @Test func `attributes say what they expect`() {
    #expect(
      problem("MaxPooling2D", attributes: #"{"poolSize": [2]}"#)
        == "layers[3].attributes.poolSize: found 1 numbers, expected [height, width]")
    #expect(
      problem("Dense", attributes: #"{"units": 3, "activation": "swoosh"}"#)
        == "layers[3].attributes.activation: unknown activation 'swoosh'; known are celu, "
        + "elu, exponential, gelu, hardShrink, hardSigmoid, hardSilu, hardTanh, leakyRelu, "
        + "linear, logSigmoid, logSoftmax, mish, relu, relu6, selu, sigmoid, silu, "
        + "softShrink, softmax, softplus, softsign, sparsePlus, sparseSigmoid, squareplus, "
        + "tanh, tanhShrink, threshold")
    #expect(
      problem("MaxPooling2D", attributes: #"{"poolSize": [2, 2], "padding": "ha\u001blf"}"#)
        == #"layers[3].attributes.padding: unknown padding 'ha\u{1b}lf'; known are causal, same, "#
        + "sameLower, valid, and numbers before and after each axis"
    )
  }

  @Test(arguments: ["", "{", "{\"format\": }", "hello", "{} {}", "\u{0}", "[1, 2", "{\"a\" 1}"])
  func `what is not JSON says so`(text: String) {
    #expect(problem(text)?.hasPrefix("is not JSON: ") == true)
  }

  @Test func `bytes that are no text are not JSON`() {
    let text = Array(#"{"format": "netconv-model", "version": 1, "name": "?"}"#.utf8)
    let bytes = text.map { $0 == UInt8(ascii: "?") ? 0xff : $0 }
    let error = thrown { try JSONDocument.decode(ModelDocument.self, from: bytes) }
    #expect(error?.kind == .badData)
    #expect(
      error?.description
        == "is not JSON: a string with invalid UTF-8 ends here, in line 1, column 53")
  }

  @Test func `what is found in place of JSON cannot steer a terminal`() {
    #expect(
      problem("\u{1b}[2J")
        == #"is not JSON: found '\u{1b}[2J', expected a value, in line 1, column 1"#)
  }

  @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
  func `deep nesting is an error, not a crash`(open: String, close: String) {
    let depth = 200_000
    let text = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    for problem in [problem(text), problem(layers: text)] {
      #expect(
        problem?.hasPrefix("is not JSON: nested more than 512 levels deep, in line 1") == true)
    }
  }

  @Test(arguments: ["1e400", "-1e400", "99999999999999999999", "1.5"])
  func `numbers that do not fit their place are errors`(number: String) {
    let message =
      "holds a number that is too large, or one with a fraction where a whole number is expected"
    #expect(problem(version: number) == message)
    #expect(problem(inputs: #"[{"name": "x", "shape": [\#(number)]}]"#) == message)
    #expect(problem("Dense", attributes: #"{"units": \#(number)}"#) == message)
  }

  @Test func `a number that JSON cannot write is a fault of ours`() {
    let error = thrown { try JSONDocument.encode([Double.infinity]) }
    #expect(error?.kind == .internal)
    #expect(error?.message.hasPrefix("a document cannot be written as JSON: ") == true)
  }
}
