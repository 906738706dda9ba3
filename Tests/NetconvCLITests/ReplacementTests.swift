import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// Layers with Python code that are replaced by operators; Keras has stored the outputs.
@Suite("Layers that are replaced")
struct ReplacementTests {
  static let options = [
    "--replace", "lambda_1=Rescaling(scale: 1/127.5, offset: -1)",
    "--replace", "body/twice=Rescaling(scale: [2])",
  ]
  static let models = ["lambda.h5", "lambda.keras", "lambda-keras2.h5"]

  private func line(with fixture: String) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("replaced/" + fixture), to: "m")
    return line
  }

  private func run(_ line: CommandLine, _ arguments: [String]) throws -> NetconvProcess.Result {
    try NetconvProcess.run(arguments, in: line.folder.path)
  }

  /// An input or output of Keras.
  private func array(_ name: String) throws -> NDArray<Float> {
    let arrays = try NumpyArchive.read(Fixtures.path("replaced/lambda.npz"))
    let array = try #require(arrays.first { $0.name == name }?.array)
    return NDArray(shape: array.shape, values: array.values)
  }

  @Test("the model gives what Keras gives", arguments: models)
  func predictions(fixture: String) throws {
    let line = try line(with: fixture)
    try writeArchive([("x", try array("x"))], to: line.folder.file("x.npz"))
    expectSuccess(
      try run(line, ["run", "m", "--input", "x.npz", "--output", "y.npz"] + Self.options))
    let found = try #require(try NumpyArchive.read(line.folder.file("y.npz")).first?.array)
    let expected = try array("y")
    #expect(found.shape == expected.shape)
    // The largest value is about 3: a few roundings to float32 of that.
    for (a, b) in zip(found.values, expected.values) { #expect(abs(a - b) < 2e-6) }
  }

  @Test("a conversion says what stands for what, and its output is one like any other")
  func converted() throws {
    let line = try line(with: "lambda.h5")
    let result = try run(line, ["convert", "m", "out"] + Self.options)
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        """
          replaced            by
          ---------------------------------------------------------
          lambda_1    Lambda  Rescaling(scale: 1/127.5, offset: -1)
          body/twice  Lambda  Rescaling(scale: [2])


        """), "\(result.output)")
    let manifest = try jsonObject(try line.folder.bytes("out/manifest.json"))
    let replaced = try #require(manifest["replaced"] as? [[String: String]])
    #expect(
      replaced == [
        [
          "layer": "lambda_1", "className": "Lambda",
          "by": "Rescaling(scale: 1/127.5, offset: -1)",
        ],
        ["layer": "body/twice", "className": "Lambda", "by": "Rescaling(scale: [2])"],
      ])
    // What the manifest says is put into the source too.
    expectSuccess(try line.netconv("verify", "out", "--against", "m", "--quiet"))
    expectSuccess(try line.netconv("diff", "m", "out", "--quiet"))
    expectSuccess(try line.netconv("diff", "out", "m", "--quiet"))
    expectSuccess(try line.netconv("convert", "out", "again", "--quiet"))
    let again = try jsonObject(try line.folder.bytes("again/manifest.json"))
    #expect(again["replaced"] as? [[String: String]] == replaced)
    let other = try run(
      line,
      ["diff", "m", "out", "--quiet", "--replace", "lambda_1=Rescaling(scale: 1/255)"]
        + Self.options[2...])
    #expect(other.status == 1)
  }

  @Test("every verb that reads a source takes it")
  func verbs() throws {
    let line = try line(with: "lambda.h5")
    let shown = try run(line, ["inspect", "m"] + Self.options)
    expectSuccess(shown)
    #expect(shown.output.contains("(None, 5, 4, 1)           0  input_layer"))
    let text = try line.netconv(
      "emit", "m", "--replace", "lambda_1=Activation(function: relu6)", "--replace",
      "body/twice=Activation(function: \"tanh\")")
    expectSuccess(text)
    #expect(text.output.contains(".tanh"))
    try line.folder.write(
      #"{"replace": ["lambda_1=Rescaling(scale: 1/127.5, offset: -1)", "body/twice=Rescaling(scale: 2)"]}"#,
      to: "m.json")
    expectSuccess(
      try line.netconv("embed", "m", "--archive", "m.netpack", "--options", "m.json"))
    try line.folder.write(#"{"replace": "lambda_1=Rescalin(scale: 2)"}"#, to: "m.json")
    let wrong = try line.netconv("embed", "m", "--archive", "m.netpack", "--options", "m.json")
    #expect(wrong.status == 65)
    #expect(
      wrong.errors.hasPrefix(
        "netconv: error: m.json: replace: there is no operator 'Rescalin'; did you mean 'Rescaling'?\n"
      ))
  }

  @Test("the error for a Lambda shows the option with the layer's name")
  func shown() throws {
    let line = try line(with: "lambda.h5")
    expectError(
      try line.netconv("convert", "m", "out"), 65,
      """
      m: 2 layers are not supported; convert --weights-only writes the tensors without a graph
        'lambda_1' (Lambda), layer 2 of 5: its code is Python's; state what it computes, as in --replace \
      'lambda_1=Rescaling(scale: 1/127.5, offset: -1)'
        'body/twice' (Lambda), layer 2 of 3: its code is Python's; state what it computes, as in --replace \
      'body/twice=Rescaling(scale: 1/127.5, offset: -1)'
      """)
  }

  @Test(
    "a mistake is pointed at",
    arguments: [
      ("lambda_1", 8, "expected '=' and an operator after the name of the layer", nil),
      ("=Identity", 0, "expected the name of a layer", nil),
      ("lambda_1=", 9, "expected the name of an operator", nil),
      (
        "lambda_1=Dense(units: 3)", 9,
        "Dense has weights, which no file holds for a layer that is replaced; name an operator without weights",
        nil
      ),
      (
        "lambda_1=Rescaling(scale: 1, ofset: 2)", 29,
        "Rescaling has no attribute 'ofset'; did you mean 'offset'?", "it has scale, offset"
      ),
      (
        "lambda_1=Rescaling(scale: 1, scale: 2)", 29, "'scale' is there twice", nil
      ),
      ("lambda_1=Rescaling(scale 1)", 25, "expected ':' and a value after 'scale'", nil),
      ("lambda_1=Rescaling(scale: 1/0)", 28, "this cannot be divided by", nil),
      ("lambda_1=Rescaling(scale: 1/)", 28, "expected a number", nil),
      ("lambda_1=Rescaling(scale: 1", 27, "expected ',' or ')'", nil),
      ("lambda_1=Rescaling(scale: [1, 2)", 31, "expected ',' or ']'", nil),
      ("lambda_1=Identity() x", 20, "expected the end", nil),
      ("lambda_1=Identity x", 18, "expected '(' or the end", nil),
      (
        "lambda_1=Rescaling(scale: 'a')", 19,
        "Rescaling: scale[0]: is a string, expected a number", "it has scale, offset"
      ),
      (
        "lambda_1=Rescaling(offset: 1)", 9, "Rescaling: the key 'scale' is missing",
        "it has scale, offset"
      ),
      ("lambda_1=Identity(axis: 1)", 18, "Identity has no attribute 'axis'", "it has none"),
    ] as [(String, Int, String, String?)])
  func mistakes(option: String, place: Int, message: String, details: String?) throws {
    let line = try line(with: "lambda.h5")
    let caret = String(repeating: " ", count: place) + "^"
    expectError(
      try line.netconv("inspect", "m", "--replace", option), 64,
      "--replace: \(message)\n  \(option)\n  \(caret)" + (details.map { "\n  " + $0 } ?? ""))
  }

  @Test("an operator that there is not is named with the nearest, and all that there are")
  func unknownOperator() throws {
    let line = try line(with: "lambda.h5")
    let result = try line.netconv("run", "m", "--input", "x", "--replace", "lambda_1=Rescalng")
    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix(
        """
        netconv: error: --replace: there is no operator 'Rescalng'; did you mean 'Rescaling'?
          lambda_1=Rescalng
                   ^
          known are Activation, AdaptiveAveragePooling1D,
        """))
    #expect(!result.errors.contains("Convolution2D"))
  }

  @Test("layers that are not there, or that netconv knows, are refused by name")
  func otherLayers() throws {
    let line = try line(with: "lambda.h5")
    expectError(
      try line.netconv("inspect", "m", "--replace", "lambda=Identity"), 64,
      """
      m: there is no layer 'lambda' to replace; did you mean 'lambda_1'?
        these can be replaced:
        'lambda_1'
        'body/twice'
      """)
    expectError(
      try line.netconv("convert", "m", "out", "--replace", "conv=Identity"), 64,
      "m: the layer 'conv' is a Conv2D, which netconv knows; only a Lambda, a custom layer or an "
        + "unsupported layer can be replaced")
    expectError(
      try line.netconv(
        "inspect", "m", "--replace", "lambda_1=Identity", "--replace", "lambda_1=Flatten"), 64,
      "--replace: the layer 'lambda_1' is replaced twice; leave out one of the two")
    expectError(
      try line.netconv("convert", "m", "out", "--weights-only", "--replace", "lambda_1=Identity"),
      64,
      "without the graph no layer is computed, and none can be replaced; leave out --weights-only or --replace"
    )
    try line.folder.copy(Fixtures.sample("lenet-blobs"), to: "blobs")
    expectError(
      try line.netconv("inspect", "blobs", "--replace", "lambda_1=Identity"), 64,
      "blobs: is not a Keras model; only their layers can be replaced; leave out --replace")
    expectError(
      try line.netconv("diff", "blobs", "blobs", "--replace", "lambda_1=Identity"), 64,
      "neither model has a layer 'lambda_1' that can be replaced; only a Lambda, a custom layer or an "
        + "unsupported layer can")
  }

  @Test("shapes are checked as always")
  func shapes() throws {
    let line = try line(with: "lambda.h5")
    let result = try line.netconv(
      "convert", "m", "out", "--replace", "lambda_1=Rescaling(scale: [1, 2])",
      "--replace", "body/twice=Identity()")
    expectError(
      result, 65,
      "m: layer 'lambda_1': scale has 2 numbers, expected one, or one for each of 1 channels")
  }

  @Test("a layer with weights, or with several values, cannot be replaced")
  func refused() throws {
    let line = try line(with: "weighted.h5")
    try line.folder.copy(Fixtures.path("replaced/weighted.keras"), to: "m.keras")
    try line.folder.copy(Fixtures.path("replaced/halves.keras"), to: "halves")
    let message =
      "layer 'weighted': the file holds weights of this layer, which Identity would leave out; only a layer "
      + "without weights can be replaced\n  "
    expectError(
      try line.netconv("convert", "m", "out", "--replace", "weighted=Identity"), 65,
      "m: " + message + "weighted/inside/kernel\n  weighted/inside/bias")
    let archive = try line.netconv("convert", "m.keras", "out", "--replace", "weighted=Identity")
    #expect(archive.status == 65)
    #expect(archive.errors.hasPrefix("netconv: error: m.keras: " + message))
    expectError(
      try line.netconv("convert", "halves", "out", "--replace", "halves=Identity"), 64,
      "halves: the layer 'halves' returns several values, but an operator returns one; it cannot be replaced"
    )
  }

  @Test("a custom layer without Keras's own configuration is told of its weights")
  func bare() throws {
    let line = try line(with: "bare.h5")
    expectError(
      try line.netconv("convert", "m", "out"), 65,
      "m: layers[1] (custom>Bare) has no config.name, as its class has no get_config that begins with "
        + "super().get_config(); add that and save the model again, or write the tensors alone with convert "
        + "--weights-only")
    expectSuccess(try line.netconv("convert", "m", "out", "--weights-only", "--quiet"))
    #expect(try line.names(in: "out/weights") == ["fc_W.bin", "fc_b.bin"])
  }
}
