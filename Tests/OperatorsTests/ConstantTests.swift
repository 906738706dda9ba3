import ModelIR
import Operators
import Testing

@Suite struct ConstantTests {
  @Test func `a table is its values, and reads nothing`() throws {
    let table = Constant(shape: [2, 3])
    let values = NDArray<Double>(shape: [2, 3], values: [1, 2, 3, 4, 5, 6])
    #expect(try table.checkedOutputShape(for: []) == Shape([2, 3]))
    #expect(try table.evaluate([], [.value: values]) == values)
    #expect(try table.parameters(for: []).map(\.layout.description) == ["WC"])
    #expect(throws: NetconvError.self) { try table.checkedOutputShape(for: [Shape([2, 3])]) }
  }

  /// A vector does not say in which order a flatten has arranged the values that it is added to.
  @Test(arguments: [[], [3], [1, 2, 3, 4, 5], [0, 2], [2, -1]])
  func `a vector is no table`(shape: [Int]) {
    #expect(throws: NetconvError.self) { try Constant(shape: shape).outputShape(for: []) }
  }
}
