import Operators

/// Inputs combined value by value, row after row of the output's last axis.
struct MergeStep: KernelStep {
  /// One input as the rows see it.
  private struct Source: Sendable {
    /// Where each row of an image starts.
    let offsets: [Int]
    /// Whether the values of a row are all the same one.
    let isConstant: Bool
    /// Values of an image.
    let count: Int
  }

  private let combination: MergeCombination
  private let sources: [Source]
  private let rows: Int
  private let rowLength: Int

  init(_ combination: MergeCombination, inputs: [[Int]], output: [Int]) {
    // Without anything to repeat, a row is as long as can be and leaves enough of them for all threads.
    let isPlain = inputs.allSatisfy { $0 == output }
    let large = isPlain ? [output.first ?? 1, output.dropFirst().reduce(1, *)] : output
    let length = large.last ?? 1
    let rows = large.reduce(1, *) / length
    self.combination = combination
    self.rows = rows
    rowLength = length
    sources = inputs.map { shape in
      let small = shape == output ? large : shape
      let places = BroadcastPlaces(of: small, in: large)
      return Source(
        offsets: (0..<rows).map { places[$0 * length] },
        isConstant: small.last == 1 && length > 1, count: shape.reduce(1, *))
    }
  }

  func run(_ operands: Operands) {
    operands.team.share(
      operands.images * rows, smallest: 1 + elementwiseShare / rowLength
    ) { rows, _ in
      run(rows, operands)
    }
  }

  private func run(_ rows: Range<Int>, _ operands: Operands) {
    switch combination {
    case .sum: combine(rows, operands) { $0 + $1 }
    case .difference: combine(rows, operands) { $0 - $1 }
    case .quotient: combine(rows, operands) { $0 / $1 }
    case .product: combine(rows, operands) { $0 * $1 }
    case .mean:
      combine(rows, operands) { $0 + $1 }
      let y = operands.output + rows.lowerBound * rowLength
      let count = Float(sources.count)
      for i in 0..<rows.count * rowLength { y[i] /= count }
    // A NaN on either side wins.
    case .largest: combine(rows, operands) { $0 > $1 || $0 != $0 ? $0 : $1 }
    case .smallest: combine(rows, operands) { $0 < $1 || $0 != $0 ? $0 : $1 }
    }
  }

  @inline(__always)
  private func combine(
    _ rows: Range<Int>, _ operands: Operands, _ function: (Float, Float) -> Float
  ) {
    for row in rows {
      let y = operands.output + row * rowLength
      let (a, b) = (address(0, row, operands), address(1, row, operands))
      combine(a, sources[0].isConstant, b, sources[1].isConstant, y, function)
      for index in 2..<max(2, sources.count) {
        let x = address(index, row, operands)
        combine(y, false, x, sources[index].isConstant, y, function)
      }
    }
  }

  /// Where input number `index` has the values of a row.
  private func address(_ index: Int, _ row: Int, _ operands: Operands) -> UnsafePointer<Float> {
    let source = sources[index]
    return operands.inputs[index] + row / rows * source.count + source.offsets[row % rows]
  }

  @inline(__always)
  private func combine(
    _ a: UnsafePointer<Float>, _ aIsConstant: Bool, _ b: UnsafePointer<Float>,
    _ bIsConstant: Bool, _ y: UnsafeMutablePointer<Float>, _ function: (Float, Float) -> Float
  ) {
    switch (aIsConstant, bIsConstant) {
    case (false, false): for i in 0..<rowLength { y[i] = function(a[i], b[i]) }
    case (false, true):
      let b = b[0]
      for i in 0..<rowLength { y[i] = function(a[i], b) }
    case (true, false):
      let a = a[0]
      for i in 0..<rowLength { y[i] = function(a, b[i]) }
    case (true, true): y.update(repeating: function(a[0], b[0]), count: rowLength)
    }
  }
}
