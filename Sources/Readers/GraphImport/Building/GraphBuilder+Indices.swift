import ModelIR
import Operators

// Indices of values, and one-hot encodings.

extension GraphBuilder {
  /// Drafts the indices of the largest or smallest values along an axis; axis indices include the batch.
  mutating func argReduce(
    _ function: ArgReduce.Function, _ input: GraphValue, along axis: Int, keepDimensions: Bool,
    takesLast: Bool = false
  ) throws(NetconvError) -> GraphValue {
    let axis = try resolvedAxis(axis, rank: input.rank)
    let own = try input.sampleAxis(axis)
    var batch = input.batch
    if !keepDimensions, let place = batch, axis < place.axis { batch?.axis -= 1 }
    return try draft(
      ArgReduce(
        function, axis: own - input.shape.rank, keepDimensions: keepDimensions,
        takesLast: takesLast), [input], batch: batch)
  }

  /// Drafts the one-hot encoding of indices along a new axis; axis indices include the batch.
  ///
  /// - Parameters:
  ///   - count: the size of the new axis; an index outside of it is encoded as zeros.
  ///   - countsFromEnd: true if negative indices count from the end.
  mutating func oneHot(
    _ indices: GraphValue, count: Int, along axis: Int, countsFromEnd: Bool
  ) throws(NetconvError) -> GraphResult {
    let axis = try resolvedAxis(axis, rank: indices.rank + 1)
    let all = try GraphConstant.counted(count, rank: indices.rank + 1, along: axis, at: node)
    var indices = try expand(.value(indices), at: [axis])
    if countsFromEnd { indices = try fromStart(indices, count: count) }
    return try apply(.equal, [indices, .constant(all)])
  }

  /// Adds `count` to negative indices.
  mutating func fromStart(
    _ indices: GraphResult, count: Int
  ) throws(NetconvError) -> GraphResult {
    try apply(
      .select,
      [
        apply(.less, [indices, .number(0)]), apply(.add, [indices, .number(Double(count))]),
        indices,
      ])
  }

  /// Drafts the largest or smallest values along an axis in order, and their indices; axis indices include the batch.
  mutating func topK(
    _ input: GraphValue, count: Int, along axis: Int, takesSmallest: Bool
  ) throws(NetconvError) -> [GraphResult] {
    let own = try input.sampleAxis(axis) - input.shape.rank
    return try [TopK.Result.values, .indices].map { result throws(NetconvError) in
      .value(
        try draft(
          TopK(count: count, axis: own, takesSmallest: takesSmallest, result: result), [input],
          batch: input.batch))
    }
  }

  /// Drafts the one-hot encoding of the largest value along an axis; axis indices include the batch.
  mutating func hardmax(_ input: GraphValue, along axis: Int) throws(NetconvError) -> GraphResult {
    let count = try input.size(axis)
    let axis = try resolvedAxis(axis, rank: input.rank)
    let found = try argReduce(.maximum, input, along: axis, keepDimensions: true)
    let all = try GraphConstant.counted(count, rank: input.rank, along: axis, at: node)
    return try apply(.equal, [.value(found), .constant(all)])
  }
}

extension GraphConstant {
  /// The integers from 0 on, along one axis of a table whose other axes have size 1.
  static func counted(
    _ count: Int, rank: Int, along axis: Int, at path: String
  ) throws(NetconvError) -> GraphConstant {
    _ = try foldedCount(of: [count])
    var sizes = [Int](repeating: 1, count: rank)
    sizes[axis] = count
    return GraphConstant(
      (0..<count).map(Double.init), shape: sizes, type: .float32, path: "\(path)/indices")
  }
}
