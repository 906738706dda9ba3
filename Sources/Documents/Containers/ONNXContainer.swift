import ModelIR

extension OutputFormat {
  /// An ONNX graph with its weights; netconv reads it back as a source, not as a container.
  public static let onnx = OutputFormat(
    "onnx", files: [ONNXContainer.file], filePrefix: ONNXContainer.file + ".", ending: ".onnx",
    isSourceText: true, isGraph: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32, .float16, .int8]),
    support: ONNXContainer.self)
}

/// `model.onnx` with the graph and the values; above 2 GB, the values are in `model.onnx.data` next to it.
///
/// Source: onnx/docs/IR.md; onnx/docs/ExternalData.md.
public enum ONNXContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .onnx }
  /// The file with the graph.
  public static let file = "model.onnx"
  /// The file with the values, if a single file would be too large.
  public static let dataFile = "model.onnx.data"
}
