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

  /// The number of outputs.
  var outputCount: Int { get }

  /// Whether the operator computes nothing without parameters, whatever its attributes.
  static var needsParameters: Bool { get }

  /// Whether the order of a flatten survives from the inputs to the output; of several, they must have the same.
  ///
  /// There is no default: behind an operator that forgets to say so, parameters would lie in the wrong order.
  func axisFlow(from inputs: [Shape]) -> AxisFlow

  /// What the order of values means to the result.
  var orderDependence: OrderDependence { get }

  /// What becomes of the values of the inputs.
  var valueEffect: ValueEffect { get }

  /// Whether the output jumps where an input changes a little, as an index or a truth value does.
  ///
  /// Such outputs are compared exactly: an index that is off by one is wrong, however large it is.
  var hasSteps: Bool { get }

  /// The number of values, or of products, that one value of the output is summed or chosen from, at most.
  ///
  /// - Parameter inputs: the sizes of each input, which fit the operator.
  func fanIn(of inputs: [[Int]]) -> Int

  /// The shape of the first output.
  ///
  /// - Parameter inputs: as many as ``inputCount`` allows; sizes may be unknown.
  /// - Throws: `badData` if the inputs do not fit the operator, or its attributes make no sense.
  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape

  /// The shapes of all outputs, ``outputCount`` of them.
  ///
  /// - Parameter inputs: as for ``outputShape(for:)``.
  /// - Throws: as ``outputShape(for:)``.
  func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape]

  /// The operator that computes the output number `index` alone, with the same inputs and parameters.
  func computing(output index: Int) -> any Operator

  /// The parameters that the operator takes.
  ///
  /// Readers may ask before they ask for the shape of the output, so that no attribute was checked yet.
  /// - Throws: `badData` if a size it depends on is unknown, or its attributes make no sense.
  func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec]

  /// The first output, as the operator is defined, in Double.
  ///
  /// - Parameters:
  ///   - inputs: one sample of each input.
  ///   - parameters: by role, each in the layout of its spec.
  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double>

  /// All outputs, as the operator is defined, in Double.
  ///
  /// - Parameters: as for ``evaluate(_:_:)``.
  func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>]
}

/// What an operator does to the order in which a flatten has laid out its values.
public enum AxisFlow: Sendable, Equatable {
  /// Each output value stands where its input value stood, in each of the inputs that has more than one.
  case elementwise
  /// The axes of the input are merged into one.
  case flatten
  /// So are those of each step of a sequence.
  case flattenOfSteps
  /// The last axis, an image's channels, has become the first; the others keep their order.
  case channelsFirst
  /// Anything else.
  case other
}

/// What it means to an operator where a value stands.
public enum OrderDependence: Sendable, Equatable {
  /// Every value is treated like every other one, wherever it stands and on whatever axes.
  case none
  /// The values of a vector may change places, if those of the parameters that belong to them do too: the parameters
  /// with a ``ParameterSpec/featureAxis``.
  case throughParameters
  /// The result depends on which values are neighbours, or on their places themselves.
  case full
}

/// What an operator does to values.
public enum ValueEffect: Sendable, Equatable {
  /// Nothing: the output is the input.
  case none
  /// They are moved, repeated, left out, or mixed with neighbours or zeros: the output has the range of the input.
  case moved
  /// The output is something else.
  case computed
}

extension Operator {
  /// One.
  public var inputCount: ClosedRange<Int> { 1...1 }

  /// One.
  public var outputCount: Int { 1 }

  /// The shape of the one output.
  public func outputShapes(for inputs: [Shape]) throws(NetconvError) -> [Shape] {
    [try outputShape(for: inputs)]
  }

  /// Itself, of one output.
  public func computing(output index: Int) -> any Operator { self }

  /// The one output.
  public func evaluateOutputs(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    [try evaluate(inputs, parameters)]
  }

  /// Smooth, or nearly so.
  public var hasSteps: Bool { false }

  /// It does; if not, a model without its parameters is refused all the same.
  public static var needsParameters: Bool { false }

  /// None; an operator that forgets its own has none to compute with.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] { [] }

  /// Whether `other` is the same operator with the same attributes.
  public func isEqual(to other: any Operator) -> Bool {
    (other as? Self) == self
  }
}
