import ModelIR
import Operators

// Functions of values at the same index: sums, products, choices, activations.

extension GraphBuilder {
  /// Applies an elementwise function to values and constants.
  ///
  /// A function that no layer computes can still be a part of an activation that is written as several operations.
  /// - Throws: `badData` if the shapes cannot be broadcast.
  mutating func apply(
    _ function: PointFunction, _ inputs: [GraphResult]
  ) throws(NetconvError) -> GraphResult {
    if let constants = inputs.constants {
      return .constant(try .folded(function, of: constants, at: node))
    }
    guard function.arity.contains(inputs.count) else {
      throw .missingOperand(inputs.count, operation)
    }
    if function.arity == 1...1, function != .negative, function != .square {
      return .value(try activation(function, of: value(inputs, 0)))
    }
    if function == .select, case .constant(let condition) = inputs[0],
      let one = try condition.scalar()
    {
      return inputs[one != 0 ? 1 : 2]
    }
    let inputs = try ofOneRank(alike(inputs))
    var operands: [GraphExpression.Operand] = []
    var values: [GraphValue] = []
    var vector: GraphConstant?
    var number: Double?
    for input in inputs {
      switch input {
      case .value(let value):
        values.append(value)
        operands.append(.value(value.draft))
      case .constant(let stored):
        let constant = try simplified(stored, beside: inputs)
        if let scalar = try constant.scalar() {
          number = scalar
          operands.append(.number(scalar))
        } else {
          vector = constant
          operands.append(.vector(constant))
        }
      case .fed(let name): operands.append(.fed(name))
      case .random: throw .randomNumbers
      case .problem(let problem): throw problem.errors[0]
      }
    }
    guard let first = values.first else {
      // Only numbers that are fed, and constants.
      guard let fed = inputs.first(where: { if case .fed = $0 { true } else { false } }) else {
        throw .unknownOperation(operation)
      }
      return fed
    }
    let arithmetic = Arithmetic(
      function: function, expression: GraphExpression(function, operands), values: values,
      number: number, vector: vector,
      isFirstConstant: !{ if case .value? = operands.first { true } else { false } }())
    let shape = try arithmetic.shape(first)
    do throws(NetconvError) {
      guard let value = try arithmetic.layer(&self) else { throw .noLayer(operation) }
      return .value(value)
    } catch {
      return .value(
        draft(arithmetic.expression, shape: shape, batch: first.batch, problem: error))
    }
  }

  /// Returns the operands with equal ranks: leading axes of size 1 are added to values of lower rank.
  ///
  /// If the batch size is dynamic, the operands are unchanged, because the batch would be at another axis of the result.
  mutating func ofOneRank(
    _ operands: [GraphResult]
  ) throws(NetconvError) -> [GraphResult] {
    var values: [GraphValue] = []
    for case .value(let value) in operands { values.append(value) }
    let rank = values.map(\.rank).max() ?? 0
    let hasBatch = values.contains { $0.batch != nil }
    guard values.contains(where: { $0.rank < rank }),
      !hasBatch || batchSize == 1 && values.allSatisfy({ $0.batch == .first })
    else { return operands }
    var equal = operands
    for (index, operand) in operands.enumerated() {
      guard case .value(let value) = operand, value.rank < rank else { continue }
      let start = hasBatch ? 1 : 0
      equal[index] = try expand(operand, at: Array(start..<start + rank - value.rank))
    }
    return equal
  }

  /// Divides a value by a constant.
  ///
  /// The constant's inverse is not used as a factor, since quotients that are rounded to integers
  /// afterwards would differ.
  mutating func divide(
    _ value: GraphValue, exactlyBy divisor: GraphConstant
  ) throws(NetconvError) -> GraphValue {
    let arithmetic = Arithmetic(
      function: .divide,
      expression: GraphExpression(.divide, [.value(value.draft), .vector(divisor)]),
      values: [value], number: nil, vector: divisor, isFirstConstant: false)
    guard let quotient = try arithmetic.withTable(divisor, &self) else { throw .noLayer(operation) }
    return quotient
  }

