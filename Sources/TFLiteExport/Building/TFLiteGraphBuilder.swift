import FlatBuffers
import ModelIR

/// A builder that adds nodes and tensors to a graph.
struct TFLiteGraphBuilder {
  /// The name of a tensor in containers, and its element type.
  typealias Stored = (name: String, type: ElementType)
  /// The type of the options, and their fields.
  typealias Options = (type: Int, fields: FlatFields)

  private(set) var nodes: [TFLiteNode] = []
  private(set) var tensors: [TFLiteTensorInfo] = []
  /// The layer that values are named after.
  private(set) var layer = ""
  /// The input that determines the batch size.
  let batchSource: TFLiteValue
  private let stored: [TensorKey: Stored]
  private var names: Set<String>
  private var constants: [TFLiteTensorInfo.Values: [[Int]: TFLiteValue]] = [:]
  private var parameters: [TensorKey: [[Int]: TFLiteValue]] = [:]
  /// The truth values that numbers were converted from.
  var truths: [String: TFLiteValue] = [:]
  /// Cached values by a key of their inputs and operation.
  private var made: [String: TFLiteValue] = [:]

  /// Creates a graph with inputs only.
  ///
  /// - Parameters:
  ///   - inputs: the inputs, at least one.
  ///   - names: the reserved names of values.
  ///   - stored: the name and the element type of each tensor.
  init(inputs: [TFLiteValue], names: Set<String>, stored: [TensorKey: Stored]) {
    self.names = names
    self.stored = stored
    batchSource = inputs[0]
    for input in inputs { append(input, .none) }
  }

  private mutating func append(_ value: TFLiteValue, _ values: TFLiteTensorInfo.Values) {
    tensors.append(
      TFLiteTensorInfo(name: value.name, sizes: value.sizes, type: value.type, values: values))
  }

  /// Starts the nodes of a layer.
  mutating func begin(_ layer: String) { self.layer = layer }

  private mutating func unique(_ name: String) -> String {
    var (unique, number) = (name, 1)
    while !names.insert(unique).inserted {
      number += 1
      unique = "\(name)_\(number)"
    }
    return unique
  }

  // MARK: - Nodes

  /// Adds a node with outputs of the given sizes.
  ///
  /// - Parameter isMain: true if programs that cut names at a semicolon, as the converter joins them, should find the
  ///   layer's name.
  mutating func add(
    _ type: TFLiteBuiltin, _ inputs: [TFLiteValue], _ options: Options? = nil,
    outputs: [[TFLiteSize]], as number: TFLiteNumber = .float32, isMain: Bool = false
  ) -> [TFLiteValue] {
    let own = "\(layer)\(isMain ? ";" : ":")\(type.name)"
    let values = outputs.map { sizes in
      TFLiteValue(name: unique(own), sizes: sizes, type: number)
    }
    for value in values { append(value, .none) }
    nodes.append(
      TFLiteNode(
        type: type, inputs: inputs.map(\.name), outputs: values.map(\.name),
        optionsType: options?.type ?? 0, options: options?.fields ?? [:]))
    return values
  }

  /// Adds a node with one output of the given sizes.
  mutating func add(
    _ type: TFLiteBuiltin, _ inputs: [TFLiteValue], _ options: Options? = nil,
    sizes: [TFLiteSize], as number: TFLiteNumber = .float32, isMain: Bool = false
  ) -> TFLiteValue {
    add(type, inputs, options, outputs: [sizes], as: number, isMain: isMain)[0]
  }

  /// Returns the result of `make`, cached under `key`.
  mutating func once(
    _ key: String, _ make: (inout TFLiteGraphBuilder) throws(NetconvError) -> TFLiteValue
  ) throws(NetconvError) -> TFLiteValue {
    if let known = made[key] { return known }
    let value = try make(&self)
    made[key] = value
    return value
  }

  // MARK: - Constants

