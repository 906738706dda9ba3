import ModelIR
import Operators
import Testing

@Suite struct LSTMTests {
  @Test func `agrees with TensorFlow`() throws {
    // Functions of sums, one after the other for five steps.
    try expectTensorFlow("LSTM", cases: 30, tolerance: 4 * functionTolerance)
  }

  @Test func `inputs that do not fit are refused`() {
    let layer = LSTM(units: 3, recurrence: Recurrence(takesMask: true, takesState: true))
    #expect(layer.inputCount == 4...4)
    func problem(_ shapes: [[Int]]) -> String? {
      message { () throws(NetconvError) in _ = try layer.outputShape(for: shapes.map { Shape($0) })
      }
    }
    #expect(problem([[5, 2], [5], [3], [3]]) == nil)
    #expect(
      problem([[5, 2], [4], [3], [3]])
        == "the inputs have shapes (5, 2) and (4), which do not fit together")
    #expect(
      problem([[5, 2], [5], [3], [2]]) == "the state has shape (2), expected (3), as many as units")
    #expect(
      problem([[5, 2, 1], [5], [3], [3]])
        == "the input has shape (5, 2, 1), expected (length, channels)")
  }

  @Test func `parameters name gates and units`() throws {
    let specs = try LSTM(units: 3).parameters(for: [Shape([nil, 2])])
    #expect(
      specs.map(\.layout.description) == [
        "I(G[ifco]N)", "I(G[ifco]N)", "(G[ifco]N)", "(G[ifco]N)",
      ])
    #expect(try specs.map { try $0.layout.shape($0.sizes) } == [[2, 12], [3, 12], [12], [12]])
  }

  @Test func `a second bias adds to the first`() throws {
    let layer = LSTM(units: 3)
    func array(_ shape: [Int], _ value: (Int) -> Double) -> NDArray<Double> {
      NDArray(shape: shape, values: (0..<shape.reduce(1, *)).map(value))
    }
    let inputs = [array([4, 2]) { Double($0) / 8 - 0.5 }]
    var parameters: [ParameterRole: NDArray<Double>] = [
      .kernel: array([2, 12]) { Double($0 % 7) / 8 - 0.375 },
      .recurrent: array([3, 12]) { Double($0 % 5) / 4 - 0.5 },
      .bias: array([12]) { Double($0) / 16 },
    ]
    let one = try layer.evaluate(inputs, parameters)
    parameters[.bias] = array([12]) { Double($0) / 16 - Double($0 % 3) }
    parameters[.recurrentBias] = array([12]) { Double($0 % 3) }
    let two = try layer.evaluate(inputs, parameters)
    #expect(zip(one.values, two.values).allSatisfy { abs($0 - $1) < 1e-15 })
  }
}
