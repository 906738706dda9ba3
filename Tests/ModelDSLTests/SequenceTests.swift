import ModelDSL
import ModelIR
import NetconvKit
import Testing

/// Every layer for sequences, with sizes that all differ.
@Suite struct SequenceTests {
  /// The shape of the output and the parameters, if both engines agree.
  private func shape(
    _ layer: some NetworkLayer, length: Int = 9, channels: Int = 4
  ) throws -> String {
    let input = Input(length: length, channels: channels)
    let model = try Model(input: input, output: input --> layer, parameters: anything)
    _ = try run(
      model, ["input": NDArray(shape: [1, length, channels], values: numbers(length * channels))])
    let parameters = model.tensors.map { "\($0.spec.role) \($0.shape)" }
    return ([model.layers.last?.outputShape.description ?? ""] + parameters).joined(separator: "; ")
  }

  /// The outputs of the reference engine, compared with those of the fast engine.
  private func run(
    _ model: Model, _ inputs: [String: NDArray<Float>]
  ) throws -> [String: NDArray<Float>] {
    let slow = try EngineKind.reference.engine(for: model).run(inputs)
    let fast = try EngineKind.fast.engine(for: model).run(inputs)
    for (name, expected) in slow {
      let largest = expected.values.reduce(1) { max($0, abs($1)) }
      let found = try #require(fast[name])
      #expect(found.shape == expected.shape)
      // Sums of a few products in float32.
      #expect(zip(found.values, expected.values).allSatisfy { abs($0 - $1) <= 1e-4 * largest })
    }
    return slow
  }

