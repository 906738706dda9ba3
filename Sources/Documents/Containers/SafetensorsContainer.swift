extension OutputFormat {
  /// All tensors in one file of Hugging Face's safetensors.
  public static let safetensors = OutputFormat(
    "safetensors", files: [SafetensorsContainer.file], ending: ".safetensors",
    support: SafetensorsContainer.self)
}

/// `model.safetensors`: a header that names every tensor, and the values behind it without holes.
public enum SafetensorsContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .safetensors }
  /// The file in a converted folder.
  public static let file = "model.safetensors"
}
