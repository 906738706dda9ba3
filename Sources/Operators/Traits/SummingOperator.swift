import ModelIR

/// An operator that sums products with a kernel, and applies an activation to the sums.
public protocol SummingOperator: ActivatedOperator {
  /// The role of the kernel whose sums are the output, into which a factor per output channel can be folded.
  static var summedKernel: ParameterRole { get }

  /// The axes of that kernel that correspond to output channels, slowest first.
  static var outputAxes: [Axis] { get }
}

extension SummingOperator {
  /// True: a kernel is required.
  public static var needsParameters: Bool { true }

  /// Values are replaced by sums of products.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Neighbouring values are summed; operators on a single vector override this.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The number of products summed per output, over all kernels.
  public func fanIn(of inputs: [[Int]]) -> Int {
    let specs = try? parameters(for: inputs.map { Shape($0) })
    return (specs ?? []).compactMap(\.productsPerOutput).reduce(0, +)
  }
}