  /// Adds a vector of integers.
  mutating func ints(_ values: [Int]) -> TFLiteValue { ints(values, [values.count]) }

  /// Adds integers with a shape.
  mutating func ints(_ values: [Int], _ shape: [Int]) -> TFLiteValue {
    constant(.ints(values), shape, .int32)
  }

  /// Adds a scalar float32.
  mutating func float(_ value: Double) -> TFLiteValue {
    constant(.floats([Float(value)]), [], .float32)
  }

  /// Adds float32 values with a shape.
  mutating func floats(_ values: [Double], _ shape: [Int]) -> TFLiteValue {
    constant(.floats(values.map { Float($0) }), shape, .float32)
  }

  private mutating func constant(
    _ values: TFLiteTensorInfo.Values, _ shape: [Int], _ type: TFLiteNumber
  ) -> TFLiteValue {
    if let known = constants[values]?[shape] { return known }
    let value = TFLiteValue(
      name: unique("constant"), sizes: shape.map { .fixed($0) }, type: type)
    append(value, values)
    constants[values, default: [:]][shape] = value
    return value
  }

  // MARK: - Parameters

  /// Adds the values of a tensor with the given shape, as float32.
  ///
  /// A tensor may be added with several shapes, which share its values.
  /// - Throws: `badData` if the tensor is not written.
  private mutating func parameter(
    _ tensor: Tensor, shape: [Int]
  ) throws(NetconvError) -> TFLiteValue {
    if let known = parameters[tensor.key]?[shape] { return known }
    guard let (wanted, type) = stored[tensor.key] else { throw .missingForTFLite(tensor.spec.role) }
    let isHalf = type == .float16
    let value = TFLiteValue(
      name: unique(wanted), sizes: shape.map { .fixed($0) }, type: isHalf ? .float16 : .float32)
    append(value, .tensor(tensor.key, byteCount: tensor.count * type.byteCount))
    let result = isHalf ? add(.dequantize, [value], sizes: value.sizes) : value
    parameters[tensor.key, default: [:]][shape] = result
    return result
  }

  /// Adds the values of a tensor in `layout`, optionally with a shape of as many values.
  ///
  /// If the axes of the tensor are stored in another order, a node transposes it.
  mutating func parameter(
    _ tensor: Tensor, as layout: Layout? = nil, shape wanted: [Int]? = nil
  ) throws(NetconvError) -> TFLiteValue {
    let layout = layout ?? tensor.spec.layout
    let size = { (axis: Axis) in tensor.spec.sizes[axis] ?? 1 }
    // Axes of size 1 do not change the order in memory.
    let (own, others) = (tensor.layout.axes, layout.axes.filter { size($0) != 1 })
    guard Set(own.filter { size($0) != 1 }) == Set(others), tensor.reversed.isEmpty,
      tensor.layout.gates == layout.gates
    else { throw .wrongLayoutForTFLite(tensor.spec.role, tensor.layout, expected: layout) }
    let shape = wanted ?? layout.dimensions.map { $0.axes.reduce(1) { $0 * size($1) } }
    guard own.filter({ size($0) != 1 }) != others else {
      return try parameter(tensor, shape: shape)
    }
    let stored = own.map(size)
    let rest = own.indices.filter { stored[$0] == 1 }
    let order = rest + others.compactMap(own.firstIndex)
    return try once("\(tensor.key) as \(layout) \(shape)") { graph throws(NetconvError) in
      let own = try graph.parameter(tensor, shape: stored)
      let moved = try graph.transpose(own, order)
      return moved.sizes.map(\.count) == shape ? moved : graph.reshape(moved, shape)
    }
  }
}

extension NetconvError {
  fileprivate static func wrongLayoutForTFLite(
    _ role: ParameterRole, _ layout: Layout, expected: Layout
  ) -> NetconvError {
    NetconvError(
      .badData, "the \(role) has the layout \(layout), but TensorFlow Lite expects \(expected)")
  }
}
