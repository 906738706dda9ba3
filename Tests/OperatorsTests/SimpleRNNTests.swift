import ModelIR
import Operators
import Testing

@Suite struct SimpleRNNTests {
  @Test func `agrees with TensorFlow`() throws {
    // Functions of sums, one after the other for five steps.
    try expectTensorFlow("SimpleRNN", cases: 26, tolerance: 4 * functionTolerance)
  }

  @Test func `the state of a step goes into the next`() throws {
    let layer = SimpleRNN(units: 1, activation: .linear, recurrence: Recurrence(returns: .sequence))
    let y = try layer.evaluate(
      [NDArray(shape: [4, 1], values: [1, 0, 0, 2])],
      [
        .kernel: NDArray(shape: [1, 1], values: [3]),
        .recurrent: NDArray(shape: [1, 1], values: [0.5]),
      ])
    #expect(y == NDArray(shape: [4, 1], values: [3, 1.5, 0.75, 6.375]))
  }

  @Test func `a masked step keeps the output, or gives zeros, and never changes the state`() throws
  {
    let parameters: [ParameterRole: NDArray<Double>] = [
      .kernel: NDArray(shape: [1, 1], values: [1]),
      .recurrent: NDArray(shape: [1, 1], values: [1]),
    ]
    let inputs = [
      NDArray<Double>(shape: [4, 1], values: [5, 1, 7, 2]),
      NDArray(shape: [4], values: [0, 1, 0, 1]),
      NDArray(shape: [1], values: [10]),
    ]
    func run(_ recurrence: Recurrence) throws -> [Double] {
      try SimpleRNN(units: 1, activation: .linear, recurrence: recurrence)
        .evaluate(inputs, parameters).values
    }
    var recurrence = Recurrence(returns: .sequence, takesMask: true, takesState: true)
    #expect(try run(recurrence) == [0, 11, 11, 13])
    recurrence.zerosMasked = true
    #expect(try run(recurrence) == [0, 11, 0, 13])
    recurrence.goesBackwards = true
    #expect(try run(recurrence) == [12, 0, 13, 0])
    recurrence.returns = .last
    #expect(try run(recurrence) == [0])
    recurrence.returns = .state
    #expect(try run(recurrence) == [13])
  }
}
