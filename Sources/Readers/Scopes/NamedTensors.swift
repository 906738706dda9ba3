import Files
import ModelIR

/// The named tensors of a file without a graph: weights and others.
struct NamedTensors: Sendable {
  private(set) var weights: [(name: String, stored: StoredTensor)] = []
  /// Integer tensors that are not weights: counters, indices, masks.
  private(set) var buffers: [String] = []
  /// The error about packed weights; `nil` if there are none.
  let refusal: NetconvError?
  /// True if the source stores quantised weights, dequantised or not.
  private(set) var holdsCodes = false
  /// The files with the quantisation settings.
  private(set) var documents: [RandomAccessFile] = []

  /// Classifies tensors with distinct names.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files that describe how weights are quantised; `nil` for formats without such files.
  ///   - readsCodes: True if quantised weights remain codes and scales.
  ///   - scaled: The names of weights whose scales are applied already.
  init(
    _ found: [(name: String, stored: StoredTensor)], beside folder: String? = nil,
    readsCodes: Bool = false, scaled: Set<String> = []
  ) {
    // Nearly all networks only have floats.
    guard found.indices.contains(where: { found[$0].stored.isCoded }) else {
      weights = found
      refusal = nil
      return
    }
    if readsCodes {
      weights = found.map { ($0.name, $0.stored.readExactly) }
      holdsCodes = true
      refusal = Self.unread(found)
      return
    }
    var tensors = found
    var products = scaled
    var problem: NetconvError?
    do throws(NetconvError) {
      if let folder {
        let config = try QuantizationConfig(beside: folder)
        documents = config.documents
        (tensors, products) = try QuantizedForms.resolved(found, config)
        holdsCodes = !products.isEmpty
      }
    } catch {
      problem = error
      holdsCodes = true
    }
    if let problem {
      // Inspection lists the codes.
      weights = found
      refusal = problem
      return
    }
    let packed = Self.packed(tensors, besides: products)
    refusal = packed.isEmpty ? Self.unread(tensors) : .packedTensors(packed)
    var integers: [(name: String, stored: StoredTensor)] = []
    let refused = Set(packed)
    for tensor in tensors where !refused.contains(tensor.name) {
      if tensor.stored.isCountingNumber(called: tensor.name) {
        integers.append(tensor)
      } else {
        weights.append(tensor)
      }
    }
    // If there are no other tensors, the integers are the weights.
    if weights.isEmpty {
      weights = integers
    } else {
      buffers = integers.map(\.name)
    }
  }

  /// Returns packed integers, which only have a meaning with group-wise scales.
  ///
  /// Source: mlx/python/mlx/nn/layers/quantized.py; the checkpoints of AutoGPTQ, AutoAWQ and bitsandbytes.
  private static func packed(
    _ tensors: [(name: String, stored: StoredTensor)], besides products: Set<String>
  ) -> [String] {
    let coded = tensors.filter { $0.stored.isCoded }
    let names = Set(tensors.map(\.name))
    let scopesOfScales = Set(tensors.map(\.name).filter(isScale).map { $0.splitAtLast(".").scope })
    return coded.filter { name, stored in
      if products.contains(name) { return false }
      if stored.kind != nil { return isScaled(name, scopesOfScales) }
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

  /// Returns the error for tensors whose values cannot be read; `nil` if there are none.
  private static func unread(
    _ tensors: [(name: String, stored: StoredTensor)]
  ) -> NetconvError? {
    let unread = tensors.compactMap { tensor in
      (tensor.stored.source as? UnreadValues).map { (tensor.name, $0.kind) }
    }
    return unread.isEmpty ? nil : .unreadTensors(unread)
  }

  private static func isScale(_ name: String) -> Bool {
    name.splitAtLast(".").last.lowercased().contains("scale")
  }

  /// Returns true if codes have a scale beside them, whatever its name.
  private static func isScaled(_ name: String, _ scopesOfScales: Set<String>) -> Bool {
    !isScale(name)
      && (scopesOfScales.contains(name.splitAtLast(".").scope) || scopesOfScales.contains(name))
  }

  /// Reports the buffers to the user; `nil` if there are none.
  var buffersNote: SourceNote? {
    guard !buffers.isEmpty else { return nil }
    return SourceNote(
      counting: buffers, one: "buffer of integers is not a weight and was left out",
      many: "buffers of integers are not weights and were left out")
  }
}

extension SourceNote {
  private static let namesListed = 12

  /// Creates a remark about the number of some things, which it lists.
  ///
  /// - Parameters:
  ///   - one: The text after "1" for a single name.
  ///   - many: The text after the number of several.
  init(counting names: [String], one: String, many: String, isWarning: Bool = false) {
    self.init(
      text: names.count == 1 ? "1 \(one)" : "\(names.count) \(many)",
      details: [Self.list(names)], isWarning: isWarning)
  }

  /// Joins names in one line, up to a maximum number.
  package static func list(_ names: [String]) -> String {
    let shown = names.prefix(namesListed).quotedList
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
  /// True if the values may be codes of other values.
  fileprivate var isCoded: Bool { kind != nil || source.elementType.isInteger }

  /// True if the values are stored as integers.
  var isInteger: Bool { kind == nil && source.elementType.isInteger }

  /// The tensor; reading integers that float32 cannot represent as float32 is an error.
  fileprivate var readExactly: StoredTensor {
    guard isInteger, source.elementType.byteCount >= 4 else { return self }
    var stored = self
    stored.source = ExactIntegers(integers: source)
    return stored
  }

  /// Returns true if the values are integers but not weights.
  fileprivate func isCountingNumber(called name: String) -> Bool {
    guard source.elementType.isInteger else { return false }
    let last = name.splitAtLast(".").last.lowercased()
    return !["weight", "kernel", "bias"].contains(where: last.contains)
  }
}

extension NetconvError {
  static func unreadTensors(_ tensors: [(name: String, kind: String)]) -> NetconvError {
    NetconvError(
      .badData,
      tensors.count == 1
        ? "has a tensor of a type that is listed and not read"
        : "has \(tensors.count) tensors of types that are listed and not read",
      details: tensors.map { "\(quoted($0.name)) (\($0.kind))" })
  }

  static func packedTensors(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text: Message(
        text: (names.count == 1 ? "has a weight" : "has \(names.count) weights")
          + " of codes that stand for other values, by scales in a form that netconv does not know; save the network as "
          + "it was before it was quantised"),
      list: [Message(text: SourceNote.list(names))])
  }
}

extension ReadSource {
  /// Creates a source whose network consists of named tensors.
  ///
  /// - Parameter problem: Another error; `nil` if there is none.
  /// - Throws: The error, or an error about the weights, unless the options accept partial contents.
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
    holdsCodes = named.holdsCodes
    documents = named.documents
  }
}
