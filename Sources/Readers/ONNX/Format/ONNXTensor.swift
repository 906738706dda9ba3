import Files
import ModelIR
import ProtocolBuffers

/// An ONNX element type.
///
/// Source: onnx/onnx.proto, `TensorProto.DataType`.
struct ONNXType: RawRepresentable, Hashable, Sendable {
  let rawValue: Int

  /// The corresponding element type in a graph; `nil` for unsupported types.
  var element: GraphElement? {
    switch rawValue {
    case 1: .number(.float32)
    case 2: .number(.uint8)
    case 3: .number(.int8)
    case 4: .number(.uint16)
    case 5: .number(.int16)
    case 6: .number(.int32)
    case 7: .number(.int64)
    case 9: .truth
    case 10: .number(.float16)
    case 11: .number(.float64)
    case 12: .number(.uint32)
    case 13: .number(.uint64)
    case 16: .number(.bfloat16)
    default: nil
    }
  }

  /// The name in ONNX.
  var name: String { element?.name ?? Self.otherNames[rawValue] ?? "type \(rawValue)" }

  private static let otherNames = [
    8: "string", 14: "complex64", 15: "complex128", 17: "float8e4m3fn", 18: "float8e4m3fnuz",
    19: "float8e5m2", 20: "float8e5m2fnuz", 21: "uint4", 22: "int4", 23: "float4e2m1",
  ]
}

extension ONNXType {
  /// Creates the type of the values of a graph.
  init(_ element: GraphElement) {
    self.init(rawValue: (1...16).first { ONNXType(rawValue: $0).element == element } ?? 0)
  }
}

/// The external data files of a model, each opened once.
final class ONNXExternalFiles {
  private let folder: String
  private var opened: [String: RandomAccessFile] = [:]

  /// Creates an empty cache for files in the folder of the model.
  init(folder: String) { self.folder = folder }

  /// All opened files, sorted by name.
  var files: [RandomAccessFile] { opened.sorted { $0.key < $1.key }.map(\.value) }

  /// Opens a file.
  ///
  /// - Throws: `badData` if the name leads outside the folder or through a symbolic link; `cannotOpen`.
  func file(_ name: String) throws(NetconvError) -> RandomAccessFile {
    if let known = opened[name] { return known }
    let file = try ContainedPath(name, in: folder).open()
    opened[name] = file
    return file
  }
}

/// A tensor of an ONNX file, whose values stay in the file.
///
/// Source: onnx/onnx.proto, `TensorProto`; docs/ExternalData.md.
struct ONNXTensor {
  private enum Number: Int {
    case dimensions = 1
    case type = 2
    case segment = 3
    case floats = 4
    case integers = 5
    case longs = 7
    case name = 8
    case raw = 9
    case doubles = 10
    case unsigneds = 11
    case externalData = 13
    case location = 14
  }

  private enum EntryNumber: Int {
    case key = 1
    case value = 2
  }

  /// The largest number of list elements; writers store larger tensors as raw bytes.
  private static let listLimit = 1 << 26

  let name: String
  let type: ONNXType
  let shape: [Int]
  /// The values; `nil` for strings and unsupported types.
  let source: (any TensorSource)?

