/// 32 values of 4 bits with one scale: the first half in the low nibbles, the second half in the high nibbles.
///
/// Source: ggml/src/ggml-common.h, `block_q4_0`.
enum Q4_0: GGUFBlock {
  static let name = "Q4_0"
  static let valueCount = 32
  static let byteCount = 18
  static let hasBigEndianForm = true

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 0)
    for index in 0..<16 {
      let byte = block[2 + index]
      values[index] = scale * Float(byte & 15 - 8)
      values[16 + index] = scale * Float(byte >> 4 - 8)
    }
  }
}
