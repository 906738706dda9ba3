import ModelIR
import Operators

/// The kernel for zero padding and cropping of volumes.
struct VolumeBorderKernel<Implemented: VolumeBordering>: FastKernel {
  private let operation: Implemented

  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    VolumeBorderStep(
      input: inputs[0], output: output, before: operation.sides.map { $0[0] },
      isPadding: Implemented.adds)
  }
}

/// An operator that adds a border to volumes, or removes it.
protocol VolumeBordering: Operator {
  /// True if the border is added.
  static var adds: Bool { get }
  /// The sizes before and after each axis.
  var sides: [[Int]] { get }
}

extension SpatialZeroPadding: VolumeBordering where Space == Volume {
  static var adds: Bool { true }
  var sides: [[Int]] { padding }
}

extension SpatialCropping: VolumeBordering where Space == Volume {
  static var adds: Bool { false }
  var sides: [[Int]] { cropping }
}

/// A border of volumes of one size; rows are copied whole.
private struct VolumeBorderStep: KernelStep {
  let input: [Int]
  let output: [Int]
  /// The offset of the smaller volume in the larger.
  let before: [Int]
  let isPadding: Bool

  func run(_ operands: Operands) {
    let (outer, inner) = isPadding ? (output, input) : (input, output)
    let border = SpatialBorder(
      outer: rows(outer), inner: rows(inner), before: Array(before.dropLast()))
    let left = before[2] * input[3]
    operands.team.perform(operands.images) { image, _ in
      let x = operands.inputs[0] + image * input.reduce(1, *)
      let y = operands.output + image * output.reduce(1, *)
      if isPadding { y.update(repeating: 0, count: output.reduce(1, *)) }
      border.forEachRun { outer, inner in
        if isPadding {
          (y + outer + left).update(from: x + inner, count: border.run)
        } else {
          (y + inner).update(from: x + outer + left, count: border.run)
        }
      }
    }
  }

  /// Returns the shape of a volume with width and channels merged.
  private func rows(_ shape: [Int]) -> [Int] { [shape[0], shape[1], shape[2] * shape[3]] }
}
