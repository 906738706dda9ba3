import ModelIR

/// A form of GGUF's quantised blocks that netconv writes: a float16 scale and 32 codes.
///
/// Source: gguf-py 0.19, `gguf/quants.py`; ggml/src/ggml-quants.c, `quantize_row_q8_0_ref`, `quantize_row_q4_0_ref`.
public enum GGUFBlocks: String, Sendable, CaseIterable, BlockPacking {
  /// Codes of 8 bits, from -127 to 127.
  case q8 = "q8_0"
  /// Codes of 4 bits, from -8 to 7.
  case q4 = "q4_0"

  /// The name of the type in GGML.
  public var name: String { rawValue.uppercased() }
  /// The number of the type in GGML.
  var number: UInt32 { self == .q8 ? 8 : 2 }
  /// 32 values.
  public var valueCount: Int { 32 }
  /// The scale and the codes.
  public var byteCount: Int { self == .q8 ? 34 : 18 }

  /// Quantises 32 values.
  public func pack(
    _ values: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(NetconvError) {
    var extreme: Float = 0
    for (index, value) in values.enumerated() {
      guard value.isFinite else { throw .notFinite(value, self) }
      if index == 0 || value.magnitude > extreme.magnitude { extreme = value }
    }
    let scale = self == .q8 ? extreme.magnitude / 127 : extreme / -8
    let half = Half.bits(from: scale)
    guard Half.float(from: half).isFinite else { throw .scaleTooLarge(scale, self) }
    bytes[0] = UInt8(truncatingIfNeeded: half)
    bytes[1] = UInt8(truncatingIfNeeded: half >> 8)
    let inverse: Float = scale == 0 ? 0 : 1 / scale
    let codes = UnsafeMutableBufferPointer(rebasing: bytes[2...])
    if self == .q8 {
      for (index, value) in values.enumerated() {
        let code = (value * inverse).rounded(.toNearestOrAwayFromZero)
        codes[index] = UInt8(bitPattern: Int8(clamping: Int(code)))
      }
    } else {
      for index in codes.indices {
        let (low, high) = (code4(values[index] * inverse), code4(values[index + 16] * inverse))
        codes[index] = low | high << 4
      }
    }
  }

  /// Replaces 32 values by those that their codes stand for.
  public func requantize(
    _ values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: byteCount)
    defer { bytes.deallocate() }
    try pack(UnsafeBufferPointer(values), into: bytes)
    let scale = Half.float(from: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
    for index in 0..<valueCount {
      let code =
        self == .q8
        ? Int(Int8(bitPattern: bytes[2 + index]))
        : Int(bytes[2 + index % 16] >> (index < 16 ? 0 : 4) & 15) - 8
      values[index] = scale * Float(code)
    }
  }

  /// The 4-bit code of a value divided by its scale.
  private func code4(_ value: Float) -> UInt8 { UInt8(min(15, max(0, value + 8.5))) }
}
