import Execution
import Lowering
import ModelIR
import Operators
import Synchronization
import Testing

/// The sums and the differences of the two halves of the last axis; counts how often it is evaluated.
private struct Halves: Operator {
  static let name = "Halves"
  static let evaluations = Mutex<[Int: Int]>([:])
  /// Distinguishes its evaluations from those of other layers.
  var number = 0
  /// The only output that it computes.
  var only: Int?

  var outputCount: Int { only == nil ? 2 : 1 }
  var orderDependence: OrderDependence { .full }
  var valueEffect: ValueEffect { .computed }

  func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }
  func fanIn(of inputs: [[Int]]) -> Int { 2 }
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try outputShapes(for: inputs)[0]
  }
  func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    let last = (inputs[0].dimensions.last ?? nil).map { $0 / 2 }
    let half = Shape(inputs[0].dimensions.dropLast() + [last])
    return Array(repeating: half, count: outputCount)
  }
  func computing(output index: Int) -> any Operator { Halves(number: number, only: index) }
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> { try evaluateOutputs(inputs, parameters)[0] }
  func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    Self.evaluations.withLock { $0[number, default: 0] += 1 }
    let x = inputs[0]
    let size = (x.shape.last ?? 0) / 2
    let shape = x.shape.dropLast() + [size]
    let outputs = [1.0, -1.0].map { sign in
      NDArray(
        shape: Array(shape),
        values: (0..<x.count / 2).map { place in
          let first = place / size * 2 * size + place % size
          return x.values[first] + sign * x.values[first + size]
        })
    }
    return only.map { [outputs[$0]] } ?? outputs
  }
}

/// Layers that compute several values at once.
@Suite struct SeveralOutputTests {
  /// A recurrent layer whose states are read by others, and these layers.
  private static func encoder(_ layer: any SteppingOperator, input: Shape) throws -> Model {
    var builder = ModelBuilder(seed: 11)
    let x = builder.input(input)
    var giving = layer
    giving.recurrence.givesStates = true
    let first = try builder.add(giving, [x])
    let states = (1...type(of: layer).stateCount).map { "\(first)/\($0)" }
    let read = try states.map { try builder.add(Activation(.tanh), [$0]) }
    return try builder.model(outputs: [first] + states + read)
  }

  private static let steps = Shape([5, 3])
  private static let layers: [(any SteppingOperator, Shape)] = [
    (LSTM(units: 4, recurrence: Recurrence(returns: .sequence)), steps),
    (LSTM(units: 4, recurrence: Recurrence(goesBackwards: true)), steps),
    (GRU(units: 4, resetsAfter: true, recurrence: Recurrence(returns: .sequence)), steps),
    (GRU(units: 4, resetsAfter: false), steps), (SimpleRNN(units: 4), steps),
    (ConvolutionalLSTM1D(outputChannels: 2, kernelSize: Size1D(3)), Shape([3, 7, 2])),
    (
      ConvolutionalLSTM2D(
        outputChannels: 2, kernelSize: Size2D(3, 2), recurrence: Recurrence(returns: .sequence)),
      Shape([3, 5, 4, 2])
    ),
  ]

  @Test(arguments: layers.indices)
  func `states are what a layer that gives one of them gives`(index: Int) throws {
    let (layer, shape) = Self.layers[index]
    let model = try Self.encoder(layer, input: shape)
    let inputs = randomInputs(of: model, batch: 9)
    try expectAgreement(model, inputs, threads: [1, 2], "\(layer)")
    let separated = model.separated
    #expect(separated.layers.count == model.layers.count + type(of: layer).stateCount)
    let values = try ReferenceEngine(model).run(inputs)
    #expect(try ReferenceEngine(separated).run(inputs) == values)
    #expect(values.keys.sorted() == model.outputs.sorted())
  }

  @Test(arguments: EngineKind.allCases)
  func `a layer is computed once, whatever reads its outputs`(kind: EngineKind) throws {
    let number = kind == .fast ? 1 : 2
    var builder = ModelBuilder(seed: 12)
    let x = builder.input(Shape([3, 8]))
    let halves = try builder.add(Halves(number: number), [x])
    let sum = try builder.add(Add(), [halves, halves + "/1"])
    let model = try builder.model(outputs: [sum, halves + "/1"])
    let inputs = randomInputs(of: model, batch: 6)
    let results = try kind.engine(for: model, keeping: [halves], threads: 2).run(inputs)
    #expect(Halves.evaluations.withLock { $0[number] } == 6)
    let values = try #require(inputs[x]).values
    for (place, value) in try #require(results[halves + "/1"]).values.enumerated() {
      let first = place / 4 * 8 + place % 4
      #expect(value == values[first] - values[first + 4])
      #expect(results[halves]?.values[place] == values[first] + values[first + 4])
    }
  }

  @Test func `states take one step of the fast engine`() throws {
    let (layer, shape) = Self.layers[0]
    let model = try Self.encoder(layer, input: shape)
    #expect(try FastEngine(model).stepCount == 3)
    #expect(try FastEngine(model.separated).stepCount == 5)
  }

  @Test func `an output that nobody reads takes no other's memory`() throws {
    var builder = ModelBuilder(seed: 13)
    let x = builder.input(Self.steps)
    let lstm = try builder.add(
      LSTM(units: 4, recurrence: Recurrence(returns: .sequence, givesStates: true)), [x])
    let dense = try builder.add(Dense(units: 6), [lstm + "/2"])
    let last = try builder.add(Dense(units: 4), [lstm])
    let model = try builder.model(outputs: [dense, last])
    try expectAgreement(model, randomInputs(of: model, batch: 40), threads: [1, 2])
  }

  @Test func `in half precision each output is rounded`() throws {
    let (layer, shape) = Self.layers[0]
    let model = try Self.encoder(layer, input: shape)
    let inputs = randomInputs(of: model, batch: 3)
    for kind in EngineKind.allCases {
      let values = try kind.engine(for: model, precision: .float16).run(inputs)
      #expect(values.count == 5)
      for (name, array) in values {
        #expect(HalfRounding.round(array) == array, "\(name)")
      }
    }
  }

  @Test func `steps that are sequences themselves have states of their own`() throws {
    var builder = ModelBuilder(seed: 14)
    let shape = Shape([4, 5, 3])
    let x = builder.input(shape)
    let inner = LSTM(units: 2, recurrence: Recurrence(givesStates: true))
    let layer = try builder.add(TimeDistributed(inner), [x])
    let model = try builder.model(outputs: (0...2).map { $0 == 0 ? layer : "\(layer)/\($0)" })
    let inputs = randomInputs(of: model, batch: 3)
    try expectAgreement(model, inputs, threads: [1, 2])
    #expect(try ReferenceEngine(model.separated).run(inputs) == ReferenceEngine(model).run(inputs))
  }
}
