import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A function applied to the values of a layer, one by one (softmax: along an axis).
public enum ActivationFunction: Sendable, Equatable {
  /// x.
  case linear
  /// 0 below the threshold with slope `negativeSlope`, x above, capped at `maxValue`.
  case relu(maxValue: Double?, negativeSlope: Double, threshold: Double)
  /// x above 0, `negativeSlope` times x below.
  case leakyReLU(negativeSlope: Double)
  /// x above 0, `alpha` times (e^x - 1) below.
  case elu(alpha: Double)
  /// 1 / (1 + e^-x).
  case sigmoid
  /// The hyperbolic tangent.
  case tanh
  /// e^x over the sum of all e^x along `axis`, counted without the batch; negative from the end.
  case softmax(axis: Int)

  /// max(x, 0).
  public static let relu = ActivationFunction.relu(maxValue: nil, negativeSlope: 0, threshold: 0)
  /// min(max(x, 0), 6).
  public static let relu6 = ActivationFunction.relu(maxValue: 6, negativeSlope: 0, threshold: 0)

  /// Whether the function leaves everything as it is.
  public var isLinear: Bool { self == .linear }

  /// The function of one value; of softmax, e^x.
  ///
  /// Source: Keras, `keras.activations` and `keras.layers.ReLU`.
  func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .linear: x
    case .relu(let maxValue, let negativeSlope, let threshold):
      x.isNaN
        ? x
        : x >= threshold
          ? min(x, maxValue ?? .infinity)
          : negativeSlope == 0 ? 0 : negativeSlope * (x - threshold)
    case .leakyReLU(let negativeSlope): x < 0 ? negativeSlope * x : x
    case .elu(let alpha): x < 0 ? alpha * expm1(x) : x
    case .sigmoid: 1 / (1 + exp(-x))
    case .tanh: _tanh(x)
    case .softmax: exp(x)
    }
  }

  /// The function of a whole activation.
  ///
  /// - Throws: `badData` if softmax names an axis that `array` lacks.
  func applied(to array: NDArray<Double>) throws(NetconvError) -> NDArray<Double> {
    guard case .softmax(let axis) = self else { return array.map { self($0) } }
    return softmax(array, axis: try resolve(axis: axis, rank: array.rank))
  }

  /// Checks that the function can be applied to `shape`.
  func check(_ shape: Shape) throws(NetconvError) {
    if case .softmax(let axis) = self { _ = try resolve(axis: axis, rank: shape.rank) }
  }

  private func softmax(_ array: NDArray<Double>, axis: Int) -> NDArray<Double> {
    let stride = array.shape[(axis + 1)...].reduce(1, *)
    let size = array.shape[axis]
    var result = array
    for outer in Swift.stride(from: 0, to: array.count, by: size * stride) {
      for inner in 0..<stride {
        let places = (0..<size).map { outer + inner + $0 * stride }
        let largest = places.map { array.values[$0] }.max() ?? 0
        let sum = places.reduce(0) { $0 + self(array.values[$1] - largest) }
        for place in places { result.values[place] = self(array.values[place] - largest) / sum }
      }
    }
    return result
  }
}

/// The C library's function, under a name that the enum's case does not hide.
private func _tanh(_ x: Double) -> Double { tanh(x) }

/// An axis counted without the batch, negative ones from the end, as an index.
///
/// - Throws: `badData` if there is no such axis.
func resolve(axis: Int, rank: Int) throws(NetconvError) -> Int {
  guard (-rank..<rank).contains(axis) else { throw .axisOutOfRange(axis, rank: rank) }
  return axis < 0 ? axis + rank : axis
}
