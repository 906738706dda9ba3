import ModelIR
import TestSupport
import Testing

@Suite("verify --against feeds what the first layers expect")
struct RandomInputTests {
  /// A 1 x 1 kernel after a layer that rescales bytes to -1 to 1, and a rectifier.
  private static let document = """
    {"format": "netconv-model", "version": 1, "name": "m",
     "inputs": [{"name": "x", "shape": [4, 3, 3]}], "outputs": ["conv"],
     "layers": [
      {"name": "scale", "operator": "Rescaling", "inputs": ["x"],
       "attributes": {"scale": [0.00784313725490196], "offset": [-1]}},
      {"name": "conv", "operator": "Convolution2D", "inputs": ["scale"],
       "attributes": {"outputChannels": 1, "kernelSize": [1, 1], "activation": "relu"},
       "parameters": [
        {"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "OHWI"},
        {"role": "bias", "file": "b.bin", "dtype": "float32", "layout": "O"}]}]}
    """

  private func write(_ kernel: [Float], to name: String, in line: CommandLine) throws {
    try line.folder.write(Self.document, to: "\(name)/model.json")
    try line.folder.write(littleEndian(kernel), to: "\(name)/W.bin")
    try line.folder.write(littleEndian([0]), to: "\(name)/b.bin")
  }

  /// The inputs that a comparison's line states.
  private func inputs(_ result: NetconvProcess.Result) throws -> String {
    let line = try #require(
      result.output.split(separator: "\n").first { $0.hasPrefix("compared ") })
    let end = try #require(line.split(separator: " on ", maxSplits: 1).last)
    return String(try #require(end.split(separator: "; each layer").first))
  }

  @Test("exchanged channels behind a rescaling show")
  func exchanged() throws {
    let line = try CommandLine()
    try write([1, 2, 4], to: "right", in: line)
    try write([4, 2, 1], to: "wrong", in: line)
    // From 0 to 1, all sums would be near -7, and all outputs 0.
    let found = try line.netconv("verify", "wrong", "--against", "right")
    #expect(found.status == 1)
    #expect(found.errors.contains("'conv' is the first layer that differs from the reference"))
    #expect(
      try inputs(found)
        == "32 samples of seeded random whole numbers from 0 to 255, as 'scale' expects them")
  }

  @Test(
    "the report says what was fed",
    arguments: [
      ("archive-embedding.keras", "whole numbers"),
      ("archive-residual.keras", "values from 0 to 1"),
    ])
  func named(file: String, words: String) throws {
    let source = Fixtures.path("keras/\(file)")
    let found = try NetconvProcess.run(["verify", source, "--against", source])
    #expect(found.status == 0)
    let fed = try inputs(found)
    #expect(fed.contains(words), "\(fed)")
  }

  @Test("what a conversion records is fed where the source tells nothing")
  func recorded() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectSuccess(
      try line.netconv("convert", "blobs", "out", "--filter", "mean=100,120", "--quiet"))
    for sides in [("out", "blobs"), ("blobs", "out")] {
      let found = try line.netconv("verify", sides.0, "--against", sides.1, "--quiet", "--json")
      let report = try jsonObject(found.output.utf8)
      let comparison = try #require(report["comparison"] as? [String: Any])
      #expect(
        comparison["inputs"] as? String
          == "32 samples of seeded random bytes, prepared as the network records")
    }
  }
}
