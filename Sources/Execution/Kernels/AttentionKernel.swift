import ModelIR
import Operators

/// The kernel for attention by dot products, without a matrix of all scores.
///
/// A block of queries meets the keys block by block, with the running maximum and sum of each row: Dao et al.,
/// "FlashAttention" (2022). Weights as outputs and additive scores are left to the definition.
struct AttentionKernel: FastKernel {
  private let operation: Attention
  private let level: CPULevel
  private let factor: Float

  static func implements(_ operation: any Operator) -> Bool {
    guard let attention = operation as? Attention else { return false }
    return attention.score == .dot && attention.result == .means
  }

  init(_ operation: Attention, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    self.operation = operation
    self.level = level
    factor = parameters[.gamma]?.values[0] ?? 1
  }

  func step(inputs: [[Int]], output: [Int]) throws(NetconvError) -> (any KernelStep)? {
    let sizes = operation.sizes(of: inputs)
    let step = AttentionStep(
      operation: operation, sizes: sizes, level: level,
      factor: Float(operation.factor(width: sizes.width)) * factor,
      masks: zip(operation.masks, inputs.dropFirst(3)).enumerated().map { index, mask in
        AttentionStep.Mask(kind: mask.0, input: 3 + index, shape: mask.1)
      })
    _ = try MemoryBound.values(
      [step.scratchCount], samples: 1, byteCount: MemoryLayout<Float>.size)
    return step
  }
}
