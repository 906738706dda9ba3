internal import CKernels
import ModelIR
import Operators

/// A depthwise convolution, channel by channel.
///
/// With several output channels for an input channel, images are copied first with each channel as often.
struct DepthwiseConvolution2DKernel: FastKernel {
  private let operation: DepthwiseConvolution2D
  private let kernel: [Float]
  private let bias: [Float]?
  private let level: CPULevel

  init(
    _ operation: DepthwiseConvolution2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    kernel = parameters[.kernel]?.values ?? []
    bias = parameters[.bias]?.values
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    Step(
      operation: operation, kernel: kernel,
      bias: bias ?? Array(repeating: 0, count: output[2]), level: level,
      bounds: operation.activation.bounds ?? -.infinity ... .infinity,
      activation: ActivationPass(remaining: operation.activation, shape: output),
      input: inputs[0], output: output)
  }

  private struct Step: KernelStep {
    let operation: DepthwiseConvolution2D
    let kernel: [Float]
    let bias: [Float]
    let level: CPULevel
    let bounds: ClosedRange<Float>
    let activation: ActivationPass?
    let input: [Int]
    let output: [Int]

    /// A copy of one image.
    var scratchCount: Int {
      operation.depthMultiplier == 1 ? 0 : input[0] * input[1] * output[2]
    }

    func run(_ operands: Operands) {
      let (inputCount, outputCount) = (input.reduce(1, *), output.reduce(1, *))
      if operation.depthMultiplier == 1 {
        convolve(operands.images, operands.inputs[0], operands.output)
      } else {
        for image in 0..<operands.images {
          repeatChannels(operands.inputs[0] + image * inputCount, operands.scratch)
          convolve(1, operands.scratch, operands.output + image * outputCount)
        }
      }
      activation?.run(operands.images, operands.output, operands.output)
    }

    private func convolve(
      _ images: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
    ) {
      let (rows, columns) = (operation.window.rows, operation.window.columns)
      kernel.withUnsafeBufferPointer { kernel in
        bias.withUnsafeBufferPointer { bias in
          level.depthwise(
            netconv_depthwise(
              x: x, y: y, kernel: kernel.baseAddress, bias: bias.baseAddress, images: images,
              channels: output[2], rows: rows.job(input[0]), columns: columns.job(input[1]),
              row_dilation: rows.dilation, column_dilation: columns.dilation,
              lowest: bounds.lowerBound, highest: bounds.upperBound))
        }
      }
    }

    private func repeatChannels(_ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>) {
      let times = operation.depthMultiplier
      for index in 0..<input.reduce(1, *) {
        for copy in 0..<times { y[index * times + copy] = x[index] }
      }
    }
  }
}
