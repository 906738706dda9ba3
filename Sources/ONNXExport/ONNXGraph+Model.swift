import ModelIR
import Operators

extension ONNXGraph {
  /// Creates the graph of a model.
  ///
  /// - Parameters:
  ///   - model: a model with its tensors in the layouts of ONNX.
  ///   - stored: the name and the element type of each tensor in the file.
  ///   - channelsFirst: true for inputs and outputs in the order of the operations there, rather than in that of the
  ///     model.
  ///   - opset: one of ``opsets``.
  ///   - consumer: the program that reads the graph.
  /// - Throws: `badData` with the layer that ONNX does not support.
  public init(
    _ model: Model, stored: [TensorKey: (name: String, type: ElementType)],
    channelsFirst: Bool = false, opset: Int = ONNXGraph.opsets.lowerBound,
    for consumer: ONNXConsumer = .onnx
  ) throws(NetconvError) {
    if let input = model.inputs.first(where: { !($0.preprocessing ?? []).isEmpty }) {
      throw .preprocessedInputOfONNX(input.name, consumer)
    }
    var assembly = try ONNXAssembly(model, stored, inputsFirst: [], consumer)
    if channelsFirst, !assembly.inputsWantedFirst.isEmpty {
      assembly = try ONNXAssembly(
        model, stored, inputsFirst: assembly.inputsWantedFirst, consumer)
    }
    self = assembly.graph(channelsFirst: channelsFirst).inOperatorSet(opset)
  }
}

/// The nodes of a model, layer by layer.
private struct ONNXAssembly {
  private let model: Model
  private var builder: ONNXGraphBuilder
  private var values: [String: ONNXValue] = [:]
  private let inputsFirst: Set<String>

  init(
    _ model: Model, _ stored: [TensorKey: ONNXGraphBuilder.Stored], inputsFirst: Set<String>,
    _ consumer: ONNXConsumer
  ) throws(NetconvError) {
    self.model = model
    self.inputsFirst = inputsFirst
    builder = ONNXGraphBuilder(
      names: Set(model.inputs.map(\.name) + model.computedNames),
      batchSource: model.inputs[0].name, stored: stored, consumer: consumer)
    for input in model.inputs {
      values[input.name] = ONNXValue(
        name: input.name, order: inputsFirst.contains(input.name) ? .first : .last,
        shape: input.shape)
    }
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
    guard let form = layer.operation as? any ONNXForm else {
      throw .notInONNX(type(of: layer.operation).name, builder.consumer)
    }
    builder.begin(layer.name)
    let part = ONNXLayer(
      layer, flattensChannelsFirst: model.wantsChannelsFirst(layer.outputs[0].name))
    let outputs = try form.write(layer.inputs.compactMap { values[$0] }, part, to: &builder)
    builder.end()
    for (output, value) in zip(layer.outputs, outputs) { values[output.name] = value }
  }

  /// The inputs that an operation requires in channels-first order.
  var inputsWantedFirst: Set<String> {
    let moved = Set(
      graph(channelsFirst: true).nodes.filter { $0.type == "Transpose" && $0.isToFirst }
        .flatMap(\.inputs))
    return moved.intersection(model.inputs.map(\.name))
  }

