import ModelIR

/// An operator that is computed on integers, as TensorFlow Lite's reference kernels do.
///
/// Inputs, outputs and parameters are real numbers: multiples of scales. The integers are recovered from them, and
/// nothing in between is rounded but by the rules of the kernels.
public struct Quantized: Operator {
  /// The operator's name in documents.
  public static let name = "Quantized"

  /// The operator, without an activation.
  public let operation: any Operator
  /// The quantisation of each input; empty if the input is real.
  public let inputs: [Quantization]
  /// The quantisation of the output; `nil` if the layer quantises real inputs itself, row by row, and its output is real.
  public let output: Quantization?
  /// The scale of the kernel, or a scale for each output channel; empty if there is no kernel.
  public let kernelScales: [Float]
  /// The smallest and the largest integer of the output, which limit it as an activation does.
  public let limits: ClosedRange<Int>
  /// True if the integers of a row of real inputs have a zero point of their own.
  public let isAsymmetric: Bool
  /// For each output channel, what the bias in float32 lacks of its integer; empty if it lacks nothing.
  public let biasRemainders: [Int]

  /// Creates a layer that computes `operation` on integers.
  ///
  /// It multiplies real inputs, rounded row by row, if it has neither inputs' nor an output's quantisation.
  ///
  /// - Parameter limits: by default, all integers of the output's type.
  public init(
    _ operation: any Operator, inputs: [Quantization], output: Quantization?,
    kernelScales: [Float] = [], limits: ClosedRange<Int>? = nil,
    biasRemainders: [Int] = [], isAsymmetric: Bool = false
  ) {
    self.operation = operation
    self.inputs = inputs
    self.output = output
    self.kernelScales = kernelScales
    self.limits = limits ?? output?.range ?? 0...0
    self.isAsymmetric = isAsymmetric
    self.biasRemainders = biasRemainders
  }

  /// The number of inputs of the operator.
  public var inputCount: ClosedRange<Int> { operation.inputCount }

  /// As for the operator.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { operation.axisFlow(from: inputs) }

  /// As for the operator; scales per channel have a fixed order.
  public var orderDependence: OrderDependence {
    kernelScales.count > 1 || !biasRemainders.isEmpty ? .full : operation.orderDependence
  }

  /// True: the output has as many values as there are integers.
  public var hasSteps: Bool { true }

  /// Values are rounded.
  public var valueEffect: ValueEffect { .computed }

  /// As for the operator.
  public func fanIn(of inputs: [[Int]]) -> Int { operation.fanIn(of: inputs) }

  /// Returns the shape of the operator's output.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let shape = try operation.outputShape(for: inputs)
    try check(inputs, shape)
    return shape
  }

  /// Returns the operator's parameters.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    try operation.parameters(for: inputs)
  }

  private func check(_ shapes: [Shape], _ shape: Shape) throws(NetconvError) {
    guard IntegerDefinition(operation) != nil else {
      throw .noIntegerDefinition(type(of: operation).name)
    }
    guard let output else {
      guard inputs.isEmpty, operation is Dense else {
        throw .noIntegerDefinition(type(of: operation).name)
      }
      return try checkScales(shape)
    }
    guard inputs.count == shapes.count || inputs.isEmpty && operation is Identity else {
      throw .quantizationCount(inputs.count, shapes.count)
    }
    guard operation is Identity || inputs.allSatisfy({ $0.type == output.type }) else {
      throw .quantizationCount(inputs.count, shapes.count)
    }
    let range = output.range
    guard range.contains(limits.lowerBound), range.contains(limits.upperBound) else {
      throw .attributeOutOfRange("limits", limits.lowerBound, range)
    }
    if operation is any SummingOperator { try checkScales(shape) }
  }

  /// Checks that there is one scale, or one for each output channel.
  private func checkScales(_ shape: Shape) throws(NetconvError) {
    let channels = shape.dimensions.last ?? nil
    guard kernelScales.count == 1 || kernelScales.count == channels else {
      throw .quantizationCount(kernelScales.count, channels ?? 1)
    }
    guard biasRemainders.isEmpty || biasRemainders.count == channels else {
      throw .quantizationCount(biasRemainders.count, channels ?? 1)
    }
    guard kernelScales.allSatisfy({ $0.isFinite && $0 >= 0 }) else { throw .wrongKernelScale }
  }
}

extension NetconvError {
  fileprivate static func noIntegerDefinition(_ name: String) -> NetconvError {
    NetconvError(.badData, "\(name) has no definition on integers")
  }

  fileprivate static var wrongKernelScale: NetconvError {
    NetconvError(.badData, "a scale of the kernel is no number from 0 on")
  }

  fileprivate static func quantizationCount(_ count: Int, _ expected: Int) -> NetconvError {
    NetconvError(
      .badData, "there are \(count) scales, expected one for each of \(expected) inputs or channels"
    )
  }
}
