import Documents
import ModelIR

/// The arguments of an attention layer's call, by name.
struct KerasAttentionCall<Value: Sendable>: Sendable {
  /// The tensors: `query`, `value`, `key`, `attention_mask`, and `query_mask` and `value_mask` as far as they are stated.
  private(set) var tensors: [String: Value]
  /// The arrays that the configuration contains instead of a tensor.
  let arrays: [String: JSONValue]
  /// True if no query attends to later steps.
  let usesCausalMask: Bool
  /// True if the call states the masks of its inputs, even if there are none.
  let statesMasks: Bool
  /// The width of the queries, if the call states it.
  let queryWidth: Int?

  /// Returns the same arguments with other values.
  func resolved<Other: Sendable>(
    _ resolve: (Value) throws(NetconvError) -> Other
  ) throws(NetconvError) -> KerasAttentionCall<Other> {
    var others: [String: Other] = [:]
    for (name, tensor) in tensors { others[name] = try resolve(tensor) }
    return KerasAttentionCall<Other>(
      tensors: others, arrays: arrays, usesCausalMask: usesCausalMask, statesMasks: statesMasks,
      queryWidth: queryWidth)
  }
}

extension KerasAttentionCall where Value == KerasReference {
  /// Reads a call of a layer.
  ///
  /// - Returns: `nil` if the layer is no attention.
  /// - Throws: `badData` if a tensor is missing, or an argument is not what Keras writes.
  ///
  /// Source: `call` of keras/src/layers/attention and tf_keras/src/layers/attention.
  init?(of layer: KerasLayerConfig, _ call: JSONValue) throws(NetconvError) {
    guard KerasAttention.isAttention(layer.className) else { return nil }
    let takesList = KerasAttention.classNames.contains(layer.className)
    var arguments = Self.arguments(call, takesList: takesList)
    if takesList {
      Self.name(arguments["inputs"], ["query", "value", "key"], in: &arguments)
      Self.name(arguments["mask"], ["query_mask", "value_mask"], in: &arguments)
    }
    var tensors: [String: KerasReference] = [:]
    var arrays: [String: JSONValue] = [:]
    for name in Self.names {
      guard let value = arguments[name], value != .null else { continue }
      let found = try KerasReference.all(in: value)
      switch found.count {
      case 0: arrays[name] = Self.array(value)
      case 1: tensors[name] = found[0]
      default: throw .severalTensors(name)
      }
    }
    for name in ["query", "value"] where tensors[name] == nil { throw .missingTensor(name) }
    self.init(
      tensors: tensors, arrays: arrays,
      usesCausalMask: arguments["use_causal_mask"]?.truth ?? false,
      statesMasks: takesList && arguments["mask"]?.array != nil,
      queryWidth: arguments["query"]?["config"]?["shape"]?.array?.last?.int)
  }

  private static var names: [String] {
    ["query", "value", "key", "query_mask", "value_mask", "key_mask", "attention_mask"]
  }

  /// Returns the arguments by name.
  private static func arguments(_ call: JSONValue, takesList: Bool) -> [String: JSONValue] {
    let positional =
      takesList
      ? ["inputs", "mask", "training", "return_attention_scores", "use_causal_mask"]
      : names + ["return_attention_scores", "training", "use_causal_mask"]
    guard let nodes = call.array else {
      var named = Dictionary(
        zip(positional, call["args"]?.array ?? []).map { ($0, $1) }
      ) { first, _ in first }
      if case .object(let members)? = call["kwargs"] { named.merge(members) { $1 } }
      return named
    }
    // Keras 2 writes the tensors of the first argument, each followed by all arguments with names.
    var named: [String: JSONValue] = [:]
    if case .object(let members)? = nodes.first?.array?.dropFirst(3).first { named = members }
    let tensors = nodes.map { JSONValue.array(Array(($0.array ?? []).prefix(3))) }
    named[positional[0]] = takesList ? .array(tensors) : tensors.first ?? .null
    return named
  }

  private static func name(
    _ list: JSONValue?, _ names: [String], in arguments: inout [String: JSONValue]
  ) {
    for (name, value) in zip(names, list?.array ?? []) { arguments[name] = value }
  }

  /// Returns the elements of an array, without the words that mark it.
  private static func array(_ value: JSONValue) -> JSONValue {
    if let elements = value.array, elements.first?.string == KerasReference.constantName,
      elements.count > 2
    {
      return elements[2]
    }
    return KerasLayerConfig.unwrapped(value)
  }
}

extension NetconvError {
  fileprivate static func severalTensors(_ argument: String) -> NetconvError {
    NetconvError(.badData, "the argument \(argument) of the call is several tensors, expected one")
  }

  fileprivate static func missingTensor(_ argument: String) -> NetconvError {
    NetconvError(.badData, "the call has no tensor for the argument \(argument)")
  }
}
