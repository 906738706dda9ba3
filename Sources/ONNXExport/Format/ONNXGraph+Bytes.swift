import ModelIR
import ProtocolBuffers

/// An ONNX file without the values of parameters, and the locations for these.
public struct ONNXFile: Sendable {
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
  /// The locations of values, in the file itself or in the data file next to it.
  public let places: [Place]
  /// True if the values are in a data file next to it.
  public let hasDataBeside: Bool
  /// The size of the file in bytes.
  public let count: Int

  /// The maximum size of a file in bytes: the limit of a message.
  ///
  /// Source: onnx/docs/ExternalData.md; protobuf.dev, "Proto Limits".
  public static let sizeLimit = Int(Int32.max)
  /// The alignment of tensors in the data file: a page.
  private static let alignment = 4096

  /// Creates the file of a graph.
  ///
  /// - Parameters:
  ///   - dataFile: the name of the data file, which is used for the values if a single file would be too large.
  ///   - limit: the maximum size of a file in bytes.
  public init(_ graph: ONNXGraph, dataFile: String, limit: Int = ONNXFile.sizeLimit) {
    let keys = graph.initializers.compactMap(\.key)
    let whole = graph.message { message, number, initializer, count in
      message.add(9, payload: number, count: count)
    }
    guard whole.count > limit else {
      hasDataBeside = false
      count = whole.count
      (bytes, places) = Self.layout(whole, keys)
      return
    }
    var end = 0
    var offsets: [(offset: Int, count: Int)] = []
    let short = graph.message { message, _, _, count in
      let offset = (end + Self.alignment - 1) / Self.alignment * Self.alignment
      end = offset + count
      offsets.append((offset, count))
      for (key, value) in [("location", dataFile), ("offset", "\(offset)"), ("length", "\(count)")]
      {
        var entry = WireOutput()
        entry.add(1, key)
        entry.add(2, value)
        message.add(13, entry)
      }
      message.add(14, 1)
    }
    hasDataBeside = true
    count = short.count
    bytes = Self.layout(short, []).bytes
    places = zip(keys, offsets).map { Place(key: $0, offset: $1.offset, count: $1.count) }
  }

  /// The number of bytes that ``recognizes(_:)`` requires.
  public static let prefixCount = ONNXGraph.beginning.count

  /// Returns true if a file starts like those that netconv writes.
  public static func recognizes(_ prefix: [UInt8]) -> Bool { prefix == ONNXGraph.beginning }

  private static func layout(
    _ message: WireOutput, _ keys: [TensorKey]
  ) -> (bytes: [(offset: Int, bytes: [UInt8])], places: [Place]) {
    var (offset, bytes, places) = (0, [(offset: Int, bytes: [UInt8])](), [Place]())
    for piece in message.pieces {
      switch piece {
      case .bytes(let own):
        bytes.append((offset, own))
        offset += own.count
      case .payload(let number, let count):
        places.append(Place(key: keys[number], offset: offset, count: count))
        offset += count
      }
    }
    return (bytes, places)
  }
}

extension ONNXInitializer {
  /// The tensor that contains the values; `nil` for constants.
  public var key: TensorKey? {
    if case .tensor(let key, _) = values { key } else { nil }
  }
}

extension ONNXGraph {
  /// Creates the `ModelProto`.
  ///
  /// - Parameter payload: adds the values of the tensor at the given index to the message of its initialiser.
  fileprivate func message(
    _ payload: (inout WireOutput, _ number: Int, ONNXInitializer, _ count: Int) -> Void
  ) -> WireOutput {
    var set = WireOutput()
    set.add(1, "")
    set.add(2, opset)
    var model = Self.head
    model.add(7, content(payload))
    model.add(8, set)
    return model
  }

  /// Creates the `GraphProto`.
  fileprivate func content(
    _ payload: (inout WireOutput, _ number: Int, ONNXInitializer, _ count: Int) -> Void
  ) -> WireOutput {
    var graph = WireOutput()
    for node in nodes { graph.add(1, node.message) }
    graph.add(2, name)
    var number = 0
    for initializer in initializers {
      var message = initializer.header
      switch initializer.values {
      case .floats(let values): message.add(9, bytes: values.flatMap(WireOutput.bytes(of:)))
      case .ints(let values):
        message.add(
          9,
          bytes: values.flatMap { value in
            withUnsafeBytes(of: Int64(value).littleEndian) { Array($0) }
          })
      case .tensor(_, let type):
        let count = initializer.shape.reduce(type.byteCount, *)
        payload(&message, number, initializer, count)
        number += 1
      }
      graph.add(5, message)
    }
    for input in inputs { graph.add(11, input.message) }
    for output in outputs { graph.add(12, output.message) }
    return graph
  }

  /// The version of the format that was released with the operator set.
  private static let irVersion = 8

  /// The start of every file.
  private static var head: WireOutput {
    var model = WireOutput()
    model.add(1, irVersion)
    model.add(2, "netconv")
    return model
  }

  /// The bytes of ``head``.
  fileprivate static var beginning: [UInt8] {
    if case .bytes(let bytes)? = head.pieces.first { bytes } else { [] }
  }
}

extension ONNXNode {
  fileprivate var message: WireOutput {
    var message = WireOutput()
    for input in inputs { message.add(1, input) }
    for output in outputs { message.add(2, output) }
    message.add(3, name)
    message.add(4, type)
    for attribute in attributes { message.add(5, attribute.message) }
    return message
  }
}

extension ONNXAttribute {
  fileprivate var message: WireOutput {
    var message = WireOutput()
    message.add(1, name)
    switch value {
    case .float(let number): message.add(2, number)
    case .int(let number): message.add(3, number)
    case .string(let text): message.add(4, text)
    case .floats(let numbers): for number in numbers { message.add(7, number) }
    case .ints(let numbers): for number in numbers { message.add(8, number) }
    case .strings(let texts): for text in texts { message.add(9, text) }
    case .graph(let graph): message.add(6, graph.content { _, _, _, _ in })
    }
    message.add(20, type)
    return message
  }

  private var type: Int {
    switch value {
    case .float: 1
    case .int: 2
    case .string: 3
    case .graph: 5
    case .floats: 6
    case .ints: 7
    case .strings: 8
    }
  }
}

extension ONNXInitializer {
  /// The message without the values.
  fileprivate var header: WireOutput {
    var message = WireOutput()
    for size in shape { message.add(1, size) }
    message.add(2, type)
    message.add(8, name)
    return message
  }

  private var type: Int {
    switch values {
    case .floats: 1
    case .ints: 7
    case .tensor(_, .float16): 10
    case .tensor(_, .int8): 3
    case .tensor: 1
    }
  }
}

extension ONNXValueInfo {
  fileprivate var message: WireOutput {
    var sizes = WireOutput()
    for size in shape {
      var dimension = WireOutput()
      switch size {
      case .fixed(let count): dimension.add(1, count)
      case .open(let name): dimension.add(2, name)
      }
      sizes.add(1, dimension)
    }
    var tensor = WireOutput()
    tensor.add(1, 1)
    tensor.add(2, sizes)
    var type = WireOutput()
    type.add(1, tensor)
    var message = WireOutput()
    message.add(1, name)
    message.add(2, type)
    return message
  }
}
