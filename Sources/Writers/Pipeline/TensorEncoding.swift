import ModelIR

/// The encoding of a tensor's values: little endian, rounded to nearest even where necessary.
public struct TensorEncoding: Sendable {
  /// The element type.
  public let elementType: ElementType
  /// The scales of integers, as a tensor that is written next to them.
  public let scale: Tensor?
  /// The channels of integers that lose nearly all of their values; `nil` if there are none.
  public let outliers: ChannelOutliers?
  /// The quantisation of values in written order, and in source order.
  private let quantization: (written: ChannelQuantization, stored: ChannelQuantization)?

  /// Creates an encoding in `elementType`, a floating-point type, or of integers that are not scaled.
  public init(_ elementType: ElementType) {
    self.elementType = elementType
    scale = nil
    outliers = nil
    quantization = nil
  }

  /// Creates an encoding as integers with a scale per channel.
  ///
  /// - Parameters:
  ///   - scale: the tensor of the scales.
  ///   - written: the quantisation of values in written order.
  ///   - stored: the quantisation of values in source order.
  ///   - outliers: the channels that lose nearly all of their values.
  init(
    int8 scale: Tensor, written: ChannelQuantization, stored: ChannelQuantization,
    outliers: ChannelOutliers?
  ) {
    elementType = .int8
    self.scale = scale
    self.outliers = outliers
    quantization = (written, stored)
  }

  /// Returns true if values stored as `type` may change when they are written.
  func isLossy(from type: ElementType) -> Bool {
    scale != nil || type == .float64 || (elementType != .float32 && elementType != type)
  }

  /// True if values are written in their in-memory representation.
  var isNative: Bool { elementType == .float32 && ByteOrder.native == .little }

  /// Encodes `values`.
  ///
  /// - Parameters:
  ///   - start: the index of the first value, in written order.
  ///   - bytes: a buffer of the encoded size.
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
    case .uint8:
      for (index, value) in values.enumerated() {
        bytes.storeBytes(of: UInt8(value), toByteOffset: index, as: UInt8.self)
      }
    case .float64, .int16, .uint16, .int32, .uint32, .int64, .uint64:
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

  /// Decodes `bytes`.
  ///
  /// - Parameter start: the index of the first value, in written order.
  func decode(
    _ bytes: UnsafeRawBufferPointer, from start: Int, into values: UnsafeMutableBufferPointer<Float>
  ) {
    elementType.decode(bytes, .little, into: values)
    quantization?.written.scale(values, from: start)
  }

  /// Rounds `values` as encoding and decoding would.
  ///
  /// - Parameter start: the index of the first value, in source order.
  package func round(_ values: UnsafeMutableBufferPointer<Float>, from start: Int) {
    switch elementType {
    case .float16, .bfloat16: elementType.round(values)
    case .int8: quantization?.stored.round(values, from: start)
    case .float32, .uint8: break
    case .float64, .int16, .uint16, .int32, .uint32, .int64, .uint64:
      preconditionFailure("\(elementType) is not a type that targets take")
    }
  }
}
