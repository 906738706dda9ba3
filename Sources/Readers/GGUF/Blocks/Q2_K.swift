/// 256 values of 2 bits, with a 4-bit scale and a 4-bit minimum per group of 16.
///
/// Source: ggml/src/ggml-common.h, `block_q2_K`.
enum Q2_K: GGUFBlock {
  static let name = "Q2_K"
  static let valueCount = 256
  static let byteCount = 84

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let (scale, least) = (block.half(at: 80), block.half(at: 82))
    for group in 0..<16 {
      let packed = block[group]
      let (groupScale, groupLeast) = (scale * Float(packed & 15), least * Float(packed >> 4))
      // 32 bytes hold 128 values: each bit pair of the bytes holds one run of 32 values.
      let start = 16 + group / 8 * 32 + group % 2 * 16
      let shift = group % 8 / 2 * 2
      for index in 0..<16 {
        values[16 * group + index] =
          groupScale * Float(block[start + index] >> shift & 3) - groupLeast
      }
    }
  }
}
