import ModelIR

extension OutputFormat {
  /// A graph of ONNX with its weights; as a container netconv does not read it again, but as a source.
  public static let onnx = OutputFormat(
    "onnx", files: [ONNXContainer.file], filePrefix: ONNXContainer.file + ".", ending: ".onnx",
    isSourceText: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32, .float16]),
    support: ONNXContainer.self)
}

/// `model.onnx` with the graph and the values, or, of more than 2 GB, `model.onnx.data` with the values beside it.
///
/// Source: onnx/docs/IR.md; onnx/docs/ExternalData.md.
public enum ONNXContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .onnx }
  /// The file with the graph.
  public static let file = "model.onnx"
  /// The file with the values, where one file would be too long.
  public static let dataFile = "model.onnx.data"
}
