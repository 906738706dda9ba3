/// 32 values of 5 bits with one scale and one minimum.
///
/// Source: ggml/src/ggml-common.h, `block_q5_1`.
enum Q5_1: GGUFBlock {
  static let name = "Q5_1"
  static let valueCount = 32
  static let byteCount = 24

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let (scale, least) = (block.half(at: 0), block.half(at: 2))
    for index in 0..<16 {
      let (low, high) = Q5_0.fiveBits(index, of: block, bits: 4, nibbles: 8)
      values[index] = scale * Float(low) + least
      values[16 + index] = scale * Float(high) + least
    }
  }
}
