import ModelIR

/// An operator that processes a sequence step by step and carries a state from step to step.
///
/// Its kernels store the weights of the gates side by side, `I(GN)`, with the gates in the order of ``cell``. A bias
/// may be added after each of the two kernels; most sources have a single bias.
public protocol RecurrentOperator: SteppingOperator {
  /// The number of units: the size of the state, and of the output of a step.
  var units: Int { get }

  /// The activation function of the new value.
  var activation: ActivationFunction { get set }

  /// The cell type, which determines the gates and their order; with a single gate, there is no axis G.
  var cell: RecurrentCellKind { get }

  /// Returns the state after a step.
  ///
  /// - Parameters:
  ///   - sums: the contribution of the step's input and the bias to each gate: (gates, units).
  ///   - state: the state before the step, with arrays of (units).
  ///   - recurrent: the product with the recurrent kernel.
  /// - Throws: any error of an activation.
  func next(
    _ sums: [[Double]], _ state: [[Double]], _ recurrent: RecurrentProduct
  ) throws(NetconvError) -> [[Double]]
}

/// The product of a state and the recurrent kernel.
public struct RecurrentProduct: Sendable {
  let kernel: [Double]
  let bias: [Double]?
  let units: Int
  let gates: Int

  /// Returns the product for a gate, with the recurrent bias if there is one.
  public func callAsFunction(_ state: [Double], gate: Int) -> [Double] {
    (0..<units).map { unit in
      let column = gate * units + unit
      var sum = bias?[column] ?? 0
      for index in state.indices { sum += state[index] * kernel[index * gates * units + column] }
      return sum
    }
  }
}

extension RecurrentOperator {
  /// True: kernels are required.
  public static var needsParameters: Bool { true }

  /// The sequence, followed by a mask and the states as ``recurrence`` specifies.
  public var inputCount: ClosedRange<Int> {
    let count =
      1 + (recurrence.takesMask ? 1 : 0) + (recurrence.takesState ? Self.stateCount : 0)
    return count...count
  }

  /// The channels of a step are replaced by a state.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The state of a step depends on the steps before it.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The number of products per gate over all steps.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs[0][0] * (inputs[0][1] + units) }

  /// Returns the shape: (length, channels) becomes (length, units), or (units).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Line.self)
    try checkSizes(("units", units))
    try checkBeginning()
    guard recurrence.returns != .cell || Self.stateCount > 1 else { throw .noCell(Self.name) }
    var others = inputs.dropFirst()
    if recurrence.takesMask, let mask = others.popFirst() {
      let fits = mask.rank == 1 && (mask.dimensions[0] ?? input.lengths[0]) == input.lengths[0]
      guard fits || input.lengths[0] == nil && mask.rank == 1 else {
        throw .differentShapes([inputs[0], mask])
      }
    }
    for state in others where state != Shape([units]) {
      throw .wrongState(state, units: units)
    }
    return Shape(recurrence.returns == .sequence ? [input.lengths[0], units] : [units])
  }

  /// Returns the kernels of the input and of the state, and their biases.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let channels = try inputs[0].lastAxis()
    let columns: [Axis] = cell.gates == nil ? [.units] : [.gates, .units]
    var sizes: [Axis: Int] = [.units: units]
    sizes[.gates] = cell.gates?.count
    func layout(_ dimensions: [Axis]...) throws(NetconvError) -> Layout {
      try Layout(dimensions.map { Layout.Dimension($0) }, gates: cell.gates)
    }
    func kernel(_ role: ParameterRole, _ rows: Int) throws(NetconvError) -> ParameterSpec {
      ParameterSpec(
        role, .recurrent, try layout([.inputChannels], columns),
        sizes.merging([.inputChannels: rows]) { own, _ in own }, cell: cell)
    }
    func bias(_ role: ParameterRole) throws(NetconvError) -> ParameterSpec {
      ParameterSpec(role, .vector, try layout(columns), sizes, isOptional: true, cell: cell)
    }
    return try [
      kernel(.kernel, channels), kernel(.recurrent, units), bias(.bias), bias(.recurrentBias),
    ]
  }

  /// Evaluates the recurrence step by step, and returns the outputs selected by ``recurrence``.
  public func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    let x = inputs[0]
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    guard let size = shape.known, let kernel = parameters[.kernel],
      let recurrent = parameters[.recurrent]
    else { throw .unknownSize(shape) }
    let product = RecurrentProduct(
      kernel: recurrent.values, bias: parameters[.recurrentBias]?.values, units: units,
      gates: cell.gateCount)
    let mask = recurrence.takesMask ? inputs[1].values : nil
    var state = [[Double]](
      repeating: [Double](repeating: 0, count: units), count: Self.stateCount)
    if recurrence.takesState { state = inputs.suffix(Self.stateCount).map(\.values) }
    var output = [Double](repeating: 0, count: units)
    let zeros = output
    var all = try NDArray<Double>(shape: [x.shape[0], units])
    let steps = Array(0..<x.shape[0])
    for (index, step) in (recurrence.goesBackwards ? steps.reversed() : steps).enumerated() {
      if mask?[step] == 0 {
        if recurrence.zerosMasked { output = zeros }
      } else {
        let sums = gateSums(x, step, kernel.values, parameters[.bias]?.values)
        state = try next(sums, state, product)
        output = state[0]
      }
      all.values.replaceSubrange(index * units..<(index + 1) * units, with: output)
    }
    return outputs(
      recurrence.returns == .sequence ? all : NDArray(shape: size, values: output),
      states: state.map { NDArray(shape: [units], values: $0) })
  }

  private func gateSums(
    _ x: NDArray<Double>, _ step: Int, _ kernel: [Double], _ bias: [Double]?
  ) -> [[Double]] {
    let (gates, channels) = (cell.gateCount, x.shape[1])
    return (0..<gates).map { gate in
      (0..<units).map { unit in
        let column = gate * units + unit
        var sum = bias?[column] ?? 0
        for c in 0..<channels {
          sum += x.values[step * channels + c] * kernel[c * gates * units + column]
        }
        return sum
      }
    }
  }
}

extension ActivationFunction {
  /// Applies the function to the values of one gate.
  func applied(to gate: [Double]) throws(NetconvError) -> [Double] {
    try applied(to: NDArray(shape: [gate.count], values: gate)).values
  }
}

extension NetconvError {
  fileprivate static func noCell(_ name: String) -> NetconvError {
    NetconvError(.badData, "recurrence returns a cell, but \(name) has none")
  }
}
