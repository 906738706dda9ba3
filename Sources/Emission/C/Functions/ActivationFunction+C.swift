import ModelIR
import Operators

/// A function of one number as C: an expression of `v`, and its settings.
struct CScalarFunction {
  /// The name of the function of emitted code.
  let name: String
  /// The expression.
  let expression: String
  /// The settings that the function has as parameters, by name.
  var settings: [(name: String, value: Double)] = []

  /// The statements that apply the function to `count` values in place.
  func pass(_ count: Int) -> CPass {
    let parameters = settings.map { ", float \($0.name)" }.joined()
    let definition = CFunction(
      name,
      """
      static void \(name)(float *x, int count\(parameters))
      {
          for (int i = 0; i < count; i++) {
              const float v = x[i];
              x[i] = \(expression);
          }
      }
      """)
    let arguments = settings.map { ", \(CText.literal($0.value))" }.joined()
    return CPass(functions: [definition]) { ["\(name)(\($0), \(count)\(arguments));"] }
  }
}

extension ActivationFunction {
  /// Returns the statements that apply the function to values of `shape` in place; `nil` for none.
  ///
  /// - Throws: `badData` for a function along axes that are not adjacent.
  func cPass(_ shape: [Int]) throws(NetconvError) -> CPass? {
    guard !isLinear else { return nil }
    guard let axis else { return scalar.pass(shape.reduce(1, *)) }
    let slices = try CAxes(axis, of: shape)
    let function = if case .softmax = self { CFunction.softmax } else { CFunction.logSoftmax }
    return CPass(functions: [function]) {
      ["\(function.name)(\($0), \(slices.outer), \(slices.count), \(slices.inner));"]
    }
  }

  /// The function of one number.
  private var scalar: CScalarFunction {
    switch self {
    case .linear, .softmax, .logSoftmax: preconditionFailure("has no value alone")
    case .relu(nil, 0, 0): .init(name: "apply_relu", expression: "v < 0.0f ? 0.0f : v")
    case .relu(let maximum, 0, let threshold):
      .init(
        name: "apply_clipped_relu",
        expression: "v < threshold ? 0.0f : v > maximum ? maximum : v",
        settings: [("threshold", threshold), ("maximum", maximum ?? .infinity)])
    case .relu(let maximum, let slope, let threshold):
      .init(
        name: "apply_general_relu",
        expression: "v < threshold ? slope * (v - threshold) : v > maximum ? maximum : v",
        settings: [
          ("threshold", threshold), ("slope", slope), ("maximum", maximum ?? .infinity),
        ])
    case .leakyReLU(let slope):
      .init(
        name: "apply_leaky_relu", expression: "v < 0.0f ? slope * v : v",
        settings: [("slope", slope)])
    case .elu(let alpha):
      .init(
        name: "apply_elu", expression: "v < 0.0f ? alpha * expm1f(v) : v",
        settings: [("alpha", alpha)])
    case .celu(let alpha):
      .init(
        name: "apply_celu", expression: "v < 0.0f ? alpha * expm1f(v / alpha) : v",
        settings: [("alpha", alpha)])
    case .selu:
      .init(
        name: "apply_selu",
        expression:
          "\(CText.literal(Self.seluScale)) * (v < 0.0f ? \(CText.literal(Self.seluAlpha)) * expm1f(v) : v)"
      )
    case .hardSigmoid(let slope):
      .init(
        name: "apply_hard_sigmoid",
        expression: "slope * v < -0.5f ? 0.0f : slope * v > 0.5f ? 1.0f : slope * v + 0.5f",
        settings: [("slope", slope)])
    case .gelu(true):
      .init(
        name: "apply_approximate_gelu",
        expression: """
          v < -10.0f ? 0.0f
                      : 0.5f * v * (1.0f + tanhf(0.7978846f * (v + 0.044715f * v * v * v)))
          """)
    case .hardShrink(let threshold):
      .init(
        name: "apply_hard_shrink", expression: "fabsf(v) <= threshold ? 0.0f : v",
        settings: [("threshold", threshold)])
    case .softShrink(let threshold):
      .init(
        name: "apply_soft_shrink",
        expression: """
          v > threshold ? v - threshold : v < -threshold ? v + threshold : v != v ? v : 0.0f
          """, settings: [("threshold", threshold)])
    case .squareplus(let b):
      .init(
        name: "apply_squareplus", expression: "(v + sqrtf(v * v + b)) * 0.5f",
        settings: [("b", b)])
    case .threshold(let threshold, let value):
      .init(
        name: "apply_threshold", expression: "v <= threshold ? value : v",
        settings: [("threshold", threshold), ("value", value)])
    default: plain
    }
  }

  /// The functions without settings.
  private var plain: CScalarFunction {
    let softplus = "(v > 0.0f ? v + log1pf(expf(-v)) : log1pf(expf(v)))"
    let (name, expression): (String, String) =
      switch self {
      case .sigmoid: ("sigmoid", "1.0f / (1.0f + expf(-v))")
      case .sparseSigmoid:
        ("sparse_sigmoid", "v < -1.0f ? 0.0f : v > 1.0f ? 1.0f : (v + 1.0f) * 0.5f")
      case .logSigmoid: ("log_sigmoid", "v > 0.0f ? -log1pf(expf(-v)) : v - log1pf(expf(v))")
      case .tanh: ("tanh", "tanhf(v)")
      case .hardTanh: ("hard_tanh", "v < -1.0f ? -1.0f : v > 1.0f ? 1.0f : v")
      case .tanhShrink: ("tanh_shrink", "v - tanhf(v)")
      case .silu: ("silu", "v < -100.0f ? 0.0f : v / (1.0f + expf(-v))")
      case .hardSilu:
        ("hard_silu", "v <= -3.0f ? 0.0f : v >= 3.0f ? v : v * ((v + 3.0f) / 6.0f)")
      case .gelu: ("gelu", "v < -20.0f ? 0.0f : 0.5f * v * erfcf(v * -0.70710677f)")
      case .mish: ("mish", "v < -100.0f ? 0.0f : v * tanhf(\(softplus))")
      case .exponential: ("exponential", "expf(v)")
      case .softplus: ("softplus", softplus)
      case .sparsePlus:
        ("sparse_plus", "v <= -1.0f ? 0.0f : v < 1.0f ? (v + 1.0f) * (v + 1.0f) * 0.25f : v")
      case .softsign: ("softsign", "v / (1.0f + fabsf(v))")
      default: preconditionFailure("\(self) has settings")
      }
    return CScalarFunction(name: "apply_" + name, expression: expression)
  }
}

/// Adjacent axes of an array as three sizes.
struct CAxes {
  /// The number of slices in front of the axes.
  let outer: Int
  /// The number of values along them.
  let count: Int
  /// The number of values behind them, which is the distance of neighbours.
  let inner: Int

  /// Creates the sizes for `axes` of `shape`.
  ///
  /// - Throws: `badData` for axes that are not adjacent.
  init(_ axes: AxisList, of shape: [Int]) throws(NetconvError) {
    let indices = try axes.indices(rank: shape.count)
    let (first, last) = (indices[0], indices[indices.count - 1])
    guard last - first + 1 == indices.count else { throw .scatteredAxes(axes.axes) }
    outer = shape[..<first].reduce(1, *)
    count = shape[first...last].reduce(1, *)
    inner = shape[(last + 1)...].reduce(1, *)
  }
}

extension NetconvError {
  fileprivate static func scatteredAxes(_ axes: [Int]) -> NetconvError {
    NetconvError(.badData, "works along the axes \(axes), which are not adjacent")
  }
}
