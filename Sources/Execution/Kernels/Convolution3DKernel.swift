import Lowering
import ModelIR
import Operators

/// The kernel for a convolution of volumes: the matrix product of a ``Convolution2DKernel``, in which the slices of the
/// output are the images.
struct Convolution3DKernel: FusingKernel {
  private let operation: Convolution3D
  private let fusion: Fusion
  /// The weights, one matrix per group.
  private let weights: [PackedMatrix]
  private let level: CPULevel

  init(
    _ operation: Convolution3D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) {
    self.operation = operation
    self.fusion = fusion
    weights = operation.packed(parameters, level)
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let input = inputs[0]
    let window = operation.window
    let border = VolumeBorder(window, fusion.padding, input: input, output: output)
    let padded = border?.padded ?? input
    _ = try MemoryBound.values(padded, samples: 1, byteCount: MemoryLayout<Float>.size)
    let (rowCount, sliceCount) = (padded[2] * padded[3], padded[1] * padded[2] * padded[3])
    let strides = operation.strides.sizes
    let activation = fusion.activation ?? operation.activation
    let product = MatrixProduct(
      level: level, groups: weights, groupStride: input[3] / operation.groups,
      pixels: .init(
        perRow: output[2], perImage: output[1] * output[2], stride: strides[2] * input[3],
        rowStride: strides[1] * rowCount, imageStride: strides[0] * sliceCount),
      offsets: operation.offsets(over: Array(padded.dropLast()), channels: input[3]),
      bounds: activation.bounds ?? -.infinity ... .infinity)
    return VolumeStep(
      product: product, border: border, depth: window.axes[0], input: input, output: output,
      activation: ActivationPass(remaining: activation, shape: output, level))
  }
}

/// A volume copied into a zero-filled border, or as much of it as fits.
struct VolumeBorder: Sendable {
  /// The border of each slice.
  let slice: ZeroBorder
  /// The number of slices of the volume.
  let slices: Int
  /// The number of slices with the border.
  let paddedSlices: Int
  /// The index of the volume's first slice.
  let front: Int

  /// The shape with the border: depth, height, width, channels.
  var padded: [Int] { [paddedSlices, slice.height, slice.width, slice.input[2]] }

  /// Creates the border that an output's windows extend over, or `nil` if all are within the volume.
  ///
  /// - Parameter padding: zero padding in addition to that of the window.
  init?(
    _ window: Window<Volume>, _ padding: (any ZeroPaddingOperator)?, input: [Int], output: [Int]
  ) {
    let before = window.axes.indices.map { axis in
      window.axes[axis].paddingBefore(input[axis]) + (padding?.padding[axis][0] ?? 0)
    }
    let sizes = window.axes.indices.map { axis in
      (output[axis] - 1) * window.axes[axis].stride + window.axes[axis].extent
    }
    guard before.contains(where: { $0 > 0 }) || zip(sizes, input).contains(where: { $0 > $1 })
    else { return nil }
    slice = ZeroBorder(
      input: Array(input.dropFirst()), height: sizes[1], width: sizes[2], top: before[1],
      left: before[2])
    (slices, paddedSlices, front) = (input[0], sizes[0], before[0])
  }

  /// Copies some slices of the padded volume.
  ///
  /// - Parameters:
  ///   - x: the volume without padding.
  ///   - y: the memory for the first of the slices.
  func copy(
    slices range: Range<Int>, of x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>
  ) {
    let sliceCount = slice.input.reduce(1, *)
    for (index, place) in range.enumerated() {
      let to = y + index * slice.count
      if (front..<front + slices).contains(place) {
        slice.copy(rows: 0..<slice.height, of: x + (place - front) * sliceCount, to: to)
      } else {
        to.update(repeating: 0, count: slice.count)
      }
    }
  }
}

/// A matrix product over the slices of volumes, with zero padding before it.
private struct VolumeStep: KernelStep {
  /// The number of padded values that stay in the cache while the product reads them.
  private static let bandCount = (1 << 20) / MemoryLayout<Float>.size

  let product: MatrixProduct
  let border: VolumeBorder?
  /// The window along the depth.
  let depth: WindowAxis
  let input: [Int]
  let output: [Int]
  /// The activation that the product cannot apply when it stores, if any.
  let activation: ActivationPass?

  var prefersManyImages: Bool? { product.prefersManyImages }

  /// The addend.
  var inPlaceInputs: [Int] { [1] }

  var scratchCount: Int { border.map { paddedSlices(mostSlices) * $0.slice.count } ?? 0 }

  /// The maximum number of output slices that are computed from one copy of the input.
  private var mostSlices: Int {
    let fitting = Self.bandCount / max(1, border?.slice.count ?? 1)
    return min(output[0], max(1, (fitting - depth.extent) / depth.stride + 1))
  }

  private func paddedSlices(_ slices: Int) -> Int { (slices - 1) * depth.stride + depth.extent }

  /// The second input, if there is one, is added to the product.
  func run(_ operands: Operands) {
    let (inputCount, outputCount) = (input.reduce(1, *), output.reduce(1, *))
    let addend = operands.inputCount > 1 ? operands.inputs[1] : nil
    if let border {
      runBands(border, operands, addend)
    } else {
      for image in 0..<operands.images {
        product.run(
          images: output[0], operands.inputs[0] + image * inputCount,
          adding: addend.map { $0 + image * outputCount }, operands.output + image * outputCount,
          operands.team)
      }
    }
    activation?.run(operands.images, operands.output, operands.output, operands.team)
  }

  /// Each thread pads the slices that it multiplies.
  private func runBands(
    _ border: VolumeBorder, _ operands: Operands, _ addend: UnsafePointer<Float>?
  ) {
    let (inputCount, sliceCount) = (input.reduce(1, *), output.dropFirst().reduce(1, *))
    let threads = operands.team.threads
    let share = (operands.images * output[0] + threads - 1) / threads
    let slices = max(1, min(mostSlices, share))
    let bands = (output[0] + slices - 1) / slices
    let memory = Shared((x: operands.inputs[0], addend: addend, y: operands.output))
    operands.team.perform(operands.images * bands) { index, thread in
      let (image, band) = index.quotientAndRemainder(dividingBy: bands)
      let own = band * slices..<min(output[0], (band + 1) * slices)
      let first = own.lowerBound * depth.stride
      let pixels = operands.scratches[thread]
      border.copy(
        slices: first..<first + paddedSlices(own.count), of: memory.value.x + image * inputCount,
        to: pixels)
      let place = (image * output[0] + own.lowerBound) * sliceCount
      product.run(
        rows: 0..<own.count * output[1] * output[2], pixels,
        adding: memory.value.addend.map { $0 + place }, memory.value.y + place)
    }
  }
}
