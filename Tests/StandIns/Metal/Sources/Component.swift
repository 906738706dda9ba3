/// A number as a texture stores it.
package enum Component: Sendable {
  /// A byte for the numbers 0 to 1 in steps of 1/255.
  case unorm8
  /// IEEE 754 binary16.
  case float16
  /// IEEE 754 binary32.
  case float32

  /// In bytes.
  package var size: Int {
    switch self {
    case .unorm8: 1
    case .float16: 2
    case .float32: 4
    }
  }

  package func load(_ bytes: UnsafeRawPointer) -> Float {
    switch self {
    case .unorm8: Float(bytes.loadUnaligned(as: UInt8.self)) / 255
    case .float16: Float(bytes.loadUnaligned(as: Float16.self))
    case .float32: bytes.loadUnaligned(as: Float.self)
    }
  }

  package func store(_ value: Float, to bytes: UnsafeMutableRawPointer) {
    switch self {
    case .unorm8: bytes.storeBytes(of: steps(value), as: UInt8.self)
    case .float16: bytes.storeBytes(of: Float16(value), as: Float16.self)
    case .float32: bytes.storeBytes(of: value, as: Float.self)
    }
  }

  /// Replaces numbers by the nearest that can be stored; halves to even.
  package func round(_ values: UnsafeMutableBufferPointer<Float>) {
    guard self != .float32 else { return }
    for index in values.indices { values[index] = rounded(values[index]) }
  }

  /// The nearest number that can be stored; halves to even.
  package func rounded(_ value: Float) -> Float {
    switch self {
    case .unorm8: Float(steps(value)) / 255
    case .float16: Float(Float16(value))
    case .float32: value
    }
  }

  private func steps(_ value: Float) -> UInt8 {
    value.isNaN ? 0 : UInt8((min(max(value, 0), 1) * 255).rounded(.toNearestOrEven))
  }
}
