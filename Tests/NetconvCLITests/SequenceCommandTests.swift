import Foundation
import ModelIR
import TestSupport
import Testing

/// `diff`, `verify` and `probe` of networks over sequences: the order of gates is theirs to know.
@Suite("Gates, as the verbs see them")
struct SequenceCommandTests {
  // MARK: - diff

  @Test(
    "a source and what was made of it are equal, whatever the order of the gates",
    arguments: [
      ("torch", ["simple", "lstm", "lstm_backwards", "lstm_unrolled"]),
      ("onnx", ["simple", "lstm", "lstm_backwards", "lstm_unrolled", "gru_before"]),
      ("coreml", []), ("mlx", []), ("source", []),
    ])
  func diff(target: String, layers: [String]) throws {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras3-recurrent.h5"), to: "ckpt.h5")
    expectSuccess(
      try line.netconv(
        "convert", "ckpt.h5", "out", "--target", target, "--no-strict", "-q", "--formats", "bin"))
    let result = try line.netconv("diff", "ckpt.h5", "out", "--exact")
    expectSuccess(result)
    let notes = result.output.split(separator: "\n").filter { $0.contains("zeros") }
    #expect(
      notes.map { $0.trimmingCharacters(in: .whitespaces) }.sorted()
        == layers.map {
          "note: \($0) recurrent_bias is zeros in B, and A has none: both compute the same"
        }.sorted(), "\(result.output)")
    #expect(result.output.hasSuffix("equal: 31 equal; the graphs are equal\n"), "\(result.output)")
    let verified = try line.netconv("verify", "out", "--against", "ckpt.h5", "--quiet")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
  }

  // MARK: - run

  @Test("stateful layers go on from batch to batch, in what was written too")
  func stateful() throws {
    let line = try CommandLine()
    let (source, data) = (
      Fixtures.path("keras/keras3-stateful.h5"), Fixtures.path("keras/keras3-stateful.npz")
    )
    let note =
      "10 layers are stateful: each sequence continues the one 2 places before it, as in Keras with "
      + "batch_size=2"
    let converted = try line.netconv(
      "convert", source, "out", "--goldens", "5", "--target", "source")
    #expect(converted.status == 0)
    // What runs the weights has to keep the states.
    #expect(
      converted.errors.hasPrefix("netconv: warning: \(note)\n  'read'\n"), "\(converted.errors)")
    let stored = try TestSupport.arrays(data)
    let steps = try #require(stored["input"])
    try line.folder.write(
      npy(
        "<f4", "(6, 5, 3)",
        littleEndian(steps.values)), to: "steps.npy")
    for model in [source, "out"] {
      expectSuccess(
        try line.netconv(
          "run", model, "--input", "steps.npy", "--output", "outputs.npz", "--force", "-q"))
      let outputs = try TestSupport.arrays(line.folder.file("outputs.npz"))
      #expect(outputs.count == 9)
      for (name, found) in outputs {
        let expected = try #require(stored[name])
        #expect(found.shape == expected.shape)
        #expect(zip(found.values, expected.values).allSatisfy { abs($0 - $1) < 1e-6 }, "\(name)")
      }
    }
    // Each golden case begins by itself, here as in other programs.
    expectSuccess(try line.netconv("verify", "out", "--goldens", "-q"))
    expectSuccess(try line.netconv("verify", "out", "--against", source, "-q"))
  }

  @Test("a second bias that is more than zeros, and missing in the other, is a difference")
  func missingBias() throws {
    let line = try CommandLine()
    try blobs(layout: "(GN)", line, "two")
    try blobs(layout: "(GN)", line, "one", count: 3)
    let result = try line.netconv("diff", "two", "one")
    #expect(result.status == 1)
    #expect(result.output.contains("gru recurrent_bias"), "\(result.output)")
    #expect(!result.output.contains("zeros"))
  }

  // MARK: - verify

  /// A PyTorch GRU of two units over three channels; each weight is its own index.
  ///
  /// - Parameter count: the number of parameters that are written.
  private func blobs(
    layout: String, _ line: CommandLine, _ folder: String, count: Int = 4
  ) throws {
    let parameters = [
      ("kernel", "\(layout)I", 18), ("recurrent", "\(layout)I", 12), ("bias", layout, 6),
      ("recurrent_bias", layout, 6),
    ]
    var documents: [String] = []
    for (number, (role, layout, count)) in parameters.prefix(count).enumerated() {
      let values = (0..<count).map { Float((($0 + 11 * number) * 7919) % 201 - 100) / 128 }
      try line.folder.write(
        littleEndian(values), to: "\(folder)/\(role).bin")
      documents.append(
        #"{"role": "\#(role)", "file": "\#(role).bin", "dtype": "float32", "layout": "\#(layout)"}"#
      )
    }
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "tiny",
       "inputs": [{"name": "steps", "shape": [5, 3]}], "outputs": ["gru"],
       "layers": [
        {"name": "gru", "operator": "GRU", "inputs": ["steps"],
         "attributes": {"units": 2, "resetsAfter": true},
         "parameters": [\(documents.joined(separator: ",\n"))]}]}
      """, to: "\(folder)/model.json")
  }

  @Test("gates of another framework, of which nothing was said, are named with what to do")
  func verify() throws {
    let line = try CommandLine()
    try blobs(layout: "(G[rzh]N)", line, "right")
    try blobs(layout: "(GN)", line, "wrong")
    let result = try line.netconv("verify", "wrong", "--against", "right")
    #expect(result.status == 1)
    #expect(
      result.errors == """
        netconv: 'gru' is the first layer that differs from the reference
          gru: kernel, recurrent, bias and recurrent_bias have their gates in the order r z h, PyTorch's, read as z r h
            declare the order r z h in the source, or write the gates as z r h

        """)
    let json = try line.netconv("verify", "wrong", "--against", "right", "--json")
    #expect(json.status == 1)
    let report = try jsonObject(json.output.utf8)
    let comparison = try #require(report["comparison"] as? [String: Any])
    let layers = try #require(comparison["layers"] as? [[String: Any]])
    #expect(
      layers.compactMap { ($0["diagnosis"] as? [String: Any])?["kind"] as? String }
        == ["gateOrder"])
  }

  // MARK: - probe

  /// The values of a probe's tensors and outputs, by name.
  private func arrays(_ line: CommandLine, _ key: String) throws -> [String: [Float]] {
    let document = try jsonObject(try line.folder.bytes("probe/probe.json"))
    var arrays: [String: [Float]] = [:]
    for array in try #require(document[key] as? [[String: Any]]) {
      let values = try #require(array["values"] as? [Double])
      arrays[array["name"] as? String ?? ""] = values.map { Float($0) }
    }
    return arrays
  }

  /// The findings for the LSTM that a loader saw.
  private func check(_ answers: [String: [Float]], _ line: CommandLine) throws -> [String] {
    let lines = answers.map { "{\"tensor\": \"\($0)\", \"values\": \($1)}\n" }
    try line.folder.write(lines.joined(), to: "probe/seen.jsonl")
    let result = try line.netconv("probe", "--check", "probe/seen.jsonl")
    let found = result.output.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("lstm") && !$0.contains("right")
    }
    #expect(result.status == (found.isEmpty ? 0 : 1), "\(result.output)\(result.errors)")
    return found
  }

  @Test("a probe numbers the gates of an LSTM in the order of its target, and names another one")
  func probe() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("probe", "probe", "--target", "coreml", "-q"))
    var tensors = try arrays(line, "tensors")
    // (G[ifoc]N)I of 4 gates, 3 units and 5 inputs: the number of each place in I(G[ifco]N).
    func places(_ gates: [Int], _ inputs: Int) -> [Float] {
      var numbers: [Float] = []
      for gate in gates {
        for unit in 0..<3 {
          for input in 0..<inputs { numbers.append(Float(input * 12 + gate * 3 + unit)) }
        }
      }
      return numbers
    }
    #expect(tensors["lstm_W"] == places([0, 1, 3, 2], 5))
    #expect(tensors["lstm_recurrent"] == places([0, 1, 3, 2], 3))
    #expect(try check(tensors, line) == [])
    tensors["lstm_W"] = places([0, 1, 2, 3], 5)
    let starts = [0, 9, 6, 3]
    tensors["lstm_b"] = (0..<12).map { (index: Int) -> Float in
      Float(starts[index / 3] + index % 3 + 1) / 256
    }
    #expect(
      try check(tensors, line) == [
        "lstm kernel: the gates are in the order i f c o, Keras's and PyTorch's, expected i f o c",
        "lstm bias: the gates are in the order i o c f, expected i f o c",
      ])
  }

  @Test("what the probe's recurrent layers give is what Keras gives")
  func outputs() throws {
    let line = try CommandLine()
    expectSuccess(try line.netconv("probe", "probe", "--target", "torch", "-q"))
    let outputs = try arrays(line, "outputs")
    // Keras 3.15, with kernels that count from 0 and biases of (1 + place) / 256, the recurrent ones negative.
    let lstm: [Float] = [0.03208281, 0.03178472, 0.03148706, 0.622595, 0.6386243, 0.6531005]
    let gru: [Float] = [0.02356477, 0.02219238, 0.16561598, 0.17598797, 0.38515377, 0.34995198]
    for (found, right) in [(outputs["lstm"], lstm), (outputs["gru"], gru)] {
      let first = try #require(found).prefix(6)
      #expect(zip(first, right).allSatisfy { abs($0 - $1) < 1e-6 }, "\(first)")
    }
  }
}
