import Documents
import ModelIR

/// A reference to a tensor: output number `tensor` of call number `node` of a layer.
struct KerasReference: Sendable {
  let layer: String
  let node: Int
  let tensor: Int

  /// What Keras 2 writes in the place of a layer before a constant that a function was called with.
  static let constantName = "_CONSTANT_VALUE"

  /// The numbers of calls and of outputs that are believed.
  private static let numbers = 0..<1_000_000

  /// Every reference in a value, in order.
  ///
  /// Keras 2 writes `["conv1", 0, 0, {}]`, Keras 3 an object of class `__keras_tensor__` with a
  /// `keras_history`; both nest them in lists, and Keras 3 in arguments by name.
  /// - Throws: `badData` if the number of a call or of an output cannot be one.
  static func all(in value: JSONValue) throws(NetconvError) -> [KerasReference] {
    var references: [KerasReference] = []
    try collect(value, into: &references)
    return references
  }

  /// The argument that says which steps of a sequence count.
  private static let maskName = "mask"

  /// Every reference in the mask that a call was given by name, in order.
  ///
  /// Keras 3 writes the masks that it has computed itself.
  /// - Throws: `badData` if the number of a call or of an output cannot be one.
  static func masks(in value: JSONValue) throws(NetconvError) -> [KerasReference] {
    switch value {
    case .array(let elements):
      var masks: [KerasReference] = []
      for element in elements { masks += try self.masks(in: element) }
      return masks
    case .object(let members):
      if let mask = members[maskName] { return try all(in: mask) }
      return try members["kwargs"].map { kwargs throws(NetconvError) in try masks(in: kwargs) }
        ?? []
    default: return []
    }
  }

  /// Whether a call states that the layer is to act as in training, or is not to; `nil` if it leaves it open.
  static func isTraining(in value: JSONValue) -> Bool? {
    switch value {
    case .array(let elements): return elements.lazy.compactMap { isTraining(in: $0) }.first
    case .object(let members):
      guard let training = members["training"] else {
        return members["kwargs"].flatMap { isTraining(in: $0) }
      }
      // What is no truth value is computed, and may be one.
      return training == .null ? nil : training.truth ?? true
    default: return nil
    }
  }

  private static func collect(
    _ value: JSONValue, into references: inout [KerasReference]
  ) throws(NetconvError) {
    if let history = value["config"]?["keras_history"] {
      return try collect(history, into: &references)
    }
    switch value {
    case .array(let elements):
      var rest = elements[...]
      if elements.count >= 3, let name = elements[0].string, let node = elements[1].double,
        let tensor = elements[2].double
      {
        if name != constantName {
          references.append(try KerasReference(name, node: node, tensor: tensor))
        }
        rest = elements.dropFirst(3)
      }
      for element in rest { try collect(element, into: &references) }
    case .object(let members):
      if let arguments = members["args"] { try collect(arguments, into: &references) }
      for (key, member) in members.sorted(by: { $0.key < $1.key })
      where key != "args" && key != maskName {
        try collect(member, into: &references)
      }
    default:
      break
    }
  }

  private init(_ layer: String, node: Double, tensor: Double) throws(NetconvError) {
    guard let call = Int(exactly: node), let output = Int(exactly: tensor),
      Self.numbers.contains(call), Self.numbers.contains(output)
    else { throw .wrongReference(layer, node: node, tensor: tensor) }
    self.init(layer: layer, node: call, tensor: output)
  }

  /// A reference to output `tensor` of call `node`.
  init(layer: String, node: Int = 0, tensor: Int = 0) {
    self.layer = layer
    self.node = node
    self.tensor = tensor
  }
}
