import Foundation
import TestSupport
import Testing

/// Files that Keras writes in a way of its own; the predictions of each are in `KerasPredictionTests`.
@Suite("Unusual Keras files")
struct KerasVariantTests {
  private func run(
    _ fixture: String, _ arguments: String...
  ) throws -> (CommandLine, NetconvProcess.Result) {
    let line = try CommandLine()
    let name = "m." + (fixture.hasSuffix(".keras") ? "keras" : "h5")
    try line.folder.copy(Fixtures.path("keras/\(fixture)"), to: name)
    let words = [arguments[0], name] + arguments.dropFirst()
    return (line, try NetconvProcess.run(words, in: line.folder.path))
  }

  @Test(
    "weights of releases that number groups differently are listed under their layers",
    arguments: ["213-numbered", "213-windows", "215-numbered", "215-windows"])
  func weightsOnly(name: String) throws {
    let (line, result) = try run(
      "archive-keras\(name).keras", "convert", "out", "--weights-only", "--quiet")
    expectSuccess(result)
    let layers = ["bn_a", "bn_b", "conv_a", "conv_b", "conv_c", "norm_a", "norm_b"]
    let names = Set(try line.names(in: "out/weights").map { $0.split(separator: "_").dropLast() })
    for layer in layers {
      #expect(names.contains(layer.split(separator: "_")[...]), "\(layer)")
    }
    // The same kernel as in the HDF5 that the same release wrote beside it.
    let own = try run("keras\(name.prefix(3))-numbered.h5", "convert", "out", "--quiet")
    expectSuccess(own.1)
    for kernel in ["conv_a_W.bin", "conv_b_W.bin", "conv_c_W.bin", "inner_inner_b_W.bin"] {
      let (found, expected) = try (
        line.folder.bytes("out/weights/" + kernel), own.0.folder.bytes("out/weights/" + kernel)
      )
      #expect(found == expected, "\(kernel)")
    }
  }

  /// Replaces a text in a file that is none as a whole by another of its length.
  private func replace(
    _ text: String, with other: String, in name: String, of line: CommandLine
  ) throws {
    var bytes = Data(try line.folder.bytes(name))
    let place = try #require(bytes.range(of: Data(text.utf8)))
    bytes.replaceSubrange(place, with: Data(other.utf8))
    try line.folder.write(Array(bytes), to: name)
  }

  @Test("groups that do not tell whose they are belong to no layer")
  func missingGroup() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/archive-keras213-numbered.keras"), to: "m.keras")
    // Of three convolutions a fourth is said to be there; all have shapes that fit several.
    try replace("conv2d_4", with: "conv3d_4", in: "m.keras", of: line)
    let result = try line.netconv("inspect", "m.keras")
    #expect(result.status == 65, "\(result.errors)")
    #expect(
      result.errors.contains(
        "layer 'conv_a': the weight 'kernel' is missing; the file holds none for this layer"),
      "\(result.errors)")
  }

  @Test("an architecture in a string of JSON is read, and what is wrong with one is said")
  func stringOfJSON() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/string-config.weights.h5"), to: "w.h5")
    try line.folder.copy(Fixtures.path("keras/string-config.json"), to: "model.json")
    expectSuccess(try line.netconv("inspect", "w.h5", "--model", "model.json"))
    try line.folder.write(#""no configuration""#, to: "model.json")
    expectError(
      try line.netconv("inspect", "w.h5", "--model", "model.json"), 65,
      "model.json: holds one string, whose text is not JSON: found 'n', expected a value, in line 1, "
        + "column 1; expected the output of model.to_json(), as it is or as a string of JSON")
  }

  @Test("a number that is neither 0 nor 1 is no truth value")
  func truthValues() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras2-number-booleans.h5"), to: "m.h5")
    try replace(#""center": 0"#, with: #""center": 2"#, in: "m.h5", of: line)
    expectError(
      try line.netconv("inspect", "m.h5"), 65,
      """
      m.h5: 1 layer is not supported; convert --weights-only writes the tensors without a graph
        'bn' (BatchNormalization), layer 3 of 6: center is 2, expected true or false
      """)
  }
}
