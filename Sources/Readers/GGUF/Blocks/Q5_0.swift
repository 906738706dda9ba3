/// 32 values of 5 bits with one scale; the high bits are stored separately.
///
/// Source: ggml/src/ggml-common.h, `block_q5_0`.
enum Q5_0: GGUFBlock {
  static let name = "Q5_0"
  static let valueCount = 32
  static let byteCount = 22

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 0)
    for index in 0..<16 {
      let (low, high) = fiveBits(index, of: block, bits: 2, nibbles: 6)
      values[index] = scale * Float(low - 16)
      values[16 + index] = scale * Float(high - 16)
    }
  }

  /// The 5-bit codes at `index` and `index + 16`.
  @inline(__always)
  static func fiveBits(
    _ index: Int, of block: BlockBytes, bits: Int, nibbles: Int
  ) -> (Int, Int) {
    let byte = block[nibbles + index]
    let place = index & 7
    let low = block[bits + index >> 3] >> place & 1
    let high = block[bits + 2 + index >> 3] >> place & 1
    return (byte & 15 | low << 4, byte >> 4 | high << 4)
  }
}
