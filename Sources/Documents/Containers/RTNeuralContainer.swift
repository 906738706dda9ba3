import ModelIR

extension OutputFormat {
  /// The JSON that RTNeural reads; as a container netconv does not read it again, but as a source.
  public static let rtneural = OutputFormat(
    "rtneural", files: [RTNeuralContainer.file], ending: ".rtneural.json", isSourceText: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32]),
    support: RTNeuralContainer.self)
}

/// `model.rtneural.json`: the layers of a chain with their weights as lists of numbers.
public enum RTNeuralContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .rtneural }
  /// The file in a converted folder.
  public static let file = "model.rtneural.json"
}
