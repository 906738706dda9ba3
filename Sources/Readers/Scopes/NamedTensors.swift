import Files
import ModelIR

/// Tensors of a file without a graph, by name: those that are weights, and what else there is.
struct NamedTensors: Sendable {
  private(set) var weights: [(name: String, stored: StoredTensor)] = []
  /// Integers that no layer multiplies by: counters, places, masks.
  private(set) var buffers: [String] = []
  /// What is wrong with weights that stand for other values; `nil` if none do.
  let refusal: NetconvError?

  /// Sorts tensors, whose names differ.
  init(_ tensors: [(name: String, stored: StoredTensor)]) {
    // Nearly all networks have nothing but floats.
    guard tensors.indices.contains(where: { tensors[$0].stored.source.elementType.isInteger })
    else {
      weights = tensors
      refusal = nil
      return
    }
    let packed = Self.packed(tensors)
    refusal = packed.isEmpty ? nil : .packedTensors(packed)
    var integers: [(name: String, stored: StoredTensor)] = []
    let refused = Set(packed)
    for tensor in tensors where !refused.contains(tensor.name) {
      if tensor.stored.isCountingNumber(called: tensor.name) {
        integers.append(tensor)
      } else {
        weights.append(tensor)
      }
    }
    // Where there is nothing else, they are what there is.
    if weights.isEmpty {
      weights = integers
    } else {
      buffers = integers.map(\.name)
    }
  }

  /// Integers that only groups of scales give a meaning.
  ///
  /// Source: mlx/python/mlx/nn/layers/quantized.py; the checkpoints of AutoGPTQ, AutoAWQ and bitsandbytes.
  private static func packed(_ tensors: [(name: String, stored: StoredTensor)]) -> [String] {
    let integers = tensors.filter { $0.stored.source.elementType.isInteger }
    let names = Set(tensors.map(\.name))
    return integers.filter { name, _ in
      let (scope, last) = name.splitAtLast(".")
      let start = scope.isEmpty ? "" : scope + "."
      switch last {
      case "qweight": return true
      case "weight":
        return ["scales", "SCB", "weight.absmax", "weight.quant_map", "weight_scale"].contains {
          names.contains(start + $0)
        }
      default: return false
      }
    }.map(\.name)
  }

  /// What a user should know of the buffers; `nil` if there are none.
  var buffersNote: SourceNote? {
    guard !buffers.isEmpty else { return nil }
    return SourceNote(
      text: buffers.count == 1
        ? "1 buffer of integers is not a weight and was left out"
        : "\(buffers.count) buffers of integers are not weights and were left out",
      details: [SourceNote.list(buffers)], isWarning: false)
  }
}

extension SourceNote {
  private static let namesListed = 12

  /// Names in a line, not too many.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(namesListed).map { quoted($0) }.joined(separator: ", ")
    return names.count > namesListed ? "\(shown) and \(names.count - namesListed) more" : shown
  }
}

extension ElementType {
  fileprivate var isInteger: Bool {
    switch self {
    case .float16, .bfloat16, .float32, .float64: false
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: true
    }
  }
}

extension StoredTensor {
  /// Whether the values are integers that no layer multiplies by.
  fileprivate func isCountingNumber(called name: String) -> Bool {
    guard source.elementType.isInteger else { return false }
    let last = name.splitAtLast(".").last.lowercased()
    return !["weight", "kernel", "bias"].contains(where: last.contains)
  }
}

extension NetconvError {
  static func packedTensors(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text: Message(
        text: (names.count == 1 ? "has a weight" : "has \(names.count) weights")
          + " of integers that stand for other values, by scales for groups of them; save the network as it was "
          + "before it was quantised"),
      list: [Message(text: SourceNote.list(names))])
  }
}

extension ReadSource {
  /// Tensors by name, as the weights of a network.
  ///
  /// - Parameter problem: what else is wrong; `nil` if nothing is.
  /// - Throws: the problem, or what is wrong with weights, unless everything will do.
  init(
    _ named: NamedTensors, called network: String, format: String, path: String,
    framework: String?, files: [RandomAccessFile], notes: [SourceNote],
    problem: NetconvError? = nil, unchecked: [UncheckedPart] = [], _ options: ReaderOptions
  ) throws(NetconvError) {
    let problem = problem ?? named.refusal
    if let problem, !options.acceptsNothing { throw problem }
    self.init(
      format: format, path: path, framework: framework, files: files,
      network: .weights(
        try Weights(name: network, scoped: TorchNames.scoped(named.weights, network: network))),
      converted: nil, notes: notes + [named.buffersNote].compactMap(\.self), unchecked: unchecked)
    self.problem = problem
    leftOutCount = named.buffers.count
  }
}
