/// 256 values of 4 bits, with a 6-bit scale and a 6-bit minimum per group of 32.
///
/// Source: ggml/src/ggml-common.h, `block_q4_K`; ggml/src/ggml-quants.c, `get_scale_min_k4`.
enum Q4_K: GGUFBlock {
  static let name = "Q4_K"
  static let valueCount = 256
  static let byteCount = 144
  static let hasBigEndianForm = true

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let (scale, least) = (block.half(at: 0), block.half(at: 2))
    for group in 0..<8 {
      let (six, sixLeast) = scaleAndLeast(group, of: block, at: 4)
      let (groupScale, groupLeast) = (scale * Float(six), least * Float(sixLeast))
      let start = 16 + group / 2 * 32
      let shift = group % 2 * 4
      for index in 0..<32 {
        values[32 * group + index] =
          groupScale * Float(block[start + index] >> shift & 15) - groupLeast
      }
    }
  }

  /// The 6-bit scale and minimum of a group; for the last four groups, low and high bits are stored separately.
  @inline(__always)
  static func scaleAndLeast(
    _ group: Int, of block: BlockBytes, at start: Int
  ) -> (Int, Int) {
    guard group >= 4 else { return (block[start + group] & 63, block[start + 4 + group] & 63) }
    let low = block[start + 4 + group]
    return (
      low & 15 | (block[start + group - 4] >> 6) << 4,
      low >> 4 | (block[start + group] >> 6) << 4
    )
  }
}
