import ModelIR
import Operators

/// The kernel for a transposed convolution: a matrix product, whose results are then added where they overlap.
///
/// The product contains, for each input pixel, its contribution to every output pixel that it reaches.
struct TransposedConvolutionKernel<Space: SpatialAxes>: FastKernel {
  private let operation: SpatialTransposedConvolution<Space>
  /// The weights: input channels by tap and output channel.
  private let weights: PackedMatrix
  private let bias: [Float]
  private let offsets: AlignedBuffer<Int>
  private let level: CPULevel

  init(
    _ operation: SpatialTransposedConvolution<Space>, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let shares = operation.window.size.sizes.reduce(operation.outputChannels, *)
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
    let input = inputs[0].asVolume
    let rowShares = try MemoryBound.values(
      [input[2], weights.columns], samples: 1, byteCount: MemoryLayout<Float>.size)
    let one = WindowAxis(size: 1, stride: 1, dilation: 1, padding: .valid)
    return TransposedConvolutionStep(
      axes: [WindowAxis](repeating: one, count: 3 - Space.axes.count) + operation.window.axes,
      weights: weights, bias: bias, offsets: offsets, level: level,
      activation: operation.activation.isLinear
        ? nil : ActivationPass(function: operation.activation, shape: output, level: level),
      input: input, output: output.asVolume, rowShares: rowShares)
  }
}

extension [Int] {
  /// The shape of an image as a volume of one slice; the shape of a volume is unchanged.
  fileprivate var asVolume: [Int] { [Int](repeating: 1, count: 4 - count) + self }
}

/// A transposed convolution of volumes of one size; an image is a volume of one slice.
private struct TransposedConvolutionStep: KernelStep {
  /// The window along depth, height and width.
  let axes: [WindowAxis]
  let weights: PackedMatrix
  let bias: [Float]
  let offsets: AlignedBuffer<Int>
  let level: CPULevel
  let activation: ActivationPass?
  let input: [Int]
  let output: [Int]
  /// The number of values of the product per row of the input.
  let rowShares: Int

  var scratchCount: Int { rowsInBlock * rowShares }

  /// The number of rows in all slices.
  private var rows: Int { input[0] * input[1] }

  /// The number of rows whose contributions fit the L2 cache.
  private var rowsInBlock: Int {
    let shareBytes = 256 << 10
    return min(rows, max(1, shareBytes / MemoryLayout<Float>.size / rowShares))
  }

  func run(_ operands: Operands) {
    let (inputCount, outputCount) = (input.reduce(1, *), output.reduce(1, *))
    for image in 0..<operands.images {
      let x = operands.inputs[0] + image * inputCount
      let y = operands.output + image * outputCount
      fillWithBias(y, pixels: output.dropLast().reduce(1, *))
      for firstRow in stride(from: 0, to: rows, by: rowsInBlock) {
        let count = min(rowsInBlock, rows - firstRow)
        product(pixels: count * input[2])
          .run(
            images: 1, x + firstRow * input[2] * input[3], operands.scratch, operands.team)
        // Rows contribute to the same output values, channels do not.
        let memory = Shared(y)
        operands.team.share(
          output[3], unit: 16, smallest: 1 + elementwiseShare * output[3] / (count * rowShares)
        ) { channels, _ in
          for row in 0..<count {
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
    _ shares: UnsafePointer<Float>, ofRow index: Int, to y: UnsafeMutablePointer<Float>,
    _ channels: Range<Int>
  ) {
    let (slice, row) = index.quotientAndRemainder(dividingBy: input[1])
    let (size, count) = (axes.map(\.size), output[3])
    let before = (0..<3).map { axis in
      axes[axis].transposedPaddingBefore(input[axis], length: output[axis])
    }
    let taps = size.reduce(1, *)
    for tapSlice in 0..<size[0] {
      let outputSlice = slice * axes[0].stride + tapSlice * axes[0].dilation - before[0]
      guard (0..<output[0]).contains(outputSlice) else { continue }
      for tapRow in 0..<size[1] {
        let outputRow = row * axes[1].stride + tapRow * axes[1].dilation - before[1]
        guard (0..<output[1]).contains(outputRow) else { continue }
        let target = y + (outputSlice * output[1] + outputRow) * output[2] * count
        let source = shares + (tapSlice * size[1] + tapRow) * size[2] * count
        for column in 0..<input[2] {
          for tapColumn in 0..<size[2] {
            let outputColumn = column * axes[2].stride + tapColumn * axes[2].dilation - before[2]
            guard (0..<output[2]).contains(outputColumn) else { continue }
            let share = source + (column * taps + tapColumn) * count
            let place = target + outputColumn * count
            for o in channels { place[o] += share[o] }
          }
        }
      }
    }
  }
}
