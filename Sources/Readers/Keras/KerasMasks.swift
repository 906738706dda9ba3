import Documents
import ModelIR
import Operators

/// The handling of an input's mask by a layer; a mask states which steps of a sequence are valid.
///
/// Source: `supports_masking` and `compute_mask` of the layers of Keras 2.15 and 3.15.
enum KerasMaskRule: Sendable {
  /// The output has no mask.
  case drops
  /// The output has the mask of the first input.
  case passes
  /// The mask of the output combines the masks of all inputs.
  case merges
  /// Like `merges`, and the layer's computation uses the masks.
  case combines
  /// Like `merges`, if the layer concatenates channels.
  case concatenates
  /// The layer's computation uses the mask, and the output has none.
  case averages
  /// The layer's computation uses the masks of all inputs, and the output has that of the first.
  case attends
  /// The layer's computation uses the mask in an unsupported way.
  case refuses
  /// The output has a new mask of the values that are not 0.
  case makesPerValue
  /// The output has a new mask of the steps that differ from a given value.
  case makesPerStep
}

/// The mask of a value.
struct KerasMask: Sendable, Equatable {
  /// The node that computes the mask.
  let name: String
  /// The comparison that the mask results from, to recognise equal masks.
  let comparison: String
}

/// The masks of a graph, propagated from layer to layer.
struct KerasMasks {
  /// The known facts about the mask of a value.
  private enum Known: Equatable {
    case none
    case mask(KerasMask)
    /// The mask depends on the version of Keras.
    case unclear
  }

  private let calls: [String: KerasArchitecture.Node]
  private let clearing: KerasMaskClearing
  private var known: [String: Known] = [:]
  private var made: [KerasArchitecture.Node] = []
  /// The calls that only compute masks, which Keras states explicitly.
  private var arithmetic: Set<String> = []

  /// Propagates the masks through `calls`.
  ///
  /// - Parameter attentionClearsMasks: True if attention clears the masks of what it reads; `nil` if that is unknown.
  init(
    _ calls: [KerasArchitecture.Node], outputs: [String], attentionClearsMasks: Bool? = nil
  ) {
    clearing = KerasMaskClearing(calls, attentionClearsMasks)
    self.calls = Dictionary(calls.map { ($0.name, $0) }) { first, _ in first }
    guard calls.contains(where: { $0.makesMask || !$0.masks.isEmpty }) else { return }
    arithmetic = Self.arithmetic(among: calls, outputs)
    var waiting: Set<String> = []
    for call in calls {
      var stack = [call.name]
      while let name = stack.last {
        let next = self.calls[name]?.inputs.first {
          self.calls[$0] != nil && known[$0] == nil && !waiting.contains($0)
        }
        waiting.insert(name)
        if let next {
          stack.append(next)
        } else {
          if known[name] == nil, let call = self.calls[name] { known[name] = find(call) }
          stack.removeLast()
        }
      }
    }
  }

  /// Returns true if a call only computes masks, which are derived without it.
  func isArithmetic(_ call: KerasArchitecture.Node) -> Bool { arithmetic.contains(call.name) }

  /// Returns the mask nodes created since the last call.
  mutating func takeMade() -> [KerasArchitecture.Node] {
    defer { made = [] }
    return made
  }

  /// Returns the node of the mask that a call receives.
  ///
  /// - Throws: `badData` if the mask depends on the version of Keras, or the call states a different one.
  func mask(reaching call: KerasArchitecture.Node) throws(NetconvError) -> String? {
    let rule = KerasLayers.maskRule(of: call.layer)
    guard call.isRecurrent || rule == .averages || rule == .refuses || rule == .combines else {
      return nil
    }
    // Keras 3 uses the mask of a sole tensor only: with initial states, a layer processes all steps.
    if call.isRecurrent, call.layer.kerasVersion >= 3, call.inputs.count > 1, call.masks.isEmpty {
      return nil
    }
    switch reaching(call, rule) {
    case .none:
      guard call.masks.isEmpty else { throw .statedMask }
      return nil
    case .unclear: throw .unclearMask
    case .mask(let mask):
      for stated in call.masks where comparison(of: stated) != mask.comparison {
        throw .statedMask
      }
      return mask.name
    }
  }

