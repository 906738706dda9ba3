/// The shape of an activation, without the batch axis; a size may be unknown until a model runs.
public struct Shape: Hashable, Sendable {
  /// The sizes, `nil` where they are unknown.
  public let dimensions: [Int?]

  /// Creates a shape of `dimensions`.
  public init(_ dimensions: [Int?]) {
    self.dimensions = dimensions
  }

  /// Creates a shape whose sizes are all known.
  public init(_ dimensions: [Int]) {
    self.dimensions = dimensions
  }

  /// The number of axes.
  public var rank: Int { dimensions.count }

  /// The sizes, or `nil` if one is unknown.
  public var known: [Int]? {
    let known = dimensions.compactMap(\.self)
    return known.count == rank ? known : nil
  }

  /// The number of values, or `nil` if a size is unknown or the product overflows.
  public var count: Int? {
    known.flatMap { try? product($0) }
  }

  /// Returns true if two shapes agree in all sizes that both know.
  public func isCompatible(with other: Shape) -> Bool {
    rank == other.rank
      && zip(dimensions, other.dimensions).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }
}

extension Shape: CustomStringConvertible {
  /// The shape as Keras prints it: `(28, 28, 1)`, with `None` for an unknown size.
  public var description: String {
    "(" + dimensions.map { $0.map(String.init) ?? "None" }.joined(separator: ", ") + ")"
  }
}
