import ModelIR
import Operators

/// A fast implementation of one operator, made once for a layer.
///
/// To add one, write a file in `Kernels/` and a line in ``FastKernels/all``.
protocol FastKernel: Sendable {
  /// The operator that it implements.
  associatedtype Implemented: Operator

  /// Whether it implements `operation`.
  static func implements(_ operation: any Operator) -> Bool

  /// Whether it lists where slices begin, where their values are, and where these have their parameters.
  static var listsPlaces: Bool { get }

  /// A kernel for a layer; brings its parameters into the order in which they will be read.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError)

  /// A kernel for a layer and what is fused with it, which is nothing unless the kernel is a ``FusingKernel``.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) throws(NetconvError)

  /// The work for inputs of known shapes.
  ///
  /// - Parameter output: the shape of the first output.
  /// - Returns: `nil` if the output is the input's memory as it is.
  func step(
    inputs: [[Int]], output: [Int]
  ) throws(NetconvError) -> (any KernelStep)?
}

extension FastKernel {
  static var listsPlaces: Bool { false }

  static func implements(_ operation: any Operator) -> Bool { operation is Implemented }

  /// A kernel for the layer alone.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) throws(NetconvError) {
    precondition(fusion.isEmpty, "\(Self.self) does nothing on the way")
    try self.init(operation, parameters, level)
  }
}

/// What a kernel does for inputs of one shape.
protocol KernelStep: Sendable {
  /// Values of memory that each thread of the team needs while the step runs.
  var scratchCount: Int { get }

  /// Whether the step is faster per image the more images it gets, because its weights are large and an
  /// image uses each of them only a few times; `nil` where it makes no difference.
  var prefersManyImages: Bool? { get }

  /// Inputs whose memory may be the output's too, if there are so many and their size is the output's: none of their
  /// values is read once the output's value at its place is written.
  var inPlaceInputs: [Int] { get }

  /// Computes the outputs for some images.
  func run(_ operands: Operands) throws(NetconvError)
}

/// Values that are sooner computed one by one than shared among threads.
let elementwiseShare = 8192

extension KernelStep {
  /// None.
  var scratchCount: Int { 0 }
  /// It makes no difference.
  var prefersManyImages: Bool? { nil }
  /// None.
  var inPlaceInputs: [Int] { [] }
}

/// The memory that a step works on, and who may help.
struct Operands: @unchecked Sendable {
  /// Images in each input and in each output, one after the other.
  let images: Int
  /// The number of inputs.
  let inputCount: Int
  /// The first value of each input.
  let inputs: UnsafePointer<UnsafePointer<Float>>
  /// Not initialised; apart from all inputs, or one of those that the step lets it be.
  let output: UnsafeMutablePointer<Float>
  /// The first value of each output behind the first, of a layer that has any; apart from all inputs.
  var furtherOutputs: UnsafePointer<UnsafeMutablePointer<Float>>?
  /// For each thread of the team, as much as the step asked for.
  let scratches: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The threads to share the work.
  let team: Team

  /// The first value of the output number `index`, which the layer has.
  func output(_ index: Int) -> UnsafeMutablePointer<Float> {
    index == 0 ? output : furtherOutputs.map { $0[index - 1] } ?? output
  }

  /// As much as the step asked for, for a step that is not shared.
  var scratch: UnsafeMutablePointer<Float> { scratches[0] }
}
