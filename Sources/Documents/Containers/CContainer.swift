import ModelIR

extension OutputFormat {
  /// All tensors as C arrays, which netconv cannot read back.
  public static let c = OutputFormat(
    "c", files: [CContainer.header, CContainer.source], isSourceText: true,
    unsupportedTypes: Set(ElementType.allCases).subtracting([.float32]), support: CContainer.self)
}

/// `model.h` and `model.c`: every tensor as a C array, for runtimes whose weights are linked into the program.
public enum CContainer: ContainerSupport {
  /// The container.
  public static var format: OutputFormat { .c }
  /// The file that declares the arrays.
  public static let header = "model.h"
  /// The file with the values.
  public static let source = "model.c"
}
