/// A piece of the code in `Emitted` that a network may need: what is in `#if` with the name of the case.
protocol RuntimePiece: RawRepresentable<String>, Hashable, Sendable {
  /// The pieces that it uses itself.
  var needs: Set<Self> { get }
}

extension RuntimePiece {
  var needs: Set<Self> { [] }
}

/// What a network needs of the files in `Emitted`.
struct RuntimePieces {
  private var names: Set<String> = []

  /// None.
  init() {}

  /// Some pieces, and what they need.
  init(_ pieces: some Sequence<some RuntimePiece>) {
    for piece in pieces { insert(piece) }
  }

  /// Adds a piece, and what it needs.
  mutating func insert(_ piece: some RuntimePiece) {
    guard names.insert(piece.rawValue).inserted else { return }
    for need in piece.needs { insert(need) }
  }

  /// Whether the piece called `name` is needed.
  func contains(_ name: Substring) -> Bool { names.contains(String(name)) }
}
