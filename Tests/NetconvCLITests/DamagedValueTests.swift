import Datasets
import Files
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite("Nothing is computed from values whose checksum is wrong")
struct DamagedValueTests {
  /// Every verb that computes with the values of `name`, alone or as the second of two.
  private func verbs(_ name: String) -> [[String]] {
    [
      ["inspect", name, "--stats"], ["run", name, "--input", "x.npy"], ["verify", name],
      ["verify", "intact", "--against", name], ["diff", name, "intact"], ["diff", "intact", name],
      ["convert", name, "out", "--dry-run"], ["convert", name, "out"],
      ["convert", name, "out", "--dtype", "float16"],
      ["convert", name, "out", "--target", "source", "--dtype", "int8"],
      ["convert", name, "out", "--goldens", "1"],
      ["emit", name, "--language", "mpsgraph", "--output", "package"],
    ]
  }

  /// Runs each verb, and expects the same error of all.
  private func expectDamage(
    _ line: CommandLine, _ name: String, _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try line.folder.write(npy("<f4", "(1, 6, 5, 2)", Array(repeating: 0, count: 240)), to: "x.npy")
    for verb in verbs(name) {
      let result = try NetconvProcess.run(verb, in: line.folder.path)
      let comment = Comment(rawValue: verb.joined(separator: " ") + "\n" + result.errors)
      #expect(result.status == 65, comment, sourceLocation: sourceLocation)
      #expect(
        result.errors == "netconv: error: \(text)\n", comment, sourceLocation: sourceLocation)
      #expect(result.output == "", comment, sourceLocation: sourceLocation)
      #expect(try !line.names().contains("out"), comment, sourceLocation: sourceLocation)
    }
    // Nothing is read of the values here.
    let result = try line.netconv("inspect", name)
    #expect(result.status == 0, sourceLocation: sourceLocation)
  }

  @Test("of a .keras file")
  func keras() throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/archive-conv-same.keras"), to: "intact")
    try line.folder.copy(Fixtures.path("keras/archive-conv-same.keras"), to: "m.keras")
    expectSuccess(try line.netconv("convert", "intact", "good", "--quiet"))
    // The bias lies in the archive as it is: the entry is stored, and so is the HDF5 dataset.
    let bias = Data(try line.folder.bytes("good/weights/fc_b.bin"))
    let archive = Data(try line.folder.bytes("m.keras"))
    let place = try #require(archive.range(of: bias)?.lowerBound)
    try line.flip("m.keras", at: place)
    try expectDamage(
      line, "m.keras",
      "m.keras: the archive's entry 'model.weights.h5' does not match its checksum; it is damaged")
  }

  @Test("of an .npz file with raw values")
  func arrays() throws {
    let line = try CommandLine()
    for name in ["intact", "m"] {
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "m",
         "inputs": [{"name": "x", "shape": [6, 5, 2]}], "outputs": ["fc"],
         "layers": [
          {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
           "parameters": [
            {"role": "kernel", "file": "w.npz", "tensor": "k", "dtype": "float32", "layout": "IO"}]}]}
        """, to: name + "/model.json")
      try writeArchive(
        [("k", NDArray(shape: [2, 3], values: [1, 2, 3, 4, 5, 6]))],
        to: line.folder.file(name + "/w.npz"))
    }
    let bytes = Data(try line.folder.bytes("m/w.npz"))
    let five = withUnsafeBytes(of: Float(5).bitPattern.littleEndian) { Data($0) }
    // The highest bit of the exponent: 5 becomes too small for float16, and nothing like itself.
    try line.flip("m/w.npz", at: try #require(bytes.range(of: five)).lowerBound)
    try expectDamage(
      line, "m", "m/w.npz: the archive's entry 'k.npy' does not match its checksum; it is damaged")
  }

  @Test("of a .netpack")
  func netpack() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    for name in ["intact", "m.netpack"] {
      expectSuccess(try line.netconv("convert", "blobs", name, "--formats", "archive", "-q"))
    }
    let bytes = Data(try line.folder.bytes("m.netpack"))
    let kernel = Data(try line.folder.bytes("blobs/fc_b.bin"))
    try line.flip("m.netpack", at: try #require(bytes.range(of: kernel)).lowerBound)
    for verb in verbs("m.netpack") {
      let result = try NetconvProcess.run(verb, in: line.folder.path)
      let comment = Comment(rawValue: verb.joined(separator: " ") + "\n" + result.errors)
      #expect(result.status == 65, comment)
      #expect(
        result.errors.hasPrefix(
          "netconv: error: m.netpack: layer 'fc', tensor 'bias': SHA-256 is "), comment)
      #expect(
        result.errors.hasSuffix("…; it is damaged, so convert the model again\n"), comment)
      #expect(result.output == "", comment)
    }
    expectSuccess(try line.netconv("inspect", "m.netpack"))
  }
}
