import ModelIR

/// The header of a safetensors file: the name, element type, shape and byte range of each tensor.
///
/// Source: the format's README, github.com/huggingface/safetensors, "Format"; safetensors/src/tensor.rs.
public struct SafetensorsHeader: Sendable, Equatable {
  /// A tensor of the file.
  public struct Tensor: Sendable, Equatable {
    /// The name, unique in the file.
    public let name: String
    /// The element type; values are little endian.
    public let elementType: ElementType
    /// The size of each axis, slowest first.
    public let shape: [Int]
    /// The byte range, relative to the end of the header.
    public let range: Range<Int>
  }

  /// The tensors, in the order of their offsets.
  public let tensors: [Tensor]
  /// Metadata: strings by name.
  public let metadata: [String: String]

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
    placing tensors: [(name: String, elementType: ElementType, shape: [Int])],
    metadata: [String: String]
  ) throws(NetconvError) {
    guard !tensors.contains(where: { $0.name == Self.metadataKey }) else {
      throw .tensorCalledAsTexts(Self.metadataKey)
    }
    var placed: [Tensor] = []
    var end = 0
    for tensor in tensors.sorted(by: {
      ($1.elementType.byteCount, $0.name.utf8) < ($0.elementType.byteCount, $1.name.utf8)
    }) {
      let size = try product(tensor.shape + [tensor.elementType.byteCount])
      placed.append(
        Tensor(
          name: tensor.name, elementType: tensor.elementType, shape: tensor.shape,
          range: end..<end + size))
      end += size
    }
    self.tensors = placed
    self.metadata = metadata
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
      guard let dtype = Self.dtypes[tensor.elementType] else { continue }
      try document.encode(
        Entry(
          dtype: dtype, shape: tensor.shape,
          offsets: [tensor.range.lowerBound, tensor.range.upperBound]),
        forKey: Name(stringValue: tensor.name))
    }
  }

  private static let dtypes: [ElementType: String] = [
    .float16: "F16", .bfloat16: "BF16", .float32: "F32", .float64: "F64", .int8: "I8",
    .uint8: "U8", .int16: "I16", .uint16: "U16", .int32: "I32", .uint32: "U32", .int64: "I64",
    .uint64: "U64",
  ]
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
  /// - Throws: `badData` if a name is repeated, a type is unknown, or the tensors overlap, exceed the file or leave
  ///   gaps.
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
    try checkCoverage(dataSize)
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
    guard let type = dtype == "BOOL" ? .uint8 : dtypes.first(where: { $0.value == dtype })?.key
    else { throw .unknownSafetensorsType(dtype, known: dtypes.values.sorted()) }
    guard 0 <= start, start <= end, end <= dataSize else {
      throw .safetensorsOutside(start, end, dataSize: dataSize)
    }
    let expected = try product(shape + [type.byteCount])
    guard end - start == expected else {
      throw .wrongSafetensorsLength(end - start, expected: expected, shape: shape, type: type)
    }
    return Tensor(name: name, elementType: type, shape: shape, range: start..<end)
  }

  /// The format's own library rejects gaps as well, as they could hide data.
  private func checkCoverage(_ dataSize: Int) throws(NetconvError) {
    var end = 0
    for tensor in tensors {
      let start = tensor.range.lowerBound
      guard start >= end else { throw NetconvError.overlappingTensors(start).inTensor(tensor.name) }
      guard start == end else { throw .uncoveredBytes(end..<start) }
      end = tensor.range.upperBound
    }
    guard end == dataSize else { throw .uncoveredBytes(end..<dataSize) }
  }
}
