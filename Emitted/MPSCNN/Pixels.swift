import MetalPerformanceShaders

/// Moves values into images and out of them: row after row, all channels of a pixel together.
///
/// `readBytes` and `writeBytes` know the slices of four channels in which an image is stored. Of 10 channels they move
/// 10, where `texture.getBytes` moves 12.
enum NAMEPixels {
  static func write(_ values: [Float], to image: MPSImage) {
    #if storesHalves
    values.map(bits).withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      image.writeBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
    }
    #else
    values.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      image.writeBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
    }
    #endif
  }

  static func read(_ image: MPSImage) -> [Float] {
    #if storesHalves
    var halves = [UInt16](repeating: 0, count: image.height * image.width * image.featureChannels)
    halves.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      image.readBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
    }
    return halves.map(float)
    #else
    var values = [Float](repeating: 0, count: image.height * image.width * image.featureChannels)
    values.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      image.readBytes(base, dataLayout: .HeightxWidthxFeatureChannels, imageIndex: 0)
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
