import ModelIR

/// An IDX file of bytes, the format of MNIST.
///
/// Source: Yann LeCun, "The MNIST database of handwritten digits", section "File formats".
package struct IDX {
  /// The size of each axis.
  package let shape: [Int]
  /// The values in C order.
  package let values: ArraySlice<UInt8>

  /// Reads unsigned bytes, whose number must match the sizes.
  ///
  /// - Throws: `badData`.
  package init(_ bytes: [UInt8]) throws(NetconvError) {
    let (start, shape) = try Self.header(bytes)
    self.shape = shape
    let expected = try product(shape)
    guard bytes.count - start == expected else {
      throw .wrongLength(bytes.count, header: start, data: expected)
    }
    values = bytes[start...]
  }

  /// The size of the header in bytes, and the size of each axis.
  ///
  /// - Throws: `badData` if `bytes` do not start with a complete header.
  static func header(_ bytes: [UInt8]) throws(NetconvError) -> (size: Int, shape: [Int]) {
    let size = try headerSize(bytes)
    guard bytes.count >= size else { throw .wrongLength(bytes.count, header: size, data: 0) }
    return (size, shape(bytes, headerSize: size))
  }

  /// The extent according to the first bytes; `nil` if they are too few.
  ///
  /// - Throws: `badData`.
  package static func extent(_ bytes: [UInt8]) throws(NetconvError) -> ArrayExtent? {
    let start = try headerSize(bytes)
    guard bytes.count >= start else { return nil }
    let count = try product(shape(bytes, headerSize: start))
    return try ArrayExtent(header: start, count: count, stored: 1, decoded: 0)
  }

  private static func headerSize(_ bytes: [UInt8]) throws(NetconvError) -> Int {
    guard bytes.count >= 4, bytes[0] == 0, bytes[1] == 0 else { throw .notIDX }
    guard bytes[2] == 0x08 else { throw .wrongIDXType(bytes[2]) }
    return 4 + 4 * Int(bytes[3])
  }

  private static func shape(_ bytes: [UInt8], headerSize: Int) -> [Int] {
    stride(from: 4, to: headerSize, by: 4).map { offset in
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

extension NetconvError {
  fileprivate static var notIDX: NetconvError {
    NetconvError(
      .badData, "is neither IDX (plain or gzip) nor .npy; pass images and labels in one of these")
  }

  fileprivate static func wrongIDXType(_ code: UInt8) -> NetconvError {
    NetconvError(
      .badData,
      "is IDX of type 0x\(String(code, radix: 16)), expected unsigned bytes (0x8)")
  }
}
