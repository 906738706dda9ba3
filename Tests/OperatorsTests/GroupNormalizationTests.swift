import ModelIR
import Operators
import Testing

@Suite struct GroupNormalizationTests {
  @Test func `agrees with TensorFlow`() throws {
    // A few roundings of the mean and the variance more than a function takes.
    try expectTensorFlow("GroupNormalization", cases: 15, tolerance: 8 * functionTolerance)
  }

  @Test func `worked by hand`() throws {
    let x = NDArray<Double>(shape: [2, 2], values: [1, 10, 3, 10])
    let y = try GroupNormalization(groups: 2, epsilon: 3).evaluate(
      [x],
      [
        .gamma: NDArray(shape: [2], values: [2, 4]), .beta: NDArray(shape: [2], values: [5, 6]),
      ])
    #expect(y.values == [4, 6, 6, 6])
    let together = try GroupNormalization(groups: 1, epsilon: 0.5).evaluate(
      [NDArray(shape: [2, 2], values: [1, 2, 3, 2])], [:])
    #expect(together.values == [-1, 0, 1, 0])
  }

  @Test func `refuses groups that do not divide the channels`() {
    for (groups, text) in [
      (4, "4 groups do not divide 6 channels"), (0, "0 groups do not divide 6 channels"),
      (-2, "-2 groups do not divide 6 channels"),
    ] {
      #expect(
        message { () throws(NetconvError) in
          _ = try GroupNormalization(groups: groups).outputShape(for: [Shape([2, 3, 6])])
        } == text)
    }
  }

  @Test func `takes one value per channel`() throws {
    let specs = try GroupNormalization(groups: 2).parameters(for: [Shape([nil, 4])])
    #expect(specs.map(\.role) == [.gamma, .beta])
    #expect(specs.map(\.isOptional) == [true, true])
    #expect(specs.map(\.sizes) == [[.channels: 4], [.channels: 4]])
  }
}
