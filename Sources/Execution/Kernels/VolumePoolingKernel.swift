import ModelIR
import Operators

/// The kernel for poolings of volumes: each slice is pooled, then the results along the depth.
///
/// A maximum of maxima is the maximum. A window contains the same pixels of each of its slices, so a mean of means is
/// the mean.
struct VolumePoolingKernel<Implemented: VolumePooling>: FastKernel {
  private let operation: Implemented
  private let level: CPULevel

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let input = inputs[0]
    let window = operation.pooledWindow(over: Array(input.dropLast()))
    let slice = Array(input.dropFirst())
    let pooled = window.slices.outputSize([slice[0], slice[1]]).map { $0 ?? 0 }
    let pixels = pooled.reduce(1, *)
    return VolumePoolingStep(
      slices: PoolingStep(Implemented.reduction, level, window.slices, input: slice),
      depth: PoolingStep(
        Implemented.reduction, level, window.alongDepth, input: [input[0], pixels, slice[2]]),
      input: input, pooledCount: input[0] * pixels * slice[2], outputCount: output.reduce(1, *))
  }
}

/// A pooling of volumes over windows, or over the whole volume.
protocol VolumePooling: Operator {
  /// The reduction of a window to one value.
  static var reduction: PoolingStep.Reduction { get }

  /// Returns the window that slides over a volume of these sizes.
  func pooledWindow(over lengths: [Int]) -> Window<Volume>
}

extension VolumePooling {
  /// A window of the volume's size.
  func pooledWindow(over lengths: [Int]) -> Window<Volume> {
    Window(size: SpatialSize(sizes: lengths), strides: .one, padding: .valid)
  }
}

extension SpatialMaxPooling: VolumePooling where Space == Volume {
  static var reduction: PoolingStep.Reduction { .largest }
  func pooledWindow(over lengths: [Int]) -> Window<Volume> { window }
}

extension SpatialAveragePooling: VolumePooling where Space == Volume {
  static var reduction: PoolingStep.Reduction { .mean }
  func pooledWindow(over lengths: [Int]) -> Window<Volume> { window }
}

extension SpatialGlobalMaxPooling: VolumePooling where Space == Volume {
  static var reduction: PoolingStep.Reduction { .largest }
}

extension SpatialGlobalAveragePooling: VolumePooling where Space == Volume {
  static var reduction: PoolingStep.Reduction { .mean }
}

extension Window where Space == Volume {
  /// The window over a slice.
  fileprivate var slices: Window2D {
    Window2D(
      size: size.slice, strides: strides.slice, dilation: dilation.slice,
      padding: padding.along { Array($0.dropFirst()) })
  }

  /// The window along the depth, over images whose rows are slices.
  fileprivate var alongDepth: Window2D {
    Window2D(
      size: Size2D(size.sizes[0], 1), strides: Size2D(strides.sizes[0], 1),
      dilation: Size2D(dilation.sizes[0], 1), padding: padding.along { [$0[0], [0, 0]] })
  }
}

extension Padding {
  /// Returns the padding with other amounts, if it has amounts.
  fileprivate func along(_ amounts: ([[Int]]) -> [[Int]]) -> Padding {
    if case .amounts(let own) = self { .amounts(amounts(own)) } else { self }
  }
}

/// A pooling of volumes of one size.
private struct VolumePoolingStep: KernelStep {
  let slices: PoolingStep
  let depth: PoolingStep
  let input: [Int]
  /// The number of values of a volume whose slices are pooled.
  let pooledCount: Int
  let outputCount: Int

  var scratchCount: Int { pooledCount }

  func run(_ operands: Operands) throws(NetconvError) {
    for image in 0..<operands.images {
      let x = operands.inputs[0] + image * input.reduce(1, *)
      try slices.run(input[0], from: x, to: operands.scratch, within: operands)
      try depth.run(
        1, from: operands.scratch, to: operands.output + image * outputCount, within: operands)
    }
  }
}
