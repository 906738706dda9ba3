import ModelIR

/// A locally connected layer: a convolution with a separate kernel at each position, with bias and activation.
///
/// There is no padding.
public struct SpatialLocallyConnected<Space: SpatialAxes>: Operator {
  /// The operator's name in documents, such as `LocallyConnected2D`.
  public static var name: String { Space.name("LocallyConnected") }

  /// The number of output channels.
  public let outputChannels: Int
  /// The size of each kernel.
  public let kernelSize: SpatialSize<Space>
  /// The stride: the distance between outputs, in input positions.
  public let strides: SpatialSize<Space>
  /// The activation function, applied to the sum.
  public let activation: ActivationFunction

  /// Creates a layer with kernels of `kernelSize`.
  public init(
    outputChannels: Int, kernelSize: SpatialSize<Space>, strides: SpatialSize<Space> = .one,
    activation: ActivationFunction = .linear
  ) {
    self.outputChannels = outputChannels
    self.kernelSize = kernelSize
    self.strides = strides
    self.activation = activation
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case outputChannels
    case kernelSize
    case strides
    case activation
  }

  /// Decodes the attributes; all but channels and kernel size have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels),
      kernelSize: try attributes.decode(SpatialSize<Space>.self, forKey: .kernelSize),
      strides: try attributes.value(.strides, default: .one),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// True: kernels are required.
  public static var needsParameters: Bool { true }

  /// Values are replaced by sums over channels.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Each position has its own kernel.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The number of products of one kernel.
  public func fanIn(of inputs: [[Int]]) -> Int { kernelSize.count * inputs[0][Space.count] }

  /// The window over the input.
  package var window: Window<Space> {
    Window<Space>(size: kernelSize, strides: strides, padding: .valid)
  }

  /// Returns the shape: (…, channels) becomes (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    try window.check(sizeName: "kernelSize")
    try checkSizes(("outputChannels", outputChannels))
    let output = Shape(window.outputSize(input.lengths) + [outputChannels])
    try activation.check(output)
    return output
  }

  /// Returns the kernel, `L(HWI)O` or `L(WI)O`, and the bias, `HWO` or `WO`, for the output positions.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    let shape = try outputShape(for: inputs)
    guard let output = shape.known else { throw .unknownSize(inputs[0]) }
    let places = try product(Array(output.dropLast()))
    let kernel = try Layout([
      .init([.outputPlaces]), .init(Space.axes + [.inputChannels]), .init([.outputChannels]),
    ])
    return [
      ParameterSpec(
        .kernel, .locallyConnected, kernel,
        Space.sizes(
          kernelSize,
          [
            .outputPlaces: places, .inputChannels: try inputs[0].lastAxis(),
            .outputChannels: outputChannels,
          ])),
      ParameterSpec(
        .bias, .vector, Space.layout(.outputChannels),
        Space.sizes(
          SpatialSize(sizes: Array(output.dropLast())), [.outputChannels: outputChannels]),
        isOptional: true),
    ]
  }

  /// y[p, o] = activation(b[p, o] + Σ x[p·s + i, c] · k[p, (i, c), o]) for positions p, taps i and channels c.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let x = inputs[0]
    let shape = try outputShape(for: [Shape(x.shape)])
    guard let size = shape.known, let kernel = parameters[.kernel] else {
      throw .unknownSize(shape)
    }
    let bias = parameters[.bias]
    let channels = x.shape[x.rank - 1]
    var y = try NDArray<Double>(shape: size)
    y.values.withUnsafeMutableBufferPointer { y in
      nonisolated(unsafe) let y = y
      window.forEachPlace(over: x.shape.dropLast()) { place, taps in
        for o in 0..<outputChannels {
          let output = place * outputChannels + o
          var sum = bias?.values[output] ?? 0
          for tap in taps {
            let row = place * taps.count + tap.tap
            for c in 0..<channels {
              sum +=
                x.values[tap.place * channels + c]
                * kernel.values[(row * channels + c) * outputChannels + o]
            }
          }
          y[output] = sum
        }
      }
    }
    return try activation.applied(to: y)
  }
}

/// Locally connected layers over sequences: (length, channels).
public typealias LocallyConnected1D = SpatialLocallyConnected<Line>

/// Locally connected layers over images: (height, width, channels).
public typealias LocallyConnected2D = SpatialLocallyConnected<Plane>

extension SpatialLocallyConnected: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: LocallyConnected2D {
    LocallyConnected2D(
      outputChannels: outputChannels, kernelSize: kernelSize.planar, strides: strides.planar,
      activation: activation.planar)
  }
}
