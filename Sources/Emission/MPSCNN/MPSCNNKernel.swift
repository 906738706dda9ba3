import Operators

/// A kernel of a network: all that is to be said of it in source text.
///
/// One struct for each, in `Kernels`.
protocol MPSCNNKernel: Sendable {
  /// The class.
  ///
  /// - Parameter name: what the package is called.
  func type(in name: PackageName) -> String
  /// The function of the package that makes it; `nil` where the class's initialiser does.
  var function: MPSCNNPiece? { get }
  /// What else it needs of the files.
  var piece: MPSCNNPiece? { get }
  /// Whether that function throws, because it reads parameters.
  var readsParameters: Bool { get }
  /// The files of the package that it needs.
  var files: Set<MPSCNNFile> { get }
  /// What it is made of; `layer` is a literal.
  func arguments(layer: String, in name: PackageName) -> [String?]
  /// The function of the app that is called in the place of a kernel, of which there is none then.
  var customFunction: String? { get }
  /// Statements that follow when it is made, `property` being what it is called.
  func settings(_ property: String) -> [String]
  /// What it reads, as arguments.
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

  /// What makes it, up to the parenthesis.
  func maker(in name: PackageName) -> String {
    guard let function else { return type(in: name) }
    return (readsParameters ? "try " : "") + "kernels." + function.rawValue
  }
}

extension MPSCNNStep.Corner {
  /// An argument; `nil` for what is the default.
  var argument: String? {
    left == 0 && top == 0 ? nil : "padding: (left: \(left), top: \(top))"
  }
}

extension Size2D {
  /// `(width: 5, height: 5)`.
  var text: String { "(width: \(width), height: \(height))" }

  /// `(x: 2, y: 2)`.
  var distanceText: String { "(x: \(width), y: \(height))" }
}
