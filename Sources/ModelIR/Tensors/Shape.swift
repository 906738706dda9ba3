/// The shape of an activation, without the batch axis; a size may be unknown until a model runs.
public struct Shape: Hashable, Sendable {
  /// The sizes, `nil` where unknown.
  public let dimensions: [Int?]

  /// A shape of `dimensions`.
  public init(_ dimensions: [Int?]) {
    self.dimensions = dimensions
  }

  /// A shape whose sizes are all known.
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

  /// Whether two shapes agree where both are known.
  public func isCompatible(with other: Shape) -> Bool {
    rank == other.rank
      && zip(dimensions, other.dimensions).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }
}

extension Shape: CustomStringConvertible {
  /// `(28, 28, 1)`, with `None` for an unknown size, as Keras writes it.
  public var description: String {
    "(" + dimensions.map { $0.map(String.init) ?? "None" }.joined(separator: ", ") + ")"
  }
}
