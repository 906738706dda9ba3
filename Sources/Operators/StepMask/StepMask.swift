import ModelIR

/// Which steps of a sequence count: 1 for those that do, 0 for those of which every value is a given one.
public struct StepMask: Operator {
  /// The name in documents.
  public static let name = "StepMask"

  /// What all values of a step that does not count are, rounded to float32.
  public let value: Double
  /// Whether each value is a step of its own, as are the words of a text; otherwise the last axis is one step's.
  public let isPerValue: Bool

  /// The steps of something else than `value`.
  public init(value: Double = 0, isPerValue: Bool = false) {
    self.value = value
    self.isPerValue = isPerValue
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case value
    case isPerValue
  }

  /// Reads the attributes, by default 0 and false.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      value: try attributes.value(.value, default: 0),
      isPerValue: try attributes.value(.isPerValue, default: false))
  }

  /// One number for each value, or for each step of several.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { isPerValue ? .elementwise : .other }

  /// The values of a step belong together.
  public var orderDependence: OrderDependence { .full }

  /// Zeros and ones.
  public var valueEffect: ValueEffect { .computed }

  /// The values of a step.
  public func fanIn(of inputs: [[Int]]) -> Int { isPerValue ? 1 : inputs[0].last ?? 1 }

  /// (…, n) to (…), or the input's where each value is a step.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    guard !isPerValue else { return inputs[0] }
    _ = try inputs[0].lastAxis()
    return Shape(Array(inputs[0].dimensions.dropLast()))
  }

  /// y[t] = 1 if one x[t, c] is not the given value, else 0.
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
