/// Pieces of filters: kernels that not every chain has, and what differs between a package of filters and a network.
enum MetalPiece: String, RuntimePiece, CaseIterable {
  /// The package is one of filters: classes that ask one another, and a view.
  case filterPackage
  /// What the filters make goes into a network.
  case feeding
  case recolor
  case flatten
  case transferCurve
  case blur
  case restore

  /// What a package of filters has.
  static let ofFilterPackages = allCases.filter { $0 != .feeding }
}