  private func reaching(_ call: KerasArchitecture.Node, _ rule: KerasMaskRule) -> Known {
    guard rule == .merges || rule == .combines || rule == .concatenates else {
      return call.inputs.first.map { known(of: $0, at: call) } ?? .none
    }
    let all = call.inputs.map { known(of: $0, at: call) }
    if all.allSatisfy({ $0 == all.first }) { return all.first ?? .none }
    return all.contains { $0 != .none } ? .unclear : .none
  }

  /// Returns the mask of a combination: in Keras 2, the steps that are valid in all masked inputs.
  private mutating func merged(
    _ call: KerasArchitecture.Node, _ rule: KerasMaskRule
  ) -> Known {
    let mask = reaching(call, rule)
    guard mask == .unclear, call.layer.kerasVersion < 3 else { return mask }
    var masks: [KerasMask] = []
    for input in call.inputs {
      switch known(of: input, at: call) {
      case .none: break
      case .unclear: return .unclear
      case .mask(let mask): if !masks.contains(mask) { masks.append(mask) }
      }
    }
    guard masks.count > 1, let first = masks.first else {
      return masks.first.map(Known.mask) ?? .none
    }
    var node = call
    (node.name, node.inputs) = (call.name + "/mask", masks.map(\.name))
    (node.masks, node.operation) = ([], KerasMerge.product)
    made.append(node)
    return .mask(
      KerasMask(
        name: node.name,
        comparison: masks.dropFirst().reduce(first.comparison) { "\($0) and \($1.comparison)" }))
  }

  /// Determines the mask of a call's output.
  private mutating func find(_ call: KerasArchitecture.Node) -> Known {
    if call.isRecurrent {
      let isSequence =
        call.layer.settings["return_sequences"] == .bool(true)
        || call.layer.settings["layer"]?["config"]?["return_sequences"] == .bool(true)
      let mask = isSequence ? reaching(call, .passes) : .none
      if call.layer.className == KerasBidirectional.className,
        call.layer.value(of: "merge_mode") == .null
      {
        known[KerasArchitecture.Node.output(1, of: call.name)] = mask
      }
      return mask
    }
    let rule = KerasLayers.maskRule(of: call.layer)
    switch rule {
    case .drops, .averages, .refuses: return .none
    case .passes, .attends: return reaching(call, rule)
    case .merges, .combines: return merged(call, rule)
    case .concatenates:
      let mask = merged(call, rule)
      return mask == .none || call.layer.concatenatesChannels ? mask : .unclear
    case .makesPerValue, .makesPerStep:
      guard call.makesMask, !call.isReversed, let input = call.inputs.first else { return .none }
      let value = call.layer.settings["mask_value"]?.double ?? 0
      let isPerValue = rule == .makesPerValue
      var node = call
      node.name = call.name + "/mask"
      node.operation = KerasMasking.mask(value: value, isPerValue: isPerValue)
      made.append(node)
      return .mask(
        KerasMask(
          name: node.name,
          comparison: (isPerValue ? "" : "any ") + Self.comparison(of: input, with: value)))
    }
  }
}

// MARK: - Attention

extension KerasMasks {
  /// Returns what is known of the mask that a value has when it is read.
  private func known(of input: String, at call: KerasArchitecture.Node) -> Known {
    let mask = known[input] ?? .none
    // A stated mask was computed before.
    guard mask != .none, call.masks.isEmpty else { return mask }
    switch clearing.hasCleared(input, before: call.name) {
    case false: return mask
    case true: return .none
    case nil: return .unclear
    }
  }

  /// Returns the node of the mask of an input of attention, which the call may state.
  ///
  /// - Parameter stated: The mask that the call states; `nil` if it states none.
  /// - Throws: `badData` if the mask depends on the version of Keras, or is computed in an unknown way.
  func mask(
    of input: String, stated: String?, at call: KerasArchitecture.Node
  ) throws(NetconvError) -> String? {
    guard let stated else {
      switch known(of: input, at: call) {
      case .none: return nil
      case .mask(let mask): return mask.name
      case .unclear: throw .unclearMask
      }
    }
    guard arithmetic.contains(stated) else { return stated }
    guard case .mask(let mask)? = known[input], comparison(of: stated) == mask.comparison else {
      throw .statedMask
    }
    return mask.name
  }
}