  init(_ message: WireMessage, _ external: ONNXExternalFiles) throws(NetconvError) {
    var (name, type) = ("", ONNXType(rawValue: 0))
    var shape: [Int] = []
    var raw: Range<Int>?
    var packed: (range: Range<Int>, width: Int)?
    var numbers: [Double] = []
    var isSegment = false
    var isExternal = false
    var entries: [String: String] = [:]
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .dimensions: try field.forEachInteger { shape.append($0) }
      case .type: type = ONNXType(rawValue: try field.integer())
      case .segment: isSegment = true
      case .name: name = try field.text()
      case .raw: raw = try field.payload()
      case .floats, .doubles:
        let width = field.number == Number.floats.rawValue ? 4 : 8
        if case .bytes(let range) = field.content, packed == nil, numbers.isEmpty {
          packed = (range, width)
        } else {
          numbers.append(width == 4 ? Double(try field.float()) : try field.double())
        }
      case .integers, .longs, .unsigneds:
        let isUnsigned = field.number == Number.unsigneds.rawValue
        try field.forEachInteger { value throws(NetconvError) in
          guard numbers.count < Self.listLimit else { throw .longNumberList(limit: Self.listLimit) }
          numbers.append(isUnsigned ? Double(UInt(bitPattern: value)) : Double(value))
        }
      case .location: isExternal = try field.integer() == 1
      case .externalData:
        var entry = ("", "")
        try field.inner("StringStringEntryProto").forEachField { field throws(NetconvError) in
          switch EntryNumber(rawValue: field.number) {
          case .key: entry.0 = try field.text()
          case .value: entry.1 = try field.text()
          case nil: break
          }
        }
        entries[entry.0] = entry.1
      case nil: break
      }
    }
    (self.name, self.type, self.shape) = (name, type, shape)
    guard let element = type.element else {
      source = nil
      return
    }
    do throws(NetconvError) {
      guard !isSegment, shape.allSatisfy({ $0 >= 0 }) else { throw .segmentedTensor }
      let count = try product(shape)
      if isExternal {
        source = try Self.external(entries, element.storedType, count: count, external)
      } else if let raw {
        guard raw.count == (try product([count, element.storedType.byteCount])) else {
          throw .wrongTensorLength(raw.count, type.name, shape)
        }
        source = try message.bytes.values(at: raw, of: element.storedType, count: count)
      } else if let packed {
        guard packed.range.count == (try product([count, packed.width])), numbers.isEmpty else {
          throw .wrongTensorLength(packed.range.count, type.name, shape)
        }
        source = try message.bytes.values(
          at: packed.range, of: packed.width == 4 ? .float32 : .float64, count: count)
      } else {
        guard numbers.count == count else { throw .wrongNumberList(numbers.count, count) }
        source = NumberSource(
          numbers: Self.decoded(numbers, element), elementType: element.storedType)
      }
    } catch {
      throw error.inTensor(name)
    }
  }

  /// Creates a tensor of another format.
  init(name: String, type: ONNXType, shape: [Int], source: any TensorSource) {
    (self.name, self.type, self.shape, self.source) = (name, type, shape, source)
  }

  /// Decodes the numbers of a list, in which 16-bit floats are bit patterns.
  private static func decoded(_ numbers: [Double], _ element: GraphElement) -> [Double] {
    switch element {
    case .number(.float16):
      numbers.map { Double(Half.float(from: UInt16(truncatingIfNeeded: Int(exactly: $0) ?? 0))) }
    case .number(.bfloat16):
      numbers.map {
        Double(BFloat16.float(from: UInt16(truncatingIfNeeded: Int(exactly: $0) ?? 0)))
      }
    default: numbers
    }
  }

  /// The values in an external data file.
  private static func external(
    _ entries: [String: String], _ type: ElementType, count: Int, _ files: ONNXExternalFiles
  ) throws(NetconvError) -> any TensorSource {
    guard let location = entries["location"] else { throw .externalWithoutLocation }
    let file = try files.file(location)
    let length = try product([count, type.byteCount])
    let offset = entries["offset"].map { Int($0) ?? -1 } ?? 0
    let stated = entries["length"].map { Int($0) ?? -1 } ?? length
    guard offset >= 0, stated == length, offset <= file.size, length <= file.size - offset else {
      throw .wrongExternalPlace(
        location, offset: offset, length: stated, expected: length, size: file.size)
    }
    return FileTensorSource(file: file, offset: offset, elementType: type, count: count)
  }

  /// The values as a constant of the graph.
  ///
  /// - Throws: `badData` for unsupported element types.
  func constant(named name: String) throws(NetconvError) -> GraphConstant {
    guard let source, let element = type.element else { throw .noNumbers(type.name) }
    return GraphConstant(type: element, shape: shape, name: name, source: source)
  }
}

extension NetconvError {
  fileprivate static var segmentedTensor: NetconvError {
    NetconvError(.badData, "the tensor is stored in segments, or its shape is negative")
  }

  fileprivate static var externalWithoutLocation: NetconvError {
    NetconvError(.badData, "the values are in another file, which is not named")
  }

  fileprivate static func wrongExternalPlace(
    _ file: String, offset: Int, length: Int, expected: Int, size: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the values are \(length) bytes from byte \(offset) of \(quoted(file)), which has \(size); expected "
        + "\(expected) bytes inside of it")
  }
}
