import Foundation
import TestSupport
import Testing

/// Adapters that do not belong to the weights, and weights that a format cannot hold.
extension SilentError {
  static let inAdapters: [SilentError] = [
    SilentError("convert", "an adapter of another network", 65, "are not in the base") { line in
      try merge("kinds/base.safetensors", "llama/adapter", line)
    },
    SilentError("convert", "an adapter of weights of other sizes", 65, "[6, 3, 2, 4]") { line in
      var base = try bytes("adapters/kinds/base.safetensors")
      if let range = base.range(of: Data("[6,3,2,4]".utf8)) {
        base.replaceSubrange(range, with: Data("[6,3,4,2]".utf8))
      }
      try line.folder.write(base, to: "base.safetensors")
      return try line.netconv(
        "convert", "base.safetensors", "out", "--weights-only", "--adapter",
        Fixtures.path("adapters/kinds/adapter"))
    },
    SilentError("convert", "an adapter that is not LoRA", 65, "'IA3'") { line in
      try merge("kinds/base.safetensors", "ia3", line)
    },
    SilentError("convert", "an adapter without its configuration", 66, "adapter_config.json") {
      line in
      try copy("adapters/kinds/adapter/adapter_model.safetensors", to: line)
      return try line.netconv(
        "convert", Fixtures.path("adapters/kinds/base.safetensors"), "out", "--weights-only",
        "--adapter", ".")
    },
    SilentError("convert", "PiSSA, which begins with other weights", 65, "'pissa'") { line in
      try copy("adapters/kinds/adapter/adapter_model.safetensors", to: line)
      try copy("adapters/kinds/adapter/adapter_config.json", to: line)
      try line.replace(
        "\"init_lora_weights\": true", with: "\"init_lora_weights\": \"pissa\"",
        in: "adapter_config.json")
      return try line.netconv(
        "convert", Fixtures.path("adapters/kinds/base.safetensors"), "out", "--weights-only",
        "--adapter", ".")
    },
    SilentError("convert", "an adapter, and codes by --raw", 65, "can only be merged into floats") {
      line in
      try line.prepare(
        "convert", Fixtures.path("written/float32.safetensors"), "q", "--weights-only",
        "--quantize", "mlx-8bit", "--quiet")
      try line.folder.write(config, to: "adapter_config.json")
      let header =
        #"{"base_model.model.embed.lora_A.weight":{"dtype":"F32","shape":[1,16],"data_offsets":[0,64]},"#
        + #""base_model.model.embed.lora_B.weight":{"dtype":"F32","shape":[9,1],"data_offsets":[64,100]}}"#
      let length = withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) }
      try line.folder.write(
        length + Array(header.utf8) + [UInt8](repeating: 0, count: 100),
        to: "adapter_model.safetensors")
      return try line.netconv(
        "convert", "q/model.safetensors", "out", "--weights-only", "--raw", "--adapter", ".")
    },
    SilentError("convert", "shards in one file", 64, "is a single file") { line in
      try line.netconv(
        "convert", Fixtures.path("written/float32.safetensors"), "out.safetensors",
        "--weights-only", "--shard-size", "1KB")
    },
    SilentError("convert", "GGUF's blocks in safetensors", 64, "name a file that ends in .gguf") {
      line in
      try line.netconv(
        "convert", Fixtures.path("written/float32.safetensors"), "out.safetensors",
        "--weights-only", "--quantize", "q8_0")
    },
    SilentError("convert", "infinite values as Q8_0", 65, "holds inf, which Q8_0") { line in
      try infinite("out.gguf", "q8_0", line)
    },
    SilentError("convert", "infinite values as MLX's groups", 65, "holds inf, which MLX 4 bits") {
      line in
      try infinite("out", "mlx-4bit", line)
    },
    SilentError("convert", "nothing that can be quantised", 65, "holds no weight that Q4_0") {
      line in
      try line.netconv(
        "convert", Fixtures.path("adapters/kinds/base.safetensors"), "out.gguf", "--weights-only",
        "--quantize", "q4_0")
    },
    SilentError("convert", "five axes in GGUF", 65, "at most 4 axes") { line in
      try line.netconv(
        "convert", Fixtures.path("adapters/kinds/base.safetensors"), "out.gguf", "--weights-only")
    },
    SilentError("convert", "a network with its graph in GGUF", 64, "add --weights-only") { line in
      try line.netconv("convert", Fixtures.sample("lenet-blobs"), "out.gguf")
    },
  ]

  private static let config =
    #"{"peft_type": "LORA", "r": 1, "lora_alpha": 1, "target_modules": ["embed"]}"#

  private static func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: Fixtures.path(name)))
  }

  private static func copy(_ name: String, to line: CommandLine) throws {
    try line.folder.copy(Fixtures.path(name), to: (name as NSString).lastPathComponent)
  }

  private static func merge(
    _ base: String, _ adapter: String, _ line: CommandLine
  ) throws -> NetconvProcess.Result {
    try line.netconv(
      "convert", Fixtures.path("adapters/" + base), "out", "--weights-only", "--adapter",
      Fixtures.path("adapters/" + adapter))
  }

  /// Quantises a matrix in which the last value is infinite.
  private static func infinite(
    _ destination: String, _ kind: String, _ line: CommandLine
  ) throws -> NetconvProcess.Result {
    let header = #"{"a.weight":{"dtype":"F32","shape":[2,64],"data_offsets":[0,512]}}"#
    let length = withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) }
    try line.folder.write(
      length + Array(header.utf8) + [UInt8](repeating: 0, count: 508) + [0, 0, 0x80, 0x7f],
      to: "a.safetensors")
    return try line.netconv(
      "convert", "a.safetensors", destination, "--weights-only", "--quantize", kind)
  }
}
