import Lowering
import ModelIR
import Operators

/// A fast implementation of one operator, created once per layer.
///
/// To add one, write a file in `Kernels/` and a line in ``FastKernels/all``.
protocol FastKernel: Sendable {
  /// The operator that it implements.
  associatedtype Implemented: Operator

  /// Returns true if the kernel implements `operation`.
  static func implements(_ operation: any Operator) -> Bool

  /// True if the kernel builds lists of offsets of slices, values or parameters.
  static var listsPlaces: Bool { get }

  /// Creates a kernel for a layer, and packs its parameters.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError)

  /// Creates a kernel for a layer and its fused operations, of which there are none unless the kernel is a
  /// ``FusingKernel``.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) throws(NetconvError)

  /// Creates the step for inputs of known shapes.
  ///
  /// - Parameter output: the shape of the first output.
  /// - Returns: `nil` if the output is a view of the input's memory.
  func step(
    inputs: [[Int]], output: [Int]
  ) throws(NetconvError) -> (any KernelStep)?
}

extension FastKernel {
  static var listsPlaces: Bool { false }

  static func implements(_ operation: any Operator) -> Bool { operation is Implemented }

  /// Creates a kernel for the layer alone.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel,
    _ fusion: Fusion
  ) throws(NetconvError) {
    precondition(fusion.isEmpty, "\(Self.self) does nothing on the way")
    try self.init(operation, parameters, level)
  }
}

/// The work of a kernel for inputs of one shape.
protocol KernelStep: Sendable {
  /// The number of scratch values that each thread needs while the step runs.
  var scratchCount: Int { get }

  /// True if the step is faster per image with larger batches, because its weights are large and an image uses each of
  /// them only a few times; `nil` if it makes no difference.
  var prefersManyImages: Bool? { get }

  /// The indices of inputs whose memory may be reused for an output of the same size.
  ///
  /// None of their values is read after the output's value at the same index is written. Indices beyond the number of
  /// inputs are ignored.
  var inPlaceInputs: [Int] { get }

  /// Computes the outputs for some images.
  func run(_ operands: Operands) throws(NetconvError)
}

/// The number of values below which one thread is faster than several.
let elementwiseShare = 8192

extension KernelStep {
  /// No scratch memory.
  var scratchCount: Int { 0 }
  /// It makes no difference.
  var prefersManyImages: Bool? { nil }
  /// No inputs.
  var inPlaceInputs: [Int] { [] }
}

/// The memory that a step works on, and the threads that share the work.
struct Operands: @unchecked Sendable {
  /// The number of consecutive images in each input and output.
  let images: Int
  /// The number of inputs.
  let inputCount: Int
  /// The address of each input.
  let inputs: UnsafePointer<UnsafePointer<Float>>
  /// The address of the first output: uninitialised, and separate from all inputs except those that the step allows to
  /// be reused.
  let output: UnsafeMutablePointer<Float>
  /// The addresses of the outputs after the first, if there are any; separate from all inputs.
  var furtherOutputs: UnsafePointer<UnsafeMutablePointer<Float>>?
  /// The scratch memory of each thread.
  let scratches: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The threads that share the work.
  let team: ThreadTeam

  /// Returns the address of the output at `index`, which must exist.
  func output(_ index: Int) -> UnsafeMutablePointer<Float> {
    index == 0 ? output : furtherOutputs.map { $0[index - 1] } ?? output
  }

  /// The scratch memory of a step that is not shared.
  var scratch: UnsafeMutablePointer<Float> { scratches[0] }
}

extension KernelStep {
  /// Runs the step as a part of another, with one input, and the scratch memory and threads of that one.
  func run(
    _ images: Int, from x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>,
    within operands: Operands
  ) throws(NetconvError) {
    try withUnsafePointer(to: x) { inputs throws(NetconvError) in
      try run(
        Operands(
          images: images, inputCount: 1, inputs: inputs, output: y, scratches: operands.scratches,
          team: operands.team))
    }
  }
}

/// A fast kernel that supports fused operations.
protocol FusingKernel: FastKernel where Implemented: FusingOperator {}

extension FusingKernel {
  /// Creates a kernel without fused operations.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError) {
    try self.init(operation, parameters, level, Fusion())
  }
}
