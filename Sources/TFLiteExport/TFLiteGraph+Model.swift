import FlatBuffers
import ModelIR
import Operators

extension TFLiteGraph {
  /// Creates the graph of a model.
  ///
  /// - Parameters:
  ///   - model: a model with its tensors in the layouts of TensorFlow Lite.
  ///   - stored: the name and the element type of each tensor in the file.
  /// - Throws: `badData` with the layer that TensorFlow Lite does not support.
  public init(
    _ model: Model, stored: [TensorKey: (name: String, type: ElementType)]
  ) throws(NetconvError) {
    if let input = model.inputs.first(where: { !($0.preprocessing ?? []).isEmpty }) {
      throw .preprocessedInputOfTFLite(input.name)
    }
    var assembly = try TFLiteAssembly(model, stored)
    self = try assembly.graph()
  }
}

/// The nodes of a model, layer by layer.
private struct TFLiteAssembly {
  private let model: Model
  private var builder: TFLiteGraphBuilder
  private var values: [String: TFLiteValue] = [:]

  init(_ model: Model, _ stored: [TensorKey: TFLiteGraphBuilder.Stored]) throws(NetconvError) {
    self.model = model
    let inputs = model.inputs.map { input in
      TFLiteValue(
        name: input.name,
        sizes: [.open(1)] + input.shape.dimensions.map { $0.map { .fixed($0) } ?? .open(1) })
    }
    builder = TFLiteGraphBuilder(
      inputs: inputs, names: Set(model.inputs.map(\.name) + model.computedNames), stored: stored)
    for input in inputs { values[input.name] = input }
    let needed = model.layersNeeded(for: Set(model.outputs))
    for layer in model.layers
    where layer.outputs.contains(where: { needed.contains($0.name) }) {
      do throws(NetconvError) {
        try add(layer)
      } catch {
        throw error.inLayer(layer.name)
      }
    }
  }

  private mutating func add(_ layer: Layer) throws(NetconvError) {
    guard let form = layer.operation as? any TFLiteForm else {
      throw .notInTFLite(type(of: layer.operation).name)
    }
    builder.begin(layer.name)
    let outputs = try form.write(
      layer.inputs.compactMap { values[$0] }, TFLiteLayer(layer), to: &builder)
    for (output, value) in zip(layer.outputs, outputs) {
      // A form that computed other sizes than the operator would be a mistake of this module.
      guard value.shape.isCompatible(with: output.shape) else {
        throw .wrongShapeForTFLite(value.shape, expected: output.shape)
      }
      values[output.name] = value
    }
  }

  /// Returns the graph, with the names of the model's values.
  mutating func graph() throws(NetconvError) -> TFLiteGraph {
    let inputs = Set(model.inputs.map(\.name))
    var names = try namedOutputs()
    let wanted = Set(names.keys)
    let needed = needed(builder.nodes, for: wanted)
    let used = Set(needed.flatMap { $0.inputs + $0.outputs })
    // A value that several layers have is named after the one that computes it.
    for name in model.computedNames where !names.values.contains(name) {
      guard var value = values[name] else { continue }
      // Nothing reads the numbers that truth values were converted to.
      if let truths = builder.truths[value.name], !used.contains(value.name) { value = truths }
      if names[value.name] == nil, !inputs.contains(value.name) { names[value.name] = name }
    }
    let outputs = Set(wanted.compactMap { names[$0] })
    let nodes = needed.map { $0.renamed(names) }.fusingActivations(keeping: outputs)
    let kept = Set(nodes.flatMap { $0.inputs + $0.outputs }).union(inputs)
    let tensors = builder.tensors.compactMap { tensor -> TFLiteTensorInfo? in
      var tensor = tensor
      tensor.name = names[tensor.name] ?? tensor.name
      return kept.contains(tensor.name) ? tensor : nil
    }
    return TFLiteGraph(
      name: model.name.isEmpty ? "model" : model.name, nodes: nodes, tensors: tensors,
      inputs: model.inputs.map(\.name),
      outputs: model.outputs.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
  }

  /// Returns the names of the model's outputs by those of the builder.
  private mutating func namedOutputs() throws(NetconvError) -> [String: String] {
    let computed = Set(builder.nodes.flatMap(\.outputs))
    var names: [String: String] = [:]
    // A model may return a value twice; a graph returns it once.
    for output in model.outputs where !names.values.contains(output) {
      guard let value = values[output] else { continue }
      builder.begin(output)
      var result = try builder.expanded(value)
      // Two outputs need two names, and inputs and constants keep their names.
      let isCopy = result.name != value.name
      if !isCopy, names[result.name] != nil || !computed.contains(result.name) {
        result = try builder.copy(result)
      }
      names[result.name] = output
    }
    return names
  }

  /// Returns the nodes that outputs depend on.
  private func needed(_ nodes: [TFLiteNode], for outputs: Set<String>) -> [TFLiteNode] {
    var wanted = outputs
    var needed: [TFLiteNode] = []
    for node in nodes.reversed() where !wanted.isDisjoint(with: node.outputs) {
      wanted.formUnion(node.inputs)
      needed.append(node)
    }
    return needed.reversed()
  }
}

extension TFLiteGraphBuilder {
  /// Adds a copy of a value.
  fileprivate mutating func copy(_ x: TFLiteValue) throws(NetconvError) -> TFLiteValue {
    try scale(x, 1)
  }
}

extension TFLiteNode {
  /// Returns the node with its inputs and outputs renamed.
  fileprivate func renamed(_ names: [String: String]) -> TFLiteNode {
    var node = self
    node.inputs = inputs.map { names[$0] ?? $0 }
    node.outputs = outputs.map { names[$0] ?? $0 }
    return node
  }

  /// The field of the fused activation of operators of a layer with an activation.
  ///
  /// Source: tensorflow/lite/schema/schema.fbs.
  fileprivate var activationField: Int? {
    switch type {
    case .conv2D: 3
    case .depthwiseConv2D: 4
    case .fullyConnected: 0
    default: nil
    }
  }

  /// The number of the activation in `ActivationFunctionType`.
  fileprivate var activation: Int? {
    switch type {
    case .relu: 1
    case .reluN1To1: 2
    case .relu6: 3
    default: nil
    }
  }
}

extension [TFLiteNode] {
  /// Returns the nodes with activations fused into the operators that compute their inputs, if nothing else reads these.
  fileprivate func fusingActivations(keeping outputs: Set<String>) -> [TFLiteNode] {
    var readers: [String: Int] = [:]
    for node in self { for input in node.inputs { readers[input, default: 0] += 1 } }
    var producers: [String: Int] = [:]
    var fused: [TFLiteNode] = []
    for node in self {
      if let activation = node.activation, let place = producers[node.inputs[0]],
        let field = fused[place].activationField, fused[place].options[field] == nil,
        readers[node.inputs[0]] == 1, !outputs.contains(node.inputs[0])
      {
        fused[place].options[field] = .byte(activation)
        fused[place].outputs = node.outputs
        producers[node.outputs[0]] = place
      } else {
        for output in node.outputs { producers[output] = fused.count }
        fused.append(node)
      }
    }
    return fused
  }
}

extension NetconvError {
  fileprivate static func preprocessedInputOfTFLite(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) has preprocessing, which a TensorFlow Lite graph cannot store; remove it, and do it "
        + "in the program")
  }

  fileprivate static func wrongShapeForTFLite(_ shape: Shape, expected: Shape) -> NetconvError {
    NetconvError(
      .badData, "would be written with the shape \(shape), but has the shape \(expected)")
  }
}
