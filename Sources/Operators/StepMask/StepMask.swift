import ModelIR

/// A mask of the steps of a sequence: 0 for steps in which all values equal a given one, 1 for the others.
public struct StepMask: Operator {
  /// The operator's name in documents.
  public static let name = "StepMask"

  /// The value that marks a masked step if all of its values equal it, rounded to float32.
  public let value: Double
  /// True if each value is a step of its own, such as a token id; otherwise a step extends along the last axis.
  public let isPerValue: Bool

  /// Creates a mask of the steps that contain other values than `value`.
  public init(value: Double = 0, isPerValue: Bool = false) {
    self.value = value
    self.isPerValue = isPerValue
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case value
    case isPerValue
  }

  /// Decodes the attributes; the defaults are 0 and false.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      value: try attributes.value(.value, default: 0),
      isPerValue: try attributes.value(.isPerValue, default: false))
  }

  /// One number for each value, or for each step of several values.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { isPerValue ? .elementwise : .other }

  /// The result depends on which values form a step.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by zeros and ones.
  public var valueEffect: ValueEffect { .computed }

  /// The number of values in a step.
  public func fanIn(of inputs: [[Int]]) -> Int { isPerValue ? 1 : inputs[0].last ?? 1 }

  /// Returns the shape: (…, n) becomes (…), or the shape of the input if each value is a step.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard !isPerValue else { return inputs[0] }
    _ = try inputs[0].lastAxis()
    return Shape(Array(inputs[0].dimensions.dropLast()))
  }

  /// y[t] = 1 if any x[t, c] differs from the given value, otherwise 0.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let run = isPerValue ? 1 : x.shape[x.rank - 1]
    let masked = Double(Float(value))
    let values = stride(from: 0, to: x.count, by: run).map { start -> Double in
      x.values[start..<start + run].contains { $0 != masked } ? 1 : 0
    }
    return NDArray(shape: isPerValue ? x.shape : Array(x.shape.dropLast()), values: values)
  }
}
