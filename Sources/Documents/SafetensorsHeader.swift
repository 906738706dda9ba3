import ModelIR

/// The header of a safetensors file: the name, element type, shape and byte range of each tensor.
///
/// Source: the format's README, github.com/huggingface/safetensors, "Format"; safetensors/src/tensor.rs.
public struct SafetensorsHeader: Sendable, Equatable {
  /// A tensor of the file.
  public struct Tensor: Sendable, Equatable {
    /// The name, unique in the file.
    public let name: String
    /// The type of a stored value; values are little endian.
    public let type: SafetensorsType
    /// The size of each axis, slowest first.
    public let shape: [Int]
    /// The byte range, relative to the end of the header.
    public let range: Range<Int>
  }

  /// The tensors, in the order of their offsets.
  public let tensors: [Tensor]
  /// Metadata: strings by name.
  public let metadata: [String: String]
  /// The ranges of bytes that belong to no tensor; valid files have none.
  public let holes: [Range<Int>]

  /// The maximum size of the JSON in bytes, as in the format's own library.
  public static let sizeLimit = 100_000_000
  /// The key of the metadata.
  static let metadataKey = "__metadata__"
  /// The alignment of the values in files that netconv writes.
  static let alignment = 64

  /// Places tensors consecutively: the widest type first, then by name, so that each is aligned.
  ///
  /// - Throws: `badData` if a size overflows, or if a tensor has the name of the metadata key.
  public init(
    placing tensors: [(name: String, type: SafetensorsType, shape: [Int])],
    metadata: [String: String]
  ) throws(NetconvError) {
    guard !tensors.contains(where: { $0.name == Self.metadataKey }) else {
      throw .tensorCalledAsTexts(Self.metadataKey)
    }
    var placed: [Tensor] = []
    var end = 0
    for tensor in tensors.sorted(by: {
      ($1.type.bitCount, $0.name.utf8) < ($0.type.bitCount, $1.name.utf8)
    }) {
      let size = try tensor.type.byteCount(of: tensor.shape)
      placed.append(
        Tensor(
          name: tensor.name, type: tensor.type, shape: tensor.shape, range: end..<end + size))
      end += size
    }
    self.tensors = placed
    self.metadata = metadata
    holes = []
  }
}

private func < (
  left: (Int, String.UTF8View), right: (Int, String.UTF8View)
) -> Bool {
  left.0 == right.0 ? left.1.lexicographicallyPrecedes(right.1) : left.0 < right.0
}

// MARK: - Writing

extension SafetensorsHeader: Encodable {
  /// Returns the bytes before the values: the length of the JSON, the JSON, and spaces up to a multiple of 64.
  ///
  /// - Throws: `internal` if a name cannot be represented in JSON, `usage` if the JSON exceeds the size limit.
  public func bytes() throws(NetconvError) -> [UInt8] {
    var json = try JSONDocument.encodeCompact(self)
    json += Array(
      repeating: UInt8(ascii: " "),
      count: (Self.alignment - (8 + json.count) % Self.alignment) % Self.alignment)
    guard json.count <= Self.sizeLimit else {
      throw .longSafetensorsHeader(json.count, limit: Self.sizeLimit)
    }
    return withUnsafeBytes(of: UInt64(json.count).littleEndian) { Array($0) } + json
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Entry: Encodable {
    let dtype: String
    let shape: [Int]
    let offsets: [Int]

    enum CodingKeys: String, CodingKey {
      case dtype
      case shape
      case offsets = "data_offsets"
    }
  }

  /// Encodes the members of the JSON.
  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: Name.self)
    if !metadata.isEmpty {
      try document.encode(metadata, forKey: Name(stringValue: Self.metadataKey))
    }
    for tensor in tensors {
      try document.encode(
        Entry(
          dtype: tensor.type.rawValue, shape: tensor.shape,
          offsets: [tensor.range.lowerBound, tensor.range.upperBound]),
        forKey: Name(stringValue: tensor.name))
    }
  }
}

// MARK: - Reading

