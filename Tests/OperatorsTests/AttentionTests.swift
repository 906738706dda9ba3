import Foundation
import ModelIR
import Operators
import Testing

@Suite struct AttentionTests {
  @Test func `agrees with Keras`() throws {
    try expectTensorFlow("Attention", cases: 19, tolerance: 4 * functionTolerance)
  }

  /// Keys that are 0 make all weights equal, so that means are worked by hand.
  private func means(
    _ attention: Attention, queries: Int = 3, _ masks: [NDArray<Double>] = []
  ) throws -> [Double] {
    let query = NDArray<Double>(
      shape: [queries, 1], values: [Double](repeating: 1, count: queries))
    let key = NDArray<Double>(shape: [3, 1], values: [0, 0, 0])
    let value = NDArray<Double>(shape: [3, 1], values: [3, 6, 12])
    return try attention.evaluate([query, key, value] + masks, [:]).values
  }

  private func mask(_ values: [Double], _ shape: [Int]? = nil) -> NDArray<Double> {
    NDArray(shape: shape ?? [values.count], values: values)
  }

  @Test func `causal attention is of a query's own step and those before`() throws {
    #expect(try means(Attention(after: 0)) == [3, 4.5, 7])
    #expect(try means(Attention(before: 0)) == [7, 9, 12])
    #expect(try means(Attention(before: 1, after: 0)) == [3, 4.5, 9])
  }

  @Test func `masks leave out keys, and queries`() throws {
    #expect(
      try means(Attention(masks: [.keys]), [mask([1, 0, 1])]) == [7.5, 7.5, 7.5])
    #expect(
      try means(Attention(masks: [.pairs]), [mask([1, 0, 0, 1, 1, 0, 0, 1, 1], [3, 3])])
        == [3, 4.5, 9])
    #expect(try means(Attention(masks: [.results]), [mask([1, 0, 1])]) == [7, 0, 7])
    let bias = mask([0, log(2), -.infinity], [1, 3])
    #expect(try means(Attention(masks: [.bias]), [bias]).allSatisfy { abs($0 - 5) < 1e-15 })
  }

  @Test func `a query that attends to nothing attends to all keys alike, or has a mean of 0`()
    throws
  {
    let none = mask([1, 0, 1])
    #expect(try means(Attention(masks: [.queries]), [none]) == [7, 7, 7])
    #expect(try means(Attention(masks: [.queries], zerosEmpty: true), [none]) == [7, 0, 7])
    // The fourth query is too far behind the last key.
    #expect(try means(Attention(before: 0, after: 0), queries: 4) == [3, 6, 12, 7])
    #expect(
      try means(Attention(before: 0, after: 0, zerosEmpty: true), queries: 4) == [3, 6, 12, 0])
    let infinite = mask([-.infinity, -.infinity, -.infinity], [1, 3])
    #expect(try means(Attention(masks: [.bias]), [infinite]) == [7, 7, 7])
  }

  @Test func `a NaN is not masked away`() throws {
    let query = mask([1, 1], [2, 1])
    let keys = mask([.nan, 0], [2, 1])
    let found = try Attention().evaluate([query, keys, keys], [:])
    #expect(found.values.allSatisfy { $0.isNaN })
  }

  @Test func `both outputs have shapes of their own`() throws {
    let inputs = [Shape([5, 8]), Shape([nil, 4]), Shape([7, 6])]
    let attention = Attention(heads: 4, keyHeads: 2, result: .both)
    #expect(try attention.outputShapes(for: inputs) == [Shape([5, 12]), Shape([4, 5, 7])])
    #expect(try attention.computing(output: 1).outputShape(for: inputs) == Shape([4, 5, 7]))
    #expect(
      try Attention(result: .weights).outputShape(for: [
        Shape([5, 4]), Shape([7, 4]), Shape([7, 3]),
      ])
        == Shape([5, 7]))
  }

  @Test func `refuses what does not fit`() {
    func problem(_ attention: Attention, _ shapes: [[Int?]]) -> String? {
      message { () throws(NetconvError) in
        _ = try attention.outputShapes(for: shapes.map { Shape($0) })
      }
    }
    let plain = [[5, 8], [7, 8], [7, 8]]
    #expect(problem(Attention(heads: 4), plain) == nil)
    #expect(
      problem(Attention(heads: 3), plain)
        == "the inputs have shapes (5, 8) and (7, 8) and (7, 8), which do not fit together")
    #expect(
      problem(Attention(heads: 4, keyHeads: 3), plain)
        == "keyHeads is 3, expected a divisor of the 4 heads of the queries")
    #expect(
      problem(Attention(heads: 4), [[5, 8], [7, 8], [6, 8]])
        == "the inputs have shapes (5, 8) and (7, 8) and (6, 8), which do not fit together")
    #expect(
      problem(Attention(), [[2, 5, 8], [7, 8], [7, 8]])
        == "the input has shape (2, 5, 8), expected (steps, heads · width)")
    #expect(
      problem(Attention(masks: [.keys]), plain + [[5]])
        == "the input for keys of the attention has shape (5), expected (7)")
    #expect(
      problem(Attention(heads: 2, masks: [.pairs]), plain + [[4, 5, 7]])
        == "the input for pairs of the attention has shape (4, 5, 7), expected (2, 5, 7)")
    #expect(
      problem(Attention(heads: 2, score: .additive), plain)
        == "additive scores have one head, expected heads to be absent")
    #expect(
      problem(Attention(softCap: 0), plain) == "softCap is 0.0, expected a positive number")
    #expect(
      problem(Attention(after: -1), plain)
        == "after is -1, expected a number from 0 to 1073741824")
  }
}
