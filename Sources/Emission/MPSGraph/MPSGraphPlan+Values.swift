import ModelIR
import Operators

// Pooling, normalisations and merges.
extension MPSGraphPlan {
  mutating func pooling(
    _ helper: MPSGraphHelper, _ input: Value, _ window: Window2D, _ layer: Layer, _ shape: [Int]
  ) -> Value {
    let call = MPSGraphCall.layer(
      helper, layer.name,
      [
        "window: (width: \(window.size.width), height: \(window.size.height))",
        "stride: \(Self.distance(window.strides))", Self.padding(window, input),
      ])
    // A mean is a sum, so it is computed in float32.
    return added(
      helper == .averagePooling ? call.inFloats : call, input, of: layer, shape: shape)
  }

  /// Adds a reduction, and a reshape if the model does not keep its axes of size 1.
  mutating func globalPooling(
    _ call: MPSGraphCall, _ input: Value, _ layer: Layer, _ shape: [Int]
  ) -> Value {
    guard shape.count < input.shape.count else { return add(call, input, of: layer, shape: shape) }
    var pixel = input.shape.map { _ in 1 }
    pixel[pixel.count - 1] = shape[0]
    return reshaped(
      add(call, input, part: "Pixel", of: layer, shape: pixel), layer, shape)
  }

  /// All axes except those of the batch and the channels.
  static func spatialAxes(_ input: Value) -> String { "axes: \(Array(1..<input.shape.count))" }

  mutating func normalized(
    _ input: Value, _ operation: BatchNormalization, _ layer: Layer, _ shape: [Int]
  ) -> Value {
    let axis = operation.axis < 0 ? operation.axis + shape.count : operation.axis
    // The shape of the parameters: the size of the axis, and 1 elsewhere.
    let numbers = [1] + shape.indices.map { $0 == axis ? shape[$0] : 1 }
    return add(
      .layer(
        .normalization, layer.owner,
        [
          "shape: \(numbers)", "epsilon: \(Float(operation.epsilon))",
          layer.parameter(.gamma) == nil ? "scale: false" : nil,
          layer.parameter(.beta) == nil ? "offset: false" : nil,
        ]
      ).inFloats, input, of: layer, shape: shape)
  }

  /// Adds a normalisation by the statistics of each sample.
  mutating func normalized(
    _ input: Value, _ operation: LayerNormalization, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    guard operation.subtractsMean else { throw .normalizationKeepsMean }
    let axes = try operation.axis.indices(rank: shape.count)
    let numbers = [1] + shape.indices.map { axes.contains($0) ? shape[$0] : 1 }
    return add(
      .layer(
        .layerNormalization, layer.owner,
        [
          "axes: \(axes.map { $0 + 1 })", "shape: \(numbers)",
          "epsilon: \(Float(operation.epsilon))",
          layer.parameter(.gamma) == nil ? "scale: false" : nil,
          layer.parameter(.beta) == nil ? "offset: false" : nil,
        ]
      ).inFloats, input, of: layer, shape: shape)
  }

  /// Adds a normalisation by means and variances of a data set, which are parameters or constants.
  mutating func standardized(
    _ input: Value, _ operation: Normalization, _ layer: Layer, _ shape: [Int]
  ) throws(NetconvError) -> Value {
    let axes =
      operation.axes.isEmpty ? [] : try AxisList(operation.axes).indices(rank: shape.count)
    if let statistics = operation.statistics {
      guard axes.allSatisfy({ $0 == shape.count - 1 }) else { throw .normalizationNotOverChannels }
      let (scale, offset) = statistics.line(invert: operation.invert)
      return line(input, scale: scale, offset: offset, layer, shape)
    }
    let numbers = [1] + shape.indices.map { axes.contains($0) ? shape[$0] : 1 }
    return add(
      .layer(
        .standardized, layer.owner,
        ["shape: \(numbers)", operation.invert ? "invert: true" : nil]
      ).inFloats, input, of: layer, shape: shape)
  }

  /// Adds a scale and an offset that are constants of the model.
  mutating func rescaled(
    _ input: Value, _ operation: Rescaling, _ layer: Layer, _ shape: [Int]
  ) -> Value {
    line(input, scale: operation.scale, offset: operation.offset, layer, shape)
  }

  private mutating func line(
    _ input: Value, scale: [Double], offset: [Double], _ layer: Layer, _ shape: [Int]
  ) -> Value {
    add(
      .helper(
        .rescaled, "scale: " + SwiftText.numbers(scale), "offset: " + SwiftText.numbers(offset)
      ).inFloats, input, of: layer, shape: shape)
  }

  /// Adds the first tensor and a multiple of the second.
  mutating func scaledSum(
    _ inputs: [Value], _ operation: ScaledAdd, _ layer: Layer, _ shape: [Int]
  ) -> Value {
    var product = MPSGraphCall.graph(
      "multiplication",
      "layers.number(\(SwiftText.number(operation.scale)), like: \(inputs[1].name))")
    product.helpers = [.number]
    let scaled = add(product, inputs[1], part: "Scaled", of: layer, shape: shape)
    return add(.graph("addition", scaled.name), inputs[0], [scaled], of: layer, shape: shape)
  }

  /// Adds a rectifier with trained slopes for negative values.
  mutating func rectified(
    _ input: Value, _ operation: PReLU, _ layer: Layer, _ shape: [Int]
  ) -> Value {
    let shared = operation.sharedAxes.map { $0 < 0 ? $0 + shape.count : $0 }
    let slopes = [1] + shape.indices.map { shared.contains($0) ? 1 : shape[$0] }
    return add(
      .layer(.trainedRectifier, layer.owner, ["shape: \(slopes)"]).inFloats, input, of: layer,
      shape: shape)
  }

  /// Adds a scale per channel.
  mutating func scaled(_ input: Value, _ layer: Layer, _ shape: [Int]) -> Value {
    let owner = SwiftText.literal(layer.owner)
    var call = MPSGraphCall.graph(
      "multiplication",
      "layers.parameter(\(owner), \"gamma\", shape: \([shape[shape.count - 1]]))")
    call.helpers = [.parameter]
    call.throwsErrors = true
    return add(call.inFloats, input, of: layer, shape: shape)
  }

  /// Combines the tensors two at a time; sizes of 1 are broadcast, as in the model.
  mutating func merged(
    _ inputs: [Value], _ combination: MergeCombination, _ layer: Layer, _ shape: [Int]
  ) -> Value {
    let function =
      switch combination {
      case .sum, .mean: "addition"
      case .difference: "subtraction"
      case .quotient: "division"
      case .product: "multiplication"
      case .largest: "maximum"
      case .smallest: "minimum"
      }
    var value = inputs[0]
    for (index, input) in inputs.enumerated().dropFirst() {
      let isLast = index == inputs.count - 1 && combination != .mean
      value = add(
        .graph(function, input.name), value, [input], part: isLast ? "" : "Part", of: layer,
        shape: shape)
    }
    guard combination == .mean else { return value }
    var mean = MPSGraphCall.graph(
      "multiplication", "layers.number(1.0 / \(inputs.count), like: \(value.name))")
    mean.helpers = [.number]
    return add(mean, value, of: layer, shape: shape)
  }
}

extension NetconvError {
  fileprivate static var normalizationKeepsMean: NetconvError {
    NetconvError(.badData, "a normalisation that does not subtract the mean")
  }
}
