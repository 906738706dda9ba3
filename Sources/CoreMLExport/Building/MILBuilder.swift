import ModelIR

/// A builder that adds operations to a program.
struct MILBuilder {
  private(set) var operations: [MILOperation] = []
  private(set) var blobs: [MILBlob] = []
  /// The oldest systems that know all operations so far.
  private(set) var system = MILSystem.iOS15
  private var names: MILNames
  /// The names of operations, of which the first of a part is called like it.
  private var operationNames = MILNames(reserved: [])
  private var constants: [MILLiteral: MILValue] = [:]
  private var tensors: [TensorKey: [[Int]: MILValue]] = [:]
  private var blobIndices: [MILBlob: Int] = [:]
  /// The values that an operation would only bring back.
  private var undone: [String: (operation: String, axes: [Int], source: MILValue)] = [:]
  private var part = ""

  /// Creates an empty program.
  init(names: MILNames) { self.names = names }

  /// Starts the operations of a part, after which they are named.
  mutating func begin(_ part: String) { self.part = part }

  /// Adds operations on the way to the result of the part, which alone has its name.
  mutating func step(
    _ operations: (inout MILBuilder) throws(NetconvError) -> MILValue
  ) throws(NetconvError) -> MILValue {
    let own = part
    part += "_step"
    defer { part = own }
    return try operations(&self)
  }

  /// States that operations of a newer system are used.
  mutating func require(_ system: MILSystem) { self.system = max(self.system, system) }

  // MARK: Operations

  /// Adds an operation with several outputs.
  mutating func add(
    _ type: String, _ operands: [(String, MILOperand?)], outputs types: [MILType]
  ) throws(NetconvError) -> [MILValue] {
    var arguments: [MILOperation.Argument] = []
    for (name, operand) in operands {
      guard let operand else { continue }
      arguments.append(.init(name: name, values: try self.names(of: operand)))
    }
    let outputs = types.map { MILVariable(name: names.unique("\(part)_\(type)"), type: $0) }
    if let deep = types.first(where: { $0.shape.count > Self.largestRank }) {
      throw .tooManyAxes(deep.shape.count)
    }
    operations.append(
      MILOperation(
        type: type, name: operationNames.unique(part), arguments: arguments, outputs: outputs,
        attributes: [:]))
    return outputs.map { MILValue(name: $0.name, type: $0.type) }
  }

  /// Adds an operation with one output of float32.
  mutating func add(
    _ type: String, _ operands: [(String, MILOperand?)], shape: [Int?],
    data: MILDataType = .float32
  ) throws(NetconvError) -> MILValue {
    try add(type, operands, outputs: [MILType(data: data, shape: shape)])[0]
  }

  /// Adds an operation with the operand `x` whose output has the same type.
  mutating func map(
    _ type: String, _ x: MILValue, _ others: [(String, MILOperand?)] = []
  ) throws(NetconvError) -> MILValue {
    try add(type, [("x", .value(x))] + others, outputs: [x.type])[0]
  }

  /// Adds an operation of two operands, which are broadcast.
  mutating func combine(
    _ type: String, _ x: MILValue, _ y: MILValue, data: MILDataType? = nil
  ) throws(NetconvError) -> MILValue {
    try add(
      type, [("x", .value(x)), ("y", .value(y))],
      outputs: [MILType(data: data ?? x.type.data, shape: Self.broadcast(x.shape, y.shape))])[0]
  }

  /// Applies a rearrangement of axes, or drops it with the one that it reverses.
  mutating func rearrange(
    _ type: String, _ x: MILValue, _ axes: [Int], shape: [Int?], parameter: String,
    inverse: (operation: String, axes: [Int])
  ) throws(NetconvError) -> MILValue {
    if let name = x.name, let known = undone[name], known.operation == type, known.axes == axes {
      return known.source
    }
    let result = try add(
      type, [("x", .value(x)), (parameter, .ints(axes))], shape: shape, data: x.type.data)
    if let name = result.name { undone[name] = (inverse.operation, inverse.axes, x) }
    return result
  }

  /// Returns the shape of two values that are broadcast.
  static func broadcast(_ first: [Int?], _ second: [Int?]) -> [Int?] {
    let rank = max(first.count, second.count)
    let padded = { (shape: [Int?]) in [Int?](repeating: 1, count: rank - shape.count) + shape }
    return zip(padded(first), padded(second)).map { first, second in
      if first == 1 { return second }
      if second == 1 { return first }
      return first ?? second
    }
  }

  // MARK: Values

  /// Returns a known scalar.
  func float(_ value: Double) -> MILValue {
    MILValue(type: MILType(data: .float32, shape: []), contents: .floats([Float(value)]))
  }

  /// Returns a known scalar.
  func float(_ value: Float) -> MILValue {
    MILValue(type: MILType(data: .float32, shape: []), contents: .floats([value]))
  }

  /// Returns a known vector of integers.
  func ints(_ values: [Int]) -> MILValue {
    MILValue(type: MILType(data: .int32, shape: [values.count]), contents: .ints(values))
  }

  /// Returns the names of operands, whose values are added to the program first.
  private mutating func names(of operand: MILOperand) throws(NetconvError) -> [String] {
    switch operand {
    case .value(let value): [try name(of: value)]
    case .list(let values):
      try values.map { value throws(NetconvError) in try name(of: value) }
    case .ints(let values): [try constant(.ints(values, [values.count]))]
    case .int(let value): [try constant(.ints([value], []))]
    case .float(let value): [try constant(.floats([value], []))]
    case .bools(let values): [try constant(.bools(values, [values.count]))]
    case .bool(let value): [try constant(.bools([value], []))]
    case .string(let text): [try constant(.string(text))]
    }
  }

