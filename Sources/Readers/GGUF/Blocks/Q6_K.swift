/// 256 values of 6 bits, with the two high bits stored separately and an int8 scale per group of 16.
///
/// Source: ggml/src/ggml-common.h, `block_q6_K`.
enum Q6_K: GGUFBlock {
  static let name = "Q6_K"
  static let valueCount = 256
  static let byteCount = 210
  static let hasBigEndianForm = true

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 208)
    for group in 0..<16 {
      let groupScale = scale * Float(block.signed(at: 192 + group))
      // Per 128 values: 64 bytes of low bits, two values per byte, and 32 bytes of high bits, four per byte.
      let (half, run, part) = (group / 8, group % 8 / 2, group % 2 * 16)
      let low = half * 64 + run % 2 * 32 + part
      let high = 128 + half * 32 + part
      for index in 0..<16 {
        let code =
          block[low + index] >> (run / 2 * 4) & 15 | (block[high + index] >> (run * 2) & 3) << 4
        values[16 * group + index] = groupScale * Float(code - 32)
      }
    }
  }
}
