import ModelIR

extension OutputFormat {
  /// RTNeural's JSON; netconv reads it back as a source, not as a container.
  public static let rtneural = OutputFormat(
    "rtneural", files: [RTNeuralContainer.file], ending: ".rtneural.json", isSourceText: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32]),
    support: RTNeuralContainer.self)
}

/// `model.rtneural.json`: the layers of a sequential model with their weights as lists of numbers.
public enum RTNeuralContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .rtneural }
  /// The file in a converted folder.
  public static let file = "model.rtneural.json"
}
