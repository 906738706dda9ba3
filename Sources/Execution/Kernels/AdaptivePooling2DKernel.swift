import ModelIR
import Operators

/// The kernel for adaptive poolings.
struct AdaptivePooling2DKernel<Implemented: AdaptivePoolingOperator<Plane>>: FastKernel {
  private let operation: Implemented

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    AdaptiveStep(
      rows: adaptiveWindows(output[0], over: inputs[0][0]),
      columns: adaptiveWindows(output[1], over: inputs[0][1]), input: inputs[0],
      isMaximum: operation is AdaptiveMaxPooling2D)
  }
}

/// The kernel for adaptive average pooling.
typealias AdaptiveAverageKernel = AdaptivePooling2DKernel<AdaptiveAveragePooling2D>

/// The kernel for adaptive max pooling.
typealias AdaptiveMaxKernel = AdaptivePooling2DKernel<AdaptiveMaxPooling2D>

/// An adaptive pooling for images of one size.
private struct AdaptiveStep: KernelStep {
  /// The number of values below which one thread is faster than several.
  private static let smallestShare = 16_384

  let rows: [Range<Int>]
  let columns: [Range<Int>]
  /// Height, width, channels.
  let input: [Int]
  let isMaximum: Bool

  func run(_ operands: Operands) {
    let rowCount = input[0] * input[1] * input[2] / rows.count
    operands.team.share(
      operands.images * rows.count, smallest: 1 + Self.smallestShare / max(1, rowCount)
    ) { share, _ in
      for index in share {
        let (image, row) = index.quotientAndRemainder(dividingBy: rows.count)
        let x = operands.inputs[0] + image * input[0] * input[1] * input[2]
        pool(row, of: x, operands.output + index * columns.count * input[2])
      }
    }
  }

  /// Computes a row of the output.
  private func pool(
    _ row: Int, of x: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>
  ) {
    let channels = input[2]
    for (index, window) in columns.enumerated() {
      let y = output + index * channels
      y.update(repeating: isMaximum ? -.infinity : 0, count: channels)
      for place in rows[row].lazy.flatMap({ row in window.lazy.map { row * input[1] + $0 } }) {
        let pixel = x + place * channels
        if isMaximum {
          for c in 0..<channels where pixel[c] > y[c] || pixel[c].isNaN { y[c] = pixel[c] }
        } else {
          for c in 0..<channels { y[c] += pixel[c] }
        }
      }
      guard !isMaximum else { continue }
      let count = Float(rows[row].count * window.count)
      for c in 0..<channels { y[c] /= count }
    }
  }
}
