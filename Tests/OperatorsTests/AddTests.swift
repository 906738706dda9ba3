import ModelIR
import Operators
import Testing

@Suite struct AddTests {
  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Add", cases: 3)
  }

  @Test func `adds any number of inputs`() throws {
    let arrays = [1.0, 10, 100].map { NDArray<Double>(shape: [2], values: [$0, 2 * $0]) }
    #expect(try Add().evaluate(arrays, [:]).values == [111, 222])
    #expect(Add().inputCount == 2...Int.max)
  }

  @Test func `a size known from one input is known`() throws {
    #expect(
      try Add().outputShape(for: [Shape([nil, 3]), Shape([2, nil])]) == Shape([2, 3]))
  }

  @Test func `repeats sizes of 1 only`() throws {
    #expect(try Add().outputShape(for: [Shape([2, 3]), Shape([1, 3])]) == Shape([2, 3]))
    #expect(
      message { () throws(NetconvError) in
        _ = try Add().outputShape(for: [Shape([4, 3]), Shape([2, 3])])
      } == "the inputs have shapes (4, 3) and (2, 3), which do not fit together")
  }

  @Test func `sizes are compared with each other, also where the first is unknown`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Add().outputShape(for: [Shape([nil]), Shape([2]), Shape([3])])
      } == "the inputs have shapes (None) and (2) and (3), which do not fit together")
  }
}
