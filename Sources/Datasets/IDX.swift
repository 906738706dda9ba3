import ModelIR

/// An IDX file of bytes: the format of MNIST.
///
/// Source: Yann LeCun, "The MNIST database of handwritten digits", section "File formats".
struct IDX {
  /// The size of each axis.
  let shape: [Int]
  /// The values in C order.
  let values: ArraySlice<UInt8>

  /// Reads unsigned bytes; the number of values must be what the sizes say.
  ///
  /// - Throws: `badData`.
  init(_ bytes: [UInt8]) throws(NetconvError) {
    guard bytes.count >= 4, bytes[0] == 0, bytes[1] == 0 else { throw .notIDX }
    guard bytes[2] == 0x08 else { throw .wrongIDXType(bytes[2]) }
    let start = 4 + 4 * Int(bytes[3])
    guard bytes.count >= start else { throw .wrongLength(bytes.count, header: start, data: 0) }
    shape = stride(from: 4, to: start, by: 4).map { offset in
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let expected = try product(shape)
    guard bytes.count - start == expected else {
      throw .wrongLength(bytes.count, header: start, data: expected)
    }
    values = bytes[start...]
  }
}
