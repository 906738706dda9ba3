import ModelIR

/// A step whose outputs are stored in half precision.
struct RoundingStep: KernelStep {
  let step: any KernelStep
  /// The number of values per image of each output.
  let outputCounts: [Int]

  var scratchCount: Int { step.scratchCount }
  var prefersManyImages: Bool? { step.prefersManyImages }
  var inPlaceInputs: [Int] { step.inPlaceInputs }

  func run(_ operands: Operands) throws(NetconvError) {
    try step.run(operands)
    for (index, count) in outputCounts.enumerated() {
      let output = Shared(operands.output(index))
      operands.team.share(operands.images * count, unit: 256, smallest: elementwiseShare) {
        share, _ in
        Half.round(
          UnsafeMutableBufferPointer(start: output.value + share.lowerBound, count: share.count))
      }
    }
  }
}
