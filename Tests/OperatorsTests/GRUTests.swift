import ModelIR
import Operators
import Testing

@Suite struct GRUTests {
  @Test func `agrees with TensorFlow`() throws {
    // Functions of sums, one after the other for five steps.
    try expectTensorFlow("GRU", cases: 50, tolerance: 4 * functionTolerance)
  }

  @Test(arguments: [false, true])
  func `parameters name gates and units`(resetsAfter: Bool) throws {
    let specs = try GRU(units: 3, resetsAfter: resetsAfter).parameters(for: [Shape([4, 2])])
    #expect(specs.map(\.role) == [.kernel, .recurrent, .bias, .recurrentBias])
    #expect(
      specs.map(\.layout.description) == [
        "I(G[zrh]N)", "I(G[zrh]N)", "(G[zrh]N)", "(G[zrh]N)",
      ])
    #expect(specs.map(\.isOptional) == [false, false, true, true])
    #expect(
      specs.map(\.cell) == Array(repeating: resetsAfter ? .gru : .gruWithResetBefore, count: 4))
  }

  @Test func `there is no cell to give`() {
    let layer = GRU(units: 3, resetsAfter: true, recurrence: Recurrence(returns: .cell))
    #expect(
      message { () throws(NetconvError) in _ = try layer.outputShape(for: [Shape([4, 2])]) }
        == "recurrence returns a cell, but GRU has none")
  }
}
