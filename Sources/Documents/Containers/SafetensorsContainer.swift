extension OutputFormat {
  /// All tensors in a safetensors file as defined by Hugging Face.
  public static let safetensors = OutputFormat(
    "safetensors", files: [SafetensorsContainer.file], ending: ".safetensors",
    support: SafetensorsContainer.self)
}

/// `model.safetensors`: a header with all tensors, followed by the values without gaps.
public enum SafetensorsContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .safetensors }
  /// The file in a converted folder.
  public static let file = "model.safetensors"
}
