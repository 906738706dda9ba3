import Foundation
import ModelIR
import TestSupport
import Testing

/// Names that differ in Unicode's normal form alone are two, in every format, and go back as they were.
@Suite("names in two Unicode normal forms")
struct NormalFormTests {
  private static let (composed, decomposed) = ("\u{e9}", "e\u{301}")

  private static func fixture(_ name: String) -> String { Fixtures.path("names/\(name)") }

  private func floats(_ path: String) throws -> [String: [Float]] {
    try arrays(path).mapValues(\.values)
  }

  @Test(
    "weights of both are written, with their values, under their names byte for byte",
    arguments: ["names.npz", "names.safetensors", "names.pt", "names.index"])
  func weights(file: String) throws {
    let line = try CommandLine()
    let expected = try floats(Self.fixture("names.npz"))
    #expect(expected.count == 4)
    let target = file.hasSuffix("index") ? "tensorflow" : "torch"
    for (ending, options) in [
      ("npz", ["--target", "source"]), ("safetensors", ["--target", target, "--no-strict"]),
    ] {
      let result = try line.netconv(
        ["convert", Self.fixture(file), "out.\(ending)", "--weights-only", "-q", "--force"]
          + options)
      #expect(result.status == 0, "\(result.errors)")
      for verb in ["diff", "relate"] {
        let result = try line.netconv(verb, Self.fixture(file), "out.\(ending)", "-q")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
      }
    }
    let found = try floats(line.folder.file("out.npz"))
    #expect(found.count == 4)
    #expect(Set(found.values) == Set(expected.values))
    // What is written for PyTorch has the very names.
    guard target == "torch" else { return }
    let bytes = try line.folder.bytes("out.safetensors")
    for name in [Self.composed, Self.decomposed] {
      #expect(bytes.range(of: Array("\"\(name).weight\"".utf8)) != nil)
    }
    let again = try line.netconv("diff", "out.safetensors", Self.fixture("names.npz"), "-q")
    #expect(again.status == 0, "\(again.output)\(again.errors)")
  }

  @Test("networks with both run as in their framework", arguments: ["onnx", "h5", "keras"])
  func networks(ending: String) throws {
    let line = try CommandLine()
    let source = Self.fixture("names.\(ending)")
    let stored = try arrays(Self.fixture("expected.npz"))
    let fed = try #require(stored["in0"])
    let right = try #require(stored[ending == "onnx" ? "onnx" : "keras"])
    try writeArray(fed.values, "(2, 3)", to: line)
    for (formats, place) in [("bin,archive", "out"), ("safetensors,npz", "other")] {
      let converted = try line.netconv("convert", source, place, "--formats", formats)
      #expect(converted.status == 0, "\(converted.errors)")
      let verified = try line.netconv("verify", place, "--against", source, "-q")
      #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
      let same = try line.netconv("diff", place, source, "-q")
      #expect(same.status == 0, "\(same.output)\(same.errors)")
    }
    // Files are called so that no file system takes two for one.
    let files = try line.names(in: "out/weights")
    #expect(files.count == 4)
    #expect(files.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(files)")
    let report = try jsonObject(line.netconv("inspect", "out", "--json").output.utf8)
    let layers = try #require(report["layers"] as? [[String: Any]])
    let names = layers.compactMap { ($0["name"] as? String).map { Array($0.utf8) } }
    for name in [Self.composed, Self.decomposed] { #expect(names.contains(Array(name.utf8))) }
    for model in [source, "out", "other"] {
      let run = try line.netconv(
        "run", model, "--input", "x.npy", "--output", "y.npz", "--layer", Self.decomposed,
        "--force",
        "-q")
      #expect(run.status == 0, "\(run.errors)")
      let values = try #require(try floats(line.folder.file("y.npz"))[Self.decomposed.exact])
      #expect(relativeDifference(values, right.values) < 1e-6)
      let first = try line.netconv("run", model, "--input", "x.npy", "--layer", Self.composed)
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.output.contains("(2, 5)"), "\(first.output)")
    }
  }

  private func writeArray(_ values: [Float], _ shape: String, to line: CommandLine) throws {
    try line.folder.write(npy("<f4", shape, littleEndian(values)), to: "x.npy")
  }

  @Test("weights of Keras in HDF5 are those of each name, where h5py has both")
  func groups() throws {
    let line = try CommandLine()
    expectSuccess(
      try line.netconv(
        "convert", Fixtures.path("hdf5/normal-forms.h5"), "out.npz", "--weights-only", "--target",
        "source", "-q"))
    let values = try floats(line.folder.file("out.npz"))
    #expect(values.count == 2)
    #expect(Set(values.values).count == 2)
  }

  @Test("escapes of JSON are the letters that they stand for")
  func escapes() throws {
    let line = try CommandLine()
    // Python escapes what is not ASCII, unless it is told not to.
    let document = { (name: String) in
      """
      {"format": "netconv-model", "version": 1, "name": "n", "outputs": ["\(name)"],
       "inputs": [{"name": "x", "shape": [3]}],
       "layers": [{"name": "\\u00e9", "operator": "Activation", "inputs": ["x"],
        "attributes": {"function": "relu"}},
        {"name": "e\\u0301", "operator": "Activation", "inputs": ["\u{e9}"],
        "attributes": {"function": "tanh"}}]}
      """
    }
    try line.folder.write(document("e\u{301}"), to: "a/model.json")
    try line.folder.write(document("e\\u0301"), to: "b/model.json")
    try line.folder.write(document("\u{e9}"), to: "c/model.json")
    expectSuccess(try line.netconv("diff", "a", "b", "-q"))
    #expect(try line.netconv("diff", "a", "c", "-q").status == 1)
  }

  @Test("folders and files of such names are found, and written, as they are called")
  func paths() throws {
    let line = try CommandLine()
    let names = [Self.composed, Self.decomposed]
    for (name, function) in zip(names, ["relu", "tanh"]) {
      try line.folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "n", "outputs": ["act"],
         "inputs": [{"name": "x", "shape": [3]}],
         "layers": [{"name": "act", "operator": "Activation", "inputs": ["x"],
          "attributes": {"function": "\(function)"}}]}
        """, to: "\(name)/model.json")
    }
    #expect(try line.netconv("diff", names[0], names[1], "-q").status == 1)
    for name in names {
      expectSuccess(try line.netconv("convert", name, "\(name).netpack", "-q"))
      expectSuccess(try line.netconv("diff", name, "\(name).netpack", "-q"))
      let found = try FileManager.default.contentsOfDirectory(atPath: line.folder.path)
      #expect(found.contains { $0.utf8.elementsEqual("\(name).netpack".utf8) })
    }
  }
}
