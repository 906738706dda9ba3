import Foundation
import TestSupport
import Testing

/// Quantised weights with missing tensors or an ambiguous form.
extension SilentError {
  static let inQuantised: [SilentError] = [
    SilentError("convert", "MLX's groups without their config.json", 65, "4 bits in groups of 32") {
      line in
      try copy("quantised/mlx/model.safetensors", to: line)
      return try convert("model.safetensors", line)
    },
    SilentError("convert", "GPTQ without its configuration", 65, "stored less one") { line in
      try copy("quantised/gptq4/model.safetensors", to: line)
      return try convert("model.safetensors", line)
    },
    SilentError(
      "convert", "GPTQ whose zero points are not what its file says", 65, "zero point of 9"
    ) {
      line in
      try copy("quantised/gptq-false/model.safetensors", to: line)
      try copy("quantised/gptq-false/quantize_config.json", to: line)
      return try convert("model.safetensors", line)
    },
    SilentError("convert", "float8 whose scale has another name", 65, "'a.weight'") { line in
      let header =
        #"{"a.weight":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]},"a.scale_weight":"#
        + #"{"dtype":"U8","shape":[],"data_offsets":[2,3]}}"#
      let length = withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian) { Array($0) }
      try line.folder.write(length + Array(header.utf8) + [1, 2, 3], to: "a.safetensors")
      return try convert("a.safetensors", line)
    },
    SilentError("convert", "packed codes of 32 bits, with --raw", 65, "which float32 does not") {
      line in
      try copy("quantised/gptq4/model.safetensors", to: line)
      return try convert("model.safetensors", line, "--raw")
    },
    SilentError("convert", "--raw of a file of numbers", 64, "leave out --raw") { line in
      try copy("pytorch/small.safetensors", to: line)
      return try convert("small.safetensors", line, "--raw")
    },
    SilentError("convert", "a GGUF file of kinds that are not read", 65, "'iq2_xs.weight'") {
      line in
      try copy("gguf/listed.gguf", to: line)
      return try convert("listed.gguf", line)
    },
    SilentError("convert", "a GGUF file of which a part is missing", 66, "is missing") { line in
      try copy("gguf/split-00001-of-00003.gguf", to: line)
      return try convert("split-00001-of-00003.gguf", line)
    },
    SilentError("convert", "a GGUF file with a vocabulary alone", 65, "holds no tensors") { line in
      try copy("gguf/vocabulary.gguf", to: line)
      return try convert("vocabulary.gguf", line)
    },
    SilentError("convert", "a GGUF file that was cut off", 65, "truncated") { line in
      let path = Fixtures.path("gguf/kinds.gguf")
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      try line.folder.write(bytes.dropLast(200), to: "kinds.gguf")
      return try convert("kinds.gguf", line)
    },
    SilentError("convert", "a safetensors file with a hole", 65, "safetensors has no holes") {
      line in
      try copy("safetensors/hole.safetensors", to: line)
      return try convert("hole.safetensors", line)
    },
  ]

  private static func copy(_ name: String, to line: CommandLine) throws {
    try line.folder.copy(Fixtures.path(name), to: (name as NSString).lastPathComponent)
  }

  private static func convert(
    _ name: String, _ line: CommandLine, _ options: String...
  ) throws -> NetconvProcess.Result {
    try line.netconv(["convert", name, "out", "--weights-only"] + options)
  }
}
