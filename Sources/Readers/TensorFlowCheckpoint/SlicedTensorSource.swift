import ModelIR

/// The values of a partitioned variable, stored in several boxes of the whole tensor.
struct SlicedTensorSource: GatheringSource {
  /// A box with its values in C order.
  struct Part: Sendable {
    /// The index range of the box for each axis.
    let box: [Range<Int>]
    let source: any TensorSource
    /// The number of values that are contiguous in both the box and the whole tensor.
    fileprivate let rowLength: Int
    /// The outer axes of the box, with their strides in the whole tensor.
    fileprivate let axes: [(range: Range<Int>, stride: Int)]
    /// The index of the first row in the whole tensor.
    fileprivate let start: Int

    /// Creates a box of a tensor of `shape`.
    init(box: [Range<Int>], source: any TensorSource, in shape: [Int]) {
      self.box = box
      self.source = source
      let strides = rowMajorStrides(of: shape)
      // A row consists of the axes that the box covers completely, and the last axis that it covers in part.
      let outer = (box.indices.last { box[$0] != 0..<shape[$0] }) ?? 0
      rowLength = box[outer...].reduce(1) { $0 * $1.count }
      axes = box.indices.prefix(outer).map { (box[$0], strides[$0]) }
      start = zip(box, strides).reduce(0) { $0 + $1.0.lowerBound * $1.1 }
    }

    /// Returns the index of a row in the whole tensor.
    fileprivate func place(ofRow row: Int) -> Int {
      var (place, rest) = (start, row)
      for axis in axes.reversed() {
        place += rest % axis.range.count * axis.stride
        rest /= axis.range.count
      }
      return place
    }

    fileprivate var rowCount: Int { axes.reduce(1) { $0 * $1.range.count } }

    /// Returns the first row that ends after the index `place`.
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

  /// Creates a tensor from `parts`, which are disjoint and cover it completely.
  init(_ elementType: ElementType, count: Int, parts: [Part]) {
    self.elementType = elementType
    self.count = count
    self.parts = parts.filter { $0.source.count > 0 }
  }

  var isSequential: Bool { parts.contains { $0.source.isSequential } }

  /// Reads the values of each part within `range` at once, and copies them row by row.
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

  /// Returns the contiguous runs of a part within `range`, with their indices in the whole tensor.
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
  /// Returns true if boxes are disjoint and cover all of `shape`.
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