// MARK: - Stated masks of Keras 3

extension KerasMasks {
  /// The functions in mask computations; HDF5 files do not mark those with a `dtype` as functions.
  private static let functions: Set<String> = [
    "ops.NotEqual", "ops.Any", "ops.All", "ops.LogicalOr", "ops.LogicalAnd", "ops.ExpandDims",
    "ops.ZerosLike", "ZerosLike", "ops.OnesLike", "OnesLike", "ops.Concatenate",
    "ops.ConvertToTensor", "ConvertToTensor",
  ]

  /// Returns the calls that only contribute to stated masks.
  private static func arithmetic(
    among calls: [KerasArchitecture.Node], _ outputs: [String]
  ) -> Set<String> {
    let candidates = calls.filter { functions.contains($0.layer.className) }
    let inputs = Dictionary(candidates.map { ($0.name, $0.inputs) }) { first, _ in first }
    var unused = Set(candidates.map(\.name))
    var used = calls.filter { !unused.contains($0.name) }.flatMap(\.inputs) + outputs
    while let name = used.popLast() {
      if unused.remove(name) != nil { used += inputs[name] ?? [] }
    }
    return unused
  }

  private static func comparison(of input: String, with value: Double) -> String {
    "\(input) ≠ \(value)"
  }

  /// Returns the comparison that a stated mask is computed from, if there is exactly one.
  private func comparison(of name: String) -> String? {
    var found: Set<String> = []
    var seen: Set<String> = []
    var waiting = [name]
    while let name = waiting.popLast() {
      guard seen.insert(name).inserted else { continue }
      guard let call = calls[name], Self.functions.contains(call.layer.className) else {
        return nil
      }
      switch call.layer.className {
      case "ops.ZerosLike", "ZerosLike": break
      case "ops.OnesLike", "OnesLike": return nil
      case "ops.Any":
        if let input = call.inputs.first, let comparison = notEqual(input) {
          found.insert("any " + comparison)
        } else {
          waiting += call.inputs
        }
      case "ops.NotEqual":
        guard let comparison = notEqual(name) else { return nil }
        found.insert(comparison)
      default: waiting += call.inputs
      }
    }
    return found.count == 1 ? found.first : nil
  }

  private func notEqual(_ name: String) -> String? {
    guard let call = calls[name], call.layer.className == "ops.NotEqual",
      call.layer.operands.count == 2, call.layer.operands[0] == .tensor,
      case .constant(let constant) = call.layer.operands[1], let value = constant.double
    else { return nil }
    return Self.comparison(of: call.inputs[0], with: value)
  }
}

extension KerasArchitecture.Node {
  /// True if the layer processes a sequence step by step, or contains layers that do.
  fileprivate var isRecurrent: Bool {
    KerasRecurrent.stateCount(of: layer.className) != nil
      || layer.className == KerasBidirectional.className
      || layer.className == KerasRecurrentCell.className
  }

  /// True if the output of the call has a new mask.
  fileprivate var makesMask: Bool {
    switch KerasLayers.maskRule(of: layer) {
    case .makesPerStep: true
    case .makesPerValue: layer.settings["mask_zero"] == .bool(true)
    default: false
    }
  }
}

extension KerasLayers {
  /// Returns the mask rule of a layer; replacements of unsupported layers drop the mask.
  static func maskRule(of layer: KerasLayerConfig) -> KerasMaskRule {
    mapping(of: layer.className)?.maskRule(layer) ?? .drops
  }
}

extension NetconvError {
  fileprivate static let unclearMask = NetconvError(
    .badData,
    "the inputs have different masks, or only some have one, and versions of Keras treat them differently"
  )

  fileprivate static let statedMask = NetconvError(
    .badData,
    "the call states a mask that is not the one that its input has; such masks are not read")
}
