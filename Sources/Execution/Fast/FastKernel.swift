import ModelIR

/// A fast implementation of one operator, made once for a layer.
///
/// To add one, write a file in `Kernels/` and a line in ``FastKernels/all``.
protocol FastKernel: Sendable {
  /// The operator that it implements.
  associatedtype Implemented: Operator

  /// A kernel for a layer; brings its parameters into the order in which they will be read.
  init(
    _ operation: Implemented, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) throws(NetconvError)

  /// The work for inputs of known shapes.
  ///
  /// - Returns: `nil` if the output is the input's memory as it is.
  func step(
    inputs: [[Int]], output: [Int]
  ) throws(NetconvError) -> (any KernelStep)?
}

/// What a kernel does for inputs of one shape.
protocol KernelStep: Sendable {
  /// Values of memory that the step needs while it runs.
  var scratchCount: Int { get }

  /// Whether the step is faster per image the more images it gets, because its weights are large and an
  /// image uses each of them only a few times; `nil` where it makes no difference.
  var prefersManyImages: Bool? { get }

  /// Computes the output for some images.
  func run(_ operands: Operands) throws(NetconvError)
}

extension KernelStep {
  /// None.
  var scratchCount: Int { 0 }
  /// It makes no difference.
  var prefersManyImages: Bool? { nil }
}

/// The memory that a step works on, and who may help.
struct Operands: @unchecked Sendable {
  /// Images in each input and in the output, one after the other.
  let images: Int
  /// As many as the layer has inputs.
  let inputs: UnsafePointer<UnsafePointer<Float>>
  /// Not initialised; apart from all inputs.
  let output: UnsafeMutablePointer<Float>
  /// As much as the step asked for.
  let scratch: UnsafeMutablePointer<Float>
  /// The threads to share the work.
  let team: Team
}
