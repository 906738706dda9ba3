import ModelIR

/// The memory that a tensor is streamed through, made once per tensor.
final class PanelBuffers {
  /// Bytes that are hashed at once.
  static let chunkSize = 1 << 18

  private let floats: UnsafeMutableBufferPointer<Float>
  private let capacity: Int
  private let halves: UnsafeMutableRawBufferPointer
  private let chunks: UnsafeMutableRawBufferPointer

  /// Buffers for panels of `count` values.
  init(count: Int) {
    capacity = count
    floats = .allocate(capacity: 3 * count)
    halves = .allocate(byteCount: 4 * count, alignment: 64)
    chunks = .allocate(byteCount: Self.chunkSize, alignment: 64)
  }

  deinit {
    floats.deallocate()
    halves.deallocate()
    chunks.deallocate()
  }

  /// Values as the source has them.
  func values(_ count: Int) -> UnsafeMutableBufferPointer<Float> { part(0, count) }

  /// Values as they are written.
  func arranged(_ count: Int) -> UnsafeMutableBufferPointer<Float> { part(1, count) }

  /// Values taken back to the source's order.
  func restored(_ count: Int) -> UnsafeMutableBufferPointer<Float> { part(2, count) }

  /// Bytes as they are in the file.
  func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: halves[..<count])
  }

  /// A piece to hash and copy.
  func chunk(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: chunks[..<count])
  }

  private func part(_ index: Int, _ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(rebasing: floats[index * capacity..<index * capacity + count])
  }
}

// MARK: - Element types

extension PanelBuffers {
  /// The bytes of `values` in `type`, little-endian.
  ///
  /// - Precondition: `type` is float32 or float16; targets take no other.
  func encode(
    _ values: UnsafeMutableBufferPointer<Float>, as type: ElementType
  ) -> UnsafeRawBufferPointer {
    let bytes = self.bytes(values.count * type.byteCount)
    switch type {
    case .float32:
      let patterns = bytes.bindMemory(to: UInt32.self)
      for index in values.indices { patterns[index] = values[index].bitPattern.littleEndian }
    case .float16:
      let patterns = bytes.bindMemory(to: UInt16.self)
      for index in values.indices { patterns[index] = Half.bits(from: values[index]).littleEndian }
    default:
      preconditionFailure("\(type) is not a type that targets take")
    }
    return UnsafeRawBufferPointer(bytes)
  }

  /// The values that `bytes` hold in `type`.
  func decode(
    _ bytes: UnsafeRawBufferPointer, as type: ElementType,
    into values: UnsafeMutableBufferPointer<Float>
  ) {
    switch type {
    case .float32:
      let patterns = bytes.bindMemory(to: UInt32.self)
      for index in values.indices {
        values[index] = Float(bitPattern: UInt32(littleEndian: patterns[index]))
      }
    case .float16:
      let patterns = bytes.bindMemory(to: UInt16.self)
      for index in values.indices {
        values[index] = Half.float(from: UInt16(littleEndian: patterns[index]))
      }
    default:
      preconditionFailure("\(type) is not a type that targets take")
    }
  }

  /// What of `values` remains when they are written as `type`; `values` itself where everything does.
  func rounded(
    _ values: UnsafeMutableBufferPointer<Float>, to type: ElementType
  ) -> UnsafeMutableBufferPointer<Float> {
    guard type == .float16 else { return values }
    let copy = restored(values.count)
    _ = copy.update(fromContentsOf: values)
    round(copy, to: type)
    return copy
  }

  /// Rounds `values` to what `type` can hold.
  func round(_ values: UnsafeMutableBufferPointer<Float>, to type: ElementType) {
    guard type == .float16 else { return }
    for index in values.indices {
      values[index] = Half.float(from: Half.bits(from: values[index]))
    }
  }
}
