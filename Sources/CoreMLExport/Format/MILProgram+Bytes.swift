import ModelIR
import ProtocolBuffers

extension MILProgram {
  /// Creates the `Model` message.
  ///
  /// Source: coremltools, mlmodel/format/Model.proto.
  func message(_ offsets: [Int], weightFile: String) -> WireOutput {
    var model = Self.head(system)
    model.add(2, description)
    model.add(502, program(offsets, weightFile))
    return model
  }

  /// The start of every file: the specification version.
  static func head(_ system: MILSystem) -> WireOutput {
    var model = WireOutput()
    model.add(1, system.rawValue)
    return model
  }

  /// The `ModelDescription`.
  private var description: WireOutput {
    var description = WireOutput()
    for input in inputs { description.add(1, input.feature(isInput: true)) }
    for output in outputs { description.add(10, output.feature(isInput: false)) }
    var metadata = WireOutput()
    if !name.isEmpty { metadata.add(1, name) }
    metadata.add(100, entry("com.github.netconv.producer", { $0.add(2, "netconv") }))
    description.add(100, metadata)
    return description
  }

  /// The `Program`.
  private func program(_ offsets: [Int], _ weightFile: String) -> WireOutput {
    var block = WireOutput()
    for output in outputs { block.add(2, output.name) }
    for operation in operations { block.add(3, operation.message(offsets, weightFile)) }
    var function = WireOutput()
    for input in inputs { function.add(1, input.message) }
    function.add(2, system.opset)
    function.add(3, entry(system.opset) { $0.add(2, block) })
    var program = WireOutput()
    program.add(1, 1)
    program.add(2, entry("main") { $0.add(2, function) })
    return program
  }
}

/// Creates the entry of a map.
private func entry(_ key: String, _ addValue: (inout WireOutput) -> Void) -> WireOutput {
  var entry = WireOutput()
  entry.add(1, key)
  addValue(&entry)
  return entry
}

extension MILOperation {
  fileprivate func message(_ offsets: [Int], _ weightFile: String) -> WireOutput {
    var message = WireOutput()
    message.add(1, type)
    for argument in arguments.sorted(by: { $0.name < $1.name }) {
      var list = WireOutput()
      for value in argument.values {
        var binding = WireOutput()
        binding.add(1, value)
        list.add(1, binding)
      }
      message.add(2, entry(argument.name) { $0.add(2, list) })
    }
    for output in outputs { message.add(3, output.message) }
    let own = attributes.merging(["name": .string(name)]) { first, _ in first }
    for (key, value) in own.sorted(by: { $0.key < $1.key }) {
      message.add(5, entry(key) { $0.add(2, value.message(offsets, weightFile)) })
    }
    return message
  }
}

extension MILLiteral {
  /// The `Value`.
  fileprivate func message(_ offsets: [Int], _ weightFile: String) -> WireOutput {
    var message = WireOutput()
    message.add(2, type.message)
    if case .blob(let index, _, _) = self {
      var file = WireOutput()
      file.add(1, weightFile)
      file.add(2, offsets[index])
      message.add(5, file)
    } else {
      var immediate = WireOutput()
      immediate.add(1, tensor)
      message.add(3, immediate)
    }
    return message
  }

  /// The `TensorValue`; its lists are packed.
  private var tensor: WireOutput {
    var list = WireOutput()
    let field: Int
    switch self {
    case .floats(let values, _):
      field = 1
      list.add(1, bytes: values.flatMap(WireOutput.bytes(of:)))
    case .ints(let values, _):
      field = 2
      list.add(1, integers: values)
    case .bools(let values, _):
      field = 3
      list.add(1, integers: values.map { $0 ? 1 : 0 })
    case .string(let text):
      field = 4
      list.add(1, text)
    case .blob: field = 1
    }
    var tensor = WireOutput()
    tensor.add(field, list)
    return tensor
  }
}

extension MILType {
  /// The `ValueType`.
  fileprivate var message: WireOutput {
    var tensor = WireOutput()
    tensor.add(1, data.rawValue)
    tensor.add(2, shape.count)
    for size in shape {
      var own = WireOutput()
      if let size { own.add(1, size) } else { own.add(1, 0) }
      var dimension = WireOutput()
      dimension.add(size == nil ? 2 : 1, own)
      tensor.add(3, dimension)
    }
    var type = WireOutput()
    type.add(1, tensor)
    return type
  }
}

extension MILVariable {
  /// The `NamedValueType`.
  fileprivate var message: WireOutput {
    var message = WireOutput()
    message.add(1, name)
    message.add(2, type.message)
    return message
  }

  /// The `FeatureDescription`.
  ///
  /// - Parameter isInput: true to state the sizes that are accepted.
  fileprivate func feature(isInput: Bool) -> WireOutput {
    var array = WireOutput()
    let isOpen = type.shape.contains(nil)
    if isInput || !isOpen { for size in type.shape { array.add(1, size ?? 1) } }
    array.add(2, Self.float32)
    if isInput, isOpen {
      var ranges = WireOutput()
      for size in type.shape {
        var range = WireOutput()
        range.add(1, size ?? 1)
        range.add(2, size ?? -1)
        ranges.add(1, range)
      }
      array.add(31, ranges)
    }
    var type = WireOutput()
    type.add(5, array)
    var feature = WireOutput()
    feature.add(1, name)
    feature.add(3, type)
    return feature
  }

  /// The number of float32 in `ArrayFeatureType.ArrayDataType`.
  private static let float32 = 65568
}
