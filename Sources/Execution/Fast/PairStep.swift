internal import CKernels

/// A function of two values: of two inputs, or of an input and constants.
struct PairStep: KernelStep {
  /// The second operand.
  enum Second: Sendable {
    case input
    /// One constant for each value of an image.
    case numbers(AlignedBuffer<Float>)
  }

  let combination: netconv_combination
  /// The parameter s of the function.
  var s: Float = 0
  let second: Second
  /// The number of values of an image.
  let count: Int
  let level: CPULevel

  var inPlaceInputs: [Int] { [0, 1] }

  func run(_ operands: Operands) {
    switch second {
    case .input: run(operands, operands.images * count, operands.inputs[1], firstValue: 0)
    case .numbers(let numbers):
      for image in 0..<operands.images {
        run(operands, count, numbers.base, firstValue: image * count)
      }
    }
  }

  private func run(
    _ operands: Operands, _ count: Int, _ b: UnsafePointer<Float>, firstValue: Int
  ) {
    let memory = Shared(b)
    operands.team.share(count, unit: 16, smallest: elementwiseShare) { share, _ in
      let first = firstValue + share.lowerBound
      level.combine(
        netconv_combine(
          combination: combination, s: s, a: operands.inputs[0] + first,
          b: memory.value + share.lowerBound, a_is_constant: 0, b_is_constant: 0,
          y: operands.output + first, count: share.count))
    }
  }
}
