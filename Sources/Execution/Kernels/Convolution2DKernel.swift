import Lowering
import ModelIR
import Operators

/// The kernel for a convolution as a matrix product over output pixels, without a matrix of patches (im2col).
///
/// If windows extend beyond the edge, images are copied into zeros first; then every tap of every pixel is at the same
/// distance from the pixel's first tap.
struct Convolution2DKernel: FusingKernel {
  private let operation: Convolution2D
  private let fusion: Fusion
  /// The weights, one matrix per group.
  private let weights: [PackedMatrix]
  private let level: CPULevel

  init(
    _ operation: Convolution2D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let columns = operation.outputChannels / operation.groups
    self.operation = operation
    self.fusion = fusion
    weights = (0..<operation.groups).map { group in
      PackedMatrix(
        kernel, depth: kernel.count / operation.outputChannels,
        columns: group * columns..<(group + 1) * columns, bias: parameters[.bias]?.values,
        panelWidth: level.tileColumns)
    }
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let input = inputs[0]
    let border = ZeroBorder(operation.window, fusion.padding, input: input, output: output)
    let width = border?.width ?? input[1]
    let height = border?.height ?? input[0]
    _ = try MemoryBound.values(
      [height, width, input[2]], samples: 1, byteCount: MemoryLayout<Float>.size)
    let strides = operation.strides
    let activation = fusion.activation ?? operation.activation
    let product = MatrixProduct(
      level: level, groups: weights, groupStride: input[2] / operation.groups,
      pixels: .init(
        perRow: output[1], perImage: output[0] * output[1], stride: strides.width * input[2],
        rowStride: strides.height * width * input[2], imageStride: height * width * input[2]),
      offsets: offsets(rowLength: width, channels: input[2]),
      bounds: activation.bounds ?? -.infinity ... .infinity)
    return MatrixStep(
      product: product,
      bands: border.map {
        BorderBands(
          border: $0, output: .init(operation.window, output),
          isWhole: product.sharesColumns(images: 1))
      },
      activation: ActivationPass(remaining: activation, shape: output, level),
      outputCount: output.reduce(1, *))
  }

  /// Returns the distance of each tap and channel from the first, in the order of the kernel.
  private func offsets(rowLength: Int, channels: Int) -> AlignedBuffer<Int> {
    let (size, dilation) = (operation.kernelSize, operation.dilation)
    var offsets: [Int] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        let pixel = row * dilation.height * rowLength + column * dilation.width
        for c in 0..<channels / operation.groups { offsets.append(pixel * channels + c) }
      }
    }
    return AlignedBuffer(offsets, filler: 0)
  }
}
