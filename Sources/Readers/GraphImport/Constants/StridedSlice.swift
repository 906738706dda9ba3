import ModelIR

/// A part of an array: from each axis, every so many indices.
struct StridedSlice {
  /// The indices along an axis of the array.
  struct Part {
    let start: Int
    let stride: Int
    /// -1 where the size of the axis is open.
    let count: Int
  }

  /// One for each axis of the array.
  private(set) var parts: [Part] = []
  /// The axes of the result: one of the array, or a new one of size 1.
  private(set) var axes: [Int?] = []

  /// The sizes of the axes; an axis whose size is open can only be taken whole.
  let shape: [Int?]

  /// A part of an array of which no axis is said yet.
  init(of shape: [Int?]) { self.shape = shape }

  /// The shape of the result, of an array whose sizes are known.
  var resultShape: [Int] { axes.map { axis in axis.map { parts[$0].count } ?? 1 } }

  /// Adds an axis of size 1 to the result.
  mutating func addAxis() { axes.append(nil) }

  /// Takes the next axis whole.
  mutating func takeAll() throws(NetconvError) {
    guard parts.count < shape.count else { throw .wrongSlice }
    axes.append(parts.count)
    parts.append(Part(start: 0, stride: 1, count: shape[parts.count] ?? -1))
  }

  /// Takes one index of the next axis, which goes away.
  mutating func take(index: Int) throws(NetconvError) {
    guard parts.count < shape.count else { throw .wrongSlice }
    guard let size = shape[parts.count] else { throw open }
    let start = index < 0 ? index + size : index
    guard (0..<size).contains(start) else { throw .wrongSlice }
    parts.append(Part(start: start, stride: 1, count: 1))
  }

  /// Takes a range of the next axis; what lies outside of it is left out.
  ///
  /// - Parameters:
  ///   - begin: the first index, from the end if negative; `nil` is where the stride begins.
  ///   - end: the index behind the last; `nil` is where the stride ends.
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
