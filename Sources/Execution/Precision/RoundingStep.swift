import ModelIR

/// A step whose output is stored in half precision.
struct RoundingStep: KernelStep {
  let step: any KernelStep
  /// Values in an image of the output.
  let outputCount: Int

  var scratchCount: Int { step.scratchCount }
  var prefersManyImages: Bool? { step.prefersManyImages }
  var inPlaceInputs: [Int] { step.inPlaceInputs }

  func run(_ operands: Operands) throws(NetconvError) {
    try step.run(operands)
    let output = Shared(operands.output)
    operands.team.share(operands.images * outputCount, unit: 256, smallest: elementwiseShare) {
      share, _ in
      Half.round(
        UnsafeMutableBufferPointer(start: output.value + share.lowerBound, count: share.count))
    }
  }
}
