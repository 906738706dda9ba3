import ModelIR

/// A builder that adds nodes to a graph.
struct ONNXGraphBuilder {
  /// The name of a tensor in containers, and its element type.
  typealias Stored = (name: String, type: ElementType)

  private(set) var nodes: [ONNXNode] = []
  private(set) var initializers: [ONNXInitializer] = []
  /// The layer that nodes are named after.
  private(set) var layer = ""
  private let stored: [TensorKey: Stored]
  private var names: Set<String>
  private var tensors: [TensorKey: String] = [:]
  private var constants: [ONNXInitializer.Values: [[Int]: String]] = [:]
  /// Cached values by a key of their inputs and operation.
  private var made: [String: String] = [:]
  /// The input that determines the batch size.
  let batchSource: String
  /// The program that reads the graph.
  let consumer: ONNXConsumer
  /// The input and the permutation of each transposition.
  private var transposed: [String: (source: String, order: [Int])] = [:]
  private var hasMain = false
  private var start = 0

  /// Creates an empty graph.
  ///
  /// - Parameters:
  ///   - names: the reserved names of values.
  ///   - batchSource: an input.
  ///   - stored: the name and the element type of each tensor.
  ///   - consumer: the program that reads the graph.
  init(
    names: Set<String>, batchSource: String, stored: [TensorKey: Stored],
    consumer: ONNXConsumer = .onnx
  ) {
    self.consumer = consumer
    self.names = names
    self.batchSource = batchSource
    self.stored = stored
  }

  /// Starts the nodes of a layer.
  mutating func begin(_ layer: String) {
    self.layer = layer
    hasMain = false
    start = nodes.count
  }

  /// Ends a layer: unless its main node has the layer's name, the first one gets it.
  mutating func end() {
    guard !hasMain, start < nodes.count else { return }
    nodes[start].name = layer
  }

  /// Returns a unique name.
  mutating func unique(_ name: String) -> String {
    var (unique, number) = (name, 1)
    while !names.insert(unique).inserted {
      number += 1
      unique = "\(name)_\(number)"
    }
    return unique
  }

  /// Adds a node.
  ///
  /// - Parameter isMain: true if the node gets the layer's name.
  /// - Returns: the names of its outputs.
  mutating func add(
    _ type: String, _ inputs: [String], _ attributes: [ONNXAttribute] = [], outputs count: Int,
    isMain: Bool = false
  ) -> [String] {
    let own = unique("\(layer)/\(type)")
    let outputs = [own] + (1..<max(1, count)).map { "\(own)/\($0)" }
    names.formUnion(outputs)
    let isNamed = isMain && !hasMain
    hasMain = hasMain || isMain
    nodes.append(
      ONNXNode(
        name: isNamed ? layer : own, type: type, inputs: inputs, outputs: outputs,
        attributes: attributes))
    return outputs
  }

  /// Adds a node with one output.
  mutating func add(
    _ type: String, _ inputs: [String], _ attributes: ONNXAttribute..., isMain: Bool = false
  ) -> String {
    add(type, inputs, attributes, outputs: 1, isMain: isMain)[0]
  }

  /// Returns the result of `make`, cached under `key`.
  mutating func once(
    _ key: String, _ make: (inout ONNXGraphBuilder) -> String
  ) -> String {
    if let known = made[key] { return known }
    let name = make(&self)
    made[key] = name
    return name
  }

  /// Creates a subgraph that runs at each step, from the nodes that `make` adds.
  ///
  /// They may read values of the surrounding graph, but must not create values that are cached.
  mutating func body(
    _ inputs: [(name: String, size: Int)],
    _ make: (inout ONNXGraphBuilder) throws(NetconvError) -> [(name: String, size: Int)]
  ) throws(NetconvError) -> ONNXGraph {
    let count = nodes.count
    let outputs = try make(&self)
    let own = Array(nodes[count...])
    nodes.removeLast(own.count)
    let info = { (value: (name: String, size: Int)) in
      ONNXValueInfo(name: value.name, shape: [.open("batch"), .fixed(value.size)])
    }
    return ONNXGraph(
      name: "\(layer)/step", nodes: own, initializers: [], inputs: inputs.map(info),
      outputs: outputs.map(info))
  }

  // MARK: Constants

  /// Adds a vector of integers.
  mutating func ints(_ values: [Int]) -> String {
    constant(.ints(values), [values.count])
  }

  /// Adds integers with a shape.
  mutating func ints(_ values: [Int], _ shape: [Int]) -> String { constant(.ints(values), shape) }

  /// Adds a scalar integer.
  mutating func int(_ value: Int) -> String { constant(.ints([value]), []) }

