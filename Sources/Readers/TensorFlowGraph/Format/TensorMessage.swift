import Files
import ModelIR
import ProtocolBuffers

/// A tensor stored in a graph; large data stays in the file.
///
/// Values have one of three forms: raw bytes, a list of numbers of a wider type, or a truncated list whose last
/// number is repeated.
///
/// Source: tensorflow/core/framework/tensor.proto; tensor.cc, `Tensor::FromProto`.
struct TensorMessage {
  private enum Number: Int {
    case type = 1
    case shape = 2
    case content = 4
    case texts = 8
    case halfValues = 13
    case floatValues = 5
    case doubleValues = 6
    case integerValues = 7
    case longValues = 10
    case boolValues = 11
    case unsignedValues = 16
    case unsignedLongValues = 17
  }

  let type: TensorFlowType
  let shape: [Int]
  /// The values; `nil` for strings and other non-numeric types.
  let source: (any TensorSource)?
  /// The values of a string tensor.
  let texts: [String]

  init(_ message: WireMessage) throws(NetconvError) {
    var type = TensorFlowType.float
    var shape = GraphShape([])
    var content: Range<Int>?
    var list = NumberList()
    var texts: [String] = []
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .type: type = TensorFlowType(inGraph: try field.integer())
      case .shape: shape = try GraphShape(field.inner("TensorShapeProto"))
      case .content: content = try field.payload()
      case .texts:
        texts.append(String(decoding: try field.bytes(limit: 1 << 28), as: UTF8.self).exact)
      case .floatValues, .doubleValues: try list.add(fixed: field)
      case .halfValues, .integerValues, .longValues, .boolValues, .unsignedValues,
        .unsignedLongValues:
        try list.add(integers: field)
      case nil: break
      }
    }
    guard let sizes = try shape.countable() else { throw .openTensor }
    self.type = type
    self.shape = sizes
    self.texts = texts
    guard let elementType = type.storedType else {
      source = nil
      return
    }
    let count = try product(sizes)
    if let content, !content.isEmpty {
      guard content.count == (try product([count, elementType.byteCount])) else {
        throw .wrongTensorLength(content.count, type.description, sizes)
      }
      source = try message.bytes.values(at: content, of: elementType, count: count)
    } else {
      source = try list.source(of: elementType, count: count, message.bytes)
    }
  }
}

extension TensorMessage {
  /// All values, up to a limit.
  ///
  /// - Throws: `badData` if there are more than `limit`, or they are not numbers.
  func numbers(limit: Int) throws(NetconvError) -> [Double] {
    guard let source else { throw .noNumbers(type.description) }
    guard source.count <= limit else { throw .tooManyNumbers(source.count, limit: limit) }
    return try source.doubles()
  }
}

extension TensorSource {
  /// All values.
  func doubles() throws(NetconvError) -> [Double] { try values(0..<count) }
}

extension WireBytes {
  /// Consecutive values, read from the file if there is one.
  func values(
    at range: Range<Int>, of type: ElementType, count: Int
  ) throws(NetconvError) -> any TensorSource {
    if let file {
      return FileTensorSource(
        file: file, offset: range.lowerBound, elementType: type, count: count)
    }
    return ByteSource(
      bytes: try bytes(at: range), elementType: type, count: count)
  }
}

/// A list of numbers, of which a file may omit repetitions at the end.
private struct NumberList {
  /// The largest number of list elements; writers store larger tensors as raw bytes.
  private static let limit = 1 << 24

  private var packed: Range<Int>?
  private var width = 0
  private var numbers: [Double] = []
  private var patterns: [UInt16] = []

  mutating func add(fixed field: WireField) throws(NetconvError) {
    switch field.content {
    case .bytes(let range):
      width = field.number == 5 ? 4 : 8
      if packed == nil, numbers.isEmpty {
        packed = range
        return
      }
      throw .mixedNumberList
    case .fixed32: numbers.append(Double(try field.float()))
    case .fixed64: numbers.append(try field.double())
    case .varint: throw .mixedNumberList
    }
    guard packed == nil, numbers.count <= Self.limit else { throw .mixedNumberList }
  }

  mutating func add(integers field: WireField) throws(NetconvError) {
    // Swapped out and back, since the closure cannot access them exclusively otherwise, and copies would be slow.
    var (numbers, patterns): ([Double], [UInt16]) = ([], [])
    swap(&numbers, &self.numbers)
    swap(&patterns, &self.patterns)
    defer {
      self.numbers = numbers
      self.patterns = patterns
    }
    let isHalf = field.number == 13
    let isUnsigned = field.number == 17
    try field.forEachInteger { value throws(NetconvError) in
      guard numbers.count < Self.limit else { throw .longNumberList(limit: Self.limit) }
      numbers.append(isUnsigned ? Double(UInt(bitPattern: value)) : Double(value))
      if isHalf { patterns.append(UInt16(truncatingIfNeeded: value)) }
    }
  }

  /// The values; zeros if the list is empty.
  func source(
    of type: ElementType, count: Int, _ bytes: WireBytes
  ) throws(NetconvError) -> any TensorSource {
    if let packed, !packed.isEmpty {
      let listed = packed.count / width
      guard packed.count % width == 0, listed <= count,
        (type == .float32 && width == 4) || (type == .float64 && width == 8)
      else { throw .wrongNumberList(listed, count) }
      let stored = try bytes.values(at: packed, of: type, count: listed)
      return listed == count ? stored : RepeatedLast(source: stored, count: count)
    }
    var numbers = numbers
    if type == .float16 || type == .bfloat16 {
      guard patterns.count == numbers.count else { throw .mixedNumberList }
      numbers = patterns.map { pattern in
        type == .float16
          ? Double(Half.float(from: pattern)) : Double(BFloat16.float(from: pattern))
      }
    }
    guard numbers.count <= count else { throw .wrongNumberList(numbers.count, count) }
    let stored = NumberSource(numbers: numbers.isEmpty ? [0] : numbers, elementType: type)
    return stored.count == count ? stored : RepeatedLast(source: stored, count: count)
  }
}

extension NetconvError {
  fileprivate static var openTensor: NetconvError {
    NetconvError(.badData, "a tensor that the graph holds does not state its shape")
  }

  fileprivate static var mixedNumberList: NetconvError {
    NetconvError(.badData, "the values of a tensor are written in several ways at once")
  }
}
