import ModelIR

/// An array in NumPy's `.npy` format.
///
/// Source: numpy/lib/format.py, versions 1.0 to 3.0.
public struct NumpyArray: Sendable, Equatable {
  /// The size of each axis.
  public let shape: [Int]
  /// The values in C order, rounded to float32.
  public let values: [Float]
  /// How the values were stored.
  public let elementType: ElementType

  /// The first bytes of every `.npy` file.
  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// Whether `bytes` begin as `.npy` does.
  static func recognizes(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: magic)
  }

  /// Reads numbers or truth values, in either byte order, in C or Fortran order.
  ///
  /// - Throws: `badData` if the header is damaged, the type is another, or values are missing.
  public init(_ bytes: [UInt8]) throws(NetconvError) {
    guard bytes.count >= 12 else { throw .notNumpy }
    let text = try Self.headerText(bytes)
    let start = text.upperBound
    guard bytes.count >= start else { throw .wrongLength(bytes.count, header: start, data: 0) }
    let header = try NumpyHeader(String(decoding: bytes[text], as: UTF8.self))
    let count = try product(header.shape)
    let expected = try product([count, header.type.byteCount])
    guard bytes.count - start == expected else {
      throw .wrongLength(bytes.count, header: start, data: expected)
    }
    shape = header.shape
    elementType = header.type
    let stored = header.decode(bytes, at: start, count: count)
    values = header.isFortran ? try Self.transposed(stored, shape: header.shape) : stored
  }

  /// How much there is, by the first bytes; `nil` if they are too few to tell.
  ///
  /// - Throws: `badData`.
  static func extent(_ bytes: [UInt8]) throws(NetconvError) -> ArrayExtent? {
    guard bytes.count >= 12 else { return nil }
    let text = try headerText(bytes)
    guard text.count <= headerLimit else { throw .longNumpyHeader(text.count, limit: headerLimit) }
    guard bytes.count >= text.upperBound else { return nil }
    let header = try NumpyHeader(String(decoding: bytes[text], as: UTF8.self))
    return try ArrayExtent(
      header: text.upperBound, count: product(header.shape), stored: header.type.byteCount,
      decoded: MemoryLayout<Float>.size)
  }

  /// NumPy itself believes 10,000 bytes.
  private static let headerLimit = 1 << 16

  /// Where the dictionary lies.
  private static func headerText(_ bytes: [UInt8]) throws(NetconvError) -> Range<Int> {
    guard recognizes(bytes) else { throw .notNumpy }
    guard 1...3 ~= bytes[6], bytes[7] == 0 else { throw .wrongNumpyVersion(bytes[6], bytes[7]) }
    let lengthSize = bytes[6] == 1 ? 2 : 4
    let length = bytes[8..<8 + lengthSize].reversed().reduce(0) { $0 << 8 | Int($1) }
    return 8 + lengthSize..<8 + lengthSize + length
  }

  /// Values in Fortran order, brought into C order.
  private static func transposed(_ values: [Float], shape: [Int]) throws(NetconvError) -> [Float] {
    guard !values.isEmpty else { return values }
    var dimensions: [StridedCopy.Dimension] = []
    var stride = 1
    for size in shape {
      dimensions.append(StridedCopy.Dimension(size: size, stride: stride))
      stride *= size
    }
    let copy = StridedCopy(dimensions)
    return [Float](unsafeUninitializedCapacity: values.count) { buffer, count in
      values.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = buffer.baseAddress { copy.run(from, to) }
      }
      count = values.count
    }
  }
}

/// The dictionary at the start of an `.npy` file.
private struct NumpyHeader {
  let shape: [Int]
  let type: ElementType
  let isBigEndian: Bool
  let isFortran: Bool

  /// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
  init(_ text: String) throws(NetconvError) {
    guard let descr = Self.value(of: "descr", in: text), descr.hasPrefix("'"),
      let order = Self.value(of: "fortran_order", in: text),
      order.hasPrefix("True") || order.hasPrefix("False"),
      let shapeText = Self.value(of: "shape", in: text), shapeText.hasPrefix("("),
      let close = shapeText.firstIndex(of: ")")
    else { throw .wrongNumpyHeader(text) }
    let name = String(descr.dropFirst().prefix { $0 != "'" })
    guard let type = Self.types[String(name.dropFirst())], "<>|=".contains(name.prefix(1)) else {
      throw .wrongNumpyType(name)
    }
    let sizes = shapeText[shapeText.index(after: shapeText.startIndex)..<close]
      .split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    shape = sizes.compactMap { Int($0) }
    guard shape.count == sizes.count, shape.allSatisfy({ $0 >= 0 }) else {
      throw .wrongNumpyHeader(text)
    }
    self.type = type
    isBigEndian = name.hasPrefix(">")
    isFortran = order.hasPrefix("True")
  }

  private static let types: [String: ElementType] = [
    "f2": .float16, "f4": .float32, "f8": .float64, "i1": .int8, "u1": .uint8, "b1": .uint8,
    "i2": .int16, "u2": .uint16, "i4": .int32, "u4": .uint32, "i8": .int64, "u8": .uint64,
  ]

  private static func value(of key: String, in text: String) -> Substring? {
    guard let found = text.firstRange(of: "'\(key)':") else { return nil }
    return text[found.upperBound...].drop { $0 == " " }
  }

  func decode(_ bytes: [UInt8], at start: Int, count: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { values, initializedCount in
      bytes.withUnsafeBytes { buffer in
        type.decode(
          UnsafeRawBufferPointer(rebasing: buffer[start...]), isBigEndian ? .big : .little,
          into: UnsafeMutableBufferPointer(rebasing: values[..<count]))
      }
      initializedCount = count
    }
  }
}

extension NumpyArray {
  /// The bytes of an `.npy` file, version 1.0, that holds `array` as little-endian float32.
  ///
  /// The data begins at a multiple of 64 bytes.
  public static func encode(_ array: NDArray<Float>) -> [UInt8] {
    let sizes = array.shape.map(String.init).joined(separator: ", ")
    var header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': "
      + "(\(sizes)\(array.shape.count == 1 ? "," : "")), }"
    let unpadded = magic.count + 4 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - unpadded % 64) % 64) + "\n"
    var bytes = magic + [1, 0]
    bytes += [UInt8(header.utf8.count & 0xff), UInt8(header.utf8.count >> 8)]
    bytes += Array(header.utf8)
    bytes.reserveCapacity(bytes.count + 4 * array.count)
    for value in array.values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
