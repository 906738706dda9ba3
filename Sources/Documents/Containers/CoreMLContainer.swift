import ModelIR

extension OutputFormat {
  /// A Core ML package with its weights; netconv reads it back as a source, not as a container.
  public static let coreml = OutputFormat(
    "coreml", files: [CoreMLContainer.folder + "/"], parts: CoreMLContainer.parts,
    ending: ".mlpackage", isSourceText: true, isGraph: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32, .float16]),
    support: CoreMLContainer.self)
}

/// `model.mlpackage`: a folder with a manifest, the program, and the values.
///
/// Source: coremltools, modelpackage/src/ModelPackage.cpp.
public enum CoreMLContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .coreml }
  /// The name of the package in a converted folder.
  public static let folder = "model.mlpackage"
  /// The manifest of the package.
  public static let manifest = "Manifest.json"
  /// The file with the program.
  public static let model = "Data/com.apple.CoreML/model.mlmodel"
  /// The file with the values.
  public static let weights = "Data/com.apple.CoreML/weights/weight.bin"
  /// The files of a package.
  public static let parts = [manifest, model, weights]
}
