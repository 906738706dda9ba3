/// 256 values of 3 bits, with the high bits stored separately and a 6-bit scale per group of 16.
///
/// Source: ggml/src/ggml-common.h, `block_q3_K`; ggml/src/ggml-quants.c for the order of the scales.
enum Q3_K: GGUFBlock {
  static let name = "Q3_K"
  static let valueCount = 256
  static let byteCount = 110

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 108)
    for group in 0..<16 {
      let groupScale = scale * Float(self.scale(group, of: block) - 32)
      let start = group % 2 * 16
      let shift = group % 8 / 2 * 2
      for index in 0..<16 {
        let low = block[32 + group / 8 * 32 + start + index] >> shift & 3
        // 4 is subtracted if the high bit is clear.
        let high = block[start + index] >> (group / 2) & 1
        values[16 * group + index] = groupScale * Float(low - (1 - high) * 4)
      }
    }
  }

  /// The 6-bit scale of a group: the low 4 bits are in the first 8 bytes, the high 2 bits in the next 4.
  @inline(__always)
  static func scale(_ group: Int, of block: BlockBytes) -> Int {
    let low = block[96 + group % 8] >> (group / 8 * 4) & 15
    let high = block[104 + group % 4] >> (group / 4 * 2) & 3
    return low | high << 4
  }
}
