/// 256 ternary values (-1, 0 and 1) with one scale, five per byte: the byte is a base-3 fraction in steps of 1/256.
///
/// Source: ggml/src/ggml-common.h, `block_tq1_0`; ggml/src/ggml-quants.c, `dequantize_row_tq1_0`.
enum TQ1_0: GGUFBlock {
  static let name = "TQ1_0"
  static let valueCount = 256
  static let byteCount = 54

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 52)
    var place = values
    // 32 bytes and 16 bytes with five values each, and 4 bytes with four each.
    for (start, count, digits) in [(0, 32, 5), (32, 16, 5), (48, 4, 4)] {
      var power = 1
      for _ in 0..<digits {
        for index in 0..<count {
          let digit = ((block[start + index] * power & 255) * 3) >> 8
          place[index] = scale * Float(digit - 1)
        }
        place += count
        power *= 3
      }
    }
  }
}