extension SafetensorsHeader {
  /// Returns true if `bytes` may be the start of a safetensors file: the length of a header, and an object.
  public static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.count > 8 && bytes[6] == 0 && bytes[7] == 0 && bytes[8] == UInt8(ascii: "{")
  }

  /// Returns the length of the JSON in bytes, from the first 8 bytes of a file.
  ///
  /// - Throws: `badData` if the file is shorter, or if the length exceeds the limit.
  public static func length(
    _ bytes: [UInt8], fileSize: Int
  ) throws(NetconvError) -> Int {
    guard bytes.count >= 8 else { throw .noSafetensors(fileSize) }
    let length = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(sizeLimit) else {
      throw .longSafetensorsHeader(length, limit: sizeLimit)
    }
    guard Int(length) <= fileSize - 8 else {
      throw .safetensorsHeaderOutside(Int(length), size: fileSize)
    }
    return Int(length)
  }

  /// Parses the JSON of a header.
  ///
  /// - Parameters:
  ///   - json: the bytes after the length.
  ///   - dataSize: the number of bytes after the JSON.
  /// - Throws: `badData` if a name is repeated, a type is unknown, or the tensors overlap or exceed the file.
  public init(_ json: [UInt8], dataSize: Int) throws(NetconvError) {
    guard
      case .object(let members) = try JSONDocument.parse(json, refusesRepeatedKeys: true)
    else { throw .wrongSafetensorsHeader }
    var metadata: [String: String] = [:]
    var tensors: [Tensor] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      // MLX writes `null` for empty metadata.
      if name == Self.metadataKey {
        guard value != .null else { continue }
        metadata = try Self.texts(value)
      } else {
        do throws(NetconvError) {
          tensors.append(try Self.tensor(name, value, dataSize: dataSize))
        } catch {
          throw error.inTensor(name)
        }
      }
    }
    self.tensors = tensors.sorted {
      ($0.range.lowerBound, $0.range.upperBound, $0.name)
        < ($1.range.lowerBound, $1.range.upperBound, $1.name)
    }
    self.metadata = metadata
    holes = try Self.holes(between: self.tensors, dataSize)
  }

  private static func texts(_ value: JSONValue) throws(NetconvError) -> [String: String] {
    guard case .object(let members) = value else { throw .wrongSafetensorsHeader }
    var texts: [String: String] = [:]
    for (key, value) in members {
      guard let text = value.string else { throw .wrongSafetensorsHeader }
      texts[key] = text
    }
    return texts
  }

  private static func tensor(
    _ name: String, _ value: JSONValue, dataSize: Int
  ) throws(NetconvError) -> Tensor {
    guard let dtype = value["dtype"]?.string, let sizes = value["shape"]?.array,
      let offsets = value["data_offsets"]?.array, offsets.count == 2
    else { throw .wrongSafetensorsTensor }
    let shape = sizes.compactMap(\.int)
    guard shape.count == sizes.count, let start = offsets[0].int, let end = offsets[1].int else {
      throw .wrongSafetensorsTensor
    }
    guard let type = SafetensorsType(rawValue: dtype) else { throw .unknownSafetensorsType(dtype) }
    guard 0 <= start, start <= end, end <= dataSize else {
      throw .safetensorsOutside(start, end, dataSize: dataSize)
    }
    let expected = try type.byteCount(of: shape)
    guard end - start == expected else {
      throw .wrongSafetensorsLength(end - start, expected: expected, shape: shape, type: type)
    }
    return Tensor(name: name, type: type, shape: shape, range: start..<end)
  }

  /// Checks that the tensors leave no gaps.
  ///
  /// The format's own library rejects gaps as well, as they could hide data.
  /// - Throws: `badData` with the position of the first gap.
  public func checkCoverage() throws(NetconvError) {
    if let hole = holes.first { throw .uncoveredBytes(hole) }
  }

  private static func holes(
    between tensors: [Tensor], _ dataSize: Int
  ) throws(NetconvError) -> [Range<Int>] {
    var holes: [Range<Int>] = []
    var end = 0
    for tensor in tensors {
      let start = tensor.range.lowerBound
      guard start >= end else { throw NetconvError.overlappingTensors(start).inTensor(tensor.name) }
      if start > end { holes.append(end..<start) }
      end = tensor.range.upperBound
    }
    if end < dataSize { holes.append(end..<dataSize) }
    return holes
  }
}

extension NetconvError {
  fileprivate static func noSafetensors(_ size: Int) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(size) bytes and is not a safetensors file, which begins with an 8-byte length")
  }

  fileprivate static var wrongSafetensorsHeader: NetconvError {
    NetconvError(
      .badData,
      "its safetensors header is not an object of tensors, with texts in '__metadata__'")
  }

  fileprivate static var wrongSafetensorsTensor: NetconvError {
    NetconvError(
      .badData, "expected dtype, shape and data_offsets in the safetensors header; it is damaged")
  }

  fileprivate static func unknownSafetensorsType(_ type: String) -> NetconvError {
    let known = SafetensorsType.allCases.map(\.rawValue).sorted()
    return NetconvError(
      .badData,
      "dtype \(quoted(type)) is unknown; expected one of \(known.joined(separator: ", "))")
  }

  fileprivate static func safetensorsOutside(_ start: Int, _ end: Int, dataSize: Int)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "is at bytes \(start) to \(end) of the values, which have \(dataSize) bytes")
  }

  fileprivate static func overlappingTensors(_ start: Int) -> NetconvError {
    NetconvError(.badData, "begins at byte \(start) of the values, inside another tensor")
  }

  fileprivate static func uncoveredBytes(_ range: Range<Int>) -> NetconvError {
    NetconvError(
      .badData,
      "no tensor covers the bytes \(range.lowerBound) to \(range.upperBound) of the values; safetensors "
        + "has no holes")
  }
}
