internal import CKernels
import Operators

/// A pooling over windows with any reduction.
struct PoolingStep: KernelStep {
  /// The reduction of a window to one value.
  enum Reduction: Sendable {
    case largest
    case mean
  }

  /// The number of values below which one thread is faster than several.
  private static let smallestShare = 16_384

  let reduction: Reduction
  let level: CPULevel
  let window: Window2D
  /// Height, width, channels.
  let input: [Int]

  /// Creates a pooling over windows.
  init(_ reduction: Reduction, _ level: CPULevel, _ window: Window2D, input: [Int]) {
    self.reduction = reduction
    self.level = level
    self.window = window
    self.input = input
  }

  /// Creates a pooling over the whole image.
  init(_ reduction: Reduction, _ level: CPULevel, input: [Int]) {
    let whole = Size2D(input[0], input[1])
    self.init(
      reduction, level, Window2D(size: whole, strides: .one, padding: .valid), input: input)
  }

  func run(_ operands: Operands) {
    let (rows, columns) = (window.rows.job(input[0]), window.columns.job(input[1]))
    let job = Shared(
      netconv_pooling(
        x: operands.inputs[0], y: operands.output, channels: input[2], rows: rows,
        columns: columns))
    let rowCount = columns.output * window.size.height * window.size.width * input[2]
    operands.team.share(
      operands.images * rows.output, smallest: 1 + Self.smallestShare / rowCount
    ) { rows, _ in
      switch reduction {
      case .largest: level.maxPool(job.value, rows: rows)
      case .mean: level.averagePool(job.value, rows: rows)
      }
    }
  }
}

extension WindowAxis {
  /// Returns the kernels' description of the axis over `length` pixels.
  func job(_ length: Int) -> netconv_window {
    netconv_window(
      input: length, output: count(in: length), size: size, stride: stride,
      before: paddingBefore(length))
  }
}
