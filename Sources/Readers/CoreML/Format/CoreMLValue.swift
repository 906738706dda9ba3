import Files
import ModelIR
import ProtocolBuffers

/// A value that is stored in a program, or in a file beside it.
///
/// Source: coremltools, mlmodel/format/MIL.proto, `Value`.
struct CoreMLValue {
  /// The stored values.
  enum Content {
    /// Numbers, or values in a file.
    case numbers(any TensorSource)
    /// Strings.
    case texts([String])
    /// A list or a dictionary, which is not read.
    case other
  }

  let type: CoreMLType
  let content: Content

  /// The shape of an array.
  var shape: [Int] { (type.shape ?? []).map { $0 ?? 1 } }

  init(_ message: WireMessage, _ weights: CoreMLWeightFiles) throws(NetconvError) {
    var (type, content): (CoreMLType?, WireMessage?) = (nil, nil)
    var blob: (file: String, offset: Int)?
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 2: type = try CoreMLType(field.inner("ValueType"))
      case 3: content = try field.inner("ImmediateValue")
      case 5: blob = try Self.place(field.inner("BlobFileValue"))
      default: break
      }
    }
    guard let type else { throw .valueWithoutType }
    self.type = type
    let shape = (type.shape ?? []).map { $0 ?? -1 }
    guard type.shape != nil, !shape.contains(where: { $0 < 0 }) else {
      self.content = .other
      return
    }
    let count = try product(shape)
    if let blob {
      guard let element = type.element else { throw .unreadType("\(type.data)") }
      self.content = .numbers(
        try weights.values(blob.file, at: blob.offset, element.storedType, count: count))
    } else if let content {
      self.content = try Self.immediate(content, type, count: count)
    } else {
      throw .valueWithoutType
    }
  }

  private static func place(_ message: WireMessage) throws(NetconvError) -> (
    file: String, offset: Int
  ) {
    var place = (file: "", offset: 0)
    try message.forEachField { field throws(NetconvError) in
      switch field.number {
      case 1: place.file = try field.text()
      case 2: place.offset = try field.integer()
      default: break
      }
    }
    return place
  }

  /// Reads the `TensorValue` of an immediate value.
  private static func immediate(
    _ message: WireMessage, _ type: CoreMLType, count: Int
  ) throws(NetconvError) -> Content {
    var content = Content.other
    try message.forEachField { field throws(NetconvError) in
      guard field.number == 1 else { return }
      try field.inner("TensorValue").forEachField { field throws(NetconvError) in
        content = try list(field.inner("TensorValue.Repeated"), kind: field.number, type)
      }
    }
    switch content {
    case .numbers(let source):
      guard source.count == count else { throw .wrongNumberList(source.count, count) }
    case .texts(let texts):
      guard texts.count == count else { throw .wrongNumberList(texts.count, count) }
    case .other:
      // Only the type tells an empty list.
      guard count == 0, let element = type.element else { break }
      content = .numbers(NumberSource(numbers: [], elementType: element.storedType))
    }
    return content
  }

  private static func list(
    _ message: WireMessage, kind: Int, _ type: CoreMLType
  ) throws(NetconvError) -> Content {
    var (numbers, texts): ([Double], [String]) = ([], [])
    var bytes: Range<Int>?
    try message.forEachField { field throws(NetconvError) in
      guard field.number == 1 else { return }
      switch kind {
      case 1: try field.forEachFloat { numbers.append(Double($0)) }
      case 4: texts.append(try field.text())
      case 6: numbers.append(try field.double())
      case 7: bytes = try field.payload()
      default: try field.forEachInteger { numbers.append(Double($0)) }
      }
    }
    if kind == 4 { return .texts(texts) }
    guard let element = type.element else { return .other }
    if kind == 7 {
      let range = bytes ?? 0..<0
      guard range.count % element.storedType.byteCount == 0 else { return .other }
      return .numbers(
        try message.bytes.values(
          at: range, of: element.storedType, count: range.count / element.storedType.byteCount))
    }
    return .numbers(NumberSource(numbers: numbers, elementType: element.storedType))
  }

  /// The only string.
  var text: String? {
    if case .texts(let texts) = content, texts.count == 1 { texts[0] } else { nil }
  }

  /// The values as numbers; `nil` if there are none, or too many to compute with.
  func numbers() throws(NetconvError) -> [Double]? {
    guard case .numbers(let source) = content, source.count <= GraphConstant.numberLimit else {
      return nil
    }
    return try source.doubles()
  }
}

/// The files with arrays beside a model, each opened once.
final class CoreMLWeightFiles {
  private let folder: String
  private var opened: [String: RandomAccessFile] = [:]

  /// Creates an empty cache for files below the folder of the model.
  init(folder: String) { self.folder = folder }

  /// All opened files, sorted by name.
  var files: [RandomAccessFile] { opened.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the array whose header starts at `offset`.
  ///
  /// Source: coremltools, mlmodel/src/MILBlob/Blob/StorageFormat.hpp.
  /// - Throws: `badData` if the header is that of another array, or the values are not in the file.
  func values(
    _ name: String, at offset: Int, _ type: ElementType, count: Int
  ) throws(NetconvError) -> any TensorSource {
    let file = try file(name)
    let length = try product([count, type.byteCount])
    guard offset >= 0, offset <= file.size - Self.headerSize else {
      throw .wrongBlob(name, offset, "outside of it")
    }
    let header = try file.bytes(at: offset, count: Self.headerSize)
    let number = { (start: Int, size: Int) in
      header[start..<start + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    guard number(0, 4) == 0xDEAD_BEEF else { throw .wrongBlob(name, offset, "without a header") }
    guard Self.types[Int(number(4, 4))] == type, number(8, 8) == UInt64(length) else {
      throw .wrongBlob(name, offset, "of another type or size")
    }
    let start = number(16, 8)
    guard length <= file.size, start <= UInt64(file.size - length) else {
      throw .wrongBlob(name, offset, "outside of it")
    }
    return FileTensorSource(file: file, offset: Int(start), elementType: type, count: count)
  }

  private static let headerSize = 64
  private static let types: [Int: ElementType] = [
    1: .float16, 2: .float32, 3: .uint8, 4: .int8, 5: .bfloat16, 6: .int16, 7: .uint16,
    14: .int32, 15: .uint32,
  ]

  private func file(_ name: String) throws(NetconvError) -> RandomAccessFile {
    if let known = opened[name] { return known }
    let prefix = "@model_path/"
    guard name.hasPrefix(prefix) else { throw .wrongBlob(name, 0, "outside of the package") }
    let file = try ContainedPath(String(name.dropFirst(prefix.count)), in: folder).open()
    opened[name] = file
    return file
  }
}

extension NetconvError {
  fileprivate static var valueWithoutType: NetconvError {
    NetconvError(.badData, "has a value without a type, or without values")
  }

  fileprivate static func wrongBlob(_ file: String, _ offset: Int, _ reason: String) -> NetconvError
  {
    NetconvError(
      .badData, "an array at byte \(offset) of \(quoted(file)) is \(reason); the file is damaged")
  }
}
