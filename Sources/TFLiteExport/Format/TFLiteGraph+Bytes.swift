import FlatBuffers
import ModelIR

/// A TensorFlow Lite file without the values of parameters, and the locations for these.
public struct TFLiteFile: Sendable {
  /// The location of a tensor's values.
  public struct Place: Sendable {
    /// The tensor.
    public let key: TensorKey
    /// The offset of the first byte.
    public let offset: Int
    /// The size in bytes.
    public let count: Int
  }

  /// The known bytes with their offsets.
  public let bytes: [(offset: Int, bytes: [UInt8])]
  /// The locations of values.
  public let places: [Place]
  /// True if the values are after the FlatBuffer, which has offsets of them.
  public let hasDataBehind: Bool
  /// The size of the file in bytes.
  public let count: Int

  /// The maximum size of a FlatBuffer in bytes.
  ///
  /// Source: flatbuffers.dev, "FlatBuffer Internals": offsets of vectors are 32 bits, and signed in some languages.
  public static let sizeLimit = Int(Int32.max)
  private static let identifier = "TFL3"
  private static let mark = "netconv"

  /// Creates the file of a graph.
  ///
  /// - Parameter limit: the maximum size of a FlatBuffer; values that would exceed it are stored after it.
  public init(_ graph: TFLiteGraph, limit: Int = TFLiteFile.sizeLimit) {
    let message = TFLiteMessage(graph)
    let whole = FlatBufferOutput(
      message.root(valuesBehind: false), identifier: Self.identifier, mark: Self.mark)
    hasDataBehind = whole.count > limit
    let output =
      hasDataBehind
      ? FlatBufferOutput(
        message.root(valuesBehind: true), identifier: Self.identifier, mark: Self.mark,
        behind: message.payloads.map(\.count))
      : whole
    bytes = output.pieces
    count = output.count
    places = output.payloads.map {
      Place(key: message.payloads[$0.number].key, offset: $0.offset, count: $0.count)
    }
  }

  /// The start of every file after the offset of its root.
  private static let beginning =
    Array(identifier.utf8) + [UInt8(mark.utf8.count), 0, 0, 0] + Array(mark.utf8) + [0]

  /// The number of bytes that ``recognizes(_:)`` requires.
  public static let prefixCount = 4 + beginning.count

  /// Returns true if a file starts like those that netconv writes.
  public static func recognizes(_ prefix: [UInt8]) -> Bool {
    prefix.dropFirst(4) == beginning[...]
  }
}

/// The tables of a file.
///
/// Source: tensorflow/lite/schema/schema.fbs; the numbers are those of the fields.
private struct TFLiteMessage {
  private let graph: TFLiteGraph
  /// The tensors of the model, each once.
  private(set) var payloads: [(key: TensorKey, count: Int)] = []
  /// The distinct values in the order of their buffers; the first buffer is empty.
  private var values: [TFLiteTensorInfo.Values] = [.none]
  private var buffers: [TFLiteTensorInfo.Values: Int] = [.none: 0]
  private var codes: [FlatFields] = []
  private var codePlaces: [[Int]: Int] = [:]
  private let places: [String: Int]

  init(_ graph: TFLiteGraph) {
    self.graph = graph
    places = Dictionary(
      graph.tensors.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for tensor in graph.tensors where buffers[tensor.values] == nil {
      buffers[tensor.values] = values.count
      values.append(tensor.values)
      if case .tensor(let key, let count) = tensor.values { payloads.append((key, count)) }
    }
    for node in graph.nodes { addCode(node) }
  }

  private mutating func addCode(_ node: TFLiteNode) {
    let (code, version) = (node.type.rawValue, node.type.version(node))
    guard codePlaces[[code, version]] == nil else { return }
    codePlaces[[code, version]] = codes.count
    // Codes from 127 on are in the newer field alone.
    codes.append([0: .byte(min(code, 127)), 2: .int(version), 3: .int(code)])
  }

  func root(valuesBehind: Bool) -> FlatFields {
    let map = { (names: [String]) -> FlatValue in
      .tables(names.map { [0: .text($0), 1: .int(places[$0] ?? 0)] })
    }
    return [
      0: .int(3), 1: .tables(codes), 2: .tables([subgraph]), 3: .text("netconv"),
      4: .tables(buffers(behind: valuesBehind)),
      7: .tables([
        [0: map(graph.inputs), 1: map(graph.outputs), 2: .text("serving_default"), 4: .int(0)]
      ]),
    ]
  }

  private var subgraph: FlatFields {
    let indices = { (names: [String]) -> FlatValue in .ints(names.map { places[$0] ?? -1 }) }
    return [
      0: .tables(graph.tensors.map(tensor)), 1: indices(graph.inputs),
      2: indices(graph.outputs),
      3: .tables(
        graph.nodes.map { node in
          var fields: FlatFields = [
            0: .int(codePlaces[[node.type.rawValue, node.type.version(node)]] ?? 0),
            1: indices(node.inputs), 2: indices(node.outputs),
          ]
          if node.optionsType != 0 {
            fields[3] = .byte(node.optionsType)
            fields[4] = .table(node.options)
          }
          return fields
        }), 4: .text(graph.name),
    ]
  }

  private func tensor(_ tensor: TFLiteTensorInfo) -> FlatFields {
    var fields: FlatFields = [
      0: .ints(tensor.sizes.map(\.count)), 1: .byte(tensor.type.rawValue),
      2: .int(buffers[tensor.values] ?? 0), 3: .text(tensor.name), 8: .flag(true),
    ]
    if tensor.sizes.contains(where: { $0.known == nil }) {
      fields[7] = .ints(tensor.sizes.map { $0.known ?? -1 })
    }
    return fields
  }

  private func buffers(behind: Bool) -> [FlatFields] {
    var number = -1
    return values.map { values in
      switch values {
      case .none: return [:]
      case .floats(let numbers): return [0: .bytes(numbers.flatMap { bytes(of: $0.bitPattern) })]
      case .ints(let numbers):
        return [0: .bytes(numbers.flatMap { bytes(of: Int32(truncatingIfNeeded: $0)) })]
      case .tensor(_, let count):
        number += 1
        return behind
          ? [1: .offset(number), 2: .long(count)] : [0: .payload(number, count: count)]
      }
    }
  }

  private func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
