import ModelIR

/// The memory that one worker streams panels through.
///
/// Two panels and a piece: a panel is read into one and rearranged into the other; whichever is not needed
/// any more takes its values as they are written.
final class PanelBuffers: @unchecked Sendable {  // Each worker has its own.
  /// Values that are compared at once.
  static let pieceCount = 1 << 16

  private let first: UnsafeMutableBufferPointer<Float>
  private let second: UnsafeMutableBufferPointer<Float>
  private let third: UnsafeMutableBufferPointer<Float>

  /// Buffers for panels of at most `count` values.
  init(count: Int) {
    first = .allocate(capacity: count)
    second = .allocate(capacity: count)
    third = .allocate(capacity: min(count, Self.pieceCount))
  }

  deinit {
    first.deallocate()
    second.deallocate()
    third.deallocate()
  }

  /// Values in the order of the source.
  func values(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: first[..<count])
  }

  /// Values in the order in which they are written.
  func arranged(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: second[..<count])
  }

  /// Some values of the source, to compare with.
  func piece(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: third[..<count])
  }

  /// The place for the bytes of `count` arranged values: float32 where they are, anything else in ``values(_:)``.
  func bytes(_ count: Int, _ type: ElementType) -> UnsafeMutableRawBufferPointer {
    let values = type == .float32 ? arranged(count) : values(count)
    return UnsafeMutableRawBufferPointer(
      rebasing: UnsafeMutableRawBufferPointer(values)[..<(count * type.byteCount)])
  }
}

// MARK: - Element types

extension ElementType {
  /// Brings `values` into the form in which they are written, little-endian.
  ///
  /// - Parameter bytes: as long as the values in this type; may be the memory of `values` for float32.
  /// - Precondition: the type is float32 or float16; targets take no other.
  func encode(
    _ values: UnsafeMutableBufferPointer<Float>, into bytes: UnsafeMutableRawBufferPointer
  ) {
    switch self {
    case .float32:
      #if _endian(big)
        let patterns = bytes.bindMemory(to: UInt32.self)
        for index in values.indices { patterns[index] = values[index].bitPattern.littleEndian }
      #else
        precondition(bytes.baseAddress == UnsafeMutableRawPointer(values.baseAddress))
      #endif
    case .float16:
      for index in values.indices {
        bytes.storeBytes(
          of: Half.bits(from: values[index]).littleEndian, toByteOffset: 2 * index, as: UInt16.self)
      }
    default:
      preconditionFailure("\(self) is not a type that targets take")
    }
  }

  /// What of `values` remains when they are written in this type.
  func round(_ values: UnsafeMutableBufferPointer<Float>) {
    guard self == .float16 else { return }
    for index in values.indices {
      values[index] = Half.float(from: Half.bits(from: values[index]))
    }
  }

  /// The values that are finite, and infinite in this type.
  ///
  /// - Parameter start: the index of the first value.
  func overflows(
    of values: UnsafeMutableBufferPointer<Float>, from start: Int
  ) -> Overflow {
    var overflow = Overflow()
    guard self == .float16 else { return overflow }
    for index in values.indices where values[index].isFinite {
      if Half.float(from: Half.bits(from: values[index])).isInfinite {
        overflow.note(start + index)
      }
    }
    return overflow
  }
}
