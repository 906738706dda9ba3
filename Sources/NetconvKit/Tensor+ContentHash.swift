import Digests
import ModelIR

extension Tensor {
  /// Returns a hash that identifies the values of a tensor, whatever its layout.
  ///
  /// The SHA-256 of the little-endian values, with axes in the order O, D, H, W, I, M, C, then any others. Merged
  /// axes are split, and reversed axes restored. Values have the type that they are stored in; but integers of up to
  /// 16 bits are hashed as float32, larger ones as float64.
  /// - Parameters:
  ///   - type: the type to hash the values as, float32 or their ``ElementType/exactType``; by default the latter.
  ///   - layout: the order of axes to hash them in; by default the canonical one.
  ///   - checkCancellation: called between panels.
  /// - Returns: 64 hexadecimal digits.
  /// - Throws: any error from reading the values.
  package func contentHash(
    as type: ElementType? = nil, in layout: Layout? = nil,
    _ checkCancellation: () throws(NetconvError) -> Void = {}
  ) throws(NetconvError) -> String {
    try content(as: type, in: layout, checkCancellation).hash
  }

  /// Returns the hash of ``contentHash(as:in:_:)`` and the number of values that are infinite or NaN.
  package func content(
    as type: ElementType? = nil, in layout: Layout? = nil,
    _ checkCancellation: () throws(NetconvError) -> Void = {}
  ) throws(NetconvError) -> (hash: String, nonFinite: Int) {
    let type = type ?? stored.source.elementType.exactType
    let tensor = try rearranged(to: layout ?? spec.layout.canonical)
    return type == .float64
      ? try tensor.hash(ValueStream<Double>.self, type, checkCancellation)
      : try tensor.hash(ValueStream<Float>.self, type, checkCancellation)
  }

  private func hash<Value: StreamedValue>(
    _: ValueStream<Value>.Type, _ type: ElementType,
    _ checkCancellation: () throws(NetconvError) -> Void
  ) throws(NetconvError) -> (hash: String, nonFinite: Int) {
    let stream = ValueStream<Value>(self)
    var nonFinite = 0
    var hash = SHA256()
    while let values = try stream.next() {
      try checkCancellation()
      // Hashes chunks that stay in the cache.
      for start in stride(from: 0, to: values.count, by: Self.hashedCount) {
        let part = values[start..<min(start + Self.hashedCount, values.count)]
        let patterns = Value.patterns(of: UnsafeBufferPointer(rebasing: part), as: type)
        nonFinite += patterns.nonFinite
        patterns.bytes.withUnsafeBytes { hash.update($0) }
      }
    }
    return (hexadecimal(hash.finalize()), nonFinite)
  }

  /// The number of values hashed at once.
  private static var hashedCount: Int { 1 << 14 }
}
