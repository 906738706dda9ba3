import Operators

/// A kernel of a network, with everything that source text needs of it.
///
/// Each kernel is a struct in `Kernels`.
protocol MPSCNNKernel: Sendable {
  /// The name of the kernel's class.
  ///
  /// - Parameter name: The name of the package.
  func type(in name: PackageName) -> String
  /// The package's function that creates the kernel; `nil` if the class's initialiser does.
  var function: MPSCNNPiece? { get }
  /// Another piece of the runtime files that the kernel needs.
  var piece: MPSCNNPiece? { get }
  /// True if `function` throws because it reads parameters.
  var readsParameters: Bool { get }
  /// The files of the package that it needs.
  var files: Set<MPSCNNFile> { get }
  /// The arguments of the initialiser or of `function`; `layer` is a string literal.
  func arguments(layer: String, in name: PackageName) -> [String?]
  /// The app's function that is called instead of a kernel.
  var customFunction: String? { get }
  /// Statements that follow the initialisation of the kernel in `property`.
  func settings(_ property: String) -> [String]
  /// The arguments for the kernel's input images.
  func sources(_ images: [String]) -> [String]
}

extension MPSCNNKernel {
  var function: MPSCNNPiece? { nil }
  var piece: MPSCNNPiece? { nil }
  var readsParameters: Bool { false }
  var files: Set<MPSCNNFile> { [] }
  func arguments(layer: String, in name: PackageName) -> [String?] { ["device: device"] }
  var customFunction: String? { nil }
  func settings(_ property: String) -> [String] { [] }
  func sources(_ images: [String]) -> [String] { ["sourceImage: \(images[0])"] }

  /// The call that creates the kernel, without the parenthesis.
  func maker(in name: PackageName) -> String {
    guard let function else { return type(in: name) }
    return (readsParameters ? "try " : "") + "kernels." + function.rawValue
  }
}

extension MPSCNNStep.Corner {
  /// The padding argument; `nil` for the default.
  var argument: String? {
    left == 0 && top == 0 ? nil : "padding: (left: \(left), top: \(top))"
  }
}

extension Size2D {
  /// Source text such as `(width: 5, height: 5)`.
  var text: String { "(width: \(width), height: \(height))" }

  /// Source text such as `(x: 2, y: 2)`.
  var distanceText: String { "(x: \(width), y: \(height))" }
}
