/// The values of several arrays that are joined along an axis; read piece by piece, so that none is held in memory.
package struct JoinedTensorSource: GatheringSource {
  /// An array, and its place in each of the slices before the axis.
  private struct Piece {
    let source: any TensorSource
    /// The index of its first value in a slice.
    let start: Int
    /// The number of its values in a slice.
    let length: Int
  }

  private let pieces: [Piece]
  /// The number of values of a slice.
  private let length: Int
  package let count: Int
  /// The type of all arrays; if they differ, one that represents the values of each.
  package let elementType: ElementType

  /// Joins arrays whose shapes differ in the size of one axis alone.
  ///
  /// - Parameter shapes: the shape of each array.
  /// - Precondition: the sources have as many values as their shapes.
  package init(_ sources: [any TensorSource], shapes: [[Int]], axis: Int) {
    var pieces: [Piece] = []
    var start = 0
    for (source, shape) in zip(sources, shapes) {
      let length = shape[axis...].reduce(1, *)
      pieces.append(Piece(source: source, start: start, length: length))
      start += length
    }
    self.pieces = pieces
    length = start
    count = start * (shapes.first?[..<axis].reduce(1, *) ?? 0)
    let types = Set(sources.map(\.elementType))
    let isWide = types.contains { $0.exactType == .float64 }
    elementType = types.count == 1 ? sources[0].elementType : isWide ? .float64 : .float32
  }

  package var isSequential: Bool { pieces.contains { $0.source.isSequential } }

  package func gather<Value: StreamedValue>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError) {
    guard !range.isEmpty else { return }
    let scratch = UnsafeMutableBufferPointer<Value>.allocate(capacity: range.count)
    defer { scratch.deallocate() }
    for piece in pieces {
      let own = index(range.lowerBound, in: piece)..<index(range.upperBound, in: piece)
      guard !own.isEmpty else { continue }
      let read = UnsafeMutableBufferPointer(rebasing: scratch[..<own.count])
      try Value.read(piece.source, own, into: read)
      copy(read, own, of: piece, to: values, range.lowerBound)
    }
  }

  /// Returns the index in a piece of its first value at or after `place`.
  private func index(_ place: Int, in piece: Piece) -> Int {
    place / length * piece.length + min(max(place % length - piece.start, 0), piece.length)
  }

  /// Copies the values `own` of a piece to their places, a slice at a time.
  private func copy<Value: StreamedValue>(
    _ read: UnsafeMutableBufferPointer<Value>, _ own: Range<Int>, of piece: Piece,
    to values: UnsafeMutableBufferPointer<Value>, _ first: Int
  ) {
    guard let from = read.baseAddress, let to = values.baseAddress else { return }
    var index = own.lowerBound
    while index < own.upperBound {
      let (slice, offset) = index.quotientAndRemainder(dividingBy: piece.length)
      let count = min(piece.length - offset, own.upperBound - index)
      let place = slice * length + piece.start + offset - first
      (to + place).update(from: from + (index - own.lowerBound), count: count)
      index += count
    }
  }
}
