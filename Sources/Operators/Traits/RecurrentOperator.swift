import ModelIR

/// An operator that goes through a sequence step by step and carries a state from each step to the next.
///
/// Its kernels have the weights of each gate side by side, `I(GN)`, with the gates in the order of ``cell``. A bias
/// may be added behind each of the two kernels; most sources have one for both.
public protocol RecurrentOperator: SteppingOperator {
  /// The size of the state, and of the output of a step.
  var units: Int { get }

  /// Applied to the new value.
  var activation: ActivationFunction { get set }

  /// What it is to consumers, which says its gates and their order; of one gate, there is no axis G.
  var cell: RecurrentCellKind { get }

  /// The state after a step.
  ///
  /// - Parameters:
  ///   - sums: for each gate, what the step's input and the bias come to: (gates, units).
  ///   - state: before the step, each of its arrays (units).
  ///   - recurrent: the kernel that the output goes through.
  /// - Throws: what an activation throws.
  func next(
    _ sums: [[Double]], _ state: [[Double]], _ recurrent: RecurrentProduct
  ) throws(NetconvError) -> [[Double]]
}

/// What a state comes to behind the recurrent kernel.
public struct RecurrentProduct: Sendable {
  let kernel: [Double]
  let bias: [Double]?
  let units: Int
  let gates: Int

  /// The sums of `state` for a gate, with the recurrent bias if there is one.
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
  /// It cannot compute without kernels.
  public static var needsParameters: Bool { true }

  /// The sequence, then a mask and the states as ``recurrence`` says.
  public var inputCount: ClosedRange<Int> {
    let count =
      1 + (recurrence.takesMask ? 1 : 0) + (recurrence.takesState ? Self.stateCount : 0)
    return count...count
  }

  /// The channels of a step become a state.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// A step's state depends on the steps before it.
  public var orderDependence: OrderDependence { .full }

  /// Sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The products of one gate, of all steps.
  public func fanIn(of inputs: [[Int]]) -> Int { inputs[0][0] * (inputs[0][1] + units) }

  /// (length, channels) to (length, units), or to (units).
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

  /// The kernel of the input, that of the state, and what is added to each.
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

  /// The state after each step, and what ``recurrence`` says of it.
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
  /// The function of the values of one gate.
  func applied(to gate: [Double]) throws(NetconvError) -> [Double] {
    try applied(to: NDArray(shape: [gate.count], values: gate)).values
  }
}
