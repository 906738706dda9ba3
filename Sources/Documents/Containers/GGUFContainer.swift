import ModelIR

extension OutputFormat {
  /// A file of llama.cpp's format with the tensors alone; netconv reads it back as a source.
  public static let gguf = OutputFormat(
    "gguf", files: [GGUFContainer.file], ending: ".gguf", isSourceText: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32, .float16, .bfloat16]),
    support: GGUFContainer.self)
}

/// `model.gguf`: metadata, the names, types and offsets of tensors, and their values.
///
/// Source: ggml/docs/gguf.md, version 3.
public enum GGUFContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .gguf }
  /// The file in a converted folder.
  public static let file = "model.gguf"
  /// The key of the metadata that says that netconv wrote a file.
  public static let producerKey = "netconv.version"
  /// The number of axes that GGML supports.
  public static let maximumRank = 4
  /// The length of the longest name that GGML reads, in bytes.
  public static let maximumName = 63
}
