import Execution
import ModelIR
import Operators
import Testing

/// Functions along an axis that is counted from the front, fused into a layer and after it.
@Suite struct AxisActivationTests {
  private static let layers: [(Shape, [any Operator])] = [
    (
      Shape([7, 4]),
      [
        Convolution1D(outputChannels: 6, kernelSize: Size1D(3), padding: .same),
        Convolution1D(outputChannels: 6, kernelSize: Size1D(2), groups: 2, padding: .causal),
        DepthwiseConvolution1D(kernelSize: Size1D(3), depthMultiplier: 2),
        SeparableConvolution1D(outputChannels: 5, kernelSize: Size1D(2)),
        TransposedConvolution1D(outputChannels: 3, kernelSize: Size1D(3), strides: Size1D(2)),
        LocallyConnected1D(outputChannels: 6, kernelSize: Size1D(3)),
        Dense(units: 5),
      ]
    ),
    (
      Shape([6, 5, 4]),
      [
        Convolution2D(outputChannels: 6, kernelSize: Size2D(3, 2), padding: .same),
        DepthwiseConvolution2D(kernelSize: Size2D(3, 2), depthMultiplier: 2),
        SeparableConvolution2D(outputChannels: 5, kernelSize: Size2D(2, 3)),
        TransposedConvolution2D(
          outputChannels: 3, kernelSize: Size2D(3, 2), strides: Size2D(2, 1)),
        LocallyConnected2D(outputChannels: 6, kernelSize: Size2D(3, 2)),
        Dense(units: 5),
      ]
    ),
  ]

  /// Every axis of an array, from both ends, and pairs of them.
  private static func axes(rank: Int) -> [AxisList] {
    (-rank..<rank).map { AxisList([$0]) } + [[0, 1], [-1, 0], [1, -rank]]
  }

  private static func activated(
    _ plain: any Operator, _ function: ActivationFunction
  ) throws -> any Operator {
    switch plain {
    case var operation as any ActivatedOperator:
      operation.activation = function
      return operation
    case let operation as LocallyConnected1D:
      return LocallyConnected1D(
        outputChannels: operation.outputChannels, kernelSize: operation.kernelSize,
        activation: function)
    case let operation as LocallyConnected2D:
      return LocallyConnected2D(
        outputChannels: operation.outputChannels, kernelSize: operation.kernelSize,
        activation: function)
    default:
      Issue.record("\(plain) has no activation")
      return plain
    }
  }

  private func check(_ operations: [any Operator], _ input: Shape) throws {
    let model = try chain(operations, input: input)
    for threads in [1, 2] {
      try expectAgreement(
        model, randomInputs(of: model, batch: 3), threads: [threads], "\(operations)")
    }
  }

  /// The engines agree, whether the fast one has a kernel for the axis or not.
  private func checkState(_ operation: any Operator, _ input: Shape, isFast: Bool) throws {
    let model = try chain([operation], input: input)
    let inputs = randomInputs(of: model, batch: 3)
    let engine = try FastEngine(model)
    #expect(engine.fallbacks.isEmpty == isFast, "\(operation)")
    let problem = difference(try ReferenceEngine(model).run(inputs), try engine.run(inputs))
    #expect(problem == nil, "\(operation)")
  }

  @Test(arguments: layers.indices)
  func `softmax along each axis`(index: Int) throws {
    let (input, operations) = Self.layers[index]
    for plain in operations {
      for axis in Self.axes(rank: input.rank) {
        for function in [ActivationFunction.softmax(axis: axis), .logSoftmax(axis: axis)] {
          try check([Self.activated(plain, function)], input)
          try check([plain, Activation(function)], input)
          try check([plain, BatchNormalization(), Activation(function)], input)
        }
      }
    }
  }

  @Test func `softmax along each axis within the steps of a sequence`() throws {
    for axis in Self.axes(rank: 2) {
      let convolution = Convolution1D(
        outputChannels: 6, kernelSize: Size1D(3), activation: .softmax(axis: axis))
      try check([TimeDistributed(convolution)], Shape([3, 7, 4]))
    }
  }

  @Test func `softmax along each axis of the state of a recurrent layer`() throws {
    for axis in Self.axes(rank: 3) {
      for (state, gate) in [
        (ActivationFunction.softmax(axis: axis), ActivationFunction.sigmoid),
        (.tanh, .softmax(axis: axis)),
      ] {
        let image = ConvolutionalLSTM2D(
          outputChannels: 3, kernelSize: Size2D(3, 2), padding: .same, activation: state,
          recurrentActivation: gate, recurrence: Recurrence(returns: .sequence))
        try checkState(image, Shape([2, 6, 5, 2]), isFast: axis == [-1] || axis == [2])
      }
    }
    for axis in Self.axes(rank: 2) {
      let line = ConvolutionalLSTM1D(
        outputChannels: 3, kernelSize: Size1D(3), padding: .same,
        activation: .softmax(axis: axis), recurrentActivation: .sigmoid,
        recurrence: Recurrence(returns: .sequence))
      try checkState(line, Shape([2, 6, 2]), isFast: axis == [-1] || axis == [1])
    }
  }
}
