import Execution
import ModelIR
import Operators
import Testing

/// The fast engine agrees with the definitions of operators over sequences.
@Suite struct SequenceAgreementTests {
  @Test(arguments: [Padding.valid, .same, .causal])
  func `convolutions of every shape`(padding: Padding) throws {
    for (length, size) in [(1, 1), (5, 1), (5, 2), (9, 3), (9, 5), (2, 5)]
    where padding != .valid || size <= length {
      for (stride, dilation) in [(1, 1), (2, 1), (3, 1), (1, 2), (1, 3)]
      where padding != .valid || (size - 1) * dilation < length {
        for (channels, outputs, groups) in [(1, 1, 1), (3, 5, 1), (4, 6, 2)] {
          let convolution = Convolution1D(
            outputChannels: outputs, kernelSize: Size1D(size), strides: Size1D(stride),
            dilation: Size1D(dilation), groups: groups, padding: padding, activation: .relu)
          let model = try model(convolution, [length, channels])
          try expectAgreement(
            model, randomInputs(of: model, batch: 3), "\(convolution) of \(length) x \(channels)")
        }
      }
    }
  }

  @Test func `other convolutions, poolings and changes of length`() throws {
    let operations: [any Operator] = [
      DepthwiseConvolution1D(kernelSize: Size1D(3), padding: .same, activation: .tanh),
      DepthwiseConvolution1D(kernelSize: Size1D(2), depthMultiplier: 3, strides: Size1D(2)),
      SeparableConvolution1D(
        outputChannels: 5, kernelSize: Size1D(3), depthMultiplier: 2, padding: .causal),
      TransposedConvolution1D(outputChannels: 5, kernelSize: Size1D(3), strides: Size1D(2)),
      TransposedConvolution1D(
        outputChannels: 3, kernelSize: Size1D(4), strides: Size1D(3), padding: .same,
        activation: .sigmoid),
      MaxPooling1D(poolSize: Size1D(3), strides: Size1D(2), padding: .same),
      AveragePooling1D(poolSize: Size1D(4), padding: .same), GlobalMaxPooling1D(),
      GlobalAveragePooling1D(keepDimensions: true), ZeroPadding1D(before: 2, after: 1),
      Cropping1D(before: 1, after: 3), UpSampling1D(size: Size1D(3)),
      UpSampling1D(size: Size1D(2), interpolation: .bilinear), Reverse(),
      Dense(units: 4, activation: .relu), BatchNormalization(), LayerNormalization(),
      Masking(value: 0), StepMask(value: 0), StepMask(isPerValue: true),
    ]
    for operation in operations {
      for shape in [[7, 4], [11, 1]] {
        let model = try model(operation, shape)
        try expectAgreement(model, randomInputs(of: model, batch: 5), "\(operation) of \(shape)")
      }
    }
  }

  @Test func `what a convolution does on the way`() throws {
    for padding in [Padding.valid, .causal] {
      let model = try chain(
        [
          ZeroPadding1D(before: 2, after: 1),
          Convolution1D(outputChannels: 6, kernelSize: Size1D(3), padding: padding),
          BatchNormalization(), Activation(.relu), MaxPooling1D(poolSize: Size1D(2)), Flatten(),
          Dense(units: 3),
        ], input: Shape([10, 4]))
      try expectAgreement(model, randomInputs(of: model, batch: 4))
    }
  }

  /// Every kind of recurrent layer with every way through a sequence.
  private static func layers(units: Int, _ recurrence: Recurrence) -> [any RecurrentOperator] {
    var layers: [any RecurrentOperator] = [
      LSTM(units: units, recurrence: recurrence),
      LSTM(
        units: units, activation: .elu(alpha: 1), recurrentActivation: .hardSigmoid(slope: 0.2),
        recurrence: recurrence),
    ]
    guard recurrence.returns != .cell else { return layers }
    layers += [
      SimpleRNN(units: units, recurrence: recurrence),
      GRU(units: units, resetsAfter: true, recurrence: recurrence),
      GRU(units: units, activation: .softmax(axis: -1), resetsAfter: false, recurrence: recurrence),
    ]
    return layers
  }