  /// Returns the graph, with the names of the model's values.
  func graph(channelsFirst: Bool) -> ONNXGraph {
    var builder = builder
    var names: [String: String] = [:]
    var outputs: [ONNXValueInfo] = []
    // A model may return a value twice; a graph returns it once.
    var known: Set<String> = []
    for output in model.outputs where known.insert(output).inserted {
      guard let value = values[output] else { continue }
      builder.begin(output)
      let order: ValueOrder =
        channelsFirst && value.order == .first ? .first : .last
      var name = builder.name(value, order)
      // Two outputs need two names, and inputs keep their names.
      if names[name] != nil || model.inputs.contains(where: { $0.name == name })
        || builder.initializers.contains(where: { $0.name == name })
      {
        name = builder.add("Identity", [name])
      }
      names[name] = output
      outputs.append(Self.info(output, value.shape, order))
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key })
    where names[value.name] == nil && !model.outputs.contains(name) && value.name != name
      && model.producer(of: name) != nil
    {
      let isConstant = builder.initializers.contains { $0.name == value.name }
      let isInput = model.inputs.contains { $0.name == value.name }
      if !isConstant, !isInput { names[value.name] = name }
    }
    let nodes = needed(builder.nodes, for: Set(outputs.map(\.name)), names)
    let read = Set(nodes.flatMap(\.read))
    return ONNXGraph(
      name: model.name.isEmpty ? "model" : model.name, nodes: nodes,
      initializers: builder.initializers.filter { read.contains($0.name) },
      inputs: model.inputs.map {
        Self.info($0.name, $0.shape, inputsFirst.contains($0.name) ? .first : .last)
      }, outputs: outputs)
  }

  /// Returns the nodes that outputs depend on, with the names of the model.
  private func needed(
    _ nodes: [ONNXNode], for outputs: Set<String>, _ names: [String: String]
  ) -> [ONNXNode] {
    var wanted = outputs
    var needed: [ONNXNode] = []
    for node in nodes.reversed().map({ $0.renamed(names) })
    where !wanted.isDisjoint(with: node.outputs) {
      wanted.formUnion(node.read)
      needed.append(node)
    }
    return needed.reversed()
  }

  private static func info(_ name: String, _ shape: Shape, _ order: ValueOrder) -> ONNXValueInfo {
    let sizes = shape.dimensions.enumerated().map { axis, size -> ONNXValueInfo.Size in
      size.map { .fixed($0) } ?? .open("\(name)_\(axis + 1)")
    }
    return ONNXValueInfo(name: name, shape: [.open("batch")] + order.arranged(sizes))
  }
}

extension ONNXNode {
  /// Returns the node with its inputs and outputs renamed.
  fileprivate func renamed(_ names: [String: String]) -> ONNXNode {
    ONNXNode(
      name: name, type: type, inputs: inputs.map { names[$0] ?? $0 },
      outputs: outputs.map { names[$0] ?? $0 },
      attributes: attributes.map { attribute in
        guard case .graph(let graph) = attribute.value else { return attribute }
        let nodes = graph.nodes.map { $0.renamed(names) }
        return ONNXAttribute(
          name: attribute.name,
          value: .graph(
            ONNXGraph(
              name: graph.name, nodes: nodes, initializers: [], inputs: graph.inputs,
              outputs: graph.outputs)))
      })
  }

  /// The inputs of the node, including those of its subgraphs.
  fileprivate var read: [String] {
    attributes.reduce(inputs) { read, attribute in
      guard case .graph(let graph) = attribute.value else { return read }
      return read + graph.nodes.flatMap(\.read)
    }
  }

  /// True if a transposition moves the last axis to the front, after the batch.
  fileprivate var isToFirst: Bool {
    guard case .ints(let order)? = attributes.first?.value, order.count > 2 else { return false }
    return order == [0, order.count - 1] + Array(1..<order.count - 1)
  }
}

extension Model {
  /// Returns true if a reader of a flattened vector has parameters in channels-first order.
  fileprivate func wantsChannelsFirst(_ value: String) -> Bool {
    readers(of: value).contains { layer in
      if layer.parameters.contains(where: { $0.flattenedSizes != nil && $0.isFlattenedFirst }) {
        return true
      }
      guard layer.parameters.isEmpty,
        layer.operation.axisFlow(from: layer.inputShapes) == .elementwise
      else { return false }
      return layer.outputs.contains { wantsChannelsFirst($0.name) }
    }
  }
}

extension Tensor {
  /// True if the channels come before the axes that a flatten has merged with them.
  fileprivate var isFlattenedFirst: Bool {
    layout.dimensions.contains { $0.axes.count > 1 && $0.axes.first == flattenedSizes?.channels }
  }
}

extension NetconvError {
  fileprivate static func preprocessedInputOfONNX(
    _ name: String, _ consumer: ONNXConsumer
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the input \(quoted(name)) has preprocessing, which \(consumer.indefinite) graph cannot store; remove it, and do it in "
        + "the program")
  }
}
