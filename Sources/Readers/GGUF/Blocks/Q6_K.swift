/// 256 values of 6 bits, the two highest of which lie together; each 16 of them have a signed scale of 8 bits.
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
      // 128 values: low bits in 64 bytes, first those of 64 values; high bits in 32 bytes, four runs of 32.
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
