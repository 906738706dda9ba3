import Foundation
import TestSupport
import Testing

/// Layers that no output depends on are not emitted, and rounding to half precision ignores them.
@Suite struct DeadBranchTests {
  private let line: CommandLine

  init() throws {
    line = try CommandLine()
    let values = (0..<512).map { index -> Float in Float(index * 37 % 101 - 50) / 70 }
    let bytes = values.flatMap { value -> [UInt8] in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    for (name, dead) in [
      ("without", ""),
      (
        "with",
        #"{"name": "dead", "operator": "Activation", "inputs": ["sum"], "attributes": {"function": "sigmoid"}},"#
      ),
    ] {
      try line.folder.write(
        #"""
        {"format": "netconv-model", "version": 1, "name": "m", "outputs": ["live"],
         "inputs": [{"name": "x", "shape": [8]}], "layers": [
         {"name": "sum", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 64},
          "parameters": [{"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"}]},
         \#(dead)
         {"name": "live", "operator": "Activation", "inputs": ["sum"], "attributes": {"function": "tanh"}}]}
        """#, to: "\(name)/model.json")
      try line.folder.write(bytes, to: "\(name)/W.bin")
    }
    try line.folder.write(npy("<f4", "(2, 8)", Array(bytes.prefix(64))), to: "x.npy")
  }

  @Test(arguments: ["fast", "reference"])
  func `an activation that no output depends on does not round what another reads`(
    _ engine: String
  ) throws {
    var outputs: [[Float]] = []
    for (model, precision) in [
      ("without", "float16"), ("with", "float16"), ("with", "float32"),
    ] {
      let output = "\(model)-\(precision).npz"
      expectSuccess(
        try line.netconv(
          "run", model, "--input", "x.npy", "--precision", precision, "--engine", engine,
          "--output", output))
      outputs.append(try #require(try arrays(line.folder.file(output))["live"]).values)
    }
    #expect(outputs[0].count == 128)
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0] != outputs[2])
  }

  @Test func `such a layer can still be asked for, and changes no other`() throws {
    expectSuccess(
      try line.netconv(
        "run", "with", "--input", "x.npy", "--precision", "float16", "--layer", "dead",
        "--output", "all.npz"))
    expectSuccess(
      try line.netconv(
        "run", "without", "--input", "x.npy", "--precision", "float16", "--output", "live.npz"))
    let all = try arrays(line.folder.file("all.npz"))
    #expect(all["dead"]?.values.count == 128)
    #expect(all["live"]?.values == (try arrays(line.folder.file("live.npz")))["live"]?.values)
  }
}
