import Documents
import Files
import ModelIR

extension ReadSource {
  /// Returns the source with an adapter merged into its weights.
  ///
  /// No value is read; merged values are computed when they are.
  /// - Throws: `badData` if a tensor of the adapter has no counterpart, or one of another shape.
  public func merging(_ adapter: Adapter) throws(NetconvError) -> ReadSource {
    let merge: AdapterMerge
    do throws(NetconvError) {
      merge = try AdapterMerge(adapter, into: network)
    } catch {
      throw error.inFile(adapter.path)
    }
    var source = self
    source.network = try network.mapTensors { tensor in
      merge.sources[tensor.key].map { tensor.reading($0) } ?? tensor
    }
    source.documents += adapter.files
    source.notes += merge.notes
    return source
  }
}

/// The new values of the tensors that an adapter changes.
private struct AdapterMerge {
  private(set) var sources: [TensorKey: any TensorSource] = [:]
  private let adapter: Adapter
  private let names: BaseNames
  private var quantised: [String] = []
  private var merged: [String] = []
  private var replaced = 0

  init(_ adapter: Adapter, into network: Network) throws(NetconvError) {
    self.adapter = adapter
    let parts = try AdapterParts(adapter.tensors)
    names = try BaseNames(
      network,
      wanted: parts.modules.map { $0.name + ".weight" } + parts.replacements.map(\.name))
    for (name, stored) in parts.replacements { try replace(name, by: stored) }
    let isInputsFirst = try isInputsFirst(parts.modules)
    for module in parts.modules {
      do throws(NetconvError) {
        try merge(module, isInputsFirst)
      } catch {
        throw error.inTensor(module.name)
      }
    }
  }

  /// The current values of a tensor, which may be replaced already.
  private func values(of tensor: Tensor) -> any TensorSource {
    sources[tensor.key] ?? tensor.stored.source
  }

  private mutating func replace(_ name: String, by stored: StoredTensor) throws(NetconvError) {
    let tensor = names[name]
    guard stored.sizes == tensor.storedShape else {
      throw NetconvError.otherShape(stored.sizes, tensor.storedShape).inTensor(name)
    }
    guard sources[tensor.key] == nil else { throw NetconvError.changedTwice.inTensor(name) }
    let type = tensor.stored.source.elementType
    guard type.isFloat else { throw NetconvError.baseOfIntegers(type).inTensor(name) }
    sources[tensor.key] =
      type == stored.source.elementType
      ? stored.source : RoundedValues(stored.source, to: type.ofMerged)
    replaced += 1
  }

  private mutating func merge(
    _ module: AdapterParts.Module, _ isInputsFirst: Bool?
  ) throws(NetconvError) {
    let weight = names[module.name + ".weight"]
    let type = weight.stored.source.elementType
    guard type.isFloat else { throw .baseOfIntegers(type) }
    guard !adapter.config.hasMagnitudes || !(weight.stored.source is MergedValues) else {
      throw .magnitudesOfMerged
    }
    let factors = try AdapterFactors(
      module, of: weight.storedShape, adapter.config, isInputsFirst: isInputsFirst)
    sources[weight.key] = MergedValues(
      values(of: weight), factors.product, magnitudes: factors.magnitudes)
    if weight.stored.kind != nil { quantised.append(module.name + ".weight") }
    merged.append(module.name + ".weight")
    try addBias(of: module, factors.product.scale)
  }

  /// Adds the bias of the second factor to the bias of the layer.
  private mutating func addBias(
    of module: AdapterParts.Module, _ scale: Float
  ) throws(NetconvError) {
    guard let bias = module.parts[.bias] else {
      guard !adapter.config.hasBiases || module.parts[.outputFactor] == nil else {
        _ = try module.required(.bias)
        return
      }
      return
    }
    guard adapter.config.hasBiases else { throw .unexpected(.bias, "lora_bias") }
    guard let tensor = names.found(module.name + ".bias") else { throw .noBiasToAddTo }
    guard bias.sizes == tensor.storedShape else {
      throw .otherShape(bias.sizes, tensor.storedShape)
    }
    // A bias is a matrix of one column, times 1.
    let product = LowRankProduct(
      outputFactor: bias.source, inputFactor: ArraySource([1]), rank: 1, scale: scale,
      rows: bias.source.count, columns: 1, isTransposed: false)
    sources[tensor.key] = MergedValues(values(of: tensor), product, magnitudes: nil)
    merged.append(module.name + ".bias")
  }

  /// The order of axes that the shapes of all matrices show; `nil` if they show both or none.
  ///
  /// PEFT takes it from the class of each layer, and the setting may be wrong.
  private func isInputsFirst(_ modules: [AdapterParts.Module]) throws(NetconvError) -> Bool? {
    var orders: Set<Bool> = []
    for module in modules {
      guard let a = module.parts[.inputFactor]?.sizes, let b = module.parts[.outputFactor]?.sizes,
        a.count == 2, b.count == 2, a[1] != b[0]
      else { continue }
      let shape = names[module.name + ".weight"].storedShape
      if shape == [a[1], b[0]] { orders.insert(true) }
      if shape == [b[0], a[1]] { orders.insert(false) }
    }
    guard !orders.isEmpty else { return adapter.config.hasInputsFirst }
    return orders == [adapter.config.hasInputsFirst] ? adapter.config.hasInputsFirst : nil
  }

  /// Notes for the user.
  var notes: [SourceNote] {
    let config = adapter.config
    let kind = config.hasMagnitudes ? "DoRA" : config.isRankStabilized ? "rsLoRA" : "LoRA"
    let name = quoted(Directory.lastComponent(of: adapter.path))
    let alpha = JSONValue.number(config.alpha)
    var text =
      "the adapter \(name) (\(kind), rank \(config.rank), alpha \(alpha)) was merged into \(merged.count == 1 ? "1 tensor" : "\(merged.count) tensors")"
    if replaced > 0 {
      text += ", and replaced \(replaced == 1 ? "1 tensor" : "\(replaced) tensors")"
    }
    text += "; each sum is rounded to the type of the tensor"
    var notes = [
      SourceNote(
        text: text, details: merged.map { quoted($0) }, isWarning: false, isDecision: true)
    ]
    if let dropped = names.note { notes.append(dropped) }
    if !quantised.isEmpty {
      notes.append(
        SourceNote(
          counting: quantised,
          one: "weight is quantised; the adapter was merged into its dequantised values",
          many: "weights are quantised; the adapter was merged into their dequantised values",
          isWarning: true))
    }
    return notes
  }
}

extension ElementType {
  fileprivate var isFloat: Bool { Set<ElementType>.floats.contains(self) || self == .float64 }
}

extension NetconvError {
  fileprivate static func otherShape(_ found: [Int], _ expected: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has the shape \(found) in the adapter, but \(expected) in the base; name the base it was trained on"
    )
  }

  fileprivate static let changedTwice = NetconvError(
    .badData, "is changed twice by the adapter, so that the result is unknown")

  fileprivate static let noBiasToAddTo = NetconvError(
    .badData, "has a bias in the adapter ('lora_bias'), but none in the base to add it to")

  fileprivate static let magnitudesOfMerged = NetconvError(
    .badData,
    "another adapter was merged into it before, and magnitudes (DoRA) belong to the weights alone; merge this one first"
  )

  fileprivate static func baseOfIntegers(_ type: ElementType) -> NetconvError {
    NetconvError(
      .badData,
      "is stored as \(type.rawValue) in the base; an adapter can only be merged into floats")
  }
}
