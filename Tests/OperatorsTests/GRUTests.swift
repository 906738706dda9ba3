import ModelIR
import Operators
import Testing

@Suite struct GRUTests {
  @Test func `agrees with TensorFlow`() throws {
    // Functions of sums, one after the other for five steps.
    try expectTensorFlow("GRU", cases: 50, tolerance: 4 * functionTolerance)
  }

  @Test func `what the reset stands before decides whether there are two biases`() throws {
    let shapes = [Shape([4, 2])]
    #expect(try GRU(units: 3, resetsAfter: false).parameters(for: shapes).count == 3)
    let specs = try GRU(units: 3, resetsAfter: true).parameters(for: shapes)
    #expect(specs.map(\.role) == [.kernel, .recurrent, .bias, .recurrentBias])
    #expect(specs.map(\.layout.description) == ["I(GN)", "I(GN)", "(GN)", "(GN)"])
  }

  @Test func `there is no cell to give`() {
    let layer = GRU(units: 3, resetsAfter: true, recurrence: Recurrence(returns: .cell))
    #expect(
      message { () throws(NetconvError) in _ = try layer.outputShape(for: [Shape([4, 2])]) }
        == "recurrence returns a cell, which GRU does not have")
  }
}
