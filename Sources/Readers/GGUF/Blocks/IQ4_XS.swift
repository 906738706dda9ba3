/// 256 values as 4-bit indices into the table of `IQ4_NL`, with a 6-bit scale per group of 32.
///
/// Source: ggml/src/ggml-common.h, `block_iq4_xs`.
enum IQ4_XS: GGUFBlock {
  static let name = "IQ4_XS"
  static let valueCount = 256
  static let byteCount = 136

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 0)
    let high = block.short(at: 2)
    for group in 0..<8 {
      let low = block[4 + group / 2] >> (group % 2 * 4) & 15
      let groupScale = scale * Float((low | (high >> (2 * group) & 3) << 4) - 32)
      for index in 0..<16 {
        let byte = block[8 + 16 * group + index]
        values[32 * group + index] = groupScale * IQ4_NL.number(byte & 15)
        values[32 * group + 16 + index] = groupScale * IQ4_NL.number(byte >> 4)
      }
    }
  }
}
