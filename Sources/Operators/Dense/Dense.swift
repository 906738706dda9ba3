import ModelIR

/// A fully-connected layer with bias and activation; inputs of higher rank are transformed along the last axis.
public struct Dense: SummingOperator {
  /// The operator's name in documents.
  public static let name = "Dense"

  /// The number of output values.
  public let units: Int
  /// The activation function, applied to the sum.
  public var activation: ActivationFunction

  /// Creates a fully-connected layer with `units` units.
  public init(units: Int, activation: ActivationFunction = .linear) {
    self.units = units
    self.activation = activation
  }

  /// The only kernel.
  public static var summedKernel: ParameterRole { .kernel }

  /// The last axis.
  public static var outputAxes: [Axis] { [.outputChannels] }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case units
    case activation
  }

  /// Decodes the attributes; the default activation is linear.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      units: try attributes.decode(Int.self, forKey: .units),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// Each value has its own row in the kernel.
  public var orderDependence: OrderDependence { .throughParameters }

  /// Returns the shape: (…, n) becomes (…, units).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    try checkSizes(("units", units))
    guard inputs[0].rank > 0 else {
      throw .wrongRank(inputs[0], expected: "at least one axis")
    }
    let output = Shape(inputs[0].dimensions.dropLast() + [units])
    try activation.check(output)
    return output
  }

  /// Returns the kernel, `IO`, and the bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let features = try inputs[0].lastAxis()
    return [
      ParameterSpec(
        .kernel, .fullyConnected, .io, [.inputChannels: features, .outputChannels: units],
        featureAxis: .inputChannels),
      ParameterSpec(.bias, .vector, .o, [.outputChannels: units], isOptional: true),
    ]
  }

  /// y[…, o] = activation(b[o] + Σ x[…, i] · k[i, o]).
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel], let features = x.shape.last
    else { throw .unknownSize(shape) }
    var y = try NDArray<Double>(shape: size)
    let bias = parameters[.bias]?.values
    y.values.withUnsafeMutableBufferPointer { y in
      kernel.values.withUnsafeBufferPointer { kernel in
        for row in 0..<y.count / units {
          let sums = row * units
          if let bias { for o in 0..<units { y[sums + o] = bias[o] } }
          // The sums of a row grow side by side, each in the order of its products.
          for i in 0..<features {
            let value = x.values[row * features + i]
            for o in 0..<units { y[sums + o] += value * kernel[i * units + o] }
          }
        }
      }
    }
    return try activation.applied(to: y)
  }
}
