/// An optional piece of the code in `Emitted`: the lines in `#if` with the name of the case.
protocol RuntimePiece: RawRepresentable<String>, Hashable, Sendable {
  /// The pieces that this one uses.
  var needs: Set<Self> { get }
}

extension RuntimePiece {
  var needs: Set<Self> { [] }
}

/// The pieces of the code in `Emitted` that a network needs.
struct RuntimePieces {
  private var names: Set<String> = []

  /// Creates an empty set.
  init() {}

  /// Creates a set of pieces and of those that they need.
  init(_ pieces: some Sequence<some RuntimePiece>) {
    for piece in pieces { insert(piece) }
  }

  /// Adds a piece and those that it needs.
  mutating func insert(_ piece: some RuntimePiece) {
    guard names.insert(piece.rawValue).inserted else { return }
    for need in piece.needs { insert(need) }
  }

  /// True if the piece named `name` is needed.
  func contains(_ name: Substring) -> Bool { names.contains(String(name)) }
}
