/// 32 values as 4-bit indices into a table, with one scale.
///
/// Source: ggml/src/ggml-common.h, `block_iq4_nl`, `kvalues_iq4nl`.
enum IQ4_NL: GGUFBlock {
  static let name = "IQ4_NL"
  static let valueCount = 32
  static let byteCount = 18

  static func unpack(_ block: BlockBytes, into values: UnsafeMutablePointer<Float>) {
    let scale = block.half(at: 0)
    for index in 0..<16 {
      let byte = block[2 + index]
      values[index] = scale * number(byte & 15)
      values[16 + index] = scale * number(byte >> 4)
    }
  }

  /// The table entry of a code.
  @inline(__always)
  static func number(_ code: Int) -> Float {
    switch code {
    case 0: -127
    case 1: -104
    case 2: -83
    case 3: -65
    case 4: -49
    case 5: -35
    case 6: -22
    case 7: -10
    case 8: 1
    case 9: 13
    case 10: 25
    case 11: 38
    case 12: 53
    case 13: 69
    case 14: 89
    default: 113
    }
  }
}
