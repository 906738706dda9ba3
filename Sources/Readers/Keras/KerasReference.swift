import Documents
import ModelIR

/// A reference to output `tensor` of call `node` of a layer.
struct KerasReference: Sendable {
  let layer: String
  let node: Int
  let tensor: Int

  /// The marker that Keras 2 writes instead of a layer's name before a constant argument.
  static let constantName = "_CONSTANT_VALUE"

  /// The accepted range of call and output numbers.
  private static let numbers = 0..<1_000_000

  /// Returns every reference in a value, in order.
  ///
  /// Keras 2 writes `["conv1", 0, 0, {}]`, Keras 3 an object of class `__keras_tensor__` with a `keras_history`. Both
  /// nest references in lists, and Keras 3 also in keyword arguments.
  /// - Throws: `badData` if the number of a call or an output is out of range.
  static func all(in value: JSONValue) throws(NetconvError) -> [KerasReference] {
    var references: [KerasReference] = []
    try collect(value, into: &references)
    return references
  }

  /// The name of the mask argument.
  private static let maskName = "mask"

  /// Returns every reference in a call's mask argument, in order.
  ///
  /// Keras 3 also writes the masks that it computes itself.
  /// - Throws: `badData` if the number of a call or an output is out of range.
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

  /// Returns the `training` argument of a call; `nil` if it has none.
  static func isTraining(in value: JSONValue) -> Bool? {
    switch value {
    case .array(let elements): return elements.lazy.compactMap { isTraining(in: $0) }.first
    case .object(let members):
      guard let training = members["training"] else {
        return members["kwargs"].flatMap { isTraining(in: $0) }
      }
      // A value that is not a Boolean is computed, and may be true.
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

  init(layer: String, node: Int = 0, tensor: Int = 0) {
    self.layer = layer
    self.node = node
    self.tensor = tensor
  }
}

extension NetconvError {
  fileprivate static func wrongReference(_ name: String, node: Double, tensor: Double)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "the configuration refers to output \(JSONValue.number(tensor)) of call \(JSONValue.number(node)) of "
        + "\(quoted(name)), which is invalid; both are integers from 0 to 999999")
  }
}
