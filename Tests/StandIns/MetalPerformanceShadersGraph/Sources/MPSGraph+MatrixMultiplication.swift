extension MPSGraph {
  /// The product of the matrices in the last two dimensions; those before repeat where their size is 1.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/matrixmultiplication(primary:secondary:name:)
  public func matrixMultiplication(
    primary primaryTensor: MPSGraphTensor, secondary secondaryTensor: MPSGraphTensor, name: String?
  ) -> MPSGraphTensor {
    let isConstant = secondaryTensor.operation.rule.constant != nil
    var packed: [Int: PackedMatrix] = [:]
    return add(
      name, [primaryTensor, secondaryTensor],
      Rule(shape: Self.productShape) { inputs, result in
        let (left, right) = (inputs[0], inputs[1])
        let (rows, inner) = (left.shape[left.shape.count - 2], left.shape[left.shape.count - 1])
        let columns = right.shape[right.shape.count - 1]
        let batch = Array(result.shape.dropLast(2))
        var lefts: [Int] = []
        var rights: [Int] = []
        Broadcast(Array(left.shape.dropLast(2)), to: batch).visit { lefts.append($1) }
        Broadcast(Array(right.shape.dropLast(2)), to: batch).visit { rights.append($1) }
        for index in lefts.indices {
          let first = rights[index] * inner * columns
          let matrix =
            packed[rights[index]]
            ?? PackedMatrix(rows: inner, columns: columns) {
              right.numbers[first + $0 * columns + $1]
            }
          if isConstant { packed[rights[index]] = matrix }
          let operands = Operands(
            left: left.first + lefts[index] * rows * inner,
            result: result.first + index * rows * columns)
          let share = 16
          parallel((matrix.panels + share - 1) / share) {
            matrix.multiply(
              operands.left, count: rows, into: operands.result, stride: columns,
              panels: $0 * share..<min(($0 + 1) * share, matrix.panels))
          }
        }
      })
  }

  private static func productShape(_ shapes: [[Int]]) -> [Int] {
    let (left, right) = (shapes[0], shapes[1])
    precondition(left.count >= 2 && right.count >= 2, "a product of \(left) and \(right)")
    let inner = (left[left.count - 1], right[right.count - 2])
    precondition(
      inner.0 == inner.1 || inner.0 == -1 || inner.1 == -1, "a product of \(left) and \(right)")
    return Broadcast.shape([Array(left.dropLast(2)), Array(right.dropLast(2))])
      + [left[left.count - 2], right[right.count - 1]]
  }
}

private struct Operands: @unchecked Sendable {
  let left: UnsafeMutablePointer<Float>
  let result: UnsafeMutablePointer<Float>
}
