import Execution
import ModelIR
import Operators
import Testing

/// Layers that go on where another sequence has ended.
@Suite struct StatefulTests {
  private static let length = 4
  private static let channels = 3

  /// A layer that returns all steps, stateful or not.
  private static func layers(_ batch: Int?) -> [any RecurrentOperator] {
    let recurrence = Recurrence(returns: .sequence, statefulBatch: batch)
    return [
      SimpleRNN(units: 2, recurrence: recurrence), LSTM(units: 2, recurrence: recurrence),
      GRU(units: 2, resetsAfter: false, recurrence: recurrence),
      GRU(units: 2, resetsAfter: true, recurrence: recurrence),
    ]
  }

  /// Two layers, with the same weights for every batch.
  private static func net(_ first: any Operator, _ second: any Operator) throws -> Model {
    var builder = ModelBuilder(seed: 3)
    let input = builder.input(Shape([nil, channels]))
    let middle = try builder.add(first, [input])
    let last = try builder.add(second, [middle])
    return try builder.model(outputs: [middle, last])
  }

  /// The consecutive sequences of a lane, as a single sequence.
  private func joined(_ array: NDArray<Float>, every batch: Int, from lane: Int) -> NDArray<Float> {
    let size = array.shape[1] * array.shape[2]
    let values = stride(from: lane, to: array.shape[0], by: batch)
      .flatMap { array.values[$0 * size..<($0 + 1) * size] }
    return NDArray(shape: [1, values.count / array.shape[2], array.shape[2]], values: values)
  }

  @Test(arguments: EngineKind.allCases, [1, 2, 3])
  func `sequences that go on are one long sequence`(kind: EngineKind, batch: Int) throws {
    var random = SplitMix64(seed: 5)
    let input = random.array([7, Self.length, Self.channels])
    for (stateful, plain) in zip(Self.layers(batch), Self.layers(nil)) {
      let engine = try kind.engine(for: try Self.net(stateful, stateful))
      let whole = try kind.engine(for: try Self.net(plain, plain))
      // In parts of any size, which are no batches.
      for parts in [[7], [1, 1, 5], [4, 3], [2, 2, 2, 1]] {
        engine.resetStates()
        var found: [String: [Float]] = [:]
        var first = 0
        for count in parts {
          let size = Self.length * Self.channels
          let part = NDArray(
            shape: [count, Self.length, Self.channels],
            values: Array(input.values[first * size..<(first + count) * size]))
          for (name, array) in try engine.run(["x0": part]) {
            #expect(array.shape == [count, Self.length, 2])
            found[name, default: []] += array.values
          }
          first += count
        }
        #expect(found.keys.sorted() == ["y0", "y1"])
        for (name, values) in found {
          let outputs = NDArray(shape: [7, Self.length, 2], values: values)
          for lane in 0..<batch {
            let expected = try whole.run(["x0": joined(input, every: batch, from: lane)])
            let lane = joined(outputs, every: batch, from: lane)
            let right = try #require(expected[name])
            #expect(lane.shape == right.shape)
            #expect(
              zip(lane.values, right.values).allSatisfy { abs($0 - $1) < 1e-6 },
              "\(type(of: stateful)), \(parts)")
          }
        }
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `layers of different batches go on apart`(kind: EngineKind) throws {
    var random = SplitMix64(seed: 6)
    let input = random.array([7, Self.length, Self.channels])
    func lstm(_ batch: Int?) -> LSTM {
      LSTM(units: 2, recurrence: Recurrence(returns: .sequence, statefulBatch: batch))
    }
    let found = try kind.engine(for: try Self.net(lstm(2), lstm(3))).run(["x0": input])
    let first = try kind.engine(for: try Self.net(lstm(2), lstm(nil))).run(["x0": input])
    #expect(found["y0"] == first["y0"])
    #expect(found["y1"] != first["y1"])
    // The first three begin with zeros, behind whatever comes in.
    #expect(found["y1"]?.values.prefix(24) == first["y1"]?.values.prefix(24))
  }

  @Test(arguments: EngineKind.allCases)
  func `a run goes on where the last one has ended, until states are reset`(
    kind: EngineKind
  ) throws {
    var random = SplitMix64(seed: 7)
    let input = ["x0": random.array([2, Self.length, Self.channels])]
    let engine = try kind.engine(
      for: try Self.net(Self.layers(2)[1], Identity()), keeping: ["y0"])
    let first = try engine.run(input)
    #expect(try engine.run(input) != first)
    engine.resetStates()
    #expect(try engine.run(input) == first)
    #expect(Set(first.keys) == ["y0", "y1"])
    #expect(
      message { _ = try engine.run([:]) }
        == "there is no array for the input 'x0', which has shape (None, 3)")
    engine.resetStates()
    #expect(try engine.run(["x0": NDArray(shape: [0, 4, 3])])["y0"]?.shape == [0, 4, 2])
    #expect(try engine.run(input) == first)
  }

  @Test func `what cannot go on is refused`() throws {
    let model = try Self.net(Self.layers(2)[1], Identity())
    let keepsNothing =
      "layer 'y0': the layer continues another sequence, whose state this engine does not keep; "
      + "EngineKind.engine(for:) makes one that does"
    #expect(message { _ = try FastEngine(model) } == keepsNothing)
    #expect(message { _ = try ReferenceEngine(model) } == keepsNothing)
    #expect(
      message { _ = try Self.net(Self.layers(0)[1], Identity()) }
        == "statefulBatch is 0, expected 1 or more")
    var both = LSTM(units: 2, recurrence: Recurrence(takesState: true))
    both.recurrence.statefulBatch = 1
    #expect(
      message { _ = try both.outputShape(for: [Shape([4, 3]), Shape([2]), Shape([2])]) }
        == "recurrence reads its first state from an input and from the previous sequence, expected one of them"
    )
    #expect(
      message { _ = try TimeDistributed(Self.layers(1)[0]).outputShape(for: [Shape([2, 4, 3])]) }
        == "SimpleRNN is stateful in a layer that applies it to each step, which netconv does not run"
    )
    let huge = try Self.net(Self.layers(1 << 60)[1], Identity())
    #expect(message { _ = try EngineKind.fast.engine(for: huge) } != nil)
  }
}
