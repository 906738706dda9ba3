import ModelIR

extension OutputFormat {
  /// A TensorFlow Lite graph with its weights; netconv reads it back as a source, not as a container.
  public static let tflite = OutputFormat(
    "tflite", files: [TFLiteContainer.file], ending: ".tflite", isSourceText: true, isGraph: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32, .float16]),
    support: TFLiteContainer.self)
}

/// `model.tflite` with the graph and the values.
///
/// Source: tensorflow/lite/schema/schema.fbs.
public enum TFLiteContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .tflite }
  /// The file with the graph.
  public static let file = "model.tflite"
}
