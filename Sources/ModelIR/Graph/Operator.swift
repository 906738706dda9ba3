/// A type of layer: its attributes, shape rule, parameters and definition.
///
/// The stored properties of a conforming type are the layer's attributes. Its `Codable` form is stored in `model.json`
/// and `manifest.json`. Data is channels-last, one sample at a time, without a batch axis.
public protocol Operator: Sendable, Equatable, Codable {
  /// The operator's name in documents: `Convolution2D`.
  static var name: String { get }

  /// The supported number of inputs.
  var inputCount: ClosedRange<Int> { get }

  /// The number of outputs.
  var outputCount: Int { get }

  /// True if the operator requires parameters whatever its attributes.
  static var needsParameters: Bool { get }

  /// Returns the effect on the order of flattened values; all inputs must have the same order.
  ///
  /// There is no default: if an operator did not state this, the parameters after it could be in the wrong order.
  func axisFlow(from inputs: [Shape]) -> AxisFlow

  /// The way the result depends on the order of the input values.
  var orderDependence: OrderDependence { get }

  /// The effect on the input values.
  var valueEffect: ValueEffect { get }

  /// True if the output is a step function of an input, as an index or a truth value is.
  ///
  /// Such outputs are compared exactly: an index that is off by one is wrong, no matter how large it is.
  var hasSteps: Bool { get }

  /// The maximum number of values, or products, that one output value is summed or selected from.
  ///
  /// - Parameter inputs: the sizes of each input, which fit the operator.
  func fanIn(of inputs: [[Int]]) -> Int

  /// Returns the shape of the first output.
  ///
  /// - Parameter inputs: as many shapes as ``inputCount`` allows; sizes may be unknown.
  /// - Throws: `badData` if the inputs do not fit the operator, or its attributes are invalid.
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape

  /// Returns the shapes of all outputs, ``outputCount`` of them.
  ///
  /// - Parameter inputs: as for ``outputShape(for:)``.
  /// - Throws: as ``outputShape(for:)``.
  func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape]

  /// Returns the operator that computes only the output at `index`, with the same inputs and parameters.
  func computing(output index: Int) -> any Operator

  /// Returns the specs of the operator's parameters.
  ///
  /// Readers may call this before they ask for the output's shape, so attributes may not have been checked yet.
  /// - Throws: `badData` if a required size is unknown, or the attributes are invalid.
  func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec]

  /// Evaluates the definition of the first output in Double.
  ///
  /// - Parameters:
  ///   - inputs: one sample of each input.
  ///   - parameters: values by role, each in the layout of its spec.
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double>

  /// Evaluates the definition of all outputs in Double.
  ///
  /// - Parameters: as for ``evaluate(_:_:)``.
  func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>]
}

/// The effect of an operator on the order of values that a flatten has produced.
public enum AxisFlow: Sendable, Equatable {
  /// Each output value has the index of its input value, in each of the inputs that has more than one value.
  case elementwise
  /// All axes of the input are merged into one.
  case flatten
  /// The axes of each step of a sequence are merged into one.
  case flattenOfSteps
  /// The last axis, the channels of an image, becomes the first; the others keep their order.
  case channelsFirst
  /// Any other effect.
  case other
}

/// The way an operator's result depends on the order of values.
public enum OrderDependence: Sendable, Equatable {
  /// All values are treated alike, regardless of index and axes.
  case none
  /// The values of a vector may be permuted if its parameters are permuted accordingly: those with a
  /// ``ParameterSpec/featureAxis``.
  case throughParameters
  /// The result depends on which values are adjacent, or on their indices.
  case full
}

/// The effect of an operator on values.
public enum ValueEffect: Sendable, Equatable {
  /// The output equals the input.
  case none
  /// Values are moved, repeated, dropped, or mixed with neighbours or zeros: the output has the range of the input.
  case moved
  /// The output is computed in any other way.
  case computed
}

extension Operator {
  /// One input.
  public var inputCount: ClosedRange<Int> { 1...1 }

  /// One output.
  public var outputCount: Int { 1 }

  /// Returns the shape of the only output.
  public func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    [try outputShape(for: inputs)]
  }

  /// Returns the operator itself, which has one output.
  public func computing(output index: Int) -> any Operator { self }

  /// Evaluates the only output.
  public func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    [try evaluate(inputs, parameters)]
  }

  /// False: most operators are continuous.
  public var hasSteps: Bool { false }

  /// False; a model that lacks required parameters is rejected in any case.
  public static var needsParameters: Bool { false }

  /// Returns no specs.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] { [] }

  /// Returns true if `other` is the same operator with the same attributes.
  public func isEqual(to other: any Operator) -> Bool {
    (other as? Self) == self
  }
}
