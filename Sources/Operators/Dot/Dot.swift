import ModelIR

/// The dot products of two inputs, each along one of its axes.
public struct Dot: Operator {
  /// The operator's name in documents.
  public static let name = "Dot"

  /// The axis of each input to sum over, not counting the batch; negative values count from the end.
  public let axes: [Int]
  /// The lower bound of the norms that vectors are divided by, 1e-7 in Keras 3, 1e-6 in Keras 2; `nil` if they are not
  /// normalised.
  public let smallestNorm: Double?

  /// Creates dot products along one axis of each input.
  public init(axes: [Int], smallestNorm: Double? = nil) {
    self.axes = axes
    self.smallestNorm = smallestNorm
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case axes
    case smallestNorm
  }

  /// Decodes the attributes; by default vectors are not normalised.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      axes: try attributes.decode([Int].self, forKey: .axes),
      smallestNorm: try attributes.decodeIfPresent(Double.self, forKey: .smallestNorm))
  }

  /// Two inputs.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values of two inputs are combined into sums.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Products pair values by their indices.
  public var orderDependence: OrderDependence { .full }

  /// Values are replaced by sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The length of the vectors.
  public func fanIn(of inputs: [[Int]]) -> Int {
    inputs[0].isEmpty ? 1 : inputs[0][(axes[0] + inputs[0].count) % inputs[0].count]
  }

  /// Returns the other axes of the first input, followed by those of the second; one axis of size 1 if there are none.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let places = try places(inputs.map(\.rank))
    let (first, second) = (inputs[0].dimensions[places[0]], inputs[1].dimensions[places[1]])
    guard first == nil || second == nil || first == second else { throw .differentShapes(inputs) }
    let kept = zip(inputs, places).flatMap { input, place in
      input.dimensions.indices.filter { $0 != place }.map { input.dimensions[$0] }
    }
    return Shape(kept.isEmpty ? [1] : kept)
  }

  /// y[i, j] = Σ x₀[i, k] · x₁[j, k], with k along the summed axes and i and j along all others.
  public func evaluate(
    _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> NDArray<Double> {
    let shape = try outputShape(for: inputs.map { Shape($0.shape) })
    guard let output = shape.known else { throw .unknownSize(shape) }
    let slices = try slices(of: inputs.map(\.shape))
    let vectors = zip(inputs, slices).map { input, slices in
      slices.starts.map { start in unit(slices.offsets.map { input.values[start + $0] }) }
    }
    var y = try NDArray<Double>(shape: output)
    for (i, first) in vectors[0].enumerated() {
      for (j, second) in vectors[1].enumerated() {
        y.values[i * vectors[1].count + j] = zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
      }
    }
    return y
  }

  /// Returns the vectors of each input.
  package func slices(of shapes: [[Int]]) throws(NetconvError) -> [AxisSlices] {
    let places = try places(shapes.map(\.count))
    return zip(shapes, places).map { AxisSlices(of: $0, along: [$1]) }
  }

  private func places(_ ranks: [Int]) throws(NetconvError) -> [Int] {
    guard axes.count == 2 else { throw .wrongDotAxes(axes) }
    return [
      try resolve(axis: axes[0], rank: ranks[0]), try resolve(axis: axes[1], rank: ranks[1]),
    ]
  }

  private func unit(_ x: [Double]) -> [Double] {
    guard let smallestNorm else { return x }
    let norm = x.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return x.map { $0 / (norm < smallestNorm ? smallestNorm : norm) }
  }
}

extension NetconvError {
  fileprivate static func wrongDotAxes(_ axes: [Int]) -> NetconvError {
    NetconvError(.badData, "axis is \(axes), expected one axis for each of two inputs")
  }
}