  @Test(arguments: RecurrentResult.allCases, [false, true])
  func `recurrent layers`(returns: RecurrentResult, backwards: Bool) throws {
    for (masked, given, zeros) in [
      (false, false, false), (true, false, false), (true, true, true), (false, true, false),
    ] {
      let recurrence = Recurrence(
        returns: returns, goesBackwards: backwards, takesMask: masked, takesState: given,
        zerosMasked: zeros)
      for (length, channels, units) in [(1, 1, 1), (5, 3, 4), (35, 2, 17)] {
        for layer in Self.layers(units: units, recurrence) {
          var shapes = [[length, channels]]
          if masked { shapes.append([length]) }
          let states = given ? type(of: layer).stateCount : 0
          shapes += [[Int]](repeating: [units], count: states)
          var builder = ModelBuilder(seed: 3)
          let inputs = shapes.map { builder.input(Shape($0)) }
          let output = try builder.add(layer, inputs)
          let model = try builder.model(outputs: [output])
          for batch in [1, 3, 19] {
            var values = randomInputs(of: model, batch: batch)
            if masked {
              for index in 0..<batch * length {
                values["x1"]?.values[index] = index * 7 % 5 < 2 ? 0 : 1
              }
            }
            try expectAgreement(model, values, threads: [batch == 1 ? 1 : 2], "\(layer), \(shapes)")
          }
        }
      }
    }
  }

  @Test func `a sequence gives the same alone and among others`() throws {
    let model = try chain(
      [
        Convolution1D(outputChannels: 5, kernelSize: Size1D(3), padding: .causal),
        GRU(units: 6, resetsAfter: true, recurrence: Recurrence(returns: .sequence)),
        LSTM(units: 7),
      ], input: Shape([40, 3]))
    let inputs = randomInputs(of: model, batch: 21)
    let x = try #require(inputs["x0"])
    let engine = try FastEngine(model, threads: 2)
    let all = try #require(try engine.run(inputs)["y2"])
    for sample in [0, 7, 8, 20] {
      let one = NDArray(
        shape: [1, 40, 3], values: Array(x.values[sample * 120..<(sample + 1) * 120]))
      let alone = try #require(try engine.run(["x0": one])["y2"])
      #expect(alone.values == Array(all.values[sample * 7..<(sample + 1) * 7]))
    }
  }

  @Test(arguments: RecurrentResult.allCases, [false, true])
  func `recurrent convolutions`(returns: RecurrentResult, backwards: Bool) throws {
    for given in [false, true] {
      let recurrence = Recurrence(returns: returns, goesBackwards: backwards, takesState: given)
      let plane = ConvolutionalLSTM2D(
        outputChannels: 5, kernelSize: Size2D(3, 2), strides: Size2D(2, 1), padding: .same,
        activation: .softmax(axis: -1), recurrence: recurrence)
      let line = ConvolutionalLSTM1D(
        outputChannels: 3, kernelSize: Size1D(3), dilation: Size1D(2),
        recurrentActivation: .hardSigmoid(slope: 0.2), recurrence: recurrence)
      for (layer, input, state) in [
        (plane as any Operator, [4, 7, 6, 2], [4, 6, 5]), (line, [41, 9, 4], [5, 3]),
      ] {
        var builder = ModelBuilder(seed: 3)
        let shapes = [input] + (given ? [state, state] : [])
        let inputs = shapes.map { builder.input(Shape($0)) }
        let output = try builder.add(layer, inputs)
        let model = try builder.model(outputs: [output])
        for batch in [1, 3] {
          try expectAgreement(
            model, randomInputs(of: model, batch: batch), threads: [2], "\(layer)")
        }
      }
    }
  }

