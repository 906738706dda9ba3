import ModelIR

/// The sum of two or more inputs of one shape.
public struct Add: Operator {
  /// The name in documents.
  public static let name = "Add"

  /// A sum.
  public init() {}

  /// Reads an object without attributes.
  public init(from decoder: any Decoder) throws {
    _ = try decoder.attributes(NoKeys.self)
  }

  /// Two or more.
  public var inputCount: ClosedRange<Int> { 2...Int.max }

  /// The shape that all inputs have.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    var shape = inputs[0]
    for input in inputs.dropFirst() {
      guard input.isCompatible(with: shape) else { throw .differentShapes(inputs) }
      shape = Shape(zip(shape.dimensions, input.dimensions).map { $0 ?? $1 })
    }
    return shape
  }

  /// y = x₀ + x₁ + ….
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    guard inputs.allSatisfy({ $0.shape == inputs[0].shape }) else {
      throw .differentShapes(inputs.map { Shape($0.shape) })
    }
    var y = inputs[0]
    for x in inputs.dropFirst() {
      for index in y.values.indices { y.values[index] += x.values[index] }
    }
    return y
  }
}
