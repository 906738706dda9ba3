import ModelIR

/// The gradient of a 2-D convolution with respect to its input, with bias and activation.
///
/// Each input pixel adds its kernel, times its value, to the output, `strides` apart.
public struct TransposedConvolution2D: SummingOperator {
  /// The name in documents.
  public static let name = "TransposedConvolution2D"

  /// Output channels.
  public let outputChannels: Int
  /// Rows and columns of the kernel.
  public let kernelSize: Size2D
  /// The distance of two inputs, in output pixels.
  public let strides: Size2D
  /// The distance of two taps, in output pixels.
  public let dilation: Size2D
  /// Whether the output's edges are cut off.
  public let padding: Padding
  /// Rows and columns of the output beyond the smallest; `nil` for the framework's own choice, see ``WindowAxis/transposedCount(_:outputPadding:)``.
  public let outputPadding: Size2D?
  /// Applied to the sum.
  public var activation: ActivationFunction

  /// A transposed convolution of `kernelSize`.
  public init(
    outputChannels: Int, kernelSize: Size2D, strides: Size2D = .one, dilation: Size2D = .one,
    padding: Padding = .valid, outputPadding: Size2D? = nil,
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

  /// Reads the attributes; all but channels and kernel size have defaults.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      outputChannels: try attributes.decode(Int.self, forKey: .outputChannels),
      kernelSize: try attributes.decode(Size2D.self, forKey: .kernelSize),
      strides: try attributes.value(.strides, default: .one),
      dilation: try attributes.value(.dilation, default: .one),
      padding: try attributes.value(.padding, default: .valid),
      outputPadding: try attributes.decodeIfPresent(Size2D.self, forKey: .outputPadding),
      activation: try attributes.value(.activation, default: .linear))
  }

  /// The window of the convolution whose gradient this is: it slides over the output.
  public var window: Window2D {
    Window2D(size: kernelSize, strides: strides, dilation: dilation, padding: padding)
  }

  /// (height, width, channels) to (height', width', outputChannels).
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let input = try inputs[0].image()
    try window.check(sizeName: "kernelSize")
    try checkSizes(("outputChannels", outputChannels))
    if let outputPadding {
      guard (0..<strides.height).contains(outputPadding.height),
        (0..<strides.width).contains(outputPadding.width)
      else { throw .wrongOutputPadding(outputPadding, strides: strides) }
    }
    let output = Shape([
      try length(window.rows, input.height, outputPadding?.height),
      try length(window.columns, input.width, outputPadding?.width), outputChannels,
    ])
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

  /// A kernel, `HWOI`, and a bias.
  public func parameters(for inputs: [Shape]) throws(NetconvError) -> [ParameterSpec] {
    [
      ParameterSpec(
        .kernel, .transposedConvolution, .hwoi,
        [
          .height: kernelSize.height, .width: kernelSize.width,
          .inputChannels: try inputs[0].lastAxis(), .outputChannels: outputChannels,
        ]),
      ParameterSpec(.bias, .vector, .o, [.outputChannels: outputChannels], isOptional: true),
    ]
  }
}

extension WindowAxis {
  /// The pixels that `count` windows are spread over by a transposed convolution.
  ///
  /// - Parameter outputPadding: pixels beyond the smallest number that gives `count` windows (with
  ///   padding `same` and an even extent, less one); `nil` for `count` times the stride with padding `same`,
  ///   and at least one stride for each window with padding `valid`.
  ///
  /// Source: keras/src/backend/common/backend_utils.py, `_get_output_shape_given_tf_padding`.
  public func transposedCount(_ count: Int, outputPadding: Int?) -> Int {
    switch (padding, outputPadding) {
    case (.same, nil): count * stride
    case (.same, let extra?): (count - 1) * stride + extent % 2 + extra
    case (.valid, let extra): (count - 1) * stride + extent + (extra ?? max(0, stride - extent))
    }
  }

  /// The pixels that are cut off before the first when `count` windows are spread over `length` pixels.
  public func transposedPaddingBefore(_ count: Int, length: Int) -> Int {
    switch padding {
    case .valid: 0
    case .same: max(0, (count - 1) * stride + extent - length) / 2
    }
  }
}
