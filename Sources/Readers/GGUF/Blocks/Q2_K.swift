/// 256 values of 2 bits; each 16 of them have a scale and a smallest value of 4 bits.
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
      // 128 values lie in 32 bytes, of which each has one of four runs of 32.
      let start = 16 + group / 8 * 32 + group % 2 * 16
      let shift = group % 8 / 2 * 2
      for index in 0..<16 {
        values[16 * group + index] =
          groupScale * Float(block[start + index] >> shift & 3) - groupLeast
      }
    }
  }
}
