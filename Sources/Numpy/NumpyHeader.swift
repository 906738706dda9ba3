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
    try self.init(bytes[text])
  }

  /// Where the values of an array of Python objects begin, which are a pickle; `nil` if `bytes` begin another array.
  public static func pickleOffset(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 12, let text = try? text(in: bytes), bytes.count >= text.upperBound,
      value(of: "'descr':", in: bytes[text])?.starts(with: "'|O'".utf8) == true
    else { return nil }
    return text.upperBound
  }

  /// Whether `bytes` begin an array of texts or of bytes, which are no numbers.
  public static func isText(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12, let text = try? text(in: bytes), bytes.count >= text.upperBound,
      let descr = value(of: "'descr':", in: bytes[text])
    else { return false }
    return "USa".utf8.contains { letter in
      "<>|=".utf8.contains { descr.starts(with: [UInt8(ascii: "'"), $0, letter]) }
    }
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
  ///
  /// A folder of arrays has thousands of headers: as a `String`, each would take ten times as long.
  private init(_ text: ArraySlice<UInt8>) throws(NetconvError) {
    guard let descr = Self.value(of: "'descr':", in: text), descr.first == UInt8(ascii: "'"),
      let order = Self.value(of: "'fortran_order':", in: text),
      order.starts(with: "True".utf8) || order.starts(with: "False".utf8),
      let tuple = Self.value(of: "'shape':", in: text), tuple.first == UInt8(ascii: "("),
      let close = tuple.firstIndex(of: UInt8(ascii: ")"))
    else { throw .wrongNumpyHeader(String(decoding: text, as: UTF8.self)) }
    let name = descr.dropFirst().prefix { $0 != UInt8(ascii: "'") }
    let typeName = String(decoding: name.dropFirst(), as: UTF8.self)
    guard typeName != "O" else { throw .pickled(String(decoding: name, as: UTF8.self)) }
    guard let type = Self.types[typeName], let mark = name.first, "<>|=".utf8.contains(mark) else {
      throw .wrongNumpyType(String(decoding: name, as: UTF8.self))
    }
    guard let shape = Self.sizes(tuple[..<close].dropFirst()) else {
      throw .wrongNumpyHeader(String(decoding: text, as: UTF8.self))
    }
    self.shape = shape
    elementType = type
    byteOrder = mark == UInt8(ascii: ">") ? .big : .little
    isFortran = order.starts(with: "True".utf8)
    dataOffset = text.endIndex
  }

  /// The sizes in `3, 4`; `nil` if one is none.
  private static func sizes(_ list: ArraySlice<UInt8>) -> [Int]? {
    var sizes: [Int] = []
    for part in list.split(separator: UInt8(ascii: ",")) {
      var digits = part.filter { $0 != UInt8(ascii: " ") && !(0x09...0x0d).contains($0) }
      guard !digits.isEmpty else { continue }
      // Python 2 marks whole numbers of any size: `(6L, 4L)`.
      if digits.last == UInt8(ascii: "L") { digits.removeLast() }
      guard let size = Int(String(decoding: digits, as: UTF8.self)), size >= 0 else { return nil }
      sizes.append(size)
    }
    return sizes
  }

  private static let types: [String: ElementType] = [
    "f2": .float16, "f4": .float32, "f8": .float64, "i1": .int8, "u1": .uint8, "b1": .uint8,
    "i2": .int16, "u2": .uint16, "i4": .int32, "u4": .uint32, "i8": .int64, "u8": .uint64,
  ]

  /// The type that NumPy calls `name`, without the order of its bytes: `f4`; `nil` if values of it are no numbers.
  public static func type(named name: String) -> ElementType? { types[name] }

  /// What stands behind a key with its quotes and colon, from the first byte that is no blank on.
  private static func value(of key: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let start = text.indices.first { start in
      text[start] == UInt8(ascii: "'") && text[start...].starts(with: key.utf8)
    }
    return start.map { text[($0 + key.utf8.count)...].drop { $0 == UInt8(ascii: " ") } }
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
