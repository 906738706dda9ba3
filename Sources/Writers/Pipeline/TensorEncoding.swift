import ModelIR

/// How the values of a tensor become bytes: little-endian, and rounded to nearest even where they have to be.
public struct TensorEncoding: Sendable {
  /// How each value is written.
  public let elementType: ElementType
  /// The scales of integers, as a tensor that is written beside them.
  public let scale: Tensor?
  /// Channels of integers that lose nearly all of their values; `nil` if there is none.
  public let outliers: ChannelOutliers?
  /// The integers of values in the order in which they are written, and in the order of the source.
  private let quantization: (written: ChannelQuantization, stored: ChannelQuantization)?

  /// Values that are written in `elementType`, a type of floating-point numbers; or integers as they are.
  public init(_ elementType: ElementType) {
    self.elementType = elementType
    scale = nil
    outliers = nil
    quantization = nil
  }

  /// Integers with the scale of their channel.
  ///
  /// - Parameters:
  ///   - scale: the tensor of the scales.
  ///   - written: the integers of values in the order in which they are written.
  ///   - stored: the integers of values in the order of the source.
  ///   - outliers: channels that lose nearly all of their values.
  init(
    int8 scale: Tensor, written: ChannelQuantization, stored: ChannelQuantization,
    outliers: ChannelOutliers?
  ) {
    elementType = .int8
    self.scale = scale
    self.outliers = outliers
    quantization = (written, stored)
  }

  /// Whether some value that is stored as `type` may be another one once it is written.
  func isLossy(from type: ElementType) -> Bool {
    scale != nil || type == .float64 || (elementType != .float32 && elementType != type)
  }

  /// Whether values are written as they are in memory.
  var isNative: Bool { elementType == .float32 && ByteOrder.native == .little }

  /// Brings `values` into the form in which they are written.
  ///
  /// - Parameters:
  ///   - start: the index of the first value, as they are written.
  ///   - bytes: as long as the values in this type.
  func encode(
    _ values: UnsafeBufferPointer<Float>, from start: Int, into bytes: UnsafeMutableRawBufferPointer
  ) {
    switch elementType {
    case .float32: bytes.copyMemory(from: UnsafeRawBufferPointer(values))
    case .float16: Half.encode(values, into: bytes)
    case .bfloat16: BFloat16.encode(values, into: bytes)
    case .int8:
      if let quantization {
        quantization.written.encode(values, from: start, into: bytes)
      } else {
        for (index, value) in values.enumerated() {
          bytes.storeBytes(of: Int8(value), toByteOffset: index, as: Int8.self)
        }
      }
    case .float64, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      preconditionFailure("\(elementType) is not a type that targets take")
    }
    if ByteOrder.native == .big {
      switch elementType.byteCount {
      case 2: swapBytes(of: bytes, as: UInt16.self)
      case 4: swapBytes(of: bytes, as: UInt32.self)
      default: break
      }
    }
  }

  private func swapBytes<Pattern: FixedWidthInteger>(
    of bytes: UnsafeMutableRawBufferPointer, as pattern: Pattern.Type
  ) {
    for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Pattern>.size) {
      let stored = bytes.loadUnaligned(fromByteOffset: offset, as: pattern)
      bytes.storeBytes(of: stored.byteSwapped, toByteOffset: offset, as: pattern)
    }
  }

  /// The values that `bytes` stand for.
  ///
  /// - Parameter start: the index of the first value, as they are written.
  func decode(
    _ bytes: UnsafeRawBufferPointer, from start: Int, into values: UnsafeMutableBufferPointer<Float>
  ) {
    elementType.decode(bytes, .little, into: values)
    quantization?.written.scale(values, from: start)
  }

  /// What of `values` remains when they are written in this type.
  ///
  /// - Parameter start: the index of the first value in the order of the source.
  package func round(_ values: UnsafeMutableBufferPointer<Float>, from start: Int) {
    switch elementType {
    case .float16: Half.round(values)
    case .bfloat16: BFloat16.round(values)
    case .int8: quantization?.stored.round(values, from: start)
    case .float32: break
    case .float64, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      preconditionFailure("\(elementType) is not a type that targets take")
    }
  }
}
