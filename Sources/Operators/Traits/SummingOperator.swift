import ModelIR

/// An operator that sums products with a kernel, and applies an activation to the sums.
public protocol SummingOperator: ActivatedOperator {
  /// The kernel whose sums are the output: a factor for each channel of the output can go into it.
  static var summedKernel: ParameterRole { get }

  /// The axes of that kernel that count the output channels, slowest first.
  static var outputAxes: [Axis] { get }
}

extension SummingOperator {
  /// It cannot sum without a kernel.
  public static var needsParameters: Bool { true }

  /// Sums of products take the places of values.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Neighbours are summed; where a single vector is, the operator says otherwise.
  public var orderDependence: OrderDependence { .full }

  /// Sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The products that are summed for one output, of all kernels.
  public func fanIn(of inputs: [[Int]]) -> Int {
    let specs = try? parameters(for: inputs.map { Shape($0) })
    return (specs ?? []).compactMap(\.productsPerOutput).reduce(0, +)
  }
}