  /// The constant without repeated values, as long as the values beside it already have the sizes of the result.
  private func simplified(
    _ constant: GraphConstant, beside inputs: [GraphResult]
  ) throws(NetconvError) -> GraphConstant {
    guard constant.shape.count(where: { $0 > 1 }) > 1, constant.count <= GraphConstant.numberLimit
    else { return constant }
    let values = inputs.compactMap { input in
      if case .value(let value) = input { value } else { nil }
    }
    // The result keeps its shape if a value has the sizes of all axes but the batch.
    let sizes = constant.shape.suffix(max(0, (values.first?.rank ?? 1) - 1))
    guard let value = values.first, value.batch == .first,
      zip(value.shape.dimensions.reversed(), sizes.reversed()).allSatisfy({ $0 == $1 || $1 == 1 })
    else { return constant }
    return try constant.withoutRepetition()
  }
}

/// An arithmetic operation with at least one operand that is a value.
private struct Arithmetic {
  let function: PointFunction
  let expression: GraphExpression
  let values: [GraphValue]
  let number: Double?
  let vector: GraphConstant?
  let isFirstConstant: Bool

  /// The shape of the result.
  func shape(_ first: GraphValue) throws(NetconvError) -> Shape {
    var widest = first.shape
    for value in values.dropFirst() {
      guard value.rank == first.rank, value.batch == first.batch else {
        throw .ranksDiffer(first.shape, value.shape)
      }
      widest = try Add().outputShape(for: [widest, value.shape])
    }
    var dimensions = widest.dimensions
    // A constant can have more axes than the values: a factor per channel, beside one number per position.
    for (offset, size) in (vector?.shape ?? []).reversed().enumerated()
    where size != 1 && offset < dimensions.count {
      let axis = dimensions.count - 1 - offset
      if dimensions[axis] == 1 { dimensions[axis] = size }
    }
    return Shape(dimensions)
  }

