internal import CKernels
import Operators

/// A pooling over windows, whichever way it reduces them.
struct PoolingStep: KernelStep {
  /// How a window becomes one value.
  enum Reduction: Sendable {
    case largest
    case mean
  }

  let reduction: Reduction
  let level: CPULevel
  let window: Window2D
  /// Height, width, channels.
  let input: [Int]

  /// A pooling over windows.
  init(_ reduction: Reduction, _ level: CPULevel, _ window: Window2D, input: [Int]) {
    self.reduction = reduction
    self.level = level
    self.window = window
    self.input = input
  }

  /// A pooling over the whole image.
  init(_ reduction: Reduction, _ level: CPULevel, input: [Int]) {
    let whole = Size2D(input[0], input[1])
    self.init(
      reduction, level, Window2D(size: whole, strides: .one, padding: .valid), input: input)
  }

  func run(_ operands: Operands) {
    let job = netconv_pooling(
      x: operands.inputs[0], y: operands.output, images: operands.images, channels: input[2],
      rows: window.rows.job(input[0]), columns: window.columns.job(input[1]))
    switch reduction {
    case .largest: level.maxPool(job)
    case .mean: level.averagePool(job)
    }
  }
}

extension WindowAxis {
  /// The axis over `length` pixels, as the kernels take it.
  func job(_ length: Int) -> netconv_window {
    netconv_window(
      input: length, output: count(in: length), size: size, stride: stride,
      before: paddingBefore(length))
  }
}
