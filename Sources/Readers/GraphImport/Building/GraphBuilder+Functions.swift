import ModelIR
import Operators

// Functions of one operand.

extension GraphBuilder {
  /// Drafts an elementwise function of one value, which is an activation or a part of one.
  mutating func activation(
    _ function: PointFunction, of input: GraphValue
  ) throws(NetconvError) -> GraphValue {
    let expression = GraphExpression(function, [.value(input.draft)])
    if let function = function.elementwise {
      let operation = Elementwise(function)
      return try draft(
        operation, [input], axes: .counted(moved: { _ in operation }), batch: input.batch,
        expression: expression)
    }
    guard let activation = function.activation else {
      return draft(
        expression, shape: input.shape, batch: input.batch, problem: .noLayer(operation))
    }
    return try activate(input, activation, expression)
  }

  /// Drafts an activation layer.
  ///
  /// Its expression, if any, makes it available as a part of other activations.
  mutating func activate(
    _ input: GraphValue, _ function: ActivationFunction, _ expression: GraphExpression? = nil
  ) throws(NetconvError) -> GraphValue {
    try draft(
      Activation(function), [input], axes: .counted(moved: { _ in Activation(function) }),
      batch: input.batch, expression: expression)
  }

  /// Converts real numbers to integers or truth values.
  ///
  /// For types that cannot hold every count, only a later layer may be able to use the result.
  mutating func cast(_ input: GraphValue, to type: GraphElement) throws(NetconvError) -> GraphResult
  {
    if type == .truth { return try apply(.notEqual, [.value(input), .number(0)]) }
    guard type.isNarrow else { return .value(try activation(.truncate, of: input)) }
    return .value(
      draft(
        GraphExpression(.truncate, [.value(input.draft)]), shape: input.shape, batch: input.batch,
        problem: .cutsTo(type.name)))
  }

  /// Drafts a softmax over axes whose indices include the batch.
  mutating func softmax(
    _ input: GraphValue, over axes: [Int] = [-1], isLogarithm: Bool
  ) throws(NetconvError) -> GraphValue {
    let axes = try axes.map { axis throws(NetconvError) in try input.sampleAxis(axis) }
    let function = { @Sendable (axes: [Int]) -> any Operator in
      let axes = AxisList(axes)
      return Activation(isLogarithm ? .logSoftmax(axis: axes) : .softmax(axis: axes))
    }
    return try draft(
      function(axes == [input.shape.rank - 1] ? [-1] : axes), [input],
      axes: .counted(moved: { rank in function(axes.map { movedAxis($0, rank: rank) }) }),
      batch: input.batch)
  }

  /// Drafts a leaky rectifier: values below 0 are multiplied by slopes.
  ///
  /// - Parameter isChannelsFirst: True if slopes per channel are along the first axis of samples, not the last.
  mutating func rectify(
    _ input: GraphValue, by slopes: GraphResult, isChannelsFirst: Bool
  ) throws(NetconvError) -> GraphResult {
    if case .constant(let slopes) = slopes {
      if let slope = try slopes.scalar() {
        return .value(try activate(input, .leakyReLU(negativeSlope: slope)))
      }
      if let rectified = try rectify(input, byChannel: slopes, isChannelsFirst) {
        return .value(rectified)
      }
    }
    let below = try apply(.multiply, [.value(input), slopes])
    let isBelow = try apply(.less, [.value(input), .number(0)])
    return try apply(.select, [isBelow, below, .value(input)])
  }

  /// Drafts a `PReLU` layer; `nil` if the slopes are not one per channel.
  private mutating func rectify(
    _ input: GraphValue, byChannel slopes: GraphConstant, _ isChannelsFirst: Bool
  ) throws(NetconvError) -> GraphValue? {
    let (rank, sizes) = (input.shape.rank, slopes.shape)
    let axis = isChannelsFirst ? 0 : rank - 1
    guard input.batch == .first, rank > 0, let channels = input.shape.dimensions[axis],
      slopes.count == channels, sizes.contains(channels),
      isChannelsFirst
        ? rank == 1 || sizes.count == rank && sizes[0] == channels
          || sizes.count == rank + 1 && sizes[1] == channels
        : sizes.last == channels
    else { return nil }
    let alpha = try slopes.reshaped([Int](repeating: 1, count: rank - 1) + [channels])
    return try draft(
      PReLU(sharedAxes: Array(0..<rank - 1)), [input],
      [.alpha: GraphDraft.Parameter(constant: alpha, layout: nil)],
      axes: rank > 1 && isChannelsFirst ? .channelsFirst : .counted(moved: nil))
  }
}

/// The index of an axis after the first axis of the array has been moved to the end.
func movedAxis(_ axis: Int, rank: Int) -> Int { axis == 0 ? rank - 1 : axis - 1 }

extension PointFunction {
  /// The activation that computes the function by itself; `nil` if there is none.
  fileprivate var activation: ActivationFunction? {
    switch self {
    case .elu(let alpha): .elu(alpha: alpha)
    case .hardSigmoid(let slope, let offset): offset == 0.5 ? .hardSigmoid(slope: slope) : nil
    case .exponential: .exponential
    case .relu: .relu
    case .relu6: .relu6
    case .selu: .selu
    case .sigmoid: .sigmoid
    case .softplus: .softplus
    case .softsign: .softsign
    case .tanh: .tanh
    case .leakyReLU(let slope): .leakyReLU(negativeSlope: slope)
    default: nil
    }
  }
}

extension NetconvError {
  fileprivate static func cutsTo(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "makes \(type) of real numbers, where what does not fit is undefined, which is not read")
  }
}