  @Test func `convolutions are padded by default, at the left if they are causal`() throws {
    #expect(
      try shape(Convolution1D(kernel: 3, channels: 6, name: "c"))
        == "(9, 6); kernel [3, 4, 6]; bias [6]")
    #expect(
      try shape(
        Convolution1D(
          kernel: 3, channels: 6, stride: 2, groups: 2, padding: .valid, useBias: false, name: "c"))
        == "(4, 6); kernel [3, 2, 6]")
    #expect(
      try shape(
        Convolution1D(kernel: 2, channels: 1, dilation: 3, padding: .causal, name: "c"))
        == "(9, 1); kernel [2, 4, 1]; bias [1]")
    let input = Input(length: 3, channels: 1)
    let model = try Model(
      input: input,
      output: input
        --> Convolution1D(kernel: 2, channels: 1, padding: .causal, useBias: false, name: "c")
    ) { _, _, _ in StoredTensor([10, 1]) }
    // A step and ten times the one before it.
    let results = try run(model, ["input": NDArray(shape: [1, 3, 1], values: [1, 2, 3])])
    #expect(results["c"]?.values == [1, 12, 23])
  }

  @Test func `an image cannot be padded causally`() {
    let input = Input(width: 4, height: 3, channels: 2)
    let output =
      input --> Convolution(kernel: (2, 2), channels: 1, padding: .causal, name: "c")
    #expect(
      problem { () throws(NetconvError) in
        try Model(input: input, output: output, parameters: anything)
      }
        == "layer 'c': padding is causal, which is for sequences; the window has 2 spatial axes; it "
        + "reads (3, 4, 2)")
  }

  @Test func `depthwise, separable and transposed convolutions`() throws {
    #expect(
      try shape(DepthwiseConvolution1D(kernel: 3, multiplier: 2, stride: 2, name: "d"))
        == "(5, 8); kernel [3, 4, 2]; bias [8]")
    #expect(
      try shape(DepthwiseConvolution1D(kernel: 2, dilation: 3, padding: .causal, name: "d"))
        == "(9, 4); kernel [2, 4, 1]; bias [4]")
    #expect(
      try shape(
        SeparableConvolution1D(
          kernel: 3, channels: 6, multiplier: 2, padding: .valid, useBias: false, name: "s"))
        == "(7, 6); depthwise [3, 4, 2]; pointwise [1, 8, 6]")
    #expect(
      try shape(TransposedConvolution1D(kernel: 2, channels: 6, stride: 3, name: "t"))
        == "(27, 6); kernel [2, 6, 4]; bias [6]")
    #expect(
      try shape(
        TransposedConvolution1D(
          kernel: 3, channels: 6, stride: 2, padding: .valid, outputPadding: 1, name: "t"))
        == "(20, 6); kernel [3, 6, 4]; bias [6]")
  }

  @Test func `pooling, padding, cropping, enlarging`() throws {
    #expect(try shape(MaxPooling1D(kernel: 2)) == "(4, 4)")
    #expect(try shape(MaxPooling1D(kernel: 3, stride: 2, padding: .same)) == "(5, 4)")
    #expect(try shape(AveragePooling1D(kernel: 4, stride: 1)) == "(6, 4)")
    #expect(try shape(GlobalMaxPooling1D()) == "(4)")
    #expect(try shape(GlobalAveragePooling1D(keepDimensions: true)) == "(1, 4)")
    #expect(try shape(ZeroPadding1D(before: 2, after: 1)) == "(12, 4)")
    #expect(try shape(Cropping1D(before: 2)) == "(7, 4)")
    #expect(try shape(Cropping1D(after: 3)) == "(6, 4)")
    #expect(try shape(UpSampling1D(size: 3)) == "(27, 4)")
    #expect(try shape(UpSampling1D(size: 2, interpolation: .bilinear)) == "(18, 4)")
    #expect(try shape(Reverse()) == "(9, 4)")
    #expect(try shape(Masking(value: 0.5)) == "(9, 4)")
    #expect(try shape(StepMask()) == "(9)")
    #expect(try shape(StepMask(isPerValue: true)) == "(9, 4)")
  }

  @Test func `recurrent layers`() throws {
    #expect(
      try shape(SimpleRNN(units: 5, name: "r"))
        == "(5); kernel [4, 5]; recurrent [5, 5]; bias [5]")
    #expect(
      try shape(
        SimpleRNN(units: 5, activation: .relu, returns: .sequence, useBias: false, name: "r"))
        == "(9, 5); kernel [4, 5]; recurrent [5, 5]")
    #expect(
      try shape(LSTM(units: 5, returns: .cell, name: "l"))
        == "(5); kernel [4, 20]; recurrent [5, 20]; bias [20]")
    #expect(
      try shape(
        LSTM(
          units: 5, activation: .softsign, recurrentActivation: .hardSigmoid(slope: 0.2),
          returns: .sequence, goesBackwards: true, useBias: false, name: "l"))
        == "(9, 5); kernel [4, 20]; recurrent [5, 20]")
    #expect(
      try shape(GRU(units: 5, resetsAfter: true, returns: .state, name: "g"))
        == "(5); kernel [4, 15]; recurrent [5, 15]; bias [15]; recurrent_bias [15]")
    #expect(
      try shape(GRU(units: 5, resetsAfter: false, name: "g"))
        == "(5); kernel [4, 15]; recurrent [5, 15]; bias [15]")
    #expect(
      try shape(GRU(units: 5, resetsAfter: true, useBias: false, name: "g"))
        == "(5); kernel [4, 15]; recurrent [5, 15]")
    #expect(
      try shape(GRU(units: 5, resetsAfter: true, separateBiases: false, name: "g"))
        == "(5); kernel [4, 15]; recurrent [5, 15]; bias [15]")
    #expect(
      try shape(LSTM(units: 5, separateBiases: true, name: "l"))
        == "(5); kernel [4, 20]; recurrent [5, 20]; bias [20]; recurrent_bias [20]")
    #expect(
      try shape(SimpleRNN(units: 5, useBias: false, separateBiases: true, name: "r"))
        == "(5); kernel [4, 5]; recurrent [5, 5]")
  }

  @Test func `words, their mask, and what counts the steps that are left`() throws {
    let words = Input(shape: [4], name: "words")
    let mask = words --> StepMask(isPerValue: true, name: "mask")
    let vectors = words --> Embedding(count: 3, channels: 2, name: "vectors")
    let mean = vectors --> MaskedAverage(mask: mask, name: "mean")
    let kept = vectors --> MaskedAverage(mask: mask, keepDimensions: true, name: "kept")
    let model = try Model(inputs: [words], outputs: [mean, kept, mask]) { _, _, _ in
      StoredTensor([100, 100, 1, 10, 5, 20])
    }
    let results = try run(model, ["words": NDArray(shape: [1, 4], values: [1, 0, 2, 0])])
    #expect(results["mask"]?.values == [1, 0, 1, 0])
    #expect(results["mean"]?.values == [3, 15])
    #expect(results["kept"]?.shape == [1, 1, 2])
  }

  /// h' = x + h, so that each number can be seen in the sums.
  @Test func `masks and states reach the layer that they are given to`() throws {
    let steps = Input(length: 3, channels: 1, name: "steps")
    let counts = Input(shape: [3], name: "counts")
    let start = Input(shape: [1], name: "start")
    let sum =
      steps
      --> SimpleRNN(
        units: 1, activation: .linear, returns: .sequence, mask: counts, initialState: start,
        useBias: false, name: "sum")
    let zeros = SimpleRNN(
      units: 1, activation: .linear, returns: .sequence, mask: counts, initialState: start,
      zerosMasked: true, useBias: false, name: "sum"
    ).applied(to: [steps], as: "zeros")
    let last = SimpleRNN(
      units: 1, activation: .linear, mask: counts, useBias: false, name: "sum"
    ).applied(to: [steps], as: "last")
    var asked = 0
    let model = try Model(inputs: [steps, counts, start], outputs: [sum, zeros, last]) { _, _, _ in
      asked += 1
      return StoredTensor([1])
    }
    #expect(asked == 2)
    #expect(model.layer(named: "sum")?.inputs == ["steps", "counts", "start"])
    let results = try run(
      model,
      [
        "steps": NDArray(shape: [1, 3, 1], values: [1, 10, 100]),
        "counts": NDArray(shape: [1, 3], values: [1, 0, 1]),
        "start": NDArray(shape: [1, 1], values: [1000]),
      ])
    #expect(results["sum"]?.values == [1001, 1001, 1101])
    #expect(results["zeros"]?.values == [1001, 0, 1101])
    #expect(results["last"]?.values == [101])
  }

  @Test func `states come in the order of the tuple, and behind the mask`() throws {
    let steps = Input(length: 3, channels: 2, name: "steps")
    let (a, b) = (Input(shape: [4], name: "a"), Input(shape: [4], name: "b"))
    let mask = steps --> StepMask(name: "mask")
    let lstm =
      steps --> LSTM(units: 4, mask: mask, initialState: (hidden: b, cell: a), name: "lstm")
    let gru = steps --> GRU(units: 4, resetsAfter: true, mask: mask, initialState: a, name: "gru")
    let model = try Model(
      inputs: [steps, a, b], outputs: [lstm, gru], parameters: anything)
    #expect(model.layer(named: "lstm")?.inputs == ["steps", "mask", "b", "a"])
    #expect(model.layer(named: "gru")?.inputs == ["steps", "mask", "a"])
  }

  @Test func `further outputs of a layer share its parameters`() throws {
    let steps = Input(length: 3, channels: 2)
    let all = steps --> LSTM(units: 4, returns: .sequence, name: "lstm")
    let cell = steps --> LSTM(units: 4, returns: .cell, name: "lstm")
    let model = try Model(inputs: [steps], outputs: [all, cell], parameters: anything)
    #expect(model.layers.map(\.name) == ["lstm", "lstm_2"])
    #expect(model.parameterCount == 2 * 16 + 4 * 16 + 16)
    let other = steps --> LSTM(units: 4, goesBackwards: true, name: "lstm")
    #expect(
      problem { () throws(NetconvError) in
        try Model(inputs: [steps], outputs: [all, cell, other], parameters: anything)
      }
        == "layer 'lstm': is used again with other attributes; a layer under the same name shares its "
        + "parameters, so give this one another name; it reads (3, 2)")
  }

  @Test func `states and masks that do not fit`() {
    let steps = Input(length: 3, channels: 2)
    let state = steps --> Flatten()
    let short = steps --> Cropping1D(before: 1) --> StepMask()
    #expect(
      problem { () throws(NetconvError) in
        try Model(
          inputs: [steps],
          outputs: [
            steps --> SimpleRNN(units: 4, initialState: state, name: "state"),
            steps --> SimpleRNN(units: 4, returns: .cell, name: "cell"),
            steps --> GRU(units: 4, resetsAfter: true, mask: short, name: "mask"),
          ], parameters: anything)
      } == """
        3 problems in the model
          layer 'state': the state has shape (6), expected (4), as many as units; it reads (3, 2) and (6)
          layer 'cell': recurrence returns a cell, but SimpleRNN has none; it reads (3, 2)
          layer 'mask': the inputs have shapes (3, 2) and (2), which do not fit together
        """)
  }

  @Test func `a layer at each step has the name and the parameters of the layer`() throws {
    let film = Input(shape: [3, 6, 5, 2], name: "film")
    let rows =
      film --> TimeDistributed(Convolution(kernel: (2, 3), channels: 4, name: "conv"))
      --> TimeDistributed(MaxPooling(kernel: (2, 2))) --> TimeDistributed(Flatten())
      --> TimeDistributed(Dense(neurons: 7, useBias: false, name: "fc"))
    let model = try Model(input: film, output: rows, parameters: anything)
    #expect(model.layers.map(\.name) == ["conv", "pool_1", "flatten_1", "fc"])
    #expect(model.layers.map(\.outputShape.description).last == "(3, 7)")
    #expect(
      model.tensors.map { "\($0.layer) \($0.spec.role) \($0.shape)" }
        == ["conv kernel [3, 2, 2, 4]", "conv bias [4]", "fc kernel [24, 7]"])
    _ = try run(model, ["film": NDArray(shape: [1, 3, 6, 5, 2], values: numbers(180))])
  }

  @Test func `what cannot be done at each step is said`() {
    let film = Input(shape: [3, 6, 5, 2], name: "film")
    let flags = Input(shape: [6], name: "flags")
    #expect(
      problem { () throws(NetconvError) in
        try Model(
          inputs: [film, flags],
          outputs: [
            film --> TimeDistributed(Dense(neurons: 7, name: "fc")),
            film --> TimeDistributed(Reshape(shape: [6, 10]))
              --> TimeDistributed(GRU(units: 4, resetsAfter: true, mask: flags, name: "gru")),
            flags --> Activation(.relu),
          ], parameters: anything)
      } == """
        2 problems in the model
          layer 'fc': a step has shape (6, 5, 2), but the layer needs vectors; flatten each step with \
        TimeDistributed(Flatten()), or pass flattens: false for the last axis alone; it reads (3, 6, 5, 2)
          layer 'gru': GRU has several inputs, so it cannot be applied step by step; it reads \
        (3, 6, 10)
        """)
  }

  @Test func `a network that a mask depends on is freed`() throws {
    final class Token: Sendable {}
    weak var seen: Token?
    do {
      let token = Token()
      seen = token
      let steps = Input(length: 3, channels: 2)
      let mask =
        steps
        --> Custom { shapes in
          Shape([shapes[0].dimensions[0]])
        } evaluate: { _ in
          withExtendedLifetime(token) { NDArray(shape: [3], values: [1, 0, 1]) }
        }
      let output = steps --> SimpleRNN(units: 4, mask: mask, name: "r")
      _ = try Model(input: steps, output: output, parameters: anything)
    }
    #expect(seen == nil)
  }

  @Test func `the example of the documentation`() throws {
    let words = Input(shape: [nil], name: "words")
    let mask = words --> StepMask(isPerValue: true)
    let vectors = words --> Embedding(count: 10_000, channels: 64, name: "vectors")
    let states =
      vectors
      --> GRU(units: 32, resetsAfter: true, returns: .sequence, mask: mask, name: "gru")
    let output =
      states --> MaskedAverage(mask: mask) --> Dense(neurons: 2, name: "fc") --> Softmax()
    let model = try Model(input: words, output: output, parameters: anything)
    #expect(
      model.layers.map(\.name) == ["vectors", "mask_1", "gru", "pool_1", "fc", "softmax_1"])
    #expect(model.layer(named: "pool_1")?.inputs == ["gru", "mask_1"])
  }

  @Test func `lengths may be open`() throws {
    let steps = Input(length: nil, channels: 2)
    let all = steps --> LSTM(units: 3, returns: .sequence, name: "lstm")
    let model = try Model(
      inputs: [steps], outputs: [all, all --> GlobalMaxPooling1D()], parameters: anything)
    #expect(model.shape(of: "lstm") == Shape([nil, 3]))
    #expect(model.shape(of: "pool_1") == Shape([3]))
  }

  @Test func `a vector is repeated, and merges are of values`() throws {
    let (a, b) = (Input(shape: [2], name: "a"), Input(shape: [2], name: "b"))
    let nodes: [Node] = [
      Subtract([a, b], name: "less").node, Multiply([a, b], name: "times").node,
      Divide([a, b], name: "over").node, Average([a, b], name: "mean").node,
      Maximum([a, b], name: "most").node, Minimum([a, b], name: "least").node,
      a --> RepeatVector(count: 3, name: "thrice"),
    ]
    let model = try Model(inputs: [a, b], outputs: nodes)
    let results = try run(
      model,
      [
        "a": NDArray(shape: [1, 2], values: [6, 1]), "b": NDArray(shape: [1, 2], values: [2, 4]),
      ])
    #expect(results["less"]?.values == [4, -3])
    #expect(results["times"]?.values == [12, 4])
    #expect(results["over"]?.values == [3, 0.25])
    #expect(results["mean"]?.values == [4, 2.5])
    #expect(results["most"]?.values == [6, 4])
    #expect(results["least"]?.values == [2, 1])
    #expect(results["thrice"]?.values == [6, 1, 6, 1, 6, 1])
  }
}
