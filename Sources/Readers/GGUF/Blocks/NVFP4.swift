/// 64 float4 values (E2M1), with an unsigned E4M3 scale per group of 16.
///
/// Source: ggml/src/ggml-common.h, `block_nvfp4`; ggml/src/ggml-impl.h, `ggml_ue4m3_to_fp32`: NaN becomes 0.
enum NVFP4: GGUFBlock {
  static let name = "NVFP4"
  static let valueCount = 64
  static let byteCount = 36
  static let hasBigEndianForm = true

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    for group in 0..<4 {
      let scale = halfScale(block[group])
      for index in 0..<8 {
        let byte = block[4 + 8 * group + index]
        values[16 * group + index] = scale * Float(MXFP4.twice(byte & 15))
        values[16 * group + 8 + index] = scale * Float(MXFP4.twice(byte >> 4))
      }
    }
  }

  /// Half of the scale, because ``MXFP4/twice(_:)`` returns doubled values.
  @inline(__always)
  private static func halfScale(_ code: Int) -> Float {
    guard code != 0x7f else { return 0 }
    let exponent = code >> 3 & 15
    let whole = exponent == 0 ? code & 7 : 8 | code & 7
    return Float(sign: .plus, exponent: max(exponent, 1) - 11, significand: Float(whole))
  }
}
