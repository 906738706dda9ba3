import ModelIR

/// The scalar products of the first input's values along one axis with the second's along another.
public struct Dot: Operator {
  /// The name in documents.
  public static let name = "Dot"

  /// The axis of each input that is summed over, counted without the batch; negative from the end.
  public let axes: [Int]
  /// If the inputs are divided by their lengths along the axes first: what is divided by at least, 1e-7 in
  /// Keras 3, 1e-6 in Keras 2.
  public let smallestNorm: Double?

  /// Products along one axis of each input.
  public init(axes: [Int], smallestNorm: Double? = nil) {
    self.axes = axes
    self.smallestNorm = smallestNorm
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case axes
    case smallestNorm
  }

  /// Reads the attributes; by default lengths stay as they are.
  public init(from decoder: any Decoder) throws {
    let attributes = try decoder.attributes(CodingKeys.self)
    self.init(
      axes: try attributes.decode([Int].self, forKey: .axes),
      smallestNorm: try attributes.decodeIfPresent(Double.self, forKey: .smallestNorm))
  }

  /// Two.
  public var inputCount: ClosedRange<Int> { 2...2 }

  /// Values of two inputs become one.
  public func axisFlow(from inputs: [Shape]) -> AxisFlow { .other }

  /// Products pair values by their places.
  public var orderDependence: OrderDependence { .full }

  /// Sums of products.
  public var valueEffect: ValueEffect { .computed }

  /// The length of the vectors.
  public func fanIn(of inputs: [[Int]]) -> Int {
    inputs[0].isEmpty ? 1 : inputs[0][(axes[0] + inputs[0].count) % inputs[0].count]
  }

  /// The axes of the first input but its own, then those of the second; one of size 1 if none is left.
  public func outputShape(for inputs: [Shape]) throws(NetconvError) -> Shape {
    let places = try places(inputs.map(\.rank))
    let (first, second) = (inputs[0].dimensions[places[0]], inputs[1].dimensions[places[1]])
    guard first == nil || second == nil || first == second else { throw .differentShapes(inputs) }
    let kept = zip(inputs, places).flatMap { input, place in
      input.dimensions.indices.filter { $0 != place }.map { input.dimensions[$0] }
    }
    return Shape(kept.isEmpty ? [1] : kept)
  }

  /// y[i, j] = Σ x₀[i, k] · x₁[j, k], with k along the axes and i and j along all others.
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

  /// The vectors of each input.
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
