import ModelIR
import Operators

/// An elementwise function of graph operations.
///
/// It is used to fold constants, and to recognise activations that are written as several operations.
enum PointFunction: Sendable {
  // Functions of one value.
  case ceiling, exponential, floor, negative, not, one, relu, relu6, round, selu, sigmoid, sign
  case softplus, softsign, square, tanh, truncate, zero
  /// A function with a layer of its own that is not an activation.
  case elementwise(Elementwise.Function)
  /// A leaky rectifier, with its slope for negative values.
  case leakyReLU(slope: Double)
  /// alpha · (exp(x) - 1) for negative x.
  case elu(alpha: Double)
  /// slope · x + offset, clamped to the range from 0 to 1.
  case hardSigmoid(slope: Double, offset: Double)
  // Functions of two values.
  case add, and, divide, equal, floorDivide, floorModulo, greater, greaterOrEqual, less
  /// The remainder with the sign of the dividend.
  case remainder
  case lessOrEqual, maximum, minimum, multiply, notEqual, or, power, squaredDifference, subtract
  /// The second value where the first is true, else the third.
  case select
  /// The first value, clamped to at least the second and at most the third.
  case clip
  /// The sum of any count of values.
  case sum
}

extension PointFunction: Equatable {
  /// The permitted counts of operands.
  var arity: ClosedRange<Int> {
    switch self {
    case .ceiling, .elementwise, .elu, .exponential, .floor, .hardSigmoid, .leakyReLU, .negative,
      .not, .one, .relu, .relu6, .round, .selu, .sigmoid, .sign, .softplus, .softsign, .square,
      .tanh, .truncate, .zero:
      1...1
    case .add, .and, .divide, .equal, .floorDivide, .floorModulo, .greater, .greaterOrEqual, .less,
      .lessOrEqual, .maximum, .minimum, .multiply, .notEqual, .or, .power, .remainder,
      .squaredDifference, .subtract:
      2...2
    case .select, .clip: 3...3
    case .sum: 1...Int.max
    }
  }

  /// The function of an elementwise layer; `nil` if there is none, or for an activation.
  var elementwise: Elementwise.Function? {
    switch self {
    case .elementwise(let function): function
    case .ceiling: .ceiling
    case .floor: .floor
    case .not: .not
    case .round: .round
    case .sign: .sign
    case .truncate: .truncate
    default: nil
    }
  }

  /// The function of a pairwise layer; `nil` if there is none, or a sum, product or extremum layer computes it.
  var pairwise: Pairwise.Function? {
    switch self {
    case .and: .and
    case .equal: .equal
    case .floorDivide: .floorQuotient
    case .floorModulo: .modulo
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .notEqual: .notEqual
    case .or: .or
    case .power: .power
    case .remainder: .remainder
    default: nil
    }
  }

  /// True if the results are truth values.
  var isPredicate: Bool {
    switch self {
    case .and, .equal, .greater, .greaterOrEqual, .less, .lessOrEqual, .not, .notEqual, .or: true
    default: false
    }
  }

  /// Evaluates the function in double precision.
  ///
  /// - Precondition: the count of values is in ``arity``.
  func callAsFunction(_ x: [Double]) -> Double {
    switch self {
    case .ceiling: x[0].rounded(.up)
    case .elementwise(let function): Elementwise(function)(x[0])
    case .exponential: Readers.exponential(x[0])
    case .floor: x[0].rounded(.down)
    case .negative: -x[0]
    case .not: x[0] == 0 ? 1 : 0
    case .one: 1
    case .relu: max(x[0], 0)
    case .relu6: min(max(x[0], 0), 6)
    case .round: x[0].rounded(.toNearestOrEven)
    case .selu: selu(x[0])
    case .sigmoid: logisticSigmoid(x[0])
    case .sign: x[0] > 0 ? 1 : x[0] < 0 ? -1 : x[0]
    case .softplus: Readers.softplus(x[0])
    case .softsign: x[0] / (1 + abs(x[0]))
    case .square: x[0] * x[0]
    case .tanh: Readers.hyperbolicTangent(x[0])
    case .truncate: x[0].rounded(.towardZero)
    case .zero: 0
    case .leakyReLU(let slope): x[0] < 0 ? slope * x[0] : x[0]
    case .elu(let alpha): x[0] < 0 ? alpha * Readers.exponentialMinusOne(x[0]) : x[0]
    case .hardSigmoid(let slope, let offset): min(max(slope * x[0] + offset, 0), 1)
    case .add: x[0] + x[1]
    case .and: x[0] != 0 && x[1] != 0 ? 1 : 0
    case .divide: x[0] / x[1]
    case .equal: x[0] == x[1] ? 1 : 0
    case .floorDivide: (x[0] / x[1]).rounded(.down)
    case .floorModulo: x[1] == 0 ? .nan : x[0] - (x[0] / x[1]).rounded(.down) * x[1]
    case .greater: x[0] > x[1] ? 1 : 0
    case .greaterOrEqual: x[0] >= x[1] ? 1 : 0
    case .less: x[0] < x[1] ? 1 : 0
    case .lessOrEqual: x[0] <= x[1] ? 1 : 0
    case .maximum: max(x[0], x[1])
    case .minimum: min(x[0], x[1])
    case .multiply: x[0] * x[1]
    case .notEqual: x[0] != x[1] ? 1 : 0
    case .or: x[0] != 0 || x[1] != 0 ? 1 : 0
    case .power: Readers.power(x[0], x[1])
    case .squaredDifference: (x[0] - x[1]) * (x[0] - x[1])
    case .remainder: x[0].truncatingRemainder(dividingBy: x[1])
    case .subtract: x[0] - x[1]
    case .select: x[0] != 0 ? x[1] : x[2]
    case .clip: min(max(x[0], x[1]), x[2])
    case .sum: x.reduce(0, +)
    }
  }

  private func selu(_ x: Double) -> Double {
    ActivationFunction.seluScale
      * (x < 0 ? ActivationFunction.seluAlpha * Readers.exponentialMinusOne(x) : x)
  }
}
