import ModelIR

/// The weights among the constants of a file, grouped by the operators that read them.
struct TFLiteWeights {
  /// A weight with its role and reader.
  private struct Member {
    let tensor: TFLiteTensor
    let role: TFLiteRole
    /// The index in ``readers`` of the operator that reads it.
    let reader: Int
  }

  private let model: TFLiteModel
  private var members: [Member] = []
  private var readers: [(name: String, operation: String)] = []
  /// The names of integer constants that are not quantised weights, such as shapes, axes and indices.
  private(set) var others: [String] = []
  /// The errors of weights that cannot be read.
  private(set) var misfits: [NetconvError] = []

  init(_ model: TFLiteModel) {
    self.model = model
    for (index, subgraph) in model.subgraphs.enumerated() { add(subgraph, isMain: index == 0) }
  }

  /// The names of quantised weights, which are dequantised.
  var quantized: [String] { members.filter(\.tensor.isQuantized).map(\.tensor.name) }

  // MARK: - Search

  private mutating func add(_ subgraph: TFLiteSubgraph, isMain: Bool) {
    var names = TFLiteNames()
    var seen: Set<Int> = []
    // Readers of a dequantised constant read the constant itself.
    var carried: [Int: Int] = [:]
    for node in subgraph.operators where node.name == "DEQUANTIZE" {
      if let input = node.inputs.first ?? nil, let output = node.outputs.first {
        carried[output] = input
      }
    }
    for node in subgraph.operators {
      let name = names.next(node, in: subgraph)
      if node.name == "DEQUANTIZE" { continue }
      for (place, input) in node.inputs.enumerated() {
        guard let input else { continue }
        let constant = carried[input] ?? input
        guard model.hasValues(subgraph.tensors[constant]), seen.insert(constant).inserted else {
          continue
        }
        add(subgraph, constant, TFLiteRole(node, place, subgraph, constant), node, name)
      }
    }
    for (index, tensor) in subgraph.tensors.enumerated()
    where model.hasValues(tensor) && seen.insert(index).inserted {
      add(subgraph, index, TFLiteRole(.value), nil, tensor.name)
    }
  }

  private mutating func add(
    _ subgraph: TFLiteSubgraph, _ index: Int, _ role: TFLiteRole, _ node: TFLiteOperator?,
    _ name: String
  ) {
    let tensor = subgraph.tensors[index]
    guard tensor.isQuantized || !(tensor.type.element?.isInteger ?? false) else {
      others.append(tensor.name)
      return
    }
    do throws(NetconvError) {
      _ = try model.source(of: tensor)
      if readers.last?.name != name { readers.append((name, node?.name ?? "")) }
      members.append(Member(tensor: tensor, role: role, reader: readers.count - 1))
    } catch {
      misfits.append(error)
    }
  }

  // MARK: - Layers

  /// Returns the weights by layer; tensors keep their names in the file.
  ///
  /// - Throws: `badData` if the size of a tensor overflows.
  func weights(called network: String) throws(NetconvError) -> Weights {
    let names = GraphNames(
      readers.map { GraphNames.Layer(node: $0.name, operation: $0.operation, variable: nil) },
      besides: []
    ).names
    var parameters = [[Tensor]](repeating: [], count: readers.count)
    var roles = readers.map { _ in UniqueNames(separator: ":", from: 1) }
    for member in members {
      let layer = names[member.reader]
      let role = ParameterRole(rawValue: roles[member.reader].next(member.role.role.rawValue))
      let shape = member.tensor.shape
      let stored = StoredTensor(
        source: try model.numbers(of: member.tensor), layout: nil, shape: shape,
        path: member.tensor.name, name: member.tensor.name)
      do throws(NetconvError) {
        parameters[member.reader].append(
          try member.role.tensor(layer, role, stored, shape))
      } catch {
        throw error.inTensor(member.tensor.name).inLayer(layer)
      }
    }
    return try Weights(
      name: network,
      layers: readers.indices.map { index in
        let operation = readers[index].operation
        return LayerWeights(
          name: names[index],
          origin: operation.isEmpty ? nil : LayerOrigin(className: operation),
          parameters: parameters[index])
      })
  }
}
