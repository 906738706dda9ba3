import Foundation
import MetalPerformanceShadersGraph

/// Moves values into tensors and out of them, with the last axis fastest.
enum NAMEValues {
  static func write(
    _ values: [Float], shape: [Int], device: MPSGraphDevice
  ) -> MPSGraphTensorData {
    #if storesHalves
    MPSGraphTensorData(
      device: device, data: values.map(bits).withUnsafeBytes { Data($0) },
      shape: shape.map { NSNumber(value: $0) }, dataType: .float16)
    #else
    MPSGraphTensorData(
      device: device, data: values.withUnsafeBytes { Data($0) },
      shape: shape.map { NSNumber(value: $0) }, dataType: .float32)
    #endif
  }

  static func read(_ tensor: MPSGraphTensorData) -> [Float] {
    let count = tensor.shape.reduce(1) { $0 * $1.intValue }
    #if storesHalves
    var halves = [UInt16](repeating: 0, count: count)
    halves.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      // Without strides they lie close together.
      tensor.mpsndarray().readBytes(base, strideBytes: nil)
    }
    return halves.map(float)
    #else
    var values = [Float](repeating: 0, count: count)
    values.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      // Without strides they lie close together.
      tensor.mpsndarray().readBytes(base, strideBytes: nil)
    }
    return values
    #endif
  }

  #if storesHalves
  // Float16 does not exist on Macs with Intel's processors.

  /// The nearest half, ties to even.
  static func bits(_ value: Float) -> UInt16 {
    let sign = UInt16(value.bitPattern >> 16) & 0x8000
    if value.isNaN { return sign | 0x7e00 }
    let magnitude = value.magnitude
    if magnitude >= 65520 { return sign | 0x7c00 }
    if magnitude < 0x1p-14 {
      // A subnormal half counts in steps of 2^-24.
      return sign | UInt16((magnitude * 0x1p24).rounded(.toNearestOrEven))
    }
    // 13 bits fewer in the fraction, and an exponent that is 112 less.
    let pattern = magnitude.bitPattern
    let rounded = pattern + 0xfff + (pattern >> 13 & 1)
    return sign | UInt16((rounded - (112 << 23)) >> 13)
  }

  /// The value of a half, which a float has exactly.
  static func float(_ bits: UInt16) -> Float {
    let (exponent, fraction) = (UInt32(bits >> 10 & 0x1f), UInt32(bits & 0x3ff))
    let magnitude: Float
    switch exponent {
    case 0: magnitude = Float(fraction) * 0x1p-24
    case 0x1f: magnitude = Float(bitPattern: 0x7f80_0000 | fraction << 13)
    default: magnitude = Float(bitPattern: (exponent + 112) << 23 | fraction << 13)
    }
    return bits & 0x8000 == 0 ? magnitude : -magnitude
  }
  #endif
}
