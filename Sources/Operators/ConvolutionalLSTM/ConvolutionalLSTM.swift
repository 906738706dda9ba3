import ModelIR

/// A convolutional LSTM layer.
///
/// With the sums z = x∗W + b + h∗U of each gate: c' = r(f)·c + r(i)·a(c), h' = r(o)·a(c'), where a is the activation
/// and r the recurrent activation. The convolution of the state preserves its size: it has neither strides nor
/// dilation.
///
/// Source: Shi et al., "Convolutional LSTM Network", 2015, without the peephole connections;
/// keras/src/layers/rnn/conv_lstm.py.
public struct SpatialConvolutionalLSTM<Space: SpatialAxes>: SteppingOperator {
  /// The operator's name in documents, such as `ConvolutionalLSTM2D`.
  public static var name: String { Space.name("ConvolutionalLSTM") }

  /// The number of channels of the state, and of the output of a step.
  public let outputChannels: Int
  /// The size of both kernels.
  public let kernelSize: SpatialSize<Space>
  /// The stride: the distance between outputs, in input positions.
  public let strides: SpatialSize<Space>
  /// The dilation: the distance between taps, in input positions.
  public let dilation: SpatialSize<Space>
  /// The padding at the edges of the input.
  public let padding: Padding
  /// The activation function of the cell's input and of the cell.
  public let activation: ActivationFunction
  /// The activation function of the gates.
  public let recurrentActivation: ActivationFunction
  /// The direction, states and outputs of the recurrence; masks are not supported.
  public var recurrence: Recurrence

  /// Creates a layer with `outputChannels` channels.
  public init(
    outputChannels: Int, kernelSize: SpatialSize<Space>, strides: SpatialSize<Space> = .one,
    dilation: SpatialSize<Space> = .one, padding: Padding = .valid,
    activation: ActivationFunction = .tanh, recurrentActivation: ActivationFunction = .sigmoid,
    recurrence: Recurrence = Recurrence()
  ) {
    self.outputChannels = outputChannels
    self.kernelSize = kernelSize
    self.strides = strides
    self.dilation = dilation
    self.padding = padding
    self.activation = activation
    self.recurrentActivation = recurrentActivation
    self.recurrence = recurrence
  }

  /// Two states: the output and the cell.
  public static var stateCount: Int { 2 }

  /// True: kernels are required.
  public static var needsParameters: Bool { true }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case outputChannels
    case kernelSize
    case strides
    case dilation
    case padding
    case activation
    case recurrentActivation
    case recurrence
  }

  /// Decodes the attributes; all but channels and kernel size have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels),
      kernelSize: try attributes.decode(SpatialSize<Space>.self, forKey: .kernelSize),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      padding: try attributes.value(.padding, default: .valid),
      activation: try attributes.value(.activation, default: .tanh),
      recurrentActivation: try attributes.value(.recurrentActivation, default: .sigmoid),
      recurrence: try attributes.value(.recurrence, default: Recurrence()))
  }

  /// The sequence, followed by the states if ``recurrence`` includes them.
  public var inputCount: ClosedRange<Int> {
    let count = 1 + (recurrence.takesState ? Self.stateCount : 0)
    return count...count
  }

  /// Values are replaced by sums over channels.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// The state of a step depends on the steps before it.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The number of products per gate over all steps, at all positions that affect the last state.
  public func fanIn(of inputs: [[Int]]) -> Int {
    let input = inputs[0]
    var factors = [input[0], kernelSize.count, input[Space.count + 1] + outputChannels]
    for (index, axis) in inputConvolution.window.axes.enumerated() {
      let reach = (input[0] - 1).multipliedReportingOverflow(by: axis.size - 1)
      let count = axis.count(in: input[index + 1])
      factors.append(reach.overflow ? count : min(count, reach.partialValue + 1))
    }
    return factors.reduce(1) { product, factor in
      let next = product.multipliedReportingOverflow(by: factor)
      return next.overflow ? attributeLimit * attributeLimit : next.partialValue
    }
  }

  /// Returns the shape: (steps, …, channels) becomes (steps, …, outputChannels), or (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = inputs[0]
    guard input.rank == Space.count + 2 else {
      throw .wrongRank(
        input,
        expected: "(steps, \((Space.sizeNames + ["channels"]).joined(separator: ", ")))")
    }
    guard !recurrence.takesMask else { throw .noMask(Self.name) }
    try checkSizes(("outputChannels", outputChannels))
    try checkBeginning()
    try inputConvolution.window.check(sizeName: "kernelSize")
    let lengths = Array(input.dimensions[1...Space.count])
    let step = Shape(inputConvolution.window.outputSize(lengths) + [outputChannels])
    try activation.check(step)
    try recurrentActivation.check(step)
    for state in inputs.dropFirst() where state != step {
      throw .wrongState(state, expected: step)
    }
    return recurrence.returns == .sequence
      ? Shape([input.dimensions[0]] + step.dimensions) : step
  }

  /// Returns the kernels of the input and of the state, `HWI(GN)` or `WI(GN)`, and the bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let columns = Layout.Dimension([.gates, .units])
    let gates: [Axis: Int] = [.gates: RecurrentCellKind.lstm.gateCount, .units: outputChannels]
    let layout = try Layout(
      (Space.axes + [.inputChannels]).map { .init([$0]) } + [columns],
      gates: RecurrentCellKind.lstm.gates)
    func kernel(_ role: ParameterRole, _ channels: Int) -> ParameterSpec {
      ParameterSpec(
        role, .recurrentConvolution, layout,
        Space.sizes(kernelSize, gates.merging([.inputChannels: channels]) { own, _ in own }))
    }
    return [
      kernel(.kernel, try inputs[0].lastAxis()), kernel(.recurrent, outputChannels),
      ParameterSpec(
        .bias, .vector, try Layout([columns], gates: RecurrentCellKind.lstm.gates), gates,
        isOptional: true),
    ]
  }
}

extension SpatialConvolutionalLSTM {
  /// The convolution of a step's input, for all gates.
  package var inputConvolution: SpatialConvolution<Space> {
    SpatialConvolution(
      outputChannels: RecurrentCellKind.lstm.gateCount * outputChannels, kernelSize: kernelSize,
      strides: strides,
      dilation: dilation, padding: padding)
  }

  /// The convolution of the state, for all gates.
  package var stateConvolution: SpatialConvolution<Space> {
    SpatialConvolution(
      outputChannels: RecurrentCellKind.lstm.gateCount * outputChannels, kernelSize: kernelSize,
      padding: .same)
  }
}

/// Convolutional LSTM over sequences of sequences: (steps, length, channels).
public typealias ConvolutionalLSTM1D = SpatialConvolutionalLSTM<Line>

/// Convolutional LSTM over sequences of images: (steps, height, width, channels).
public typealias ConvolutionalLSTM2D = SpatialConvolutionalLSTM<Plane>

/// Convolutional LSTM over sequences of volumes: (steps, depth, height, width, channels).
public typealias ConvolutionalLSTM3D = SpatialConvolutionalLSTM<Volume>

extension NetconvError {
  fileprivate static func noMask(_ name: String) -> NetconvError {
    NetconvError(.badData, "recurrence has a mask, but \(name) reads none")
  }
}
