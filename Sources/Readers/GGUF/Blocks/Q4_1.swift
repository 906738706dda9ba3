/// 32 values of 4 bits with one scale and one minimum.
///
/// Source: ggml/src/ggml-common.h, `block_q4_1`.
enum Q4_1: GGUFBlock {
  static let name = "Q4_1"
  static let valueCount = 32
  static let byteCount = 20

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let (scale, least) = (block.half(at: 0), block.half(at: 2))
    for index in 0..<16 {
      let byte = block[4 + index]
      values[index] = scale * Float(byte & 15) + least
      values[16 + index] = scale * Float(byte >> 4) + least
    }
  }
}
