internal import CKernels
import ModelIR
import Operators

/// The kernel for a rectifier with learned slopes below 0.
struct PReLUKernel: FastKernel {
  static var listsPlaces: Bool { true }

  private let alpha: NDArray<Float>
  private let level: CPULevel

  init(_ operation: PReLU, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel) {
    alpha = parameters[.alpha] ?? NDArray(shape: [0], values: [])
    self.level = level
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    let places = BroadcastPlaces(of: alpha.shape, in: output)
    let count = output.reduce(1, *)
    let slopes = AlignedBuffer((0..<count).map { alpha.values[places[$0]] }, filler: 0)
    return PairStep(
      combination: NETCONV_SLOPE, second: .numbers(slopes), count: count, level: level)
  }
}
