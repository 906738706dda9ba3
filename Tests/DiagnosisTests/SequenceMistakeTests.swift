import Diagnosis
import Execution
import ModelIR
import Operators
import Testing

/// Findings for layers over sequences with another framework's conventions, each with and without the source.
@Suite("Mistakes of layers over sequences")
struct SequenceMistakeTests {
  typealias Parameters = [ParameterRole: [Float]]

  /// Unrelated random numbers.
  static func numbers(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return ((try? random.array([count]))?.values ?? []).map { 2 * $0 - 0.9 }
  }

  static func sequence(_ length: Int, _ channels: Int) -> NDArray<Float> {
    NDArray(
      shape: [2, length, channels], values: numbers(2 * length * channels, seed: 99).map { 3 * $0 })
  }

  static func model(
    _ operation: any Operator, _ parameters: Parameters, _ input: NDArray<Float>
  ) throws -> Model {
    try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape(Array(input.shape.dropFirst())))],
      layers: [
        LayerDefinition(
          name: "layer", operation: operation, inputs: ["x"],
          parameters: parameters.mapValues { StoredTensor($0) })
      ], outputs: ["layer"])
  }

  /// The finding for a layer that should be another one.
  func finding(
    _ wrong: any Operator, _ wrongParameters: Parameters = [:], for right: any Operator,
    _ parameters: Parameters = [:], on input: NDArray<Float> = sequence(7, 3),
    withSource: Bool = true
  ) throws -> String? {
    var expected = try ExpectedActivations(
      of: Self.model(right, parameters, input), on: ["x": input], engine: .reference,
      checkCancellation: {})
    if !withSource { expected.model = nil }
    return try finding(Self.model(wrong, wrongParameters, input), input, expected)
  }

  func finding(
    _ model: Model, _ input: NDArray<Float>, _ expected: ExpectedActivations
  ) throws -> String? {
    let row = try #require(
      ModelComparison(of: model, on: ["x": input], with: expected).firstFailure)
    #expect(row.name == "layer")
    return row.explanation?.repair.finding
  }

  /// The columns of a kernel or a bias, unit by unit, with the gates in another order.
  static func withGates(_ values: [Float], _ order: [Int], units: Int) -> [Float] {
    let columns = order.count * units
    var moved: [Float] = []
    for row in stride(from: 0, to: values.count, by: columns) {
      for gate in order { moved += values[row + gate * units..<row + (gate + 1) * units] }
    }
    return moved
  }

  static func transposed(_ values: [Float], columns: Int) -> [Float] {
    (0..<columns).flatMap { column in
      stride(from: column, to: values.count, by: columns).map { values[$0] }
    }
  }

  static let gru = GRU(units: 4, resetsAfter: true)
  static let gruParameters: Parameters = [
    .kernel: numbers(36, seed: 1), .recurrent: numbers(48, seed: 2), .bias: numbers(12, seed: 3),
    .recurrentBias: numbers(12, seed: 4),
  ]
  static let lstm = LSTM(units: 5)
  static let lstmParameters: Parameters = [
    .kernel: numbers(60, seed: 5), .recurrent: numbers(100, seed: 6), .bias: numbers(20, seed: 7),
  ]

  // MARK: - Gates

  @Test("gates in the order of another framework", arguments: [true, false])
  func gates(withSource: Bool) throws {
    let wrong = Self.gruParameters.mapValues { Self.withGates($0, [1, 0, 2], units: 4) }
    #expect(
      try finding(Self.gru, wrong, for: Self.gru, Self.gruParameters, withSource: withSource)
        == "kernel, recurrent, bias and recurrent_bias have their gates in the order r z h, "
        + "PyTorch's, read as z r h")
    var half = wrong
    half[.bias] = Self.gruParameters[.bias]
    half[.recurrentBias] = Self.gruParameters[.recurrentBias]
    #expect(
      try finding(Self.gru, half, for: Self.gru, Self.gruParameters, withSource: withSource)
        == "kernel and recurrent have their gates in the order r z h, PyTorch's, read as z r h; those "
        + "of bias and recurrent_bias are right")
  }

  @Test(
    "gates of one parameter alone",
    arguments: [
      ([0, 3, 1, 2], "i o f c, ONNX's,"), ([0, 1, 3, 2], "i f o c, Core ML's and ncnn's,"),
      ([0, 2, 1, 3], "i c f o, TensorFlow 1's,"), ([3, 2, 1, 0], "o c f i,"),
    ])
  func oneParameter(order: [Int], text: String) throws {
    var wrong = Self.lstmParameters
    wrong[.recurrent] = Self.withGates(wrong[.recurrent] ?? [], order, units: 5)
    for withSource in [true, false] {
      #expect(
        try finding(Self.lstm, wrong, for: Self.lstm, Self.lstmParameters, withSource: withSource)
          == "recurrent has its gates in the order \(text) read as i f c o; those of kernel and bias "
          + "are right")
    }
  }

  @Test("gates unit by unit, and matrices that are transposed", arguments: [true, false])
  func arrangements(withSource: Bool) throws {
    let found = { (wrong: Parameters) in
      try finding(Self.gru, wrong, for: Self.gru, Self.gruParameters, withSource: withSource)
    }
    // Gates and units of each row transposed.
    let byUnit = Self.gruParameters.mapValues { values in
      stride(from: 0, to: values.count, by: 12).flatMap {
        Self.transposed(Array(values[$0..<$0 + 12]), columns: 4)
      }
    }
    #expect(
      try found(byUnit)
        == "kernel, recurrent, bias and recurrent_bias have their gates unit by unit, read as gate by gate"
    )
    var rows = Self.gruParameters
    for role in [ParameterRole.kernel, .recurrent] {
      rows[role] = Self.transposed(rows[role] ?? [], columns: 12)
    }
    #expect(
      try found(rows)
        == "kernel and recurrent are (GN)I read as I(GN): the matrices are transposed")
    var torch = Self.gruParameters.mapValues { Self.withGates($0, [1, 0, 2], units: 4) }
    for role in [ParameterRole.kernel, .recurrent] {
      torch[role] = Self.transposed(torch[role] ?? [], columns: 12)
    }
    #expect(
      try found(torch)
        == "kernel, recurrent, bias and recurrent_bias have their gates in the order r z h, PyTorch's, "
        + "read as z r h, and kernels are (GN)I read as I(GN)")
  }

  @Test("a layer of one gate whose matrices are transposed", arguments: [true, false])
  func simple(withSource: Bool) throws {
    let parameters: Parameters = [
      .kernel: Self.numbers(15, seed: 8), .recurrent: Self.numbers(25, seed: 9).map { $0 / 2 },
    ]
    let found = { (roles: [ParameterRole]) in
      var wrong = parameters
      for role in roles { wrong[role] = Self.transposed(wrong[role] ?? [], columns: 5) }
      return try finding(
        SimpleRNN(units: 5), wrong, for: SimpleRNN(units: 5), parameters, withSource: withSource)
    }
    #expect(
      try found([.kernel, .recurrent])
        == "kernel and recurrent are NI read as IN: the matrices are transposed")
    #expect(try found([.recurrent]) == "recurrent is NI read as IN: the matrix is transposed")
  }

  // MARK: - Biases and the reset gate

  @Test(
    "the 1 of a forget gate",
    arguments: [
      (Float(1), "bias of the forget gate is 1 too large: it was added twice"),
      (-1, "bias of the forget gate is 1 too small: its initial 1 is missing"),
    ])
  func forgetGate(change: Float, text: String) throws {
    var wrong = Self.lstmParameters
    for index in 5..<10 { wrong[.bias]?[index] += change }
    for withSource in [true, false] {
      #expect(
        try finding(Self.lstm, wrong, for: Self.lstm, Self.lstmParameters, withSource: withSource)
          == text)
    }
  }

  @Test("two biases exchanged, added up, or one of them twice")
  func biases() throws {
    var wrong = Self.gruParameters
    (wrong[.bias], wrong[.recurrentBias]) = (wrong[.recurrentBias], wrong[.bias])
    for withSource in [true, false] {
      #expect(
        try finding(Self.gru, wrong, for: Self.gru, Self.gruParameters, withSource: withSource)
          == "bias and recurrent_bias are swapped")
    }
    let sum = zip(wrong[.bias] ?? [], wrong[.recurrentBias] ?? []).map(+)
    for zeros in [[Float](repeating: 0, count: 12), nil] {
      var added = Self.gruParameters
      (added[.bias], added[.recurrentBias]) = (sum, zeros)
      #expect(
        try finding(Self.gru, added, for: Self.gru, Self.gruParameters)
          == "bias is the sum of two biases, and none is added after the recurrent kernel")
    }
    var twice = Self.lstmParameters
    twice[.recurrentBias] = twice[.bias]
    for withSource in [true, false] {
      #expect(
        try finding(Self.lstm, twice, for: Self.lstm, Self.lstmParameters, withSource: withSource)
          == "the bias is added twice: recurrent_bias is a copy of bias")
    }
  }

  @Test("zeros for a second bias are no mistake, and hide none")
  func zeros() throws {
    var wrong = Self.lstmParameters
    wrong[.recurrentBias] = [Float](repeating: 0, count: 20)
    let input = Self.sequence(7, 3)
    let expected = try ExpectedActivations(
      of: Self.model(Self.lstm, Self.lstmParameters, input), on: ["x": input], engine: .fast,
      checkCancellation: {})
    let alike = try ModelComparison(
      of: Self.model(Self.lstm, wrong, input), on: ["x": input], with: expected)
    #expect(alike.firstFailure == nil)
    wrong[.kernel]?[21] += 1
    #expect(
      try finding(Self.lstm, wrong, for: Self.lstm, Self.lstmParameters)
        == "1 of 60 values of kernel differ from the source's; the first is at i=1, g=i, n=1, "
        + "\((Self.lstmParameters[.kernel]?[21] ?? 0) + 1), expected "
        + "\(Self.lstmParameters[.kernel]?[21] ?? 0)")
  }

  @Test("attributes and operators that no known mistake explains are named, with what is expected")
  func attributes() throws {
    let cropping = try finding(
      Cropping1D(before: 1, after: 0), for: Cropping1D(before: 0, after: 1))
    #expect(cropping == "cropping is [[1, 0]], expected [[0, 1]]")
    let pooling = try finding(
      MaxPooling1D(poolSize: Size1D(2)), for: AveragePooling1D(poolSize: Size1D(2)))
    #expect(pooling == "is MaxPooling1D, expected AveragePooling1D")
  }

  @Test("a reset gate on the wrong side", arguments: [true, false])
  func resetGate(withSource: Bool) throws {
    let before = GRU(units: 4, resetsAfter: false)
    #expect(
      try finding(
        before, Self.gruParameters, for: Self.gru, Self.gruParameters, withSource: withSource)
        == "the reset gate is applied before the recurrent kernel, expected after it")
    #expect(
      try finding(
        Self.gru, Self.gruParameters, for: before, Self.gruParameters, withSource: withSource)
        == "the reset gate is applied after the recurrent kernel, expected before it")
  }

  @Test("another activation of the gates", arguments: [true, false])
  func activations(withSource: Bool) throws {
    let hard = LSTM(units: 5, recurrentActivation: .hardSigmoid(slope: 0.2))
    #expect(
      try finding(
        hard, Self.lstmParameters, for: Self.lstm, Self.lstmParameters, withSource: withSource)
        == "the recurrent activation is hardSigmoid(slope 0.2), expected sigmoid")
    let soft = LSTM(units: 5, activation: .softsign)
    #expect(
      try finding(
        soft, Self.lstmParameters, for: Self.lstm, Self.lstmParameters, withSource: withSource)
        == "the activation is softsign, expected tanh")
  }
}
