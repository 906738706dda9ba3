internal import CKernels
import Operators

/// A step that combines inputs element by element, row by row of the output's last axis.
struct MergeStep: KernelStep {
  private let combination: MergeCombination
  private let level: CPULevel
  private let rows: BroadcastRows
  let inPlaceInputs: [Int]

  init(
    _ combination: MergeCombination, _ level: CPULevel, inputs: [[Int]], output: [Int]
  ) {
    self.combination = combination
    self.level = level
    rows = BroadcastRows(of: inputs, in: output)
    // The third input is read after the output contains the sum of the first two.
    inPlaceInputs = [0, 1].filter { inputs[$0] == output }
  }

  func run(_ operands: Operands) {
    rows.share(operands) { share in run(share, operands) }
  }

  private func run(_ share: Range<Int>, _ operands: Operands) {
    let sources = rows.sources
    for row in share {
      let y = operands.output + row * rows.length
      var job = netconv_combine(
        combination: combination.kernel(isLast: sources.count == 2), s: Float(sources.count),
        a: rows.address(0, row, operands), b: rows.address(1, row, operands),
        a_is_constant: sources[0].isConstant ? 1 : 0, b_is_constant: sources[1].isConstant ? 1 : 0,
        y: y, count: rows.length)
      level.combine(job)
      for index in 2..<max(2, sources.count) {
        job.combination = combination.kernel(isLast: index == sources.count - 1)
        (job.a, job.a_is_constant) = (UnsafePointer(y), 0)
        job.b = rows.address(index, row, operands)
        job.b_is_constant = sources[index].isConstant ? 1 : 0
        level.combine(job)
      }
    }
  }
}

extension MergeCombination {
  /// Returns the operation for each further input; the mean is a sum until the last one.
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
