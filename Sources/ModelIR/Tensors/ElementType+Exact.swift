extension ElementType {
  /// The floating-point type in which values of this type are hashed and compared; it represents all of them.
  ///
  /// Small integers become float32, as weights are; of 64-bit integers, float64 represents those up to 2⁵³.
  package var exactType: ElementType {
    switch self {
    case .float16, .bfloat16: self
    case .float32, .int8, .uint8, .int16, .uint16: .float32
    case .float64, .int32, .uint32, .int64, .uint64: .float64
    }
  }

  /// The largest n such that all integers up to n are exact both in this type and in float32, in which netconv reads
  /// it.
  package var largestExactIndex: Int {
    switch self {
    case .int8: 127
    case .uint8: 255
    case .bfloat16: 1 << 8
    case .float16: 1 << 11
    case .int16: 32_767
    case .uint16: 65_535
    case .float32, .float64, .int32, .uint32, .int64, .uint64: 1 << 24
    }
  }
}

extension Float {
  package static func patterns(
    of values: UnsafeBufferPointer<Float>, as type: ElementType
  ) -> (bytes: [UInt8], nonFinite: Int) {
    switch type {
    case .bfloat16: packed(values) { UInt16($0.bitPattern >> 16) }
    case .float16: packed(values) { Half.bits(from: $0) }
    case .float32: packed(values) { $0.bitPattern }
    case .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      preconditionFailure("\(type) is no type in which float32 values are compared")
    }
  }
}

extension Double {
  package static func patterns(
    of values: UnsafeBufferPointer<Double>, as type: ElementType
  ) -> (bytes: [UInt8], nonFinite: Int) {
    precondition(type == .float64, "\(type) is no type in which float64 values are compared")
    return packed(values) { $0.bitPattern }
  }
}

@inline(__always)
private func packed<Value: BinaryFloatingPoint, Pattern: FixedWidthInteger>(
  _ values: UnsafeBufferPointer<Value>, _ pattern: (Value) -> Pattern
) -> (bytes: [UInt8], nonFinite: Int) {
  let size = MemoryLayout<Pattern>.size
  var nonFinite = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: values.count * size) { bytes, count in
    let raw = UnsafeMutableRawBufferPointer(bytes)
    for (index, value) in values.enumerated() {
      nonFinite += value.isFinite ? 0 : 1
      raw.storeBytes(
        of: pattern(value).littleEndian, toByteOffset: index * size, as: Pattern.self)
    }
    count = values.count * size
  }
  return (bytes, nonFinite)
}
