import Documents
import Files
import ModelIR

extension GGUFContainer: WritableContainer {
  static func layout(of contents: ContainerContents) throws(NetconvError) -> any ContainerLayout {
    guard case .weights(let weights) = contents.network else { throw .noGraphForGGUF }
    return try GGUFLayout(contents.entries, called: weights.name, contents.metadata)
  }

  /// A file whose metadata begins with netconv's.
  static let replaceable = ReplaceableFile("a file") { file throws(NetconvError) in
    let start = try file.prefix(64)
    return start.starts(with: GGUFBytes.magic)
      && start.dropFirst(32).starts(with: GGUFContainer.producerKey.utf8)
  }
}

/// The layout of a GGUF file: the header, and the offset of each tensor.
private struct GGUFLayout: ContainerLayout {
  let places: [TensorRecord.Place] = []
  private let header: [UInt8]
  private let offsets: [Int]
  /// The padding after the last tensor.
  private let padding: Range<Int>

  init(
    _ entries: [OutputPlan.Entry], called name: String, _ metadata: [String: String]
  ) throws(NetconvError) {
    var bytes = GGUFBytes()
    // The key of `replaceable` comes first.
    let facts = [
      (GGUFContainer.producerKey, metadata[GGUFContainer.producerKey] ?? ""),
      ("general.name", name.plain),
    ]
    let isQuantised = entries.contains { $0.tensor.stored.source is PackedValues }
    bytes.append(UInt64(entries.count))
    bytes.append(UInt64(facts.count + (isQuantised ? 1 : 0)))
    for (key, text) in facts { bytes.append(key, text) }
    if isQuantised { bytes.append("general.quantization_version", 2) }
    var (last, end) = (0, 0)
    var offsets: [Int] = []
    for entry in entries {
      let description = try GGUFTensor(entry)
      bytes.append(description, at: UInt64(end))
      offsets.append(end)
      let (sum, overflow) = end.addingReportingOverflow(entry.byteCount)
      guard !overflow, sum <= Int.max - GGUFBytes.alignment else { throw .tooManyBytesForGGUF }
      (last, end) = (sum, GGUFBytes.aligned(sum))
    }
    bytes.align()
    let header = bytes.bytes
    self.header = header
    self.offsets = offsets.map { header.count + $0 }
    padding = header.count + last..<header.count + end
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    let file = try OutputFile(creating: "\(folder)/\(GGUFContainer.file)")
    file.reserve(padding.upperBound)
    try file.write(header, at: 0)
    try file.write([UInt8](repeating: 0, count: padding.count), at: padding.lowerBound)
    return GGUFFormat(file: file, offsets: offsets)
  }
}

/// `model.gguf`, whose header is written before any value is.
private struct GGUFFormat: ContainerWriter {
  let file: OutputFile
  let offsets: [Int]

  func placement(of index: Int) -> Placement { Placement(file: file, offset: offsets[index]) }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}

/// The description of a tensor in the header.
struct GGUFTensor {
  let name: String
  /// The sizes of the axes, fastest first.
  let sizes: [Int]
  /// The number of the type in GGML.
  let type: UInt32

  init(_ entry: OutputPlan.Entry) throws(NetconvError) {
    let packed = entry.tensor.stored.source as? PackedValues
    let shape = packed?.shape ?? entry.tensor.shape
    name = entry.name.plain
    guard shape.count <= GGUFContainer.maximumRank else {
      throw NetconvError.tooManyAxesForGGUF(shape).inTensor(entry.name)
    }
    guard name.utf8.count <= GGUFContainer.maximumName else {
      throw NetconvError.longNameForGGUF(name.utf8.count).inTensor(entry.name)
    }
    sizes = shape.isEmpty ? [1] : shape.reversed()
    if let blocks = packed?.packing as? GGUFBlocks {
      type = blocks.number
    } else {
      switch entry.elementType {
      case .float32: type = 0
      case .float16: type = 1
      case .bfloat16: type = 30
      default: throw NetconvError.typeForGGUF(entry.elementType).inTensor(entry.name)
      }
    }
  }
}

/// The bytes of a header, little endian.
struct GGUFBytes {
  static let magic = Array("GGUF".utf8)
  static let alignment = 32

  private(set) var bytes = GGUFBytes.magic

  /// Begins with the magic and the version.
  init() { append(UInt32(3)) }

  static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private mutating func append(_ text: String) {
    append(UInt64(text.utf8.count))
    bytes += Array(text.utf8)
  }

  /// Appends a text of the metadata.
  mutating func append(_ key: String, _ text: String) {
    append(key)
    append(UInt32(8))
    append(text)
  }

  /// Appends a number of the metadata.
  mutating func append(_ key: String, _ number: UInt32) {
    append(key)
    append(UInt32(4))
    append(number)
  }

  mutating func append(_ tensor: GGUFTensor, at offset: UInt64) {
    append(tensor.name)
    append(UInt32(tensor.sizes.count))
    for size in tensor.sizes { append(UInt64(size)) }
    append(tensor.type)
    append(offset)
  }

  mutating func align() {
    bytes += [UInt8](repeating: 0, count: Self.aligned(bytes.count) - bytes.count)
  }
}

extension NetconvError {
  fileprivate static let noGraphForGGUF = NetconvError(
    .usage, text: "a GGUF file holds weights without a graph; add \(.weightsOnly)")

  fileprivate static let tooManyBytesForGGUF = NetconvError(
    .badData, "the tensors take too many bytes for a file")

  fileprivate static func tooManyAxesForGGUF(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has the shape \(shape); GGUF has at most \(GGUFContainer.maximumRank) axes")
  }

  fileprivate static func longNameForGGUF(_ length: Int) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "has a name of \(length) bytes; readers of GGUF accept at most \(GGUFContainer.maximumName), so rename it with "
        + "\(.renames)")
  }

  fileprivate static func typeForGGUF(_ type: ElementType) -> NetconvError {
    NetconvError(.usage, "cannot be written as \(type.rawValue) in a GGUF file")
  }
}
