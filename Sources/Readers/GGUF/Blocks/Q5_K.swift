/// 256 values of 5 bits, with the high bits stored separately; scales and minimums as in `Q4_K`.
///
/// Source: ggml/src/ggml-common.h, `block_q5_K`.
enum Q5_K: GGUFBlock {
  static let name = "Q5_K"
  static let valueCount = 256
  static let byteCount = 176

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let (scale, least) = (block.half(at: 0), block.half(at: 2))
    for group in 0..<8 {
      let (six, sixLeast) = Q4_K.scaleAndLeast(group, of: block, at: 4)
      let (groupScale, groupLeast) = (scale * Float(six), least * Float(sixLeast))
      let start = 48 + group / 2 * 32
      let shift = group % 2 * 4
      for index in 0..<32 {
        let high = block[16 + index] >> group & 1
        let code = block[start + index] >> shift & 15 | high << 4
        values[32 * group + index] = groupScale * Float(code) - groupLeast
      }
    }
  }
}
