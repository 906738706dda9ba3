import ModelIR

/// The bit patterns of a tensor's values by index.
///
/// Values are float32. Smaller types convert exactly, others are rounded.
final class ValueBits {
  private let source: any TensorSource
  private var window: [Float] = []
  private var start = 0

  /// The limit on the values of a tensor that is read completely at the first access.
  private static let wholeCount = 1 << 22
  private static let windowCount = 1 << 10

  init(_ source: any TensorSource) { self.source = source }

  /// The bits of the value at `index`.
  ///
  /// - Throws: Any error that the source throws.
  func bits(at index: Int) throws(NetconvError) -> UInt32 {
    if index < start || index >= start + window.count {
      let whole = source.count <= Self.wholeCount
      start = whole ? 0 : index
      let end = whole ? source.count : min(source.count, index + Self.windowCount)
      window = try source.values(start..<end)
    }
    return window[index - start].bitPattern
  }
}

extension TensorSource {
  /// Passes the values to `body` in order, piece by piece.
  ///
  /// - Throws: An error if the values cannot be read, or any error that `body` throws.
  func forEachPiece(
    in range: Range<Int>,
    _ body: (Range<Int>, UnsafeBufferPointer<Float>) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let piece = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: min(1 << 16, max(1, range.count)))
    defer { piece.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      let part = position..<min(position + piece.count, range.upperBound)
      let values = UnsafeMutableBufferPointer(rebasing: piece[..<part.count])
      try read(part, into: values)
      try body(part, UnsafeBufferPointer(values))
      position = part.upperBound
    }
  }

  /// True if float32 cannot represent a value of `range` exactly.
  func holdsWideValues(in range: Range<Int>) throws(NetconvError) -> Bool {
    switch elementType {
    case .float16, .bfloat16, .float32, .int8, .uint8, .int16, .uint16: return false
    case .float64, .int32, .uint32, .int64, .uint64: break
    }
    var position = range.lowerBound
    while position < range.upperBound {
      let part = position..<min(position + (1 << 16), range.upperBound)
      let values: [Double] = try values(part)
      if values.contains(where: { !$0.isNaN && Double(Float($0)) != $0 }) { return true }
      position = part.upperBound
    }
    return false
  }
}
