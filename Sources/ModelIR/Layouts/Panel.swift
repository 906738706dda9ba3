/// A box-shaped part of a rearrangement: the unit of streaming.
///
/// In both the source and the destination a panel consists of ``Runs``. Each run costs a system call, so panels are cut
/// such that runs are long on both sides.
public struct Panel: Sendable {
  /// A part of a panel that is contiguous in the panel's source order, moved while it is in a cache.
  public struct Piece: Sendable {
    /// The range of the panel's values, in source order.
    public let values: Range<Int>
    /// The move from the piece's values, in source order, to the panel's, in destination order.
    public let move: StridedMove
  }

  /// The loops of the rearrangement, in the order of the destination.
  private let dimensions: [StridedCopy.Dimension]
  /// The range of each loop that the panel covers: for a loop without a constant stride, one step or all.
  private let box: [Range<Int>]

  init(dimensions: [StridedCopy.Dimension], box: [Range<Int>]) {
    self.dimensions = dimensions
    self.box = box
  }

  /// The ranges of the panel's values in the source, in order.
  public var sourceRuns: Runs {
    Runs(
      dimensions.sourceOrder.map { index in
        let (size, range) = (dimensions[index].size, box[index])
        if let places = dimensions[index].places, range.count < size {
          let place = places[range.lowerBound]
          return Runs.Dimension(size: size, range: place..<place + 1)
        }
        let isReversed = dimensions[index].stride < 0
        return Runs.Dimension(
          size: size,
          range: isReversed ? size - range.upperBound..<size - range.lowerBound : range)
      })
  }

  /// The ranges of the panel's values in the destination, in order.
  public var runs: Runs {
    Runs(zip(dimensions, box).map { Runs.Dimension(size: $0.size, range: $1) })
  }

  /// The number of values.
  public var count: Int { box.reduce(1) { $0 * $1.count } }
}

// MARK: - Cutting a rearrangement

extension Panel {
  /// The number of source values that a panel keeps contiguous where possible: about 4 KiB of float32.
  ///
  /// A run costs less to read than to write, so the destination's runs get the rest of the budget.
  private static let sourceRunLength = 1040

  /// Splits a copy into panels of at most `maximumCount` values (at least one value each).
  ///
  /// - Parameter isSequential: true if the source must be read in order, with one run per panel.
  static func split(_ copy: StridedCopy, maximumCount: Int, isSequential: Bool) -> Panels {
    guard copy.count > 0 else { return Panels() }
    let dimensions = copy.dimensions
    let (source, destination) = (dimensions.sourceOrder, Array(dimensions.indices))
    var counts = dimensions.map { _ in 1 }
    if !isSequential {
      grow(&counts, dimensions, along: source, upTo: min(sourceRunLength, maximumCount))
      grow(&counts, dimensions, along: destination, upTo: maximumCount)
    }
    grow(&counts, dimensions, along: source, upTo: maximumCount)
    return Panels(dimensions, counts: counts, order: source)
  }

  /// Splits a copy into panels of at most `maximumCount` values, each contiguous in the destination, in order.
  static func consecutive(_ copy: StridedCopy, maximumCount: Int) -> Panels {
    guard copy.count > 0 else { return Panels() }
    let dimensions = copy.dimensions
    var counts = dimensions.map { _ in 1 }
    grow(&counts, dimensions, along: Array(dimensions.indices), upTo: maximumCount)
    return Panels(dimensions, counts: counts, order: Array(dimensions.indices))
  }

  /// Grows a box of `counts` along the innermost of the loops `order`, then the next, up to `limit` values.
  ///
  /// A loop that has to be split is split evenly, into odd numbers of cache lines: otherwise rows in memory would map
  /// to only a few sets of a cache.
  private static func grow(
    _ counts: inout [Int], _ dimensions: [StridedCopy.Dimension], along order: [Int],
    upTo limit: Int
  ) {
    for index in order.reversed() {
      let others = counts.reduce(1, *) / counts[index]
      let size = dimensions[index].size
      let room = max(counts[index], min(size, limit / others))
      if dimensions[index].places != nil, room < size { return }
      let parts = (size + room - 1) / room
      let equal = (size + parts - 1) / parts
      let odd = (equal + 15) / 32 * 32 + 16
      counts[index] = max(counts[index], odd <= room && room < size ? max(odd, equal) : equal)
      if counts[index] < size { return }
    }
  }
}

// MARK: - Pieces

extension Panel {
  /// Splits the panel into pieces of at most `maximumCount` values, in source order.
  public func pieces(maximumCount: Int) -> [Piece] {
    let order = dimensions.sourceOrder
    var parts: [[Range<Int>]] = [[]]
    var count = count
    var isCut = false
    for index in order {
      let size = box[index].count
      let length = isCut ? size : Self.pieceLength(size, of: count / size, maximumCount)
      isCut = isCut || count / size <= maximumCount
      count /= size
      parts = parts.flatMap { part in
        stride(from: 0, to: size, by: length).map { part + [$0..<min($0 + length, size)] }
      }
    }
    return parts.map { piece(Dictionary(uniqueKeysWithValues: zip(order, $0))) }
  }

  /// Returns how many of `size` parts of `count` values to move together: one if no more fit, otherwise whole cache
  /// lines of the destination.
  private static func pieceLength(_ size: Int, of count: Int, _ maximumCount: Int) -> Int {
    let length = min(size, max(1, maximumCount / count))
    return length < size && length > 16 ? length / 16 * 16 : length
  }

  /// Returns the piece of the panel that covers `ranges` of the loops, in source order.
  private func piece(_ ranges: [Int: Range<Int>]) -> Piece {
    var loops = box.map { StridedMove.Loop(size: $0.count, from: 0, to: 0) }
    var start = StridedMove.Start(from: 0, to: 0)
    var steps = [start]
    var firstValue = 0
    var (pieceStride, sourceStride, destinationStride) = (1, 1, 1)
    for index in dimensions.sourceOrder.reversed() {
      guard let range = ranges[index] else { continue }
      firstValue += range.lowerBound * sourceStride
      loops[index].size = range.count
      loops[index].from = pieceStride
      pieceStride *= range.count
      sourceStride *= box[index].count
    }
    for index in dimensions.indices.reversed() {
      guard let range = ranges[index] else { continue }
      let count = box[index].count
      loops[index].to = destinationStride
      if dimensions[index].stride < 0 {
        start.from += loops[index].from * (range.count - 1)
        start.to += (count - range.upperBound) * destinationStride
        loops[index].from.negate()
      } else if let places = dimensions[index].places, count > 1 {
        steps = steps.stepped(
          places.indices.filter { range.contains(places[$0]) }.map {
            .init(
              from: (places[$0] - range.lowerBound) * loops[index].from, to: $0 * destinationStride)
          })
        loops[index].size = 1
      } else {
        start.to += range.lowerBound * destinationStride
      }
      destinationStride *= count
    }
    return Piece(
      values: firstValue..<firstValue + pieceStride,
      move: StridedMove(loops, starts: [start].stepped(steps)))
  }
}

extension [StridedCopy.Dimension] {
  /// The indices of the loops in source order, outermost first.
  fileprivate var sourceOrder: [Int] {
    indices.sorted { abs(self[$0].stride) > abs(self[$1].stride) }
  }
}
