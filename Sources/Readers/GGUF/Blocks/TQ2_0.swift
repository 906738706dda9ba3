/// 256 ternary values of 2 bits, stored as value + 1, with one scale.
///
/// Source: ggml/src/ggml-common.h, `block_tq2_0`.
enum TQ2_0: GGUFBlock {
  static let name = "TQ2_0"
  static let valueCount = 256
  static let byteCount = 66

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 64)
    for run in 0..<8 {
      for index in 0..<32 {
        let code = block[run / 4 * 32 + index] >> (run % 4 * 2) & 3
        values[32 * run + index] = scale * Float(code - 1)
      }
    }
  }
}
