import ModelIR

/// Values that lie in several places, each a box of the whole: those of a partitioned variable.
struct SlicedTensorSource: GatheringSource {
  /// A box, and its values in C order.
  struct Part: Sendable {
    /// Where the box lies, for each axis.
    let box: [Range<Int>]
    let source: any TensorSource
    /// Values that lie one after the other in both the box and the whole.
    fileprivate let rowLength: Int
    /// Axes that tell rows apart, with the distance in the whole from one to the next.
    fileprivate let axes: [(range: Range<Int>, stride: Int)]
    /// Where the first row begins in the whole.
    fileprivate let start: Int

    /// A box of a whole of `shape`.
    init(box: [Range<Int>], source: any TensorSource, in shape: [Int]) {
      self.box = box
      self.source = source
      let strides = rowMajorStrides(of: shape)
      // Axes of which the box has all belong to a row, and so does the last one of which it has a part.
      let outer = (box.indices.last { box[$0] != 0..<shape[$0] }) ?? 0
      rowLength = box[outer...].reduce(1) { $0 * $1.count }
      axes = box.indices.prefix(outer).map { (box[$0], strides[$0]) }
      start = zip(box, strides).reduce(0) { $0 + $1.0.lowerBound * $1.1 }
    }

    /// Where a row begins in the whole.
    fileprivate func place(ofRow row: Int) -> Int {
      var (place, rest) = (start, row)
      for axis in axes.reversed() {
        place += rest % axis.range.count * axis.stride
        rest /= axis.range.count
      }
      return place
    }

    fileprivate var rowCount: Int { axes.reduce(1) { $0 * $1.range.count } }

    /// The first row that ends behind `place`.
    fileprivate func firstRow(endingBehind place: Int) -> Int {
      var rows = 0..<rowCount
      while !rows.isEmpty {
        let middle = (rows.lowerBound + rows.upperBound) / 2
        if self.place(ofRow: middle) + rowLength <= place {
          rows = middle + 1..<rows.upperBound
        } else {
          rows = rows.lowerBound..<middle
        }
      }
      return rows.lowerBound
    }
  }

  let elementType: ElementType
  let count: Int
  private let parts: [Part]

  /// Values of `parts`, which are disjoint and together the whole.
  init(_ elementType: ElementType, count: Int, parts: [Part]) {
    self.elementType = elementType
    self.count = count
    self.parts = parts.filter { $0.source.count > 0 }
  }

  var isSequential: Bool { parts.contains { $0.source.isSequential } }

  /// Reads what each part has of `range` at once, and puts it where it belongs row by row.
  func gather<Value: StreamedValue>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Value>
  ) throws(NetconvError) {
    let piece = UnsafeMutableBufferPointer<Value>.allocate(capacity: range.count)
    defer { piece.deallocate() }
    for part in parts {
      let runs = runs(of: part, in: range)
      guard let first = runs.first, let last = runs.last else { continue }
      let stored = first.stored.lowerBound..<last.stored.upperBound
      let read = UnsafeMutableBufferPointer(rebasing: piece[..<stored.count])
      try Value.read(part.source, stored, into: read)
      for run in runs {
        let place = run.place - range.lowerBound
        _ = UnsafeMutableBufferPointer(rebasing: values[place..<place + run.stored.count])
          .update(
            fromContentsOf: read[
              run.stored.lowerBound - stored.lowerBound..<run.stored.upperBound
                - stored.lowerBound])
      }
    }
  }

  /// What a part has of `range`: values that lie one after the other in it, and where they begin in the whole.
  private func runs(
    of part: Part, in range: Range<Int>
  ) -> [(stored: Range<Int>, place: Int)] {
    var runs: [(stored: Range<Int>, place: Int)] = []
    for row in part.firstRow(endingBehind: range.lowerBound)..<part.rowCount {
      let place = part.place(ofRow: row)
      guard place < range.upperBound else { break }
      let common = (place..<place + part.rowLength).clamped(to: range)
      guard !common.isEmpty else { continue }
      let start = row * part.rowLength + common.lowerBound - place
      runs.append((start..<start + common.count, common.lowerBound))
    }
    return runs
  }
}

extension SlicedTensorSource {
  /// Whether boxes are disjoint and together all of `shape`.
  static func fills(_ shape: [Int], _ boxes: [[Range<Int>]]) -> Bool {
    let volumes = boxes.map { box in box.reduce(1) { $0 * $1.count } }
    var left = shape.reduce(1, *)
    for (index, box) in boxes.enumerated() where volumes[index] > 0 {
      left -= volumes[index]
      guard left >= 0 else { return false }
      for other in boxes[..<index] where zip(box, other).allSatisfy({ $0.overlaps($1) }) {
        return false
      }
    }
    return left == 0
  }
}
