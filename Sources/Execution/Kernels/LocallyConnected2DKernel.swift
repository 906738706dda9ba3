internal import CKernels
import ModelIR
import Operators

/// The kernel for a locally connected layer: one matrix product per position, whose rows are the images.
struct LocallyConnected2DKernel: FastKernel {
  private let operation: LocallyConnected2D
  /// The weights, one matrix per position.
  private let matrices: [PackedMatrix]
  private let level: CPULevel

  init(
    _ operation: LocallyConnected2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    self.level = level
    let kernel = parameters[.kernel]
    let (places, depth) = (kernel?.shape[0] ?? 0, kernel?.shape[1] ?? 0)
    let columns = operation.outputChannels
    matrices = (0..<places).map { place in
      PackedMatrix(
        Array((kernel?.values ?? [])[place * depth * columns..<(place + 1) * depth * columns]),
        depth: depth, columns: 0..<columns,
        bias: (parameters[.bias]?.values).map {
          Array($0[place * columns..<(place + 1) * columns])
        }, panelWidth: level.tileColumns)
    }
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let input = inputs[0]
    let (size, strides) = (operation.kernelSize, operation.strides)
    let run = size.width * input[2]
    let offsets = (0..<size.height).flatMap { row in
      (0..<run).map { row * input[1] * input[2] + $0 }
    }
    let starts = (0..<output[0]).flatMap { row in
      (0..<output[1]).map { column in
        (row * strides.height * input[1] + column * strides.width) * input[2]
      }
    }
    return LocalStep(
      matrices: matrices, level: level, offsets: AlignedBuffer(offsets, filler: 0), starts: starts,
      inputCount: input.reduce(1, *), outputChannels: output[2],
      bounds: operation.activation.bounds ?? -.infinity ... .infinity,
      activation: ActivationPass(remaining: operation.activation, shape: output, level))
  }
}

/// A locally connected layer for images of one size.
private struct LocalStep: KernelStep {
  /// The number of multiplications below which one thread is faster than several.
  private static let smallestShare = 50_000

  let matrices: [PackedMatrix]
  let level: CPULevel
  /// The offsets of the values in a window relative to the first.
  let offsets: AlignedBuffer<Int>
  /// The offset of the window of each position.
  let starts: [Int]
  let inputCount: Int
  let outputChannels: Int
  let bounds: ClosedRange<Float>
  let activation: ActivationPass?

  /// Each weight is used once per image.
  var prefersManyImages: Bool? { true }

  func run(_ operands: Operands) {
    let each = operands.images * offsets.count * outputChannels
    operands.team.share(starts.count, smallest: 1 + Self.smallestShare / max(1, each)) {
      places, _ in
      for place in places { multiply(place, operands) }
    }
    activation?.run(operands.images, operands.output, operands.output, operands.team)
  }

  private func multiply(_ place: Int, _ operands: Operands) {
    let matrix = matrices[place]
    let job = netconv_gemm(
      a: operands.inputs[0] + starts[place], row_pixels: 1, image_pixels: 1, pixel_stride: 0,
      row_stride: 0, image_stride: inputCount, offsets: offsets.base, depth: matrix.depth,
      b: matrix.panels.base, bias: matrix.bias.base, addend: nil,
      c: operands.output + place * outputChannels, c_stride: starts.count * outputChannels,
      columns: matrix.columns, lowest: bounds.lowerBound, highest: bounds.upperBound)
    level.multiply(job, rows: 0..<operands.images, panels: 0..<matrix.panelCount)
  }
}
