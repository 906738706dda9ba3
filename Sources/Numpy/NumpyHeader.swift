import ModelIR

/// The header of an `.npy` file: dtype, order and shape of its values.
///
/// Source: numpy/lib/format.py, versions 1.0 to 3.0.
public struct NumpyHeader: Sendable, Equatable {
  /// The size of each axis.
  public let shape: [Int]
  /// The element type of the values.
  public let elementType: ElementType
  /// The byte order of the values.
  public let byteOrder: ByteOrder
  /// True for Fortran order.
  public let isFortran: Bool
  /// The byte offset of the values.
  public let dataOffset: Int

  /// The magic number of `.npy` files.
  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// The maximum size of a header; NumPy itself accepts 10,000 bytes.
  public static let sizeLimit = 1 << 16

  /// Returns true if `bytes` start with the magic number.
  public static func recognizes(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: magic)
  }

  /// Parses the header at the start of `bytes`; returns `nil` if they are incomplete.
  ///
  /// - Throws: `badData` if the header is invalid, or the dtype is not numeric.
  public init?(_ bytes: [UInt8]) throws(NetconvError) {
    guard bytes.count >= 12 else { return nil }
    let text = try Self.text(in: bytes)
    guard bytes.count >= text.upperBound else { return nil }
    try self.init(bytes[text])
  }

  /// Returns the offset of the pickle in an array of Python objects; `nil` if `bytes` start another kind of array.
  public static func pickleOffset(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 12, let text = try? text(in: bytes), bytes.count >= text.upperBound,
      value(of: "'descr':", in: bytes[text])?.starts(with: "'|O'".utf8) == true
    else { return nil }
    return text.upperBound
  }

  /// Returns true if `bytes` start an array of strings or bytes.
  public static func isText(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12, let text = try? text(in: bytes), bytes.count >= text.upperBound,
      let descr = value(of: "'descr':", in: bytes[text])
    else { return false }
    return "USa".utf8.contains { letter in
      "<>|=".utf8.contains { descr.starts(with: [UInt8(ascii: "'"), $0, letter]) }
    }
  }

  /// Returns the range of the header's dictionary, given at least 12 bytes.
  ///
  /// - Throws: `badData` if the version is unknown, or the dictionary too long.
  package static func text(in bytes: [UInt8]) throws(NetconvError) -> Range<Int> {
    guard recognizes(bytes) else { throw .notNumpy }
    guard 1...3 ~= bytes[6], bytes[7] == 0 else { throw .wrongNumpyVersion(bytes[6], bytes[7]) }
    let lengthSize = bytes[6] == 1 ? 2 : 4
    let length = bytes[8..<8 + lengthSize].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= sizeLimit else { throw .longNumpyHeader(length, limit: sizeLimit) }
    return 8 + lengthSize..<8 + lengthSize + length
  }

  /// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
  ///
  /// Parsing bytes is ten times as fast as parsing a `String`, which matters for folders with thousands of arrays.
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

  /// Parses the sizes in `3, 4`; returns `nil` if one is invalid.
  private static func sizes(_ list: ArraySlice<UInt8>) -> [Int]? {
    var sizes: [Int] = []
    for part in list.split(separator: UInt8(ascii: ",")) {
      var digits = part.filter { $0 != UInt8(ascii: " ") && !(0x09...0x0d).contains($0) }
      guard !digits.isEmpty else { continue }
      // Python 2 marks long integers: `(6L, 4L)`.
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

  /// Returns the element type for a NumPy type name without byte order, such as `f4`; `nil` if it is not numeric.
  public static func type(named name: String) -> ElementType? { types[name] }

  /// Returns the text after a key, which includes quotes and colon, without leading blanks.
  private static func value(of key: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let start = text.indices.first { start in
      text[start] == UInt8(ascii: "'") && text[start...].starts(with: key.utf8)
    }
    return start.map { text[($0 + key.utf8.count)...].drop { $0 == UInt8(ascii: " ") } }
  }
}

extension NumpyHeader {
  /// Returns the header of little-endian values in C order, version 1.0; its size is a multiple of 64.
  ///
  /// - Throws: `usage` if NumPy lacks the type, as for bfloat16.
  public static func bytes(
    _ type: ElementType, shape: [Int]
  ) throws(NetconvError) -> [UInt8] {
    guard let name = types.first(where: { $0.value == type && $0.key != "b1" })?.key else {
      throw .noNumpyType(type)
    }
    return bytes((type.byteCount == 1 ? "|" : "<") + name, shape: shape)
  }

  /// Returns the header of float32 values; see ``bytes(_:shape:)``.
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

extension NetconvError {
  fileprivate static func wrongNumpyVersion(_ major: UInt8, _ minor: UInt8) -> NetconvError {
    NetconvError(
      .badData, "is .npy of version \(major).\(minor), expected 1.0 to 3.0; it may be damaged")
  }

  fileprivate static func longNumpyHeader(_ found: Int, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "is .npy with a header of \(found) bytes, expected at most \(limit); it may be damaged")
  }

  fileprivate static func wrongNumpyHeader(_ header: String) -> NetconvError {
    NetconvError(.badData, "the header \(quoted(header)) is not valid for NumPy")
  }

  fileprivate static func wrongNumpyType(_ type: String) -> NetconvError {
    NetconvError(
      .badData, "holds values of type \(quoted(type)), expected numbers such as '<f4' or '|u1'")
  }

  fileprivate static func pickled(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "holds Python objects (type \(quoted(type))), which would have to be unpickled, which may run any "
        + "program; save an array of numbers")
  }

  fileprivate static func noNumpyType(_ type: ElementType) -> NetconvError {
    NetconvError(
      .usage, "NumPy has no type for \(type.rawValue), so npz cannot hold it; write another format")
  }
}
