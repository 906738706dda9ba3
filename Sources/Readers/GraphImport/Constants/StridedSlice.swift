import ModelIR

/// A strided slice of an array.
struct StridedSlice {
  /// The indices along an axis of the array.
  struct Part {
    let start: Int
    let stride: Int
    /// The count of indices; -1 where the size of the axis is open.
    let count: Int
  }

  /// The indices along each axis of the array.
  private(set) var parts: [Part] = []
  /// The axes of the result: an axis of the array, or `nil` for a new one of size 1.
  private(set) var axes: [Int?] = []

  /// The shape of the array; an open axis can only be taken whole.
  let shape: [Int?]

  /// Creates a slice whose axes are yet to be added.
  init(of shape: [Int?]) { self.shape = shape }

  /// The shape of the result, for an array without open axes.
  var resultShape: [Int] { axes.map { axis in axis.map { parts[$0].count } ?? 1 } }

  /// Adds a new axis of size 1 to the result.
  mutating func addAxis() { axes.append(nil) }

  /// Takes the whole next axis.
  mutating func takeAll() throws(NetconvError) {
    guard parts.count < shape.count else { throw .wrongSlice }
    axes.append(parts.count)
    parts.append(Part(start: 0, stride: 1, count: shape[parts.count] ?? -1))
  }

  /// Takes one index of the next axis, which is removed.
  mutating func take(index: Int) throws(NetconvError) {
    guard parts.count < shape.count else { throw .wrongSlice }
    guard let size = shape[parts.count] else { throw open }
    let start = index < 0 ? index + size : index
    guard (0..<size).contains(start) else { throw .wrongSlice }
    parts.append(Part(start: start, stride: 1, count: 1))
  }

  /// Takes a range of the next axis, clamped to its size.
  ///
  /// - Parameters:
  ///   - begin: the first index, negative from the end; `nil` is where the stride begins.
  ///   - end: the index after the last; `nil` is where the stride ends.
  mutating func take(from begin: Int?, to end: Int?, by stride: Int) throws(NetconvError) {
    guard parts.count < shape.count else { throw .wrongSlice }
    guard let size = shape[parts.count] else {
      guard begin ?? 0 == 0, end == nil, stride == 1 else { throw open }
      return try takeAll()
    }
    guard stride != 0 else { throw .wrongSlice }
    let limits = stride > 0 ? (0, size) : (-1, size - 1)
    func place(_ value: Int) -> Int {
      min(max(value < 0 ? value + size : value, limits.0), limits.1)
    }
    let first = begin.map(place) ?? (stride > 0 ? 0 : size - 1)
    let last = end.map(place) ?? (stride > 0 ? size : -1)
    let length = stride > 0 ? last - first : first - last
    axes.append(parts.count)
    parts.append(
      Part(
        start: first, stride: stride,
        count: length <= 0 ? 0 : (length - 1) / Int(clamping: stride.magnitude) + 1))
  }

  private var open: NetconvError { parts.isEmpty ? .batchAxis : .openSlice(parts.count) }
}
