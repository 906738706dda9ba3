/// 32 int8 values with one scale.
///
/// Source: ggml/src/ggml-common.h, `block_q8_0`.
enum Q8_0: GGUFBlock {
  static let name = "Q8_0"
  static let valueCount = 32
  static let byteCount = 34
  static let hasBigEndianForm = true

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 0)
    for index in 0..<32 { values[index] = scale * Float(block.signed(at: 2 + index)) }
  }
}
