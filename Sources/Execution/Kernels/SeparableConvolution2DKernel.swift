import ModelIR
import Operators

/// A depthwise convolution of a few images, and a matrix product over the pixels that it gives.
struct SeparableConvolution2DKernel: FastKernel {
  private let operation: SeparableConvolution2D
  private let depthwise: DepthwiseConvolution2DKernel
  private let pointwise: Convolution2DKernel

  init(
    _ operation: SeparableConvolution2D, _ parameters: [ParameterRole: NDArray<Float>],
    _ level: CPULevel
  ) {
    self.operation = operation
    var first: [ParameterRole: NDArray<Float>] = [:]
    first[.kernel] = parameters[.depthwise]
    depthwise = DepthwiseConvolution2DKernel(operation.depthwise, first, level)
    var second: [ParameterRole: NDArray<Float>] = [:]
    second[.kernel] = parameters[.pointwise]
    second[.bias] = parameters[.bias]
    pointwise = Convolution2DKernel(operation.pointwise, second, level)
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let channels = inputs[0][2] * operation.depthMultiplier
    let between = [output[0], output[1], channels]
    let count = try MemoryBound.values(
      between, samples: 1, byteCount: MemoryLayout<Float>.size)
    guard let first = depthwise.step(inputs: inputs, output: between),
      let second = try pointwise.step(inputs: [between], output: output)
    else { preconditionFailure("convolutions are no views") }
    return Step(
      depthwise: first, pointwise: second, inputCount: inputs[0].reduce(1, *), betweenCount: count,
      outputCount: output.reduce(1, *))
  }

  private struct Step: KernelStep {
    let depthwise: any KernelStep
    let pointwise: any KernelStep
    let inputCount: Int
    /// Values between the two convolutions.
    let betweenCount: Int
    let outputCount: Int

    var prefersManyImages: Bool? { pointwise.prefersManyImages }

    var scratchCount: Int {
      imagesInBlock * betweenCount + max(depthwise.scratchCount, pointwise.scratchCount)
    }

    /// Images between the convolutions that the L2 cache holds.
    private var imagesInBlock: Int {
      let copyBytes = 128 << 10
      return max(1, copyBytes / MemoryLayout<Float>.size / betweenCount)
    }

    func run(_ operands: Operands) throws(NetconvError) {
      let (between, scratch) = (
        operands.scratch, operands.scratch + imagesInBlock * betweenCount
      )
      for first in stride(from: 0, to: operands.images, by: imagesInBlock) {
        let images = min(imagesInBlock, operands.images - first)
        try depthwise.run(
          images, operands.inputs[0] + first * inputCount, between, scratch, operands.team)
        try pointwise.run(
          images, between, operands.output + first * outputCount, scratch, operands.team)
      }
    }
  }
}

extension KernelStep {
  /// Computes the output for some images of the only input.
  fileprivate func run(
    _ images: Int, _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ scratch: UnsafeMutablePointer<Float>, _ team: Team
  ) throws(NetconvError) {
    let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 1)
    inputs.initialize(to: x)
    defer { inputs.deallocate() }
    try run(
      Operands(images: images, inputs: inputs, output: y, scratch: scratch, team: team))
  }
}