  /// Adds a scalar float32.
  mutating func float(_ value: Double) -> String { constant(.floats([Float(value)]), []) }

  /// Adds float32 values with a shape.
  mutating func floats(_ values: [Double], _ shape: [Int]) -> String {
    constant(.floats(values.map { Float($0) }), shape)
  }

  private mutating func constant(_ values: ONNXInitializer.Values, _ shape: [Int]) -> String {
    if let known = constants[values]?[shape] { return known }
    let name = unique("constant")
    initializers.append(ONNXInitializer(name: name, shape: shape, values: values))
    constants[values, default: [:]][shape] = name
    return name
  }

  // MARK: Parameters

  /// Adds the values of a tensor in the layout in which it is written, as float32: integers are multiplied by the scales
  /// of their channels.
  ///
  /// - Throws: `internal` if the tensor is not written, `usage` if its channels are not a single axis.
  mutating func parameter(_ tensor: Tensor) throws(NetconvError) -> String {
    if let known = tensors[tensor.key] { return known }
    guard let (wanted, type) = stored[tensor.key] else { throw .missingForONNX(tensor.spec.role) }
    let name = unique(wanted)
    initializers.append(
      ONNXInitializer(name: name, shape: tensor.shape, values: .tensor(tensor.key, type)))
    let result =
      switch type {
      case .float32: name
      case .int8: try dequantized(tensor, name)
      default: number(of: name)
      }
    tensors[tensor.key] = result
    return result
  }

  /// Adds the product of the integers of a tensor and the scales of its channels.
  private mutating func dequantized(
    _ tensor: Tensor, _ integers: String
  ) throws(NetconvError) -> String {
    let key = TensorKey(layer: tensor.key.layer, role: tensor.key.role.scale)
    guard let wanted = stored[key]?.name else { throw .missingForONNX(key.role) }
    guard let channels = tensor.channelLayout?.dimensions, channels.count == 1,
      let axis = tensor.layout.dimensions.firstIndex(of: channels[0])
    else { throw .scalesAlongSeveralAxes(tensor.layout) }
    let scale = unique(wanted)
    initializers.append(
      ONNXInitializer(name: scale, shape: [tensor.shape[axis]], values: .tensor(key, .float32)))
    return add("DequantizeLinear", [integers, scale], .int("axis", axis))
  }

  /// Adds the values of a tensor in `layout`.
  mutating func parameter(
    _ tensor: Tensor, as layout: Layout
  ) throws(NetconvError) -> String {
    let name = try parameter(tensor)
    guard tensor.layout != layout else { return name }
    guard Set(tensor.layout.axes) == Set(layout.axes), tensor.reversed.isEmpty,
      tensor.layout.gates == layout.gates
    else { throw .wrongLayoutForONNX(tensor.spec.role, tensor.layout, expected: layout) }
    let sizes = { (axes: [Axis]) in axes.map { tensor.spec.sizes[$0] ?? 1 } }
    let axes = tensor.layout.axes
    let order = layout.axes.compactMap { axes.firstIndex(of: $0) }
    let shape = layout.dimensions.map { sizes($0.axes).reduce(1, *) }
    return once("\(name) as \(layout)") { graph in
      var result = name
      if tensor.shape != sizes(axes) { result = graph.reshape(result, sizes(axes)) }
      if order != Array(order.indices) {
        result = graph.transpose(result, order)
      }
      return shape == sizes(layout.axes) ? result : graph.reshape(result, shape)
    }
  }

  // MARK: Shapes

  /// Transposes a value; the permutation includes the batch.
  ///
  /// Consecutive transpositions are combined, and dropped if they cancel.
  mutating func transpose(_ name: String, _ order: [Int]) -> String {
    if let (source, before) = transposed[name] {
      return transpose(source, order.map { before[$0] })
    }
    guard order != Array(order.indices) else { return name }
    return once("\(name) transposed \(order)") { graph in
      let result = graph.add("Transpose", [name], .ints("perm", order))
      graph.transposed[result] = (name, order)
      return result
    }
  }

  /// Reshapes a value; 0 keeps a size, and -1 is inferred.
  mutating func reshape(_ name: String, _ shape: [Int]) -> String {
    add("Reshape", [name, ints(shape)])
  }

  /// Adds the number of samples, as a vector with one element.
  mutating func batch() -> String {
    once("batch") { graph in
      graph.add("Shape", [graph.batchSource], .int("start", 0), .int("end", 1))
    }
  }
}

extension NetconvError {
  fileprivate static func wrongLayoutForONNX(
    _ role: ParameterRole, _ layout: Layout, expected: Layout
  ) -> NetconvError {
    NetconvError(
      .badData, "the \(role) has the layout \(layout), but ONNX expects \(expected)")
  }
}
