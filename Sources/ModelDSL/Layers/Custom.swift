import ModelIR
import Operators

/// A layer that is defined by two closures; it runs on both engines, but cannot be written to a file.
///
/// A package for Apple's GPUs leaves the layer to its app, which implements a function of the same name.
///
///     Custom { inputs in inputs[0] } evaluate: { inputs in inputs[0].map { 1 - $0 } }
public struct Custom: NetworkLayer {
  /// The layer's name.
  public let name: String?
  /// The prefix of default names, `custom`.
  public var kind: String { "custom" }
  /// The operator with the closures.
  public let operation: any Operator

  /// Creates a layer of one input, or of several with ``NetworkLayer/applied(to:)``.
  ///
  /// - Parameters:
  ///   - inputs: the supported number of inputs.
  ///   - name: the layer's name.
  ///   - shape: returns the shape of the output for the shapes of the inputs, without the batch axis; input sizes may
  ///     be unknown. It throws if the inputs do not fit.
  ///   - evaluate: returns the output for one sample of each input, channels last.
  public init(
    inputs: ClosedRange<Int> = 1...1, name: String? = nil,
    shape: @escaping @Sendable ([Shape]) throws(NetconvError) -> Shape,
    evaluate:
      @escaping @Sendable ([NDArray<Double>]) throws(NetconvError) -> NDArray<Double>
  ) {
    self.name = name
    operation = CustomOperator(inputCount: inputs, shape: shape, evaluate: evaluate)
  }
}

/// The operator of ``Custom``, which no document can represent.
struct CustomOperator: ClosureOperator {
  static let name = "Custom"

  let inputCount: ClosedRange<Int>
  private let shape: @Sendable ([Shape]) throws(NetconvError) -> Shape
  private let definition: @Sendable ([NDArray<Double>]) throws(NetconvError) -> NDArray<Double>
  /// Closures cannot be compared; copies of one layer are equal.
  private let token = Token()
  var identity: ObjectIdentifier { ObjectIdentifier(token) }

  private final class Token: Sendable {}

  init(
    inputCount: ClosedRange<Int>,
    shape: @escaping @Sendable ([Shape]) throws(NetconvError) -> Shape,
    evaluate:
      @escaping @Sendable ([NDArray<Double>]) throws(NetconvError) -> NDArray<Double>
  ) {
    self.inputCount = inputCount
    self.shape = shape
    definition = evaluate
  }

  /// Always throws: documents contain no closures.
  init(from decoder: any Decoder) throws {
    throw NetconvError.customInDocument
  }

  /// Always throws: a closure cannot be encoded.
  func encode(to encoder: any Encoder) throws {
    throw NetconvError.customInDocument
  }

  static func == (a: CustomOperator, b: CustomOperator) -> Bool { a.token === b.token }

  // Nothing is known about a closure, so the most general case is assumed.
  func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }
  var orderDependence: OrderDependence { .full }
  var valueEffect: ValueEffect { .computed }
  func fanIn(of inputs: [[Int]]) -> Int { inputs.reduce(0) { $0 + $1.reduce(1, *) } }

  func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape { try shape(inputs) }

  func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let output = try definition(inputs)
    let expected = try shape(inputs.map { Shape($0.shape) })
    guard Shape(output.shape) == expected else {
      throw .wrongCustomOutput(Shape(output.shape), expected: expected)
    }
    return output
  }
}

extension NetconvError {
  fileprivate static var customInDocument: NetconvError {
    NetconvError(
      .badData,
      "is a custom layer: its closures run here, but cannot be written to a file; leave it out of the "
        + "model, or use a layer that netconv has")
  }

  fileprivate static func wrongCustomOutput(_ found: Shape, expected: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the closure returned an output of shape \(found), but the shape closure returned \(expected)"
    )
  }
}
