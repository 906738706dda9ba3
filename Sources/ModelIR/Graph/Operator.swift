/// One kind of layer: its attributes, its shape rule, its parameters and its definition.
///
/// The stored properties of a conforming type are the layer's attributes, and its `Codable` form is what
/// `model.json` and `manifest.json` hold. Data is channels-last, one sample at a time, without a batch
/// axis.
public protocol Operator: Sendable, Equatable, Codable {
  /// The name in documents: `Convolution2D`.
  static var name: String { get }

  /// How many inputs the operator takes.
  var inputCount: ClosedRange<Int> { get }

  /// Whether the order of a flatten survives from the input to the output.
  func axisFlow(from inputs: [Shape]) -> AxisFlow

  /// The shape of the output.
  ///
  /// - Parameter inputs: as many as ``inputCount`` allows; sizes may be unknown.
  /// - Throws: `badData` if the inputs do not fit the operator, or its attributes make no sense.
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape

  /// The parameters that the operator takes.
  ///
  /// - Throws: `badData` if a size it depends on is unknown.
  func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec]

  /// The output, as the operator is defined, in Double.
  ///
  /// - Parameters:
  ///   - inputs: one sample of each input.
  ///   - parameters: by role, each in the layout of its spec.
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double>
}

/// What an operator does to the order in which a flatten has laid out its values.
public enum AxisFlow: Sendable, Equatable {
  /// Each output value stands where its input value stood.
  case elementwise
  /// The axes of the input are merged into one.
  case flatten
  /// Anything else.
  case other
}

extension Operator {
  /// One.
  public var inputCount: ClosedRange<Int> { 1...1 }

  /// ``AxisFlow/other``.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// None.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] { [] }

  /// Whether `other` is the same operator with the same attributes.
  public func isEqual(to other: any Operator) -> Bool {
    (other as? Self) == self
  }
}
