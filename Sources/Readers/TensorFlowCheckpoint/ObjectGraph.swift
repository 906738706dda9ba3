import Digests
import Files
import ModelIR
import ProtocolBuffers

/// The object graph of a TensorFlow 2 checkpoint: the objects with their variables and attribute names.
///
/// Source: tensorflow/core/protobuf/trackable_object_graph.proto.
struct ObjectGraph: Sendable {
  /// An object of the graph.
  struct Node: Sendable {
    /// The child objects by attribute name.
    fileprivate(set) var children: [(name: String, node: Int)] = []
    /// The saved variables of the object.
    fileprivate(set) var values: [Value] = []
    /// The slot variables of an optimizer.
    fileprivate(set) var slots: [Int] = []

    /// Returns the child named `name`.
    func child(_ name: String) -> Int? { children.first { $0.name == name }?.node }
  }

  /// A saved variable of an object.
  struct Value: Sendable {
    /// The program's name of the variable: `conv1/kernel`; empty if it has none.
    fileprivate(set) var fullName = ""
    /// The key in the checkpoint.
    fileprivate(set) var key = ""
  }

  /// The objects; the first is the root.
  private(set) var nodes: [Node] = []

  /// The maximum number of objects and their members; a network of a million layers has fewer.
  private static let limit = 1 << 22

  /// The key of the graph in a checkpoint.
  static let key = "_CHECKPOINTABLE_OBJECT_GRAPH"

  private enum Field {
    static let node = 1
    static let children = 1
    static let attributes = 2
    static let slots = 3
    static let childNode = 1
    static let childName = 2
    static let fullName = 2
    static let checkpointKey = 3
    static let slotNode = 3
  }

  /// Reads a TrackableObjectGraph.
  ///
  /// - Throws: `badData` if the message is invalid.
  init(_ message: WireMessage) throws(NetconvError) {
    var left = Self.limit
    try message.forEachField { (field) throws(NetconvError) in
      guard field.number == Field.node else { return }
      let node = try Self.node(field.inner("TrackableObject"))
      left -= 1 + node.children.count + node.values.count + node.slots.count
      guard left >= 0 else { throw .tooManyObjects(Self.limit) }
      nodes.append(node)
    }
    for node in nodes {
      for other in node.children.map(\.node) + node.slots where !nodes.indices.contains(other) {
        throw .noSuchObject(other, count: nodes.count)
      }
    }
  }

  /// The checkpoint keys by the program's names, for names that are unique.
  var keysByFullName: [String: String] {
    var keys: [String: Set<String>] = [:]
    for value in nodes.flatMap(\.values) where !value.fullName.isEmpty {
      keys[value.fullName, default: []].insert(value.key)
    }
    return keys.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  private static func node(_ message: WireMessage) throws(NetconvError) -> Node {
    var node = Node()
    try message.forEachField { (field) throws(NetconvError) in
      switch field.number {
      case Field.children:
        var (name, number) = ("", 0)
        try field.inner("ObjectReference").forEachField { (field) throws(NetconvError) in
          switch field.number {
          case Field.childNode: number = try field.integer()
          case Field.childName: name = try field.text()
          default: break
          }
        }
        node.children.append((name, number))
      case Field.attributes:
        var value = Value()
        try field.inner("SerializedTensor").forEachField { (field) throws(NetconvError) in
          switch field.number {
          case Field.fullName: value.fullName = try field.text()
          case Field.checkpointKey: value.key = try field.text()
          default: break
          }
        }
        node.values.append(value)
      case Field.slots:
        try field.inner("SlotVariableReference").forEachField { (field) throws(NetconvError) in
          if field.number == Field.slotNode { node.slots.append(try field.integer()) }
        }
      default: break
      }
    }
    return node
  }
}

extension TensorFlowCheckpoint {
  /// Returns the object graph of the checkpoint; `nil` if it is name-based.
  ///
  /// - Throws: `badData` if the graph is damaged.
  func objectGraph() throws(NetconvError) -> ObjectGraph? {
    guard let entry = self[ObjectGraph.key], entry.type == .string, let part = entry.parts.first
    else { return nil }
    do throws(NetconvError) {
      let text = try Self.text(part)
      return try ObjectGraph(
        WireBytes(part.file).message("TrackableObjectGraph", at: text))
    } catch {
      throw error.inTensor(entry.name).inFile(part.file.path)
    }
  }

  /// Returns the range of a tensor's only string, after its length and the length's checksum.
  ///
  /// Source: tensorflow/core/util/tensor_bundle/tensor_bundle.cc, `ReadStringTensor`.
  private static func text(_ part: Part) throws(NetconvError) -> Range<Int> {
    var window = FileWindow(table: part.file)
    var start = part.range.lowerBound
    let length = try window.varint(&start, before: part.range.upperBound)
    let text = start + 4..<part.range.upperBound
    guard part.count == 1, part.range.upperBound - start >= 4, length == text.count,
      let length = UInt32(exactly: length)
    else { throw .wrongText }
    let stated = try part.file.bytes(at: start, count: 4)
    let lengthBytes = withUnsafeBytes(of: length.littleEndian) { Array($0) }
    guard CRC32C.masked(of: lengthBytes) == stated.reversed().reduce(0, { $0 << 8 | UInt32($1) })
    else { throw .wrongText }
    var checksum = CRC32C()
    (lengthBytes + stated).withUnsafeBytes { checksum.update($0) }
    try part.file.forEachChunk(in: text) { checksum.update($0) }
    guard checksum.masked == part.checksum else { throw .wrongText }
    return text
  }
}

extension NetconvError {
  fileprivate static func noSuchObject(_ number: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData, "refers to object \(number), but there are \(count); the file is damaged")
  }

  fileprivate static func tooManyObjects(_ limit: Int) -> NetconvError {
    NetconvError(.badData, "holds more than \(limit) objects and names of objects")
  }

  fileprivate static var wrongText: NetconvError {
    NetconvError(
      .badData, "the text does not match its length and checksum; the file is damaged")
  }
}
