import ModelIR
import Operators

// Convolutions, fully-connected layers and their activations.
extension MPSGraphPlan {
  mutating func convolution(
    _ input: Value, _ operation: Convolution2D, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    let window = operation.window
    let kernel = [
      window.size.height, window.size.width, input.shape[2] / operation.groups,
      operation.outputChannels,
    ]
    return try summed(
      .layer(
        .convolution, layer.owner,
        ["kernel: \(kernel)"] + Self.steps(window)
          + [
            operation.groups == 1 ? nil : "groups: \(operation.groups)",
            Self.padding(window, input), Self.bias(layer),
          ]), input, operation.activation, layer, shape)
  }

  mutating func depthwise(
    _ input: Value, _ operation: DepthwiseConvolution2D, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    let window = operation.window
    let kernel = [
      window.size.height, window.size.width, input.shape[2], operation.depthMultiplier,
    ]
    return try summed(
      .layer(
        .depthwiseConvolution, layer.owner,
        ["kernel: \(kernel)"] + Self.steps(window)
          + [Self.padding(window, input), Self.bias(layer)]), input, operation.activation, layer,
      shape)
  }

  mutating func transposed(
    _ input: Value, _ operation: TransposedConvolution2D, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    let (window, result) = (operation.window, shape.planar)
    let kernel = [
      window.size.height, window.size.width, operation.outputChannels, input.shape[2],
    ]
    let rows = window.rows.transposedPadding(input.shape[0], length: result[0])
    let columns = window.columns.transposedPadding(input.shape[1], length: result[1])
    return try summed(
      .layer(
        .transposedConvolution, layer.owner,
        ["kernel: \(kernel)", "size: (width: \(result[1]), height: \(result[0]))"]
          + Self.steps(window) + [Self.padding(rows, columns), Self.bias(layer)]), input,
      operation.activation, layer, shape)
  }

  /// Adds a depthwise and a pointwise convolution.
  mutating func separable(
    _ input: Value, _ operation: SeparableConvolution2D, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    let window = operation.window
    let channels = input.shape[2] * operation.depthMultiplier
    let kernel = [
      window.size.height, window.size.width, input.shape[2], operation.depthMultiplier,
    ]
    let between = add(
      .layer(
        .depthwiseConvolution, layer.owner,
        ["role: \"depthwise\"", "kernel: \(kernel)"] + Self.steps(window)
          + [Self.padding(window, input), "bias: false"]), input, part: "Depthwise", of: layer,
      shape: shape.planar.dropLast() + [channels])
    return try summed(
      .layer(
        .convolution, layer.owner,
        [
          "role: \"pointwise\"", "kernel: \([1, 1, channels, operation.outputChannels])",
          Self.bias(layer),
        ]), between, operation.activation, layer, shape)
  }

  mutating func dense(
    _ input: Value, _ operation: Dense, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    try summed(
      .layer(
        .fullyConnected, layer.owner,
        [
          "kernel: \([input.shape[input.shape.count - 1], operation.units])",
          input.shape.count == 1 ? nil : "positions: \(Array(input.shape.dropLast()))",
          Self.bias(layer),
        ]), input, operation.activation, layer, shape)
  }

  /// Adds a layer that sums, and its activation.
  private mutating func summed(
    _ call: MPSGraphCall, _ input: Value, _ function: ActivationFunction, _ layer: Layer,
    _ shape: [Int]
  ) throws(NetconvError) -> Value {
    guard !function.isLinear else { return added(call, input, of: layer, shape: shape) }
    let sums = added(call, input, part: "Sums", of: layer, shape: shape)
    return try activated(function, sums, layer, shape)
  }

  mutating func activated(
    _ function: ActivationFunction, _ input: Value, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    guard let call = try MPSGraphCall(function, rank: shape.count) else { return input }
    return add(call, input, of: layer, shape: shape)
  }

  // MARK: - Arguments

  /// The arguments `stride` and `dilation`, if they are not 1.
  static func steps(_ window: Window2D) -> [String?] {
    [
      window.strides == .one ? nil : "stride: \(distance(window.strides))",
      window.dilation == .one ? nil : "dilation: \(distance(window.dilation))",
    ]
  }

  static func distance(_ size: Size2D) -> String { "(x: \(size.width), y: \(size.height))" }

  /// The explicit padding of each side.
  static func padding(_ window: Window2D, _ input: Value) -> String? {
    let (height, width) = (input.shape[0], input.shape[1])
    return padding(
      (window.rows.paddingBefore(height), window.rows.paddingAfter(height)),
      (window.columns.paddingBefore(width), window.columns.paddingAfter(width)))
  }

  private static func padding(
    _ rows: (before: Int, after: Int), _ columns: (before: Int, after: Int)
  ) -> String? {
    guard [rows.before, rows.after, columns.before, columns.after].contains(where: { $0 > 0 })
    else { return nil }
    return "padding: (left: \(columns.before), right: \(columns.after), "
      + "top: \(rows.before), bottom: \(rows.after))"
  }

  private static func bias(_ layer: Layer) -> String? {
    layer.parameter(.bias) == nil ? "bias: false" : nil
  }
}

extension WindowAxis {
  /// The padding cut off before the first and after the last of `length` pixels, for `count`
  /// windows of a transposed convolution.
  fileprivate func transposedPadding(_ count: Int, length: Int) -> (before: Int, after: Int) {
    let before = transposedPaddingBefore(count, length: length)
    return (before, max(0, (count - 1) * stride + extent - length - before))
  }
}
