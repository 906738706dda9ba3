import Datasets
import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Quantised weights, compared with the values of mlx and bitsandbytes, or of NumPy by the documentation that the
/// fixtures' scripts cite.
@Suite("Quantised weights")
struct QuantizedWeightTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("quantised/" + name) }

  private static func read(
    _ path: String, codes: Bool = false, acceptingNothing: Bool = false
  ) throws -> ReadSource {
    var options = ReaderOptions(
      acceptsWeights: true, graph: GraphSelection(readsCodes: codes))
    options.acceptsNothing = acceptingNothing
    return try ReaderRegistry.read(path, options)
  }

  /// Copies the weights of a fixture and some of its other files.
  private static func copy(
    _ name: String, with files: [String] = []
  ) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    for file in files { try folder.copy(fixture("\(name)/\(file)"), to: file) }
    let path = try folder.copy(
      fixture("\(name)/model.safetensors"), to: "model.safetensors")
    return (folder, path)
  }

  @Test(
    "a quantised weight has the values that it stands for",
    arguments: [
      "mlx", "fp8", "gptq4", "gptq3", "gptq8", "awq", "awq-gemv", "fours", "bitsandbytes",
      "packed4", "packed4-order", "packed3", "packed8",
    ])
  func values(name: String) throws {
    let source = try Self.read(Self.fixture(name + "/model.safetensors"))
    let expected = try NumpyArchive.read(Self.fixture(name + "/expected.npz"))
    let tensors = source.network.tensors
    #expect(
      tensors.map(\.stored.path).sorted() == expected.map(\.name).sorted(), "\(name)")
    for (tensorName, array) in expected {
      let tensor = try #require(tensors.first { $0.stored.path == tensorName })
      #expect(tensor.storedShape == array.shape, "\(tensorName)")
      #expect(try tensor.values() == array.values, "\(name) \(tensorName)")
    }
  }

  @Test(
    "parts of a weight are those of the whole",
    arguments: ["mlx", "gptq4", "awq-gemv", "bitsandbytes", "fours", "packed3"])
  func parts(name: String) throws {
    for tensor in try Self.read(Self.fixture(name + "/model.safetensors")).network.tensors {
      let all = try tensor.values()
      for range in [1..<all.count, 0..<1, all.count / 2..<all.count / 2 + 2, 3..<3] {
        var part = [Float](repeating: 0, count: range.count)
        try part.withUnsafeMutableBufferPointer { try tensor.stored.source.read(range, into: $0) }
        #expect(part == Array(all[range]), "\(tensor.stored.path) \(range)")
      }
    }
  }

  @Test(
    "inspect names the form",
    arguments: [
      ("mlx", "layer.4.weight", "MLX 4 bits/64"), ("mlx", "layer.nvfp4.weight", "MLX nvfp4"),
      ("fp8", "block.weight", "F8_E4M3/4x8"), ("fp8", "channel.weight", "F8_E4M3/channel"),
      ("gptq4", "a.weight", "GPTQ 4 bits"), ("awq", "a.weight", "AWQ 4 bits/16"),
      ("awq-gemv", "a.weight", "AWQ 4 bits/32"),
      ("bitsandbytes", "nested.weight", "NF4/64"), ("packed4", "a.weight", "int4/32"),
      ("fours", "experts.gate_up_proj", "MXFP4/32"), ("fours", "mo.weight", "NVFP4/16"),
    ])
  func kinds(name: String, tensor: String, kind: String) throws {
    let tensors = try Self.read(Self.fixture(name + "/model.safetensors")).network.tensors
    #expect(tensors.first { $0.stored.path == tensor }?.stored.typeName == kind)
  }

  // MARK: - Ambiguous forms

  private static func problem(_ path: String) -> NetconvError? {
    thrown { try read(path) }
  }

  @Test("bits and groups that shapes do not tell are an error without the configuration")
  func ambiguous() throws {
    let error = Self.problem(try Self.copy("mlx").path)
    #expect(error?.kind == .badData)
    #expect(error?.tensor == "layer.2.weight")
    #expect(error?.message.contains("2 bits in groups of 64, 4 bits in groups of 32") == true)
    // It is still listed, as stored.
    let listed = try Self.read(try Self.copy("mlx").path, acceptingNothing: true)
    #expect(listed.problem?.message == error?.message)
    #expect(listed.network.tensors.contains { $0.stored.path == "layer.2.scales" })
  }

  @Test(
    "a configuration that says otherwise than the tensors is an error",
    arguments: [
      ("mlx", #"{"quantization": {"group_size": 32, "bits": 3}}"#, "layer.2.weight"),
      (
        "fp8",
        #"{"quantization_config": {"quant_method": "fp8", "weight_block_size": [64, 64]}}"#,
        "block.weight"
      ),
      ("gptq4", #"{"quantization_config": {"quant_method": "awq", "bits": 4}}"#, "a.qweight"),
      (
        "gptq8",
        #"{"quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 16, "sym": true}}"#,
        "a.qweight"
      ),
      (
        "gptq4",
        #"{"quantization_config": {"quant_method": "gptq", "bits": 4, "checkpoint_format": "marlin"}}"#,
        "a.qweight"
      ),
      (
        "awq",
        #"{"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 32}}"#,
        "a.qweight"
      ),
      (
        "awq",
        #"{"quantization_config": {"quant_method": "awq", "bits": 4, "version": "gemv"}}"#,
        "a.qweight"
      ),
      (
        "awq-gemv",
        #"{"quantization_config": {"quant_method": "awq", "bits": 4, "version": "gemv", "group_size": 64}}"#,
        "a.qweight"
      ),
      (
        "awq-gemv",
        #"{"quantization_config": {"quant_method": "awq", "bits": 4, "version": "gemv_fast", "group_size": 32}}"#,
        "a.qweight"
      ),
      (
        "packed4",
        #"{"quantization_config": {"config_groups": {"g": {"weights": {"num_bits": 8}}}}}"#,
        "a.weight_packed"
      ),
    ])
  func contradiction(name: String, config: String, tensor: String) throws {
    let (folder, path) = try Self.copy(name)
    try folder.write(config, to: "config.json")
    let error = Self.problem(path)
    #expect(error?.kind == .badData)
    #expect(error?.tensor == tensor, "\(error?.message ?? "nothing")")
  }

  @Test("GPTQ's zero points are known by the configuration alone, and checked where it can be")
  func zeroPoints() throws {
    #expect(
      Self.problem(try Self.copy("gptq4").path)?.message.hasPrefix(
        "whether zero points are stored less one cannot be told for sure") == true)
    let source = try Self.read(Self.fixture("gptq-false/model.safetensors"))
    let weight = try #require(
      source.network.tensors.first { $0.stored.path == "a.weight" })
    #expect(
      thrown { try weight.values() }?.message.hasPrefix(
        "has a zero point of 9.0, but the configuration says 'sym', which makes it 8.0") == true)
  }

  @Test(
    "what is missing is named",
    arguments: [
      ("mlx", "layer.4.biases", "layer.4.weight"), ("gptq4", "a.qzeros", "a.qweight"),
      ("gptq4", "a.g_idx", "a.qweight"), ("awq", "a.scales", "a.qweight"),
      ("fp8", "whole.weight_scale", "whole.weight"),
      ("bitsandbytes", "nested.weight.nested_absmax", "nested.weight"),
      ("packed4", "a.weight_shape", "a.weight_packed"),
      ("packed4", "a.weight_zero_point", "a.weight_packed"),
      ("fours", "experts.gate_up_proj_scales", "experts.gate_up_proj_blocks"),
      ("fours", "ct.weight_global_scale", "ct.weight_packed"),
    ])
  func missing(name: String, member: String, tensor: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixture(name))
      .filter { $0.hasSuffix(".json") }
    let (folder, path) = try Self.copy(name, with: names)
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    // An unknown name of the same length.
    let place = try #require(bytes.firstRange(of: Array("\"\(member)\"".utf8)))
    bytes.replaceSubrange(
      place, with: Array("\"\(String(repeating: "x", count: member.utf8.count))\"".utf8))
    try folder.write(bytes, to: "model.safetensors")
    let error = Self.problem(path)
    #expect(error?.kind == .badData)
    #expect(error?.tensor == tensor, "\(error?.message ?? "nothing")")
  }

  // MARK: - Codes

  @Test("codes alone are what is stored, and those that float32 does not hold are an error")
  func codes() throws {
    let source = try Self.read(Self.fixture("gptq4/model.safetensors"), codes: true)
    let tensors = source.network.tensors
    #expect(
      tensors.map { "\($0.stored.path) \($0.stored.typeName) \($0.storedShape)" } == [
        "a.bias float32 [32]", "a.g_idx int32 [64]", "a.qweight int32 [8, 32]",
        "a.qzeros int32 [4, 4]", "a.scales float16 [4, 32]",
      ])
    #expect(Set(try tensors[1].values()) == [0, 1, 2, 3])
    #expect(
      thrown { try tensors[2].values() }?.message.contains("which float32 does not") == true)
  }

  @Test("there are no codes in a file of numbers")
  func noCodes() {
    #expect(
      thrown { try Self.read(TorchTests.fixture("small.safetensors"), codes: true) }?.kind == .usage
    )
  }
}
