import ModelIR
import Operators

/// The kernel for a transposed convolution: a matrix product, whose results are then added where they overlap.
///
/// The product contains, for each input pixel, its contribution to every output pixel that it reaches.
struct TransposedConvolution2DKernel: FastKernel {
  private let operation: TransposedConvolution2D
  /// The weights: input channels by tap and output channel.
  private let weights: PackedMatrix
  private let bias: [Float]
  private let offsets: AlignedBuffer<Int>
  private let level: CPULevel

  init(
    _ operation: TransposedConvolution2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let size = operation.kernelSize
    let shares = size.height * size.width * operation.outputChannels
    let channels = kernel.count / shares
    var columns = [Float](repeating: 0, count: kernel.count)
    for share in 0..<shares {
      for c in 0..<channels { columns[c * shares + share] = kernel[share * channels + c] }
    }
    self.operation = operation
    weights = PackedMatrix(
      columns, depth: channels, columns: 0..<shares, bias: nil, panelWidth: level.tileColumns)
    bias =
      parameters[.bias]?.values ?? Array(repeating: 0, count: operation.outputChannels)
    offsets = AlignedBuffer(Array(0..<channels), filler: 0)
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let input = inputs[0]
    let rowShares = try MemoryBound.values(
      [input[1], weights.columns], samples: 1, byteCount: MemoryLayout<Float>.size)
    return TransposedConvolutionStep(
      operation: operation, weights: weights, bias: bias, offsets: offsets, level: level,
      activation: operation.activation.isLinear
        ? nil : ActivationPass(function: operation.activation, shape: output, level: level),
      input: input, output: output, rowShares: rowShares)
  }

  private struct TransposedConvolutionStep: KernelStep {
    let operation: TransposedConvolution2D
    let weights: PackedMatrix
    let bias: [Float]
    let offsets: AlignedBuffer<Int>
    let level: CPULevel
    let activation: ActivationPass?
    let input: [Int]
    let output: [Int]
    /// The number of values of the product per image row.
    let rowShares: Int

    var scratchCount: Int { rowsInBlock * rowShares }

    /// The number of rows whose contributions fit the L2 cache.
    private var rowsInBlock: Int {
      let shareBytes = 256 << 10
      return min(input[0], max(1, shareBytes / MemoryLayout<Float>.size / rowShares))
    }

    func run(_ operands: Operands) {
      let (inputCount, outputCount) = (input.reduce(1, *), output.reduce(1, *))
      for image in 0..<operands.images {
        let x = operands.inputs[0] + image * inputCount
        let y = operands.output + image * outputCount
        fillWithBias(y, pixels: output[0] * output[1])
        for firstRow in stride(from: 0, to: input[0], by: rowsInBlock) {
          let rows = min(rowsInBlock, input[0] - firstRow)
          product(pixels: rows * input[1])
            .run(
              images: 1, x + firstRow * input[1] * input[2], operands.scratch, operands.team)
          // Rows contribute to the same output values, channels do not.
          let memory = Shared(y)
          operands.team.share(
            output[2], unit: 16, smallest: 1 + elementwiseShare * output[2] / (rows * rowShares)
          ) { channels, _ in
            for row in 0..<rows {
              add(
                operands.scratch + row * rowShares, ofRow: firstRow + row, to: memory.value,
                channels)
            }
          }
        }
      }
      activation?.run(operands.images, operands.output, operands.output, operands.team)
    }

    private func product(pixels: Int) -> MatrixProduct {
      MatrixProduct(
        level: level, groups: [weights], groupStride: 0,
        pixels: .init(
          perRow: pixels, perImage: pixels, stride: weights.depth,
          imageStride: pixels * weights.depth),
        offsets: offsets, bounds: -.infinity ... .infinity)
    }

    private func fillWithBias(_ y: UnsafeMutablePointer<Float>, pixels: Int) {
      bias.withUnsafeBufferPointer { bias in
        for pixel in 0..<pixels {
          for o in bias.indices { y[pixel * bias.count + o] = bias[o] }
        }
      }
    }

    /// Adds the contributions of an input row to the output rows that they reach.
    private func add(
      _ shares: UnsafePointer<Float>, ofRow row: Int, to y: UnsafeMutablePointer<Float>,
      _ channels: Range<Int>
    ) {
      let (rows, columns) = (operation.window.rows, operation.window.columns)
      let top = row * rows.stride - rows.transposedPaddingBefore(input[0], length: output[0])
      let before = columns.transposedPaddingBefore(input[1], length: output[1])
      let count = output[2]
      for tapRow in 0..<rows.size {
        let outputRow = top + tapRow * rows.dilation
        guard (0..<output[0]).contains(outputRow) else { continue }
        for column in 0..<input[1] {
          for tapColumn in 0..<columns.size {
            let outputColumn = column * columns.stride + tapColumn * columns.dilation - before
            guard (0..<output[1]).contains(outputColumn) else { continue }
            let share =
              shares + (column * rows.size * columns.size + tapRow * columns.size + tapColumn)
              * count
            let target = y + (outputRow * output[1] + outputColumn) * count
            for o in channels { target[o] += share[o] }
          }
        }
      }
    }
  }
}