  /// Drafts the layer that computes the operation; returns `nil` if no layer does.
  func layer(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphValue? {
    for operand in expression.operands {
      if case .fed(let name) = operand { throw .fedNumber(name) }
    }
    if function == .select { return try chosen(&graph) }
    if vector != nil || number != nil {
      guard values.count == 1, expression.operands.count <= 2 else { return nil }
      return vector.map { $0.count > 1 } ?? false
        ? try withVector(&graph) : try withNumber(&graph)
    }
    if function == .squaredDifference, values.count == 2 {
      let difference = try graph.draft(Subtract(), values, batch: values[0].batch)
      return try draft(&graph, Multiply(), [difference, difference])
    }
    guard let merge = merge else { return nil }
    if values.count == 1, function != .square, function != .negative { return values[0] }
    switch function {
    case .negative: return try rescaled(&graph, -1, 0)
    case .square: return try draft(&graph, merge, [values[0], values[0]])
    default: return try draft(&graph, merge, values)
    }
  }

  private var merge: (any Operator)? {
    switch function {
    case .add, .sum: Add()
    case .maximum: Maximum()
    case .minimum: Minimum()
    case .multiply, .square: Multiply()
    case .negative: Identity()
    case .divide: Divide()
    case .subtract: Subtract()
    default: function.pairwise.map(Pairwise.init)
    }
  }

  private func draft(
    _ graph: inout GraphBuilder, _ operation: any Operator, _ inputs: [GraphValue]
  ) throws(NetconvError) -> GraphValue {
    try graph.draft(
      operation, inputs, axes: .counted(moved: { _ in operation }), batch: values[0].batch,
      expression: expression)
  }

  private func rescaled(
    _ graph: inout GraphBuilder, _ scale: Double, _ offset: Double
  ) throws(NetconvError) -> GraphValue {
    try draft(&graph, Rescaling(scale: [scale], offset: [offset]), [values[0]])
  }

  private func withNumber(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphValue? {
    guard let number else { return nil }
    switch function {
    case .add: return try rescaled(&graph, 1, number)
    case .multiply: return number == 1 ? values[0] : try rescaled(&graph, number, 0)
    case .divide where !isFirstConstant: return try rescaled(&graph, 1 / number, 0)
    case .subtract:
      return isFirstConstant
        ? try rescaled(&graph, -1, number) : try rescaled(&graph, 1, -number)
    case .maximum: return try limited(&graph, number, sign: 1)
    case .power where !isFirstConstant:
      return number == 2
        ? try draft(&graph, Multiply(), [values[0], values[0]])
        : try draft(&graph, Elementwise(power: number), [values[0]])
    case .minimum: return try limited(&graph, number, sign: -1)
    default:
      guard let merge else { return nil }
      let table = try graph.table(number, like: values[0])
      return try draft(&graph, merge, isFirstConstant ? [table, values[0]] : [values[0], table])
    }
  }

  /// Drafts a layer that selects one of two operands at each index.
  private func chosen(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphValue? {
    var inputs: [GraphValue] = []
    for operand in expression.operands {
      switch operand {
      case .value(let draft):
        guard let value = values.first(where: { $0.draft == draft }) else { return nil }
        inputs.append(value)
      case .number(let number): inputs.append(try graph.table(number, like: values[0]))
      case .vector(let constant):
        guard let sizes = constant.tableSizes(beside: values[0]), values[0].shape.rank > 1 else {
          throw .notPerChannel(constant.shape, values[0].shape)
        }
        inputs.append(try graph.table(constant, of: sizes))
      case .fed: return nil
      }
    }
    return try draft(&graph, Where(), inputs)
  }

  /// The largest limit whose addition and subtraction change a value by at most 2⁻²¹.
  private static let largestAddedLimit = 8.0

  /// Drafts the maximum of a value and a number, or with the opposite sign the minimum.
  ///
  /// Small limits become max(x, a) = relu(x - a) + a and min(x, b) = b - relu(b - x), which every target supports.
  /// With large limits, small values would lose all their digits.
  private func limited(
    _ graph: inout GraphBuilder, _ limit: Double, sign: Double
  ) throws(NetconvError) -> GraphValue {
    let batch = values[0].batch
    func draft(
      _ operation: any Operator, _ input: GraphValue, _ expression: GraphExpression? = nil
    ) throws(NetconvError) -> GraphValue {
      try graph.draft(
        operation, [input], axes: .counted(moved: { _ in operation }), batch: batch,
        expression: expression)
    }
    if abs(limit) <= Self.largestAddedLimit {
      let over = try draft(Rescaling(scale: [sign], offset: [-sign * limit]), values[0])
      let kept = try draft(Activation(.relu), over)
      return try draft(Rescaling(scale: [sign], offset: [limit]), kept, expression)
    }
    if sign > 0 {
      return try draft(
        Activation(.threshold(threshold: limit, value: limit)), values[0], expression)
    }
    if limit > 0 {
      return try draft(
        Activation(.relu(maxValue: limit, negativeSlope: 1, threshold: 0)), values[0], expression)
    }
    // min(x, b) = -max(-x, -b).
    let negated = try draft(Rescaling(scale: [-1], offset: [0]), values[0])
    let kept = try draft(Activation(.threshold(threshold: -limit, value: -limit)), negated)
    return try draft(Rescaling(scale: [-1], offset: [0]), kept, expression)
  }

  /// Drafts an operation with a vector: a bias or a scale per channel, or a table.
  private func withVector(_ graph: inout GraphBuilder) throws(NetconvError) -> GraphValue? {
    guard let vector else { return nil }
    guard let place = try channels(of: vector) else { return try withTable(vector, &graph) }
    let channels = try vector.reshaped([vector.count])
    switch function {
    case .add: return try biased(&graph, channels, place, sign: 1)
    case .subtract where !isFirstConstant: return try biased(&graph, channels, place, sign: -1)
    case .multiply: return try scaled(&graph, channels, place)
    case .divide where !isFirstConstant:
      let inverse = GraphConstant(
        try channels.numbers().map { 1 / $0 }, shape: channels.shape, type: channels.type,
        path: channels.path)
      return try scaled(&graph, inverse, place)
    default: return try withTable(vector, &graph)
    }
  }

  /// Drafts an operation with a constant table, the same for every sample.
  func withTable(
    _ constant: GraphConstant, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> GraphValue? {
    guard let merge else { return nil }
    let (value, rank) = (values[0], values[0].shape.rank)
    guard (1...4).contains(rank), let sizes = constant.tableSizes(beside: value) else {
      throw .notPerChannel(constant.shape, value.shape)
    }
    // After a flatten, a vector of the graph has another order; a row with one more axis does not.
    let row = rank > 1 ? nil : value.shape.known.map { Shape([1] + $0) }
    guard rank > 1 || row != nil else { throw .notPerChannel(constant.shape, value.shape) }
    let table = try graph.table(constant, of: row == nil ? sizes : [1] + sizes)
    let other = try row.map { row throws(NetconvError) in try graph.reshape(value, to: row) }
    let operands = [other ?? value, table]
    let result = try draft(&graph, merge, isFirstConstant ? operands.reversed() : operands)
    guard row != nil else { return result }
    return try graph.reshape(result, to: Shape(Array(result.shape.dimensions.dropFirst())))
      .with(value.batch)
  }

  private func biased(
    _ graph: inout GraphBuilder, _ vector: GraphConstant, _ axes: GraphDraft.Axes, sign: Double
  ) throws(NetconvError) -> GraphValue {
    let bias =
      sign > 0
      ? vector
      : GraphConstant(
        try vector.numbers().map { -$0 }, shape: vector.shape, type: vector.type, path: vector.path)
    return try graph.add(bias, to: values[0], axes, expression)
  }

  private func scaled(
    _ graph: inout GraphBuilder, _ vector: GraphConstant, _ axes: GraphDraft.Axes
  ) throws(NetconvError) -> GraphValue {
    try graph.draft(
      Scale(), [values[0]], [.gamma: GraphDraft.Parameter(constant: vector, layout: nil)],
      axes: axes, batch: values[0].batch, expression: expression)
  }

  /// The axes whose channels a constant indexes; `nil` if it has no values per channel.
  private func channels(of vector: GraphConstant) throws(NetconvError) -> GraphDraft.Axes? {
    let shape = values[0].shape
    var sizes = vector.shape
    let rank = values[0].rank
    guard sizes.count <= rank else { return nil }
    sizes = [Int](repeating: 1, count: rank - sizes.count) + sizes
    guard sizes.count(where: { $0 != 1 }) == 1, let axis = sizes.firstIndex(where: { $0 != 1 }),
      axis != values[0].batch?.axis, let own = values[0].sampleAxes(axis).first
    else { return nil }
    guard shape.dimensions[own] == sizes[axis] else { return nil }
    if own == shape.rank - 1 { return .counted(moved: nil) }
    return own == 0 && shape.rank > 1 ? .channelsFirst : nil
  }
}

extension GraphBuilder {
  /// Drafts the addition of a number per channel, which becomes the bias of the preceding layer where possible.
  mutating func add(
    _ bias: GraphConstant, to value: GraphValue, _ axes: GraphDraft.Axes,
    _ expression: GraphExpression? = nil
  ) throws(NetconvError) -> GraphValue {
    let channels = bias.count
    let zeros = GraphConstant(
      [Double](repeating: 0, count: channels), shape: [channels], type: .float32, path: "zeros")
    let ones = GraphConstant(
      [Double](repeating: 1, count: channels), shape: [channels], type: .float32, path: "ones")
    return try draft(
      BatchNormalization(epsilon: 0), [value],
      [
        .beta: GraphDraft.Parameter(constant: bias, layout: nil),
        .mean: GraphDraft.Parameter(constant: zeros, layout: nil),
        .variance: GraphDraft.Parameter(constant: ones, layout: nil),
      ], axes: axes, batch: value.batch, bias: bias, expression: expression)
  }
}
