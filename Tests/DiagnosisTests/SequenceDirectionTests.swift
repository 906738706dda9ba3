import Diagnosis
import Execution
import ModelIR
import Operators
import Testing

/// Directions, windows and tables.
extension SequenceMistakeTests {
  // MARK: - Directions

  @Test("a sequence that is read from the other end", arguments: [true, false])
  func direction(withSource: Bool) throws {
    let forward = LSTM(units: 5, recurrence: Recurrence(returns: .sequence))
    let backward = LSTM(
      units: 5, recurrence: Recurrence(returns: .sequence, goesBackwards: true))
    #expect(
      try finding(
        forward, Self.lstmParameters, for: backward, Self.lstmParameters, withSource: withSource)
        == "the sequence is read from its first step on, expected from its last")
    #expect(
      try finding(
        backward, Self.lstmParameters, for: forward, Self.lstmParameters, withSource: withSource)
        == "the sequence is read from its last step on, expected from its first")
  }

  @Test("outputs in the order of the input, as PyTorch and ONNX have them")
  func reversedOutputs() throws {
    let backward = GRU(
      units: 4, resetsAfter: true, recurrence: Recurrence(returns: .sequence, goesBackwards: true))
    let input = Self.sequence(7, 3)
    let model = try Self.model(backward, Self.gruParameters, input)
    var expected = try ExpectedActivations(
      of: model, on: ["x": input], engine: .fast, checkCancellation: {})
    let output = try #require(expected.values["layer"])
    let steps = (0..<14).map { $0 / 7 * 7 + 6 - $0 % 7 }
    expected = ExpectedActivations([
      "x": input,
      "layer": NDArray(
        shape: output.shape, values: steps.flatMap { output.values[$0 * 4..<$0 * 4 + 4] }),
    ])
    #expect(
      try finding(model, input, expected)
        == "the outputs are in the order in which they are computed, expected the reverse")
  }

  @Test("two directions with each other's parameters, and one that is not turned round")
  func bothDirections() throws {
    let other = Self.gruParameters.mapValues { $0.map { -$0 / 2 } }
    let model = { (exchanged: Bool, turns: Bool) in
      let recurrent = { (name: String, parameters: Parameters, goesBackwards: Bool) in
        LayerDefinition(
          name: name,
          operation: GRU(
            units: 4, resetsAfter: true,
            recurrence: Recurrence(returns: .sequence, goesBackwards: goesBackwards)),
          inputs: ["x"], parameters: parameters.mapValues { StoredTensor($0) })
      }
      return try Model(
        name: "m", inputs: [ModelInput(name: "x", shape: Shape([7, 3]))],
        layers: [
          recurrent("layer", exchanged ? other : Self.gruParameters, false),
          recurrent("back", exchanged ? Self.gruParameters : other, true),
          LayerDefinition(
            name: "turned", operation: turns ? Reverse() : Identity(), inputs: ["back"],
            parameters: [:]),
          LayerDefinition(
            name: "both", operation: Concatenate(axis: -1), inputs: ["layer", "turned"],
            parameters: [:]),
        ], outputs: ["both"])
    }
    let input = Self.sequence(7, 3)
    for withSource in [true, false] {
      var expected = try ExpectedActivations(
        of: model(false, true), on: ["x": input], engine: .fast, checkCancellation: {})
      if !withSource { expected.model = nil }
      #expect(
        try finding(model(true, true), input, expected)
          == "kernel, recurrent, bias and recurrent_bias are those of 'back', which runs the other way"
      )
      let rows = try ModelComparison(of: model(false, false), on: ["x": input], with: expected).rows
      #expect(rows.filter { !$0.passed }.map(\.name) == ["turned"])
      #expect(
        rows.first { !$0.passed }?.explanation?.repair.finding
          == "the steps of the input are in reversed order")
    }
  }

  // MARK: - Windows and tables

  @Test("taps in reversed order", arguments: [true, false])
  func taps(withSource: Bool) throws {
    let kernel = Self.numbers(60, seed: 10)
    let reversed = (0..<4).reversed().flatMap { kernel[$0 * 15..<$0 * 15 + 15] }
    let convolution = Convolution1D(outputChannels: 5, kernelSize: Size1D(4))
    #expect(
      try finding(
        convolution, [.kernel: reversed], for: convolution, [.kernel: kernel],
        withSource: withSource) == "the taps of kernel are in reversed order")
    #expect(
      try finding(
        convolution, [.kernel: Self.transposed(kernel, columns: 5)], for: convolution,
        [.kernel: kernel], withSource: withSource) == "kernel is OWI read as WIO")
    let depthwise = DepthwiseConvolution1D(kernelSize: Size1D(4), depthMultiplier: 2)
    let few = Array(kernel.prefix(24))
    let turned = (0..<4).reversed().flatMap { few[$0 * 6..<$0 * 6 + 6] }
    #expect(
      try finding(
        depthwise, [.kernel: turned], for: depthwise, [.kernel: few], withSource: withSource)
        == "the taps of kernel are in reversed order")
  }

  @Test("another padding of sequences", arguments: [true, false])
  func padding(withSource: Bool) throws {
    let parameters: Parameters = [.kernel: Self.numbers(60, seed: 11)]
    let convolution = { (padding: Padding) in
      Convolution1D(outputChannels: 5, kernelSize: Size1D(4), padding: padding)
    }
    #expect(
      try finding(
        convolution(.causal), parameters, for: convolution(.same), parameters,
        withSource: withSource)
        == "the padding is causal, before 3, after 0; expected same, before 1, after 2")
    #expect(
      try finding(
        convolution(.same), parameters, for: convolution(.causal), parameters,
        withSource: withSource)
        == "the padding is same, before 1, after 2; expected causal, before 3, after 0")
    #expect(
      try finding(
        ZeroPadding1D(before: 2, after: 0), for: ZeroPadding1D(before: 0, after: 2),
        withSource: withSource)
        == "the padding is on the wrong side: before 2, after 0, expected before 0, after 2")
  }

  /// Sequences of three channels with zeros at both ends.
  private static func padded(_ input: NDArray<Float>, before: Int, after: Int) -> NDArray<Float> {
    let (length, run) = (input.shape[1], input.shape[1] * 3)
    var values: [Float] = []
    for sample in 0..<2 {
      values += [Float](repeating: 0, count: before * 3)
      values += input.values[sample * run..<(sample + 1) * run]
      values += [Float](repeating: 0, count: after * 3)
    }
    return NDArray(shape: [2, before + length + after, 3], values: values)
  }

  @Test("padding behind the last step, and the odd step on the near side")
  func otherEnds() throws {
    let parameters: Parameters = [.kernel: Self.numbers(60, seed: 12)]
    let input = Self.sequence(7, 3)
    for (padding, before, after, text) in [
      (
        Padding.causal, 0, 3,
        "the padding is before 3, after 0, causal; expected after the last step: before 0, after 3"
      ),
      (
        .same, 2, 1,
        "the padding is before 1, after 2, as in TensorFlow; expected the odd step before the "
          + "input, as in Caffe: before 2, after 1"
      ),
    ] {
      let wide = Self.padded(input, before: before, after: after)
      let valid = Convolution1D(outputChannels: 5, kernelSize: Size1D(4))
      let right = try ExpectedActivations(
        of: Self.model(valid, parameters, wide), on: ["x": wide], engine: .reference,
        checkCancellation: {})
      let output = try #require(right.values["layer"])
      #expect(
        try finding(
          Self.model(
            Convolution1D(outputChannels: 5, kernelSize: Size1D(4), padding: padding), parameters,
            input), input, ExpectedActivations(["x": input, "layer": output])) == text)
    }
  }

  @Test("a table that is transposed", arguments: [true, false])
  func table(withSource: Bool) throws {
    let table = Self.numbers(35, seed: 13)
    let input = NDArray<Float>(shape: [2, 4], values: [0, 6, 3, 2, 1, 5, 4, 3])
    let embedding = Embedding(count: 7, outputChannels: 5)
    #expect(
      try finding(
        embedding, [.kernel: Self.transposed(table, columns: 5)], for: embedding,
        [.kernel: table], on: input, withSource: withSource)
        == "kernel is OI read as IO: the table is transposed")
  }

  @Test("steps for channels")
  func swappedInput() throws {
    let input = Self.sequence(5, 5)
    var turned = input
    for sample in 0..<2 {
      for step in 0..<5 {
        for channel in 0..<5 {
          turned.values[sample * 25 + channel * 5 + step] =
            input.values[sample * 25 + step * 5 + channel]
        }
      }
    }
    let parameters: Parameters = [.kernel: Self.numbers(60, seed: 14)]
    let convolution = Convolution1D(outputChannels: 4, kernelSize: Size1D(3))
    let right = try ExpectedActivations(
      of: Self.model(convolution, parameters, turned), on: ["x": turned], engine: .reference,
      checkCancellation: {})
    let output = try #require(right.values["layer"])
    #expect(
      try finding(
        Self.model(convolution, parameters, input), input,
        ExpectedActivations(["x": input, "layer": output]))
        == "steps and channels of the input are swapped")
  }
}
