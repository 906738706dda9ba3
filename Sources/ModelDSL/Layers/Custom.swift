import ModelIR
import Operators

/// A layer that is two closures; it runs on both engines, but cannot be written to a file.
///
/// A package for Apple's GPUs asks its app for the layer, by a function that is called like it.
///
///     Custom { inputs in inputs[0] } evaluate: { inputs in inputs[0].map { 1 - $0 } }
public struct Custom: NetworkLayer {
  /// What it is called.
  public let name: String?
  /// `custom`.
  public var kind: String { "custom" }
  /// The closures.
  public let operation: any Operator

  /// A layer of one input, or of several with ``NetworkLayer/applied(to:)``.
  ///
  /// - Parameters:
  ///   - inputs: how many inputs it takes.
  ///   - name: what it is called.
  ///   - shape: the shape of the output, without the batch axis, for the shapes of the inputs, of which sizes
  ///     may be unknown; throws if they do not fit.
  ///   - evaluate: the output for one sample of each input, channels last.
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

/// The operator of ``Custom``: no document can hold it.
struct CustomOperator: ClosureOperator {
  static let name = "Custom"

  let inputCount: ClosedRange<Int>
  private let shape: @Sendable ([Shape]) throws(NetconvError) -> Shape
  private let definition: @Sendable ([NDArray<Double>]) throws(NetconvError) -> NDArray<Double>
  /// Closures cannot be compared; copies of one layer are the same one.
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

  /// Refuses: a closure is in no document.
  init(from decoder: any Decoder) throws {
    throw NetconvError.customInDocument
  }

  /// Refuses: a closure cannot be written down.
  func encode(to encoder: any Encoder) throws {
    throw NetconvError.customInDocument
  }

  static func == (a: CustomOperator, b: CustomOperator) -> Bool { a.token === b.token }

  // Of a closure the most has to be expected.
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
