import ModelIR
import Synchronization

/// Dequantised values: `(code - zero) * scale + bias`, with a scale, zero point and bias per group.
///
/// Each operation rounds to float32.
struct GroupedValues: TensorSource {
  /// The mapping from rows of codes to rows of scales.
  enum Rows: Sendable {
    /// Each row has its own scales.
    case each
    /// Blocks of rows share scales. Stacked matrices have `rows` rows each, and blocks do not cross matrices.
    case blocks(of: Int, rows: Int)
    /// The row of scales is given by an index per row.
    case named(GroupIndices)
  }

  /// The mapping from columns of codes to columns of scales.
  enum Columns: Sendable {
    /// Blocks of columns share a scale.
    case blocks(of: Int)
    /// The column of scales is given by an index per column.
    case named(GroupIndices)
  }

  let codes: any TensorSource
  /// The number of codes in a row.
  let columns: Int
  let rowGroups: Rows
  let columnGroups: Columns
  /// The number of scales in a row.
  let groupColumns: Int
  let scales: any TensorSource
  /// The zero points, one per scale; `nil` if there are none.
  var zeros: (any TensorSource)?
  /// The biases, one per scale; `nil` if there are none.
  var biases: (any TensorSource)?

  var elementType: ElementType { .float32 }
  var count: Int { codes.count }
  var isSequential: Bool { codes.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    try codes.read(range, into: values)
    let groups = try groups(range.lowerBound / columns...last / columns)
    guard let least = groups.min(), let most = groups.max() else { return }
    let used = least...most
    let table = used.lowerBound * groupColumns..<(used.upperBound + 1) * groupColumns
    guard table.upperBound <= scales.count else { throw .groupOutside(used.upperBound) }
    let parts = Parts(
      scales: try scales.floats(table), zeros: try zeros?.floats(table),
      biases: try biases?.floats(table))
    let named = try namedColumns()
    var index = range.lowerBound
    for group in groups {
      let row = index / columns
      let end = min(last + 1, (row + 1) * columns)
      let base = (group - used.lowerBound) * groupColumns
      for place in index..<end {
        let column = place - row * columns
        let entry = base + (named.map { $0[column] } ?? column / width)
        values[place - range.lowerBound] = parts.value(of: values[place - range.lowerBound], entry)
      }
      index = end
    }
  }

  /// The number of columns in a block.
  private var width: Int {
    if case .blocks(let width) = columnGroups { width } else { 1 }
  }

  private func namedColumns() throws(NetconvError) -> [Int]? {
    guard case .named(let indices) = columnGroups else { return nil }
    return try indices.all(below: groupColumns)
  }

  /// The row of scales for each of `rows`.
  private func groups(_ rows: ClosedRange<Int>) throws(NetconvError) -> [Int] {
    switch rowGroups {
    case .each: return Array(rows)
    case .blocks(let height, let count):
      let groups = (count + height - 1) / height
      return rows.map { $0 / count * groups + $0 % count / height }
    case .named(let indices):
      return Array(try indices.all(below: scales.count / max(1, groupColumns))[rows])
    }
  }

  /// The scales, zero points and biases of a range of groups.
  private struct Parts {
    let scales: [Float]
    let zeros: [Float]?
    let biases: [Float]?

    @inline(__always)
    func value(of number: Float, _ entry: Int) -> Float {
      var value = number
      if let zeros { value -= zeros[entry] }
      value *= scales[entry]
      if let biases { value += biases[entry] }
      return value
    }
  }
}

/// The group index of each row or column, read on first use.
final class GroupIndices: Sendable {
  private let source: any TensorSource
  private let known = Mutex<[Int]?>(nil)

  init(_ source: any TensorSource) { self.source = source }

  /// Returns all indices.
  ///
  /// - Throws: `badData` if an index is not less than `limit`, or an error of reading.
  func all(below limit: Int) throws(NetconvError) -> [Int] {
    if let known = known.withLock({ $0 }) { return known }
    try MemoryBound.check(file: source.count * 16)
    let indices = try source.integers(0..<source.count).map { Int(Int32(bitPattern: $0)) }
    guard let wrong = indices.first(where: { !(0..<limit ~= $0) }) else {
      known.withLock { $0 = indices }
      return indices
    }
    throw .groupOutside(wrong)
  }
}

/// Group scales, multiplied or divided by a scale of the whole tensor.
struct TwiceScaled: TensorSource {
  let scales: any TensorSource
  /// The scale of the whole tensor: a single value.
  let whole: any TensorSource
  let divides: Bool

  var elementType: ElementType { .float32 }
  var count: Int { scales.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let factor = try whole.floats(0..<1)[0]
    guard factor.isFinite, factor != 0 else { throw .wholeScale(factor) }
    try scales.read(range, into: values)
    for index in 0..<range.count {
      values[index] = divides ? values[index] / factor : values[index] * factor
    }
  }
}

/// Values plus a constant.
struct ShiftedValues: TensorSource {
  let values: any TensorSource
  let shift: Float

  var elementType: ElementType { .float32 }
  var count: Int { values.count }

  func read(
    _ range: Range<Int>, into found: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try values.read(range, into: found)
    for index in 0..<range.count { found[index] += shift }
  }
}

extension NetconvError {
  fileprivate static func groupOutside(_ group: Int) -> NetconvError {
    NetconvError(.badData, "names the group \(group), for which there is no scale")
  }

  fileprivate static func wholeScale(_ scale: Float) -> NetconvError {
    NetconvError(
      .badData, "has a scale of \(scale) for the whole tensor, expected a finite number but 0")
  }
}
