import ModelIR
import Operators

/// A convolution as a matrix product over output pixels, without a matrix of patches.
///
/// Where windows reach over the edge, images are copied into zeros first; then every tap of every pixel
/// is at the same distance from the pixel's first tap.
struct Convolution2DKernel: FastKernel {
  private let operation: Convolution2D
  /// One for each group.
  private let weights: [PackedMatrix]
  private let level: CPULevel

  init(
    _ operation: Convolution2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    let kernel = parameters[.kernel]?.values ?? []
    let columns = operation.outputChannels / operation.groups
    self.operation = operation
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
    let border = border(input, output)
    let width = border?.width ?? input[1]
    let height = border?.height ?? input[0]
    _ = try MemoryBound.values(
      [height, width, input[2]], samples: 1, byteCount: MemoryLayout<Float>.size)
    let strides = operation.strides
    return MatrixStep(
      product: MatrixProduct(
        level: level, groups: weights, groupStride: input[2] / operation.groups,
        pixels: .init(
          perRow: output[1], perImage: output[0] * output[1], stride: strides.width * input[2],
          rowStride: strides.height * width * input[2], imageStride: height * width * input[2]),
        offsets: offsets(rowLength: width, channels: input[2]),
        bounds: operation.activation.bounds ?? -.infinity ... .infinity),
      border: border,
      activation: ActivationPass(remaining: operation.activation, shape: output),
      inputCount: input.reduce(1, *), outputCount: output.reduce(1, *))
  }

  /// What the windows reach over, or `nil` if all lie within the image.
  private func border(_ input: [Int], _ output: [Int]) -> ZeroBorder? {
    let (rows, columns) = (operation.window.rows, operation.window.columns)
    let top = rows.paddingBefore(input[0])
    let left = columns.paddingBefore(input[1])
    let height = (output[0] - 1) * rows.stride + rows.extent
    let width = (output[1] - 1) * columns.stride + columns.extent
    guard top > 0 || left > 0 || height > input[0] || width > input[1] else { return nil }
    return ZeroBorder(input: input, height: height, width: width, top: top, left: left)
  }

  /// The distance of each tap and channel from the first, in the order of the kernel.
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