  @Test func `a recurrent convolution whose sums do not fit in memory at once`() throws {
    let layer = ConvolutionalLSTM2D(
      outputChannels: 32, kernelSize: Size2D(2, 2), padding: .same,
      recurrence: Recurrence(returns: .sequence, goesBackwards: true))
    let model = try model(layer, [7, 20, 18, 2])
    try expectAgreement(model, randomInputs(of: model, batch: 2), threads: [2])
  }

  @Test func `kernels of each place`() throws {
    for (size, stride, channels) in [(1, 1, 1), (3, 1, 4), (2, 3, 17)] {
      let plane = LocallyConnected2D(
        outputChannels: channels, kernelSize: Size2D(size, 2), strides: Size2D(1, stride),
        activation: .tanh)
      let line = LocallyConnected1D(
        outputChannels: channels, kernelSize: Size1D(size), strides: Size1D(stride),
        activation: .softmax(axis: -1))
      for (layer, input) in [(plane as any Operator, [5, 7, 3]), (line, [8, 5])] {
        let model = try model(layer, input)
        for batch in [1, 2, 9] {
          try expectAgreement(
            model, randomInputs(of: model, batch: batch), threads: [2], "\(layer)")
        }
      }
    }
  }

  @Test func `windows of several sizes`() throws {
    let operations: [(any Operator, [Int])] = [
      (AdaptiveAveragePooling2D(outputSize: Size2D(3, 5)), [7, 11, 3]),
      (AdaptiveMaxPooling2D(outputSize: Size2D(9, 4)), [7, 11, 3]),
      (AdaptiveMaxPooling2D(outputSize: .one), [7, 11, 3]),
      (AdaptiveAveragePooling1D(outputSize: Size1D(4)), [10, 5]),
      (AdaptiveMaxPooling1D(outputSize: Size1D(13)), [10, 5]),
    ]
    for (operation, shape) in operations {
      let model = try model(operation, shape)
      for batch in [1, 6] {
        try expectAgreement(
          model, randomInputs(of: model, batch: batch), threads: [2], "\(operation)")
      }
    }
  }

  @Test func `layers that are applied to each step`() throws {
    let operations: [any Operator] = [
      Convolution2D(outputChannels: 3, kernelSize: Size2D(2, 3), padding: .same, activation: .relu),
      MaxPooling2D(poolSize: Size2D(2, 2)), Flatten(), BatchNormalization(),
      Activation(.softmax(axis: -1)), GlobalAveragePooling2D(),
    ]
    for operation in operations {
      let model = try model(TimeDistributed(operation), [5, 4, 6, 2])
      for batch in [1, 3] {
        try expectAgreement(
          model, randomInputs(of: model, batch: batch), threads: [2], "\(operation)")
      }
    }
    let nested = try model(
      TimeDistributed(TimeDistributed(LSTM(units: 3))), [2, 3, 4, 2])
    try expectAgreement(nested, randomInputs(of: nested, batch: 2))
  }

  @Test(arguments: EngineKind.allCases)
  func `a number without a vector is an error that names the layer`(kind: EngineKind) throws {
    let model = try model(Embedding(count: 3, outputChannels: 2), [4])
    let engine = try kind.engine(for: model)
    let x = NDArray<Float>(shape: [2, 4], values: [0, 1, 2, 2, 1, 0, 3, 1])
    #expect(
      message { _ = try engine.run(["x0": x]) }
        == "layer 'y0': the input has the value 3.0, but there are vectors for 0 to 2")
    let fits = NDArray<Float>(shape: [1, 4], values: [0, 1, 2, 2])
    try expectAgreement(model, ["x0": fits])
  }

  @Test func `means of the steps that count`() throws {
    let model = try model(MaskedAverage(), [6, 3], [6])
    var inputs = randomInputs(of: model, batch: 3)
    for index in 0..<18 { inputs["x1"]?.values[index] = index % 4 == 1 ? 0 : 1 }
    try expectAgreement(model, inputs)
  }
}
