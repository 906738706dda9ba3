import ModelIR
import ONNXExport

extension MILProgram {
  /// Creates the program of a model, by way of the graph that would be written as ONNX.
  ///
  /// - Parameters:
  ///   - model: a model with its tensors in the layouts of Core ML.
  ///   - stored: the name and the element type of each tensor in the file.
  ///   - channelsFirst: true for inputs and outputs in the order of the operations there, rather than in that of the
  ///     model.
  /// - Throws: `badData` with the layer that Core ML does not support.
  public init(
    _ model: Model, stored: [TensorKey: (name: String, type: ElementType)],
    channelsFirst: Bool = false
  ) throws(NetconvError) {
    let graph = try ONNXGraph(
      model, stored: stored, channelsFirst: channelsFirst, for: .coreML)
    var assembly = MILAssembly(graph)
    for node in graph.nodes { try assembly.add(node) }
    self = try assembly.program(of: graph)
  }
}

/// The operations of a graph, node by node.
private struct MILAssembly {
  private var builder: MILBuilder
  private var values: [String: MILValue] = [:]
  /// The inputs, with the names of the graph.
  private var inputs: [MILVariable] = []
  /// The names of outputs by those of the graph.
  private var outputNames: [String: String] = [:]

  init(_ graph: ONNXGraph) {
    var names = MILNames(reserved: [])
    for input in graph.inputs {
      let name = names.unique(input.name)
      let type = MILType(data: .float32, shape: input.sizes)
      inputs.append(MILVariable(name: name, type: type))
      values[input.name] = MILValue(name: name, type: type)
    }
    for output in graph.outputs { outputNames[output.name] = names.unique(output.name) }
    builder = MILBuilder(names: names)
    for initializer in graph.initializers { values[initializer.name] = initializer.value }
  }

  mutating func add(_ node: ONNXNode) throws(NetconvError) {
    let start = builder.operations.count
    builder.begin(node.name)
    do throws(NetconvError) {
      guard let translation = MILTranslations.byName[node.type]?.translation else {
        throw .notInCoreML(node.type)
      }
      let known = node.inputs.map { values[$0] }
      let results = try translation.write(MILNode(node: node, inputs: known), to: &builder)
      for (output, value) in zip(node.outputs, results) {
        values[output] = try named(value, output, since: start)
      }
    } catch {
      throw error.inLayer(node.layer)
    }
  }

  /// Names a value after that of the graph.
  private mutating func named(
    _ value: MILValue, _ output: String, since start: Int
  ) throws(NetconvError) -> MILValue {
    guard let own = outputNames[output] else {
      return builder.rename(value, to: output, since: start)
    }
    // An output of the program needs an operation of its own.
    let isNew =
      builder.isResult(value, since: start) && !outputNames.values.contains(value.name ?? "")
    let result = isNew ? value : try builder.map("identity", value)
    return builder.rename(result, toReserved: own, since: start)
  }

  func program(of graph: ONNXGraph) throws(NetconvError) -> MILProgram {
    let outputs = try graph.outputs.map { output throws(NetconvError) in
      guard let name = outputNames[output.name], let value = values[output.name] else {
        throw NetconvError.missingInputForCoreML(output.name, 0)
      }
      guard value.type.data == .float32 else { throw NetconvError.notInCoreML("this output") }
      return MILVariable(name: name, type: MILType(data: .float32, shape: output.sizes))
    }
    return MILProgram(
      name: graph.name, inputs: inputs, outputs: outputs,
      operations: builder.operations.needed(for: Set(outputs.map(\.name))), blobs: builder.blobs,
      system: builder.system)
  }
}

extension [MILOperation] {
  /// Returns the operations that outputs depend on.
  fileprivate func needed(for outputs: Set<String>) -> [MILOperation] {
    var wanted = outputs
    var needed: [MILOperation] = []
    for operation in reversed()
    where operation.outputs.contains(where: { wanted.contains($0.name) }) {
      wanted.formUnion(operation.arguments.flatMap(\.values))
      needed.append(operation)
    }
    return needed.reversed()
  }
}

extension ONNXInitializer {
  /// The value, which gets into the program when an operation reads it.
  fileprivate var value: MILValue {
    switch values {
    case .ints(let numbers):
      MILValue(type: MILType(data: .int32, shape: shape), contents: .ints(numbers))
    case .floats(let numbers):
      MILValue(type: MILType(data: .float32, shape: shape), contents: .floats(numbers))
    case .tensor(let key, let type):
      MILValue(type: MILType(data: .float32, shape: shape), contents: .tensor(key, type))
    }
  }
}

extension ONNXValueInfo {
  /// The sizes of the axes, with `nil` for an open one.
  fileprivate var sizes: [Int?] {
    shape.map { size in if case .fixed(let count) = size { count } else { nil } }
  }
}

extension ONNXNode {
  /// The layer that the node is a part of: nodes besides the main one are named after layer and operation.
  fileprivate var layer: String {
    guard let slash = name.lastIndex(of: "/"), name[slash...].dropFirst().hasPrefix(type) else {
      return name
    }
    return String(name[..<slash])
  }
}
