/// Pieces of the filters' code: optional kernels, and the differences between a filter package and
/// a network.
enum MetalPiece: String, RuntimePiece, CaseIterable {
  /// The code of a filter package: filters that pull from one another, and a view.
  case filterPackage
  /// The code that passes the filtered picture to a network.
  case feeding
  case recolor
  case flatten
  case transferCurve
  case blur
  case restore

  /// The pieces of a filter package.
  static let ofFilterPackages = allCases.filter { $0 != .feeding }
}
