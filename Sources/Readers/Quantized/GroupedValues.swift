import ModelIR
import Synchronization

/// Numbers of codes, less zero points, times the scales of groups, plus the biases of these.
///
/// A value is `(number - zero) * scale + bias`, each step rounded to float32.
struct GroupedValues: TensorSource {
  /// Which row of the scales belongs to a row of the codes.
  enum Rows: Sendable {
    /// Each has its own.
    case each
    /// So many share one; of several matrices each has `rows`, and begins with a row of scales of its own.
    case blocks(of: Int, rows: Int)
    /// The row that these integers name.
    case named(GroupIndices)
  }

  /// Which column of the scales belongs to a column of the codes.
  enum Columns: Sendable {
    /// So many share one.
    case blocks(of: Int)
    /// The column that these integers name.
    case named(GroupIndices)
  }

  let codes: any TensorSource
  /// Codes in a row.
  let columns: Int
  let rowGroups: Rows
  let columnGroups: Columns
  /// Scales in a row.
  let groupColumns: Int
  let scales: any TensorSource
  /// As many as scales; `nil` for none.
  var zeros: (any TensorSource)?
  /// As many as scales; `nil` for none.
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

  /// Columns of a block.
  private var width: Int {
    if case .blocks(let width) = columnGroups { width } else { 1 }
  }

  private func namedColumns() throws(NetconvError) -> [Int]? {
    guard case .named(let indices) = columnGroups else { return nil }
    return try indices.all(below: groupColumns)
  }

  /// The row of scales of each of these rows.
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

  /// What belongs to the groups of a part.
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

/// The group of each row or column, read when the first value is.
final class GroupIndices: Sendable {
  private let source: any TensorSource
  private let known = Mutex<[Int]?>(nil)

  init(_ source: any TensorSource) { self.source = source }

  /// All of them.
  ///
  /// - Throws: `badData` if one is no group, or what reading throws.
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

/// Scales of groups that a scale of the whole tensor multiplies or divides.
struct TwiceScaled: TensorSource {
  let scales: any TensorSource
  /// One value.
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

/// Values that a number is added to.
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
