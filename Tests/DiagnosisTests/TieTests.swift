import Diagnosis
import Execution
import ModelIR
import Operators
import Testing

/// Outputs with steps, which are compared exactly but where rounding may decide them.
@Suite("Ties")
struct TieTests {
  private func comparison(
    _ operation: any Operator, _ inputs: [NDArray<Float>], expected: [Float]
  ) throws -> ModelComparison {
    let names = inputs.indices.map { "x\($0)" }
    let model = try Model(
      name: "steps",
      inputs: zip(names, inputs).map {
        ModelInput(name: $0, shape: Shape(Array($1.shape.dropFirst())))
      },
      layers: [LayerDefinition(name: "y", operation: operation, inputs: names)], outputs: ["y"])
    let fed = Dictionary(uniqueKeysWithValues: zip(names, inputs))
    var values = fed
    values["y"] = try NDArray(
      shape: [inputs[0].shape[0]]
        + #require(model.shape(of: "y")?.known), values: expected)
    return try ModelComparison(of: model, on: fed, with: ExpectedActivations(values))
  }

  private func row(_ comparison: ModelComparison) throws -> ModelComparison.Row {
    try #require(comparison.rows.last)
  }

  /// Three samples; the two largest values of the second are equal except for rounding.
  private let scores = NDArray<Float>(
    shape: [3, 4], values: [0.1, 0.9, 0.3, 0.2, 0.7, 0.3, Float(0.7).nextDown, 0.1, 5, 1, 4, 0.5])

  @Test("an index that rounding may decide may be either, and all others are exact")
  func indices() throws {
    let operation = ArgReduce(.maximum, axis: -1)
    let right = try row(comparison(operation, [scores], expected: [1, 2, 0]))
    #expect(right.passed)
    #expect(right.tieCount == 1)
    #expect(right.difference.count == 2)
    let wrong = try row(comparison(operation, [scores], expected: [1, 0, 1]))
    #expect(!wrong.passed)
  }

  @Test("whole numbers are the same for every program, and equal ones are no tie")
  func wholeNumbers() throws {
    let counts = NDArray<Float>(shape: [2, 3], values: [3, 3, 1, 0, 2, 2])
    let right = try row(comparison(ArgReduce(.maximum, axis: -1), [counts], expected: [0, 1]))
    #expect(right.passed)
    #expect(right.tieCount == 0)
    #expect(
      try !row(comparison(ArgReduce(.maximum, axis: -1), [counts], expected: [1, 1])).passed)
  }

  @Test("a choice moves with its values, which is no tie, unless its condition jumps")
  func choices() throws {
    let condition = NDArray<Float>(shape: [1, 3], values: [1, 0, 1])
    let (first, second) = (
      NDArray<Float>(shape: [1, 3], values: [0.25, 7.3, -1.7]),
      NDArray<Float>(shape: [1, 3], values: [9.1, 2.2, 4.4])
    )
    let right = try row(
      comparison(Where(), [condition, first, second], expected: [0.25, 2.2, -1.7]))
    #expect(right.passed)
    #expect(right.tieCount == 0)
    let wrong = try row(
      comparison(Where(), [condition, first, second], expected: [0.25, 2.2, 4.4]))
    #expect(!wrong.passed)
  }

  @Test("a layer of which nothing was compared is not right")
  func nothingCompared() throws {
    let (a, b) = (
      NDArray<Float>(shape: [1, 2], values: [0.3, 0.7]),
      NDArray<Float>(shape: [1, 2], values: [Float(0.3).nextUp, Float(0.7).nextDown])
    )
    let row = try row(comparison(Pairwise(.less), [a, b], expected: [1, 0]))
    #expect(row.tieCount == 2)
    #expect(row.difference.count == 0)
    #expect(!row.passed)
  }
}
