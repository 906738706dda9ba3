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
    self.operation = operation
    self.fusion = fusion
    weights = operation.packed(parameters, level)
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
      offsets: operation.offsets(over: [height, width], channels: input[2]),
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
}

extension SpatialConvolution {
  /// Returns the weights, one matrix per group.
  func packed(
    _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) -> [PackedMatrix] {
    let kernel = parameters[.kernel]?.values ?? []
    let columns = outputChannels / groups
    return (0..<groups).map { group in
      PackedMatrix(
        kernel, depth: kernel.count / outputChannels,
        columns: group * columns..<(group + 1) * columns, bias: parameters[.bias]?.values,
        panelWidth: level.tileColumns)
    }
  }

  /// Returns the distance of each tap and channel from the first, in the order of the kernel.
  ///
  /// - Parameters:
  ///   - lengths: the sizes of the padded input.
  ///   - channels: the number of channels of the input, over all groups.
  func offsets(over lengths: [Int], channels: Int) -> AlignedBuffer<Int> {
    var pixels = [0]
    for (axis, length) in zip(window.axes, lengths) {
      pixels = pixels.flatMap { pixel in
        (0..<axis.size).map { pixel * length + $0 * axis.dilation }
      }
    }
    let offsets = pixels.flatMap { pixel in
      (0..<channels / groups).map { pixel * channels + $0 }
    }
    return AlignedBuffer(offsets, filler: 0)
  }
}
