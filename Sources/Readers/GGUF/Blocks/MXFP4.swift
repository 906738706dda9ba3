/// 32 float4 values (E2M1) with a power of 2 as their scale.
///
/// Source: ggml/src/ggml-common.h, `block_mxfp4`; ggml/src/ggml-impl.h, `ggml_e8m0_to_fp32_half`: GGML has no code for
/// NaN.
enum MXFP4: GGUFBlock {
  static let name = "MXFP4"
  static let valueCount = 32
  static let byteCount = 17
  static let hasBigEndianForm = true

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    // `twice` returns doubled values, so the scale is halved.
    let scale = Float(sign: .plus, exponent: block[0] - 128, significand: 1)
    for index in 0..<16 {
      let byte = block[1 + index]
      values[index] = scale * Float(twice(byte & 15))
      values[16 + index] = scale * Float(twice(byte >> 4))
    }
  }

  /// Twice the value of an E2M1 code.
  @inline(__always)
  static func twice(_ code: Int) -> Int {
    let exponent = code >> 1 & 3
    let number = exponent == 0 ? code & 1 : (2 | code & 1) << (exponent - 1)
    return code & 8 == 0 ? number : -number
  }
}
