internal import CKernels
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
  private let level: CPULevel
  private let sources: [Source]
  private let rows: Int
  private let rowLength: Int
  let inPlaceInputs: [Int]

  init(
    _ combination: MergeCombination, _ level: CPULevel, inputs: [[Int]], output: [Int]
  ) {
    // Without anything to repeat, a row is as long as can be and leaves enough of them for all threads.
    let isPlain = inputs.allSatisfy { $0 == output }
    let plainRows = output.count > 1 ? output[0] : 1
    let large = isPlain ? [plainRows, output.reduce(1, *) / plainRows] : output
    let length = large.last ?? 1
    let rows = large.reduce(1, *) / length
    self.combination = combination
    self.level = level
    // The third is read when the output has the first two.
    inPlaceInputs = [0, 1].filter { inputs[$0] == output }
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
    for row in rows {
      let y = operands.output + row * rowLength
      var job = netconv_combine(
        combination: combination.kernel(isLast: sources.count == 2), s: Float(sources.count),
        a: address(0, row, operands), b: address(1, row, operands),
        a_is_constant: sources[0].isConstant ? 1 : 0, b_is_constant: sources[1].isConstant ? 1 : 0,
        y: y, count: rowLength)
      level.combine(job)
      for index in 2..<max(2, sources.count) {
        job.combination = combination.kernel(isLast: index == sources.count - 1)
        (job.a, job.a_is_constant) = (UnsafePointer(y), 0)
        job.b = address(index, row, operands)
        job.b_is_constant = sources[index].isConstant ? 1 : 0
        level.combine(job)
      }
    }
  }

  /// Where input number `index` has the values of a row.
  private func address(_ index: Int, _ row: Int, _ operands: Operands) -> UnsafePointer<Float> {
    let source = sources[index]
    return operands.inputs[index] + row / rows * source.count + source.offsets[row % rows]
  }
}

extension MergeCombination {
  /// What is done with one input after the other; the mean is a sum until the last.
  fileprivate func kernel(isLast: Bool) -> netconv_combination {
    switch self {
    case .sum: NETCONV_SUM
    case .difference: NETCONV_DIFFERENCE
    case .quotient: NETCONV_QUOTIENT
    case .product: NETCONV_PRODUCT
    case .mean: isLast ? NETCONV_MEAN : NETCONV_SUM
    case .largest: NETCONV_LARGEST
    case .smallest: NETCONV_SMALLEST
    }
  }
}
