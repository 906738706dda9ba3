import ModelIR

/// What stands before the values of an `.npy` file: their type, order and number.
///
/// Source: numpy/lib/format.py, versions 1.0 to 3.0.
public struct NumpyHeader: Sendable, Equatable {
  /// The size of each axis.
  public let shape: [Int]
  /// How each value is stored.
  public let elementType: ElementType
  /// The order of the bytes of a value.
  public let byteOrder: ByteOrder
  /// Whether the first axis is the fastest.
  public let isFortran: Bool
  /// Where the values begin, in bytes.
  public let dataOffset: Int

  /// The first bytes of every `.npy` file.
  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// NumPy itself believes 10,000 bytes.
  public static let sizeLimit = 1 << 16

  /// Whether `bytes` begin as `.npy` does.
  public static func recognizes(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: magic)
  }

  /// The header at the beginning of `bytes`; `nil` if they are too few to hold it.
  ///
  /// - Throws: `badData` if it is none, or the values are no numbers.
  public init?(_ bytes: [UInt8]) throws(NetconvError) {
    guard bytes.count >= 12 else { return nil }
    let text = try Self.text(in: bytes)
    guard bytes.count >= text.upperBound else { return nil }
    try self.init(
      String(decoding: bytes[text], as: UTF8.self), dataOffset: text.upperBound)
  }

  /// Where the values of an array of Python objects begin, which are a pickle; `nil` if `bytes` begin another array.
  public static func pickleOffset(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 12, let text = try? text(in: bytes), bytes.count >= text.upperBound,
      value(of: "descr", in: String(decoding: bytes[text], as: UTF8.self))?.hasPrefix("'|O'")
        == true
    else { return nil }
    return text.upperBound
  }

  /// Where the dictionary lies, by the first 12 bytes.
  ///
  /// - Throws: `badData` if the version is none, or the dictionary longer than one can be.
  package static func text(in bytes: [UInt8]) throws(NetconvError) -> Range<Int> {
    guard recognizes(bytes) else { throw .notNumpy }
    guard 1...3 ~= bytes[6], bytes[7] == 0 else { throw .wrongNumpyVersion(bytes[6], bytes[7]) }
    let lengthSize = bytes[6] == 1 ? 2 : 4
    let length = bytes[8..<8 + lengthSize].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= sizeLimit else { throw .longNumpyHeader(length, limit: sizeLimit) }
    return 8 + lengthSize..<8 + lengthSize + length
  }

  /// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
  private init(_ text: String, dataOffset: Int) throws(NetconvError) {
    guard let descr = Self.value(of: "descr", in: text), descr.hasPrefix("'"),
      let order = Self.value(of: "fortran_order", in: text),
      order.hasPrefix("True") || order.hasPrefix("False"),
      let shapeText = Self.value(of: "shape", in: text), shapeText.hasPrefix("("),
      let close = shapeText.firstIndex(of: ")")
    else { throw .wrongNumpyHeader(text) }
    let name = String(descr.dropFirst().prefix { $0 != "'" })
    guard name.dropFirst() != "O" else { throw .pickled(name) }
    guard let type = Self.types[String(name.dropFirst())], "<>|=".contains(name.prefix(1)) else {
      throw .wrongNumpyType(name)
    }
    let sizes = shapeText[shapeText.index(after: shapeText.startIndex)..<close]
      .split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    shape = sizes.compactMap { Int($0) }
    guard shape.count == sizes.count, shape.allSatisfy({ $0 >= 0 }) else {
      throw .wrongNumpyHeader(text)
    }
    elementType = type
    byteOrder = name.hasPrefix(">") ? .big : .little
    isFortran = order.hasPrefix("True")
    self.dataOffset = dataOffset
  }

  private static let types: [String: ElementType] = [
    "f2": .float16, "f4": .float32, "f8": .float64, "i1": .int8, "u1": .uint8, "b1": .uint8,
    "i2": .int16, "u2": .uint16, "i4": .int32, "u4": .uint32, "i8": .int64, "u8": .uint64,
  ]

  /// The type that NumPy calls `name`, without the order of its bytes: `f4`; `nil` if values of it are no numbers.
  public static func type(named name: String) -> ElementType? { types[name] }

  private static func value(of key: String, in text: String) -> Substring? {
    let (bytes, wanted) = (Array(text.utf8), Array("'\(key)':".utf8))
    guard bytes.count >= wanted.count,
      let start = (0...bytes.count - wanted.count).first(where: { start in
        bytes[start..<start + wanted.count].elementsEqual(wanted)
      })
    else { return nil }
    return text[text.utf8.index(text.startIndex, offsetBy: start + wanted.count)...]
      .drop { $0 == " " }
  }
}

extension NumpyHeader {
  /// The bytes before little-endian values in C order, version 1.0; a multiple of 64.
  ///
  /// - Throws: `usage` if NumPy has no name for the type, as for bfloat16.
  public static func bytes(
    _ type: ElementType, shape: [Int]
  ) throws(NetconvError) -> [UInt8] {
    guard let name = types.first(where: { $0.value == type && $0.key != "b1" })?.key else {
      throw .noNumpyType(type)
    }
    return bytes((type.byteCount == 1 ? "|" : "<") + name, shape: shape)
  }

  /// The bytes before float32 values, as ``bytes(_:shape:)`` gives them.
  public static func float32(shape: [Int]) -> [UInt8] { bytes("<f4", shape: shape) }

  private static func bytes(_ descr: String, shape: [Int]) -> [UInt8] {
    let sizes = shape.map(String.init).joined(separator: ", ")
    var header =
      "{'descr': '\(descr)', 'fortran_order': False, 'shape': "
      + "(\(sizes)\(shape.count == 1 ? "," : "")), }"
    let unpadded = magic.count + 4 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - unpadded % 64) % 64) + "\n"
    return magic + [1, 0, UInt8(header.utf8.count & 0xff), UInt8(header.utf8.count >> 8)]
      + Array(header.utf8)
  }
}
