import ModelIR

/// An array of integers, and the numbers that they stand for.
struct QuantizedArray {
  let shape: [Int]
  let integers: [Int]
  let quantization: Quantization

  /// The integers without the zero point.
  var centred: [Int] {
    let zeroPoint = quantization.zeroPoint
    return integers.map { $0 - zeroPoint }
  }
}

/// The family of an operator's definition on integers.
enum IntegerDefinition {
  /// Real numbers or integers to integers of another scale.
  case rescaling
  /// Sums of products with a kernel.
  case sums(any SummingOperator)
  case sum
  case difference
  case product
  case concatenation(Concatenate)
  case averagePooling(AveragePooling2D)
  case mean(Reduce)
  case resizing(Resizing)
  case softmax
  case function(ActivationFunction)

  /// Finds the definition of an operator; `nil` if it has none.
  init?(_ operation: any Operator) {
    switch operation {
    case is Identity: self = .rescaling
    case is Convolution2D, is DepthwiseConvolution2D, is Dense, is TransposedConvolution2D:
      guard let operation = operation as? any SummingOperator, operation.activation.isLinear else {
        return nil
      }
      self = .sums(operation)
    case is Add: self = .sum
    case is Subtract: self = .difference
    case is Multiply: self = .product
    case let operation as Concatenate: self = .concatenation(operation)
    case let operation as AveragePooling2D: self = .averagePooling(operation)
    case let operation as Reduce where operation.function == .mean: self = .mean(operation)
    case let operation as Resizing
    where operation.interpolation == .bilinear && operation.proportion == .stretch
      && !operation.antialias:
      self = .resizing(operation)
    case let operation as Activation:
      switch operation.function {
      case .softmax(let axis) where axis == [-1]: self = .softmax
      case .relu, .leakyReLU, .sigmoid, .tanh, .hardSilu, .hardTanh, .elu:
        self = .function(operation.function)
      default: return nil
      }
    default: return nil
    }
  }
}

extension Quantized {
  /// y = scale · (q - zero point), with the integers q of the kernels.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    guard let size = shape.known, let definition = IntegerDefinition(operation) else {
      throw .unknownSize(shape)
    }
    for input in inputs where input.values.contains(where: \.isNaN) { throw .nanHasNoInteger }
    guard let output else { return try roundedSums(inputs[0], size, parameters) }
    let calculation = IntegerCalculation(layer: self, output: output, size: size)
    let integers: [Int]
    if self.inputs.isEmpty {
      integers = inputs[0].values.map { output.nearest(Float($0)) }
    } else {
      var arrays: [QuantizedArray] = []
      for (input, quantization) in zip(inputs, self.inputs) {
        arrays.append(
          QuantizedArray(
            shape: input.shape, integers: try quantization.integers(input.values),
            quantization: quantization))
      }
      integers = try calculation.integers(definition, arrays, parameters)
    }
    return NDArray(shape: size, values: integers.map { Double(output.number($0)) })
  }
}

/// The calculation of a layer's integers from those of its inputs.
struct IntegerCalculation {
  let layer: Quantized
  let output: Quantization
  /// The shape of the output.
  let size: [Int]

  var limits: ClosedRange<Int> { layer.limits }

  func integers(
    _ definition: IntegerDefinition, _ x: [QuantizedArray],
    _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [Int] {
    switch definition {
    case .rescaling: return rescaled(x[0])
    case .sums: return try IntegerSums(layer, parameters).integers(x[0])
    case .sum: return try sums(x[0], x[1], sign: 1)
    case .difference: return try sums(x[0], x[1], sign: -1)
    case .product: return try products(x[0], x[1])
    case .concatenation(let operation):
      let parts = x.map { x in
        NDArray(shape: x.shape, values: joined(x).map { Double($0) })
      }
      return try operation.evaluate(parts, [:]).values.map { Int($0) }
    case .averagePooling(let operation): return try averages(operation, x[0])
    case .mean(let operation): return try means(operation, x[0])
    case .resizing(let operation): return resized(x[0], operation.coordinates)
    case .softmax: return softmax(x[0])
    case .function(let function): return try activated(x[0], function)
    }
  }
}

extension NetconvError {
  fileprivate static var nanHasNoInteger: NetconvError {
    NetconvError(.badData, "the input has a NaN, which no integer stands for")
  }
}
