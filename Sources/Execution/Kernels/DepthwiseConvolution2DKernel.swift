internal import CKernels
import Lowering
import ModelIR
import Operators

/// The kernel for a depthwise convolution, with zero padding where windows extend beyond the edge.
///
/// With several output channels per input channel, images are copied with repeated channels first.
struct DepthwiseConvolution2DKernel: FusingKernel {
  private let operation: DepthwiseConvolution2D
  private let fusion: Fusion
  private let kernel: AlignedBuffer<Float>
  private let bias: AlignedBuffer<Float>
  private let level: CPULevel

  init(
    _ operation: DepthwiseConvolution2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel, _ fusion: Fusion
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let channels = kernel.count / (operation.kernelSize.height * operation.kernelSize.width)
    self.operation = operation
    self.fusion = fusion
    self.kernel = AlignedBuffer(kernel, filler: 0)
    bias = AlignedBuffer(parameters[.bias]?.values ?? [], count: channels, filler: 0)
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let input = [inputs[0][0], inputs[0][1], output[2]]
    let border = ZeroBorder(operation.window, fusion.padding, input: input, output: output)
    let width = border?.width ?? input[1]
    _ = try MemoryBound.values(
      [border?.height ?? input[0], width, output[2]], samples: 1,
      byteCount: MemoryLayout<Float>.size)
    let activation = fusion.activation ?? operation.activation
    return DepthwiseStep(
      operation: operation, kernel: kernel, bias: bias, level: level,
      bounds: activation.bounds ?? -.infinity ... .infinity,
      activation: ActivationPass(remaining: activation, shape: output, level),
      bands: border.map {
        BorderBands(border: $0, output: .init(operation.window, output), isWhole: false)
      },
      input: input, output: output, width: width)
  }

  private struct DepthwiseStep: KernelStep {
    let operation: DepthwiseConvolution2D
    let kernel: AlignedBuffer<Float>
    let bias: AlignedBuffer<Float>
    let level: CPULevel
    let bounds: ClosedRange<Float>
    let activation: ActivationPass?
    let bands: BorderBands?
    /// Height, width and (repeated) channels.
    let input: [Int]
    let output: [Int]
    /// The number of pixels per row of the image that is read.
    let width: Int

    /// A copy of an image with repeated channels, and a band.
    var scratchCount: Int { repeatedCount + (bands?.scratchCount ?? 0) }

    private var repeatedCount: Int {
      operation.depthMultiplier == 1 ? 0 : ArenaLayout.padded(input.reduce(1, *))
    }

    func run(_ operands: Operands) {
      if operation.depthMultiplier == 1 {
        convolve(operands.images, operands.inputs[0], operands.output, operands)
      } else {
        let (inputCount, outputCount) = (input.reduce(1, *), output.reduce(1, *))
        for image in 0..<operands.images {
          let x = operands.inputs[0] + image * inputCount / operation.depthMultiplier
          repeatChannels(x, operands.scratch, operands.team)
          convolve(1, operands.scratch, operands.output + image * outputCount, operands)
        }
      }
      activation?.run(operands.images, operands.output, operands.output, operands.team)
    }

    private func convolve(
      _ images: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
      _ operands: Operands
    ) {
      let rowCount = output[1] * output[2]
      let memory = Shared((x: x, y: y))
      guard let bands else {
        operands.team.share(images * output[0], smallest: 1 + elementwiseShare / rowCount) {
          rows, _ in
          let (x, y) = memory.value
          // The rows of consecutive images are not evenly spaced.
          for row in rows {
            let image = x + row / output[0] * input.reduce(1, *)
            convolve(1, image + row % output[0] * rowStride, y + row * rowCount)
          }
        }
        return
      }
      bands.forEachBand(of: images, at: x, operands, scratchOffset: repeatedCount) {
        band, pixels, firstRow in
        for image in 0..<band.images.count {
          convolve(
            band.rows.count, pixels + image * bands.border.count,
            memory.value.y + (firstRow + image * output[0]) * rowCount)
        }
      }
    }

    /// The distance between the first values of neighbouring output rows.
    private var rowStride: Int { operation.strides.height * width * output[2] }

    private func convolve(
      _ rows: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>
    ) {
      let (size, channels) = (operation.kernelSize, output[2])
      level.depthwise(
        netconv_depthwise(
          x: x, y: y, kernel: kernel.base, bias: bias.base, channels: channels,
          window_rows: size.height, window_columns: size.width, columns: output[1],
          pixel_stride: operation.strides.width * channels, row_stride: rowStride,
          tap_stride: operation.dilation.width * channels,
          tap_row_stride: operation.dilation.height * width * channels,
          lowest: bounds.lowerBound, highest: bounds.upperBound),
        rows: rows)
    }

    private func repeatChannels(
      _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ team: ThreadTeam
    ) {
      let times = operation.depthMultiplier
      let memory = Shared((x: x, y: y))
      team.share(input.reduce(1, *) / times, smallest: elementwiseShare) { share, _ in
        let (x, y) = memory.value
        for index in share {
          for copy in 0..<times { y[index * times + copy] = x[index] }
        }
      }
    }
  }
}