  /// Returns the name of a value, which is added to the program first if it is known.
  private mutating func name(of value: MILValue) throws(NetconvError) -> String {
    if let name = value.name { return name }
    let shape = value.knownShape ?? []
    switch value.contents {
    case .ints:
      guard let known = value.ints else { throw .openSizeForCoreML }
      return try constant(.ints(known, shape))
    case .floats(let values):
      return try values.count < Self.largestImmediate
        ? constant(.floats(values, shape))
        : constant(.blob(index(of: .floats(values)), .float32, shape))
    case .tensor(let key, let type): return try tensor(key, type, shape)
    case .transposed(let source, let order):
      return try name(of: map("transpose", source, [("perm", .ints(order))], shape: value.shape))
    case .joined(let parts, let axis):
      let joined = try add(
        "concat", [("values", .list(parts)), ("axis", .int(axis)), ("interleave", .bool(false))],
        shape: value.shape)
      return try name(of: joined)
    case nil: return ""
    }
  }

  private mutating func map(
    _ type: String, _ x: MILValue, _ others: [(String, MILOperand?)], shape: [Int?]
  ) throws(NetconvError) -> MILValue {
    try add(type, [("x", .value(x))] + others, shape: shape, data: x.type.data)
  }

  /// Adds a constant once.
  private mutating func constant(_ literal: MILLiteral) throws(NetconvError) -> String {
    if let known = constants[literal]?.name { return known }
    if case .ints(let values, _) = literal,
      let large = values.first(where: { Int32(exactly: $0) == nil })
    {
      throw .largeIntegerForCoreML(large)
    }
    let output = MILVariable(name: names.unique("constant"), type: literal.type)
    operations.append(
      MILOperation(
        type: "const", name: operationNames.unique(output.name), arguments: [], outputs: [output],
        attributes: ["val": literal]))
    constants[literal] = MILValue(name: output.name, type: output.type)
    return output.name
  }

  /// Adds a tensor of the model once for each shape that it is read in; float16 is widened when the program is loaded.
  private mutating func tensor(
    _ key: TensorKey, _ type: ElementType, _ shape: [Int]
  ) throws(NetconvError) -> String {
    if let known = tensors[key]?[shape]?.name { return known }
    let isHalf = type == .float16
    let blob = index(of: .tensor(key, type, shape.reduce(1, *)))
    let output = MILVariable(
      name: names.unique("\(key.layer)_\(key.role)"),
      type: MILType(data: .float32, shape: shape))
    let value = MILLiteral.blob(blob, isHalf ? .float16 : .float32, shape)
    if isHalf { require(.iOS16) }
    operations.append(
      MILOperation(
        type: isHalf ? "constexpr_cast" : "const", name: operationNames.unique(output.name),
        arguments: [], outputs: [output],
        attributes: isHalf
          ? ["source_val": value, "output_dtype": .string("fp32")] : ["val": value]))
    tensors[key, default: [:]][shape] = MILValue(name: output.name, type: output.type)
    return output.name
  }

  private mutating func index(of blob: MILBlob) -> Int {
    if let known = blobIndices[blob] { return known }
    blobs.append(blob)
    blobIndices[blob] = blobs.count - 1
    return blobs.count - 1
  }

  // MARK: Names

  /// Returns true if one of the last operations computes a value.
  func isResult(_ value: MILValue, since start: Int) -> Bool {
    operations[start...].contains { operation in
      operation.outputs.contains { $0.name == value.name }
    }
  }

  /// Names a value that one of the last operations computes; others keep their names.
  mutating func rename(_ value: MILValue, to wanted: String, since start: Int) -> MILValue {
    guard isResult(value, since: start) else { return value }
    return rename(value, toReserved: names.unique(wanted), since: start)
  }

  /// Names a value that one of the last operations computes with a name that is taken for it.
  mutating func rename(_ value: MILValue, toReserved new: String, since start: Int) -> MILValue {
    guard let old = value.name else { return value }
    for index in operations.indices[start...] { operations[index].rename(old, to: new) }
    if let known = undone[old] { undone[new] = known }
    var value = value
    value.name = new
    return value
  }

  /// The largest number of axes of a value.
  ///
  /// Source: coremltools, docs, "Model Intermediate Language": tensors have at most five axes.
  private static let largestRank = 5
  /// The number of values from which on an array is in the file with weights.
  private static let largestImmediate = 10
}

extension MILOperation {
  fileprivate mutating func rename(_ old: String, to new: String) {
    for index in outputs.indices where outputs[index].name == old { outputs[index].name = new }
    for index in arguments.indices {
      arguments[index].values = arguments[index].values.map { $0 == old ? new : $0 }
    }
  }
}

/// Names that are identifiers, and unique.
///
/// Source: coremltools, converters/mil/mil/passes/defs/preprocess.py, `NameSanitizer`.
struct MILNames {
  private var taken: Set<String>
  private var numbers: [String: Int] = [:]

  /// Creates an allocator that leaves the names of inputs and outputs alone.
  init(reserved: Set<String>) { taken = reserved }

  /// Returns an identifier that no other value has.
  mutating func unique(_ name: String) -> String {
    let base = Self.identifier(name)
    var unique = base
    while !taken.insert(unique).inserted {
      numbers[base, default: 0] += 1
      unique = "\(base)_\(numbers[base] ?? 0)"
    }
    return unique
  }

  /// Returns the name with everything else than letters, digits and underscores replaced.
  static func identifier(_ name: String) -> String {
    let characters = name.plain.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "_"
    }
    let text = String(characters)
    return text.first.map { $0.isNumber ? "_" + text : text } ?? "_"
  }
}
