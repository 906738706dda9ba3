import ModelIR

/// A transposed convolution: the gradient of a convolution with respect to its input, with bias and activation.
///
/// Each input position adds its kernel, times its value, to the output, `strides` apart.
public struct SpatialTransposedConvolution<Space: SpatialAxes>: SummingOperator {
  /// The operator's name in documents, such as `TransposedConvolution2D`.
  public static var name: String { Space.name("TransposedConvolution") }

  /// The number of output channels.
  public let outputChannels: Int
  /// The size of the kernel.
  public let kernelSize: SpatialSize<Space>
  /// The stride: the distance between inputs, in output positions.
  public let strides: SpatialSize<Space>
  /// The dilation: the distance between taps, in output positions.
  public let dilation: SpatialSize<Space>
  /// The padding, which is cut off at the output's edges.
  public let padding: Padding
  /// The number of output positions beyond the minimum; `nil` for the framework's default, see
  /// ``WindowAxis/transposedCount(_:outputPadding:)``.
  public let outputPadding: SpatialSize<Space>?
  /// The activation function, applied to the sum.
  public var activation: ActivationFunction

  /// Creates a transposed convolution with kernels of `kernelSize`.
  public init(
    outputChannels: Int, kernelSize: SpatialSize<Space>, strides: SpatialSize<Space> = .one,
    dilation: SpatialSize<Space> = .one,
    padding: Padding = .valid, outputPadding: SpatialSize<Space>? = nil,
    activation: ActivationFunction = .linear
  ) {
    self.outputChannels = outputChannels
    self.kernelSize = kernelSize
    self.strides = strides
    self.dilation = dilation
    self.padding = padding
    self.outputPadding = outputPadding
    self.activation = activation
  }

  /// The only kernel.
  public static var summedKernel: ParameterRole { .kernel }

  /// The last axis.
  public static var outputAxes: [Axis] { [.outputChannels] }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case outputChannels
    case kernelSize
    case strides
    case dilation
    case padding
    case outputPadding
    case activation
  }

  /// Decodes the attributes; all but channels and kernel size have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels),
      kernelSize: try attributes.decode(SpatialSize<Space>.self, forKey: .kernelSize),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      padding: try attributes.value(.padding, default: .valid),
      outputPadding: try attributes.decodeIfPresent(
        SpatialSize<Space>.self, forKey: .outputPadding),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// The window of the convolution whose gradient this is; it slides over the output.
  public var window: Window<Space> {
    Window<Space>(size: kernelSize, strides: strides, dilation: dilation, padding: padding)
  }

  /// Returns the shape: (…, channels) becomes (…, outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].spatial(Space.self)
    guard padding != .causal, padding != .sameLower else { throw .causalTransposedConvolution }
    try window.check(sizeName: "kernelSize")
    try checkSizes(("outputChannels", outputChannels))
    if let outputPadding {
      guard zip(outputPadding.sizes, strides.sizes).allSatisfy({ (0..<$1).contains($0) }) else {
        throw .wrongOutputPadding(outputPadding, strides: strides)
      }
    }
    var lengths: [Int?] = []
    for (index, axis) in window.axes.enumerated() {
      lengths.append(try length(axis, input.lengths[index], outputPadding?.sizes[index]))
    }
    let output = Shape(lengths + [outputChannels])
    try activation.check(output)
    return output
  }

  private func length(
    _ axis: WindowAxis, _ count: Int?, _ outputPadding: Int?
  ) throws(NetconvError) -> Int? {
    guard let count else { return nil }
    let length = axis.transposedCount(count, outputPadding: outputPadding)
    guard axis.count(in: length) == count else {
      throw .noTransposedConvolution(length, windows: count, stride: axis.stride)
    }
    return length
  }

  /// Returns the kernel, `HWOI` or `WOI`, and the bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    [
      ParameterSpec(
        .kernel, .transposedConvolution, Space.layout(.outputChannels, .inputChannels),
        Space.sizes(
          kernelSize,
          [.inputChannels: try inputs[0].lastAxis(), .outputChannels: outputChannels])),
      ParameterSpec(.bias, .vector, .o, [.outputChannels: outputChannels], isOptional: true),
    ]
  }
}

/// Transposed convolution of sequences: (length, channels).
public typealias TransposedConvolution1D = SpatialTransposedConvolution<Line>

/// Transposed convolution of images: (height, width, channels).
public typealias TransposedConvolution2D = SpatialTransposedConvolution<Plane>

/// Transposed convolution of volumes: (depth, height, width, channels).
public typealias TransposedConvolution3D = SpatialTransposedConvolution<Volume>

extension SpatialTransposedConvolution: LineOperator where Space == Line {
  /// The equivalent for images with one row.
  package var planar: TransposedConvolution2D {
    TransposedConvolution2D(
      outputChannels: outputChannels, kernelSize: kernelSize.planar, strides: strides.planar,
      dilation: dilation.planar, padding: padding.planar,
      outputPadding: outputPadding.map { Size2D(0, $0.length) }, activation: activation.planar)
  }
}

extension WindowAxis {
  /// Returns the output size of a transposed convolution with `count` windows.
  ///
  /// - Parameter outputPadding: the number of pixels beyond the smallest size with `count` windows (with padding `same`
  ///   and an even extent, less one); `nil` for `count` times the stride with padding `same`, and at least one stride
  ///   for each window with padding `valid`.
  ///
  /// Source: keras/src/backend/common/backend_utils.py, `_get_output_shape_given_tf_padding`.
  public func transposedCount(_ count: Int, outputPadding: Int?) -> Int {
    switch (padding, outputPadding) {
    case (.same, nil): count * stride
    case (.same, let extra?): (count - 1) * stride + extent % 2 + extra
    case (.amounts, let extra):
      (count - 1) * stride + extent - paddingBefore(0) - paddingBehind + (extra ?? 0)
    case (.valid, let extra), (.causal, let extra), (.sameLower, let extra):
      (count - 1) * stride + extent + (extra ?? max(0, stride - extent))
    }
  }

  /// Returns the number of pixels cut off before the first, for `count` windows and `length` output pixels.
  public func transposedPaddingBefore(_ count: Int, length: Int) -> Int {
    switch padding {
    case .valid, .causal, .sameLower: 0
    case .amounts: paddingBefore(length)
    case .same: max(0, (count - 1) * stride + extent - length) / 2
    }
  }
}

extension NetconvError {
  fileprivate static func wrongOutputPadding<Space>(
    _ padding: SpatialSize<Space>, strides: SpatialSize<Space>
  ) -> NetconvError {
    func text(_ size: SpatialSize<Space>) -> String {
      size.sizes.map { "\($0)" }.joined(separator: " x ")
    }
    return NetconvError(
      .badData,
      "outputPadding is \(text(padding)), expected less than the strides, \(text(strides))")
  }

  fileprivate static var causalTransposedConvolution: NetconvError {
    NetconvError(
      .badData,
      "padding is causal, which a transposed convolution does not have; expected same, valid or a list of sides"
    )
  }

  fileprivate static func noTransposedConvolution(
    _ length: Int, windows: Int, stride: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the output would have a side of \(length), which \(windows) windows with a stride of "
        + "\(stride) do not cover; a larger outputPadding would")
  }
}
