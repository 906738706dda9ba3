import ModelIR
import Operators

/// Sums, differences, products and quotients that the framework recorded as layers, with or without a constant.
///
/// Source: keras/src/ops/numpy.py; TensorFlow, tf.math.
enum KerasArithmetic: KerasLayerMapping {
  private static let kinds: [String: Kind] = [
    "ops.Add": .sum, "tf.__operators__.add": .sum, "tf.math.add": .sum,
    "ops.Subtract": .difference, "tf.math.subtract": .difference,
    "ops.Multiply": .product, "tf.math.multiply": .product,
    "ops.Divide": .quotient, "ops.TrueDivide": .quotient, "tf.math.truediv": .quotient,
    "tf.math.divide": .quotient,
    "ops.Negative": .negative, "tf.math.negative": .negative,
    "ops.Maximum": .largest, "tf.math.maximum": .largest,
    "ops.Minimum": .smallest, "tf.math.minimum": .smallest,
  ]

  private enum Kind {
    case sum
    case difference
    case product
    case quotient
    case negative
    case largest
    case smallest
  }

  static var classNames: [String] { kinds.keys.sorted() }
  static let operators: [any Operator.Type] = [
    Add.self, Subtract.self, Multiply.self, Divide.self, Maximum.self, Minimum.self, Rescaling.self,
    Activation.self,
  ]
  static let refused = [
    "a constant divided by a tensor", "Maximum with a constant other than 0",
    "Minimum with a constant",
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    guard let kind = kinds[layer.className] else { throw .unsupportedOperands(layer.operands) }
    let operands = layer.operands
    switch (operands.first, operands.dropFirst().first, operands.count) {
    case (.tensor, nil, 1) where kind == .negative: return Rescaling(scale: [-1])
    case (.tensor, .tensor, 2): return try merge(kind, operands)
    case (.tensor, .constant(let constant), 2):
      let numbers = try KerasLayerConfig.numbers(constant)
      switch kind {
      case .sum: return Rescaling(scale: [1], offset: numbers)
      case .difference: return Rescaling(scale: [1], offset: numbers.map { -$0 })
      case .product: return Rescaling(scale: numbers)
      case .quotient: return Rescaling(scale: numbers.map { 1 / $0 })
      case .largest where numbers == [0]: return Activation(.relu)
      case .negative, .largest, .smallest: throw .unsupportedOperands(operands)
      }
    case (.constant(let constant), .tensor, 2):
      let numbers = try KerasLayerConfig.numbers(constant)
      switch kind {
      case .sum: return Rescaling(scale: [1], offset: numbers)
      case .difference: return Rescaling(scale: [-1], offset: numbers)
      case .product: return Rescaling(scale: numbers)
      case .largest where numbers == [0]: return Activation(.relu)
      case .negative, .quotient, .largest, .smallest: throw .unsupportedOperands(operands)
      }
    default: throw .unsupportedOperands(operands)
    }
  }

  /// Returns the operands of a call with an array of several axes, which is a layer of its own; `nil` if there is none.
  ///
  /// - Throws: `badData` if an array is not rectangular.
  static func arrays(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> (operation: any Operator, operands: [KerasConstant?])? {
    guard let kind = kinds[layer.className], layer.operands.count == 2 else { return nil }
    var operands: [KerasConstant?] = []
    for operand in layer.operands {
      guard case .constant(let value) = operand else {
        operands.append(nil)
        continue
      }
      operands.append(try KerasConstant(value))
    }
    let arrays = operands.filter { $0.map { $0.shape.count > 1 } ?? false }
    guard arrays.count == 1, layer.operands.contains(.tensor) else { return nil }
    return (try merge(kind, layer.operands), operands)
  }

  private static func merge(
    _ kind: Kind, _ operands: [KerasOperand]
  ) throws(NetconvError) -> any Operator {
    switch kind {
    case .sum: Add()
    case .difference: Subtract()
    case .product: Multiply()
    case .quotient: Divide()
    case .largest: Maximum()
    case .smallest: Minimum()
    case .negative: throw .unsupportedOperands(operands)
    }
  }
}
