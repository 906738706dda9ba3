import ModelIR
import Operators

/// The kernel for enlarging volumes: slices are resampled as images, then mixed along the depth.
struct UpSampling3DKernel: FastKernel {
  private let operation: UpSampling3D

  init(_ operation: UpSampling3D, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel)
  {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let input = inputs[0]
    let slice = Array(input.dropFirst())
    let larger = output.dropFirst().reduce(1, *)
    let depth = ImageSampling(
      rows: operation.depthTaps(of: input), columns: ImageSampling.copy(1, from: 0))
    return UpSamplingStep(
      slices: SamplingStep(operation.sampling(of: input), input: slice),
      depth: SamplingStep(depth, input: [input[0], 1, larger]), input: input,
      largerCount: larger, outputCount: output.reduce(1, *))
  }

  private struct UpSamplingStep: KernelStep {
    let slices: SamplingStep
    let depth: SamplingStep
    let input: [Int]
    /// The number of values of a resampled slice.
    let largerCount: Int
    let outputCount: Int

    /// The resampled slices, after the scratch memory of the two samplings.
    var scratchCount: Int { innerScratchCount + input[0] * largerCount }

    private var innerScratchCount: Int { max(slices.scratchCount, depth.scratchCount) }

    func run(_ operands: Operands) throws(NetconvError) {
      let larger = operands.scratch + innerScratchCount
      for image in 0..<operands.images {
        let x = operands.inputs[0] + image * input.reduce(1, *)
        try slices.run(input[0], from: x, to: larger, within: operands)
        try depth.run(1, from: larger, to: operands.output + image * outputCount, within: operands)
      }
    }
  }
}
