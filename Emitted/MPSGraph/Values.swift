import Foundation
import MetalPerformanceShadersGraph

/// Moves values into tensors and out of them, with the last axis fastest.
enum NAMEValues {
  static func write(
    _ values: [Float], shape: [Int], device: MPSGraphDevice
  ) -> MPSGraphTensorData {
    MPSGraphTensorData(
      device: device, data: values.withUnsafeBytes { Data($0) },
      shape: shape.map { NSNumber(value: $0) }, dataType: .float32)
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
