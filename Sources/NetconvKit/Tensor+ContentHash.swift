import Digests
import ModelIR

extension Tensor {
  /// What tells the values of two tensors apart, whatever their layouts are.
  ///
  /// The SHA-256 of the values, little-endian, with the axes in the order O, D, H, W, I, M, C, then any others:
  /// groups are taken apart, reversed axes turned back. Values have the type that they are stored in; integers
  /// of up to 16 bits are hashed as float32, larger ones as float64.
  /// - Parameters:
  ///   - type: hashes the values as this type instead, float32 or what ``ElementType/exactType`` is.
  ///   - layout: hashes them in this order instead.
  ///   - checkCancellation: asked between panels.
  /// - Returns: 64 hexadecimal digits.
  /// - Throws: what reading the values throws.
  package func contentHash(
    as type: ElementType? = nil, in layout: Layout? = nil,
    _ checkCancellation: () throws(NetconvError) -> Void = {}
  ) throws(NetconvError) -> String {
    try content(as: type, in: layout, checkCancellation).hash
  }

  /// What ``contentHash(as:in:_:)`` gives, and how many of the values are infinite or not a number.
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
      // A part at a time, which stays in the cache.
      for start in stride(from: 0, to: values.count, by: Self.hashedCount) {
        let part = values[start..<min(start + Self.hashedCount, values.count)]
        let patterns = Value.patterns(of: UnsafeBufferPointer(rebasing: part), as: type)
        nonFinite += patterns.nonFinite
        patterns.bytes.withUnsafeBytes { hash.update($0) }
      }
    }
    return (hexadecimal(hash.finalize()), nonFinite)
  }

  /// Values that are hashed at once.
  private static var hashedCount: Int { 1 << 14 }
}
