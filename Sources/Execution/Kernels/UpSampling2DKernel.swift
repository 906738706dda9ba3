import ModelIR
import Operators

/// An image enlarged: each row and column of the output mixes two of the input, or repeats one.
struct UpSampling2DKernel: FastKernel {
  private let operation: UpSampling2D

  init(
    _ operation: UpSampling2D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let mixes = { (count: Int, factor: Int, length: Int) in
      (0..<count).map { index in
        let sources = operation.sources(of: index, factor: factor, length: length)
        return Step.Mix(
          first: sources[0].pixel, second: sources[sources.count - 1].pixel,
          share: sources.count == 1 ? 0 : Float(sources[1].share))
      }
    }
    return Step(
      rows: mixes(output[0], operation.size.height, inputs[0][0]),
      columns: mixes(output[1], operation.size.width, inputs[0][1]),
      isCopy: operation.interpolation == .nearest, input: inputs[0])
  }

  private struct Step: KernelStep {
    /// Two pixels of the input, and the share of the second.
    struct Mix {
      let first: Int
      let second: Int
      let share: Float
    }

    let rows: [Mix]
    let columns: [Mix]
    let isCopy: Bool
    let input: [Int]

    func run(_ operands: Operands) {
      let (width, channels) = (input[1], input[2])
      var y = operands.output
      for image in 0..<operands.images {
        let x = operands.inputs[0] + image * input[0] * width * channels
        for row in rows {
          let upper = x + row.first * width * channels
          let lower = x + row.second * width * channels
          for column in columns {
            let (left, right) = (column.first * channels, column.second * channels)
            if isCopy {
              y.update(from: upper + left, count: channels)
            } else {
              for c in 0..<channels {
                let top = upper[left + c] * (1 - column.share) + upper[right + c] * column.share
                let bottom = lower[left + c] * (1 - column.share) + lower[right + c] * column.share
                y[c] = top * (1 - row.share) + bottom * row.share
              }
            }
            y += channels
          }
        }
      }
    }
  }
}
