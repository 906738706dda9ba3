import ModelIR
import Operators

// Layers with several inputs.

extension MPSCNNPlan {
  /// Combines the first two images, then the result with the next, and so on; intermediate values
  /// are stored as float32.
  mutating func merged(
    _ inputs: [Value], _ combination: MergeCombination, _ layer: Layer
  ) throws(NetconvError) -> Value {
    var value = inputs[0]
    for (index, other) in inputs.dropFirst().enumerated() {
      let result = index == inputs.count - 2 ? layer.name : nil
      switch combination {
      case .sum: value = try arithmetic(.add, value, other, layer, as: result)
      case .difference: value = try arithmetic(.subtract, value, other, layer, as: result)
      case .product: value = try arithmetic(.multiply, value, other, layer, as: result)
      case .quotient: value = try arithmetic(.divide, value, other, layer, as: result)
      case .mean:
        let scale = result == nil ? nil : 1 / Double(inputs.count)
        value = try arithmetic(.add, value, other, layer, scale: scale, as: result)
      case .largest, .smallest:
        let limit: ArithmeticKernel.Limit = combination == .largest ? .atLeastZero : .atMostZero
        let step = try arithmetic(.subtract, other, value, layer, limit: limit, as: nil)
        value = try arithmetic(.add, value, step, layer, as: result)
      }
    }
    guard layer.outputShape.count == value.shape.count else { throw .unlikeImages }
    return value
  }

  /// Adds a kernel that combines two images; axes of size 1 are broadcast.
  private mutating func arithmetic(
    _ operation: ArithmeticKernel.Function, _ first: Value, _ second: Value, _ layer: Layer,
    scale: Double? = nil, limit: ArithmeticKernel.Limit? = nil, as result: String?
  ) throws(NetconvError) -> Value {
    let (a, b) = (first.shape, second.shape)
    let shape = ImageShape(
      height: max(a.height, b.height), width: max(a.width, b.width),
      channels: max(a.channels, b.channels))
    guard let spreadsFirst = a.spread(to: shape), let spreadsSecond = b.spread(to: shape) else {
      throw .unlikeImages
    }
    return add(
      MPSCNNStep(
        layer: layer.name, result: result, suffix: result == nil ? operation.rawValue : "",
        kernel: ArithmeticKernel(
          operation: operation, scale: scale, limit: limit, primary: spreadsFirst,
          secondary: spreadsSecond),
        reads: [first.source, second.source], shape: shape, remark: limit?.remark))
  }

  /// Adds the first image and a multiple of the second.
  mutating func scaledSum(
    _ inputs: [Value], _ operation: ScaledAdd, _ layer: Layer
  ) throws(NetconvError) -> Value {
    guard inputs[0].shape == inputs[1].shape else { throw .unlikeImages }
    return add(
      MPSCNNStep(
        layer: layer.name, result: layer.name,
        kernel: ArithmeticKernel(operation: .add, secondaryScale: operation.scale),
        reads: inputs.map(\.source), shape: inputs[0].shape))
  }
}

extension ImageShape {
  /// The axes along which the image is broadcast to `shape`; `nil` if the shapes are incompatible.
  fileprivate func spread(to shape: ImageShape) -> ArithmeticKernel.Spread? {
    let sizes = [(width, shape.width), (height, shape.height), (channels, shape.channels)]
    guard sizes.allSatisfy({ $0 == $1 || $0 == 1 }) else { return nil }
    let isRepeated = sizes.map { $0 != $1 }
    return ArithmeticKernel.Spread(
      columns: isRepeated[0], rows: isRepeated[1], channels: isRepeated[2])
  }
}

extension ArithmeticKernel.Limit {
  /// The identity by which the operation is computed: MPSCNN has no kernel for the maximum or
  /// minimum.
  fileprivate var remark: String {
    switch self {
    case .atLeastZero: "max(a, b) = a + max(b - a, 0)"
    case .atMostZero: "min(a, b) = a + min(b - a, 0)"
    }
  }
}

extension NetconvError {
  fileprivate static var unlikeImages: NetconvError {
    NetconvError(.badData, "images of different shapes")
  }
}
