import ModelIR
import Operators

/// Computes what follows from constants alone: shape arithmetic, spelled-out normalisations, turned kernels.
enum ConstantFolding {
  /// What a node gives whose inputs are all constant.
  ///
  /// - Returns: `nil` if some input is not, or the operation is none of these.
  /// - Throws: `badData` if the operation cannot be applied to its inputs.
  static func results(
    of node: MappedNode
  ) throws(NetconvError) -> [GraphResult]? {
    var inputs: [GraphConstant] = []
    for input in node.inputs {
      guard case .constant(let constant) = input else { return nil }
      inputs.append(constant)
    }
    guard let folded = try folded(node, inputs) else { return nil }
    return folded.map { .constant($0) }
  }

  /// The operations that are computed where their inputs are constant.
  static let names: Set<String> = Set<String>(unary.keys).union(FoldedBinary.names)
    .union(FoldedArrangement.names)

  /// Whether an operation is one of these.
  static func knows(_ operation: String) -> Bool { names.contains(operation) }

  private static func folded(
    _ node: MappedNode, _ inputs: [GraphConstant]
  ) throws(NetconvError) -> [GraphConstant]? {
    guard let first = inputs.first else { return nil }
    if inputs.count == 1 {
      if let function = unary[node.operation] {
        guard !first.countsBatches else { throw .countsBatches(node.name) }
        return [
          GraphConstant(
            try first.numbers().map(function), shape: first.shape, type: first.type,
            path: node.name)
        ]
      }
    } else if inputs.count == 2, let function = FoldedBinary(node.operation) {
      return [try function.applied(to: inputs[0], inputs[1], at: node.name)]
    }
    return try FoldedArrangement(node: node, inputs: inputs).results()
  }

  private static let unary: [String: @Sendable (Double) -> Double] = [
    "Abs": { abs($0) }, "Ceil": { $0.rounded(.up) }, "Exp": { exponential($0) },
    "Floor": { $0.rounded(.down) }, "Inv": { 1 / $0 }, "Log": { logarithm($0) },
    "LogicalNot": { $0 == 0 ? 1 : 0 }, "Neg": { -$0 }, "OnesLike": { _ in 1 },
    "Reciprocal": { 1 / $0 }, "Round": { $0.rounded(.toNearestOrEven) },
    "Rsqrt": { 1 / $0.squareRoot() }, "Sign": { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 },
    "Sqrt": { $0.squareRoot() }, "Square": { $0 * $0 }, "ZerosLike": { _ in 0 },
  ]
}

/// An operation of two arrays of which the smaller is repeated.
struct FoldedBinary {
  private enum Kind {
    /// The sum, or the difference.
    case sum(sign: Double)
    case product
    case quotient(isWhole: Bool)
    case other(@Sendable (Double, Double) -> Double)
    case comparison(@Sendable (Double, Double) -> Bool)
  }

  private let kind: Kind

  /// The operation of this name, if it is one.
  init?(_ name: String) {
    guard let kind = Self.kinds[name] else { return nil }
    self.kind = kind
  }

  /// The operations that there are.
  static var names: [String] { Array(kinds.keys) }

  private static let kinds: [String: Kind] = [
    "Add": .sum(sign: 1), "AddV2": .sum(sign: 1), "Sub": .sum(sign: -1), "Mul": .product,
    "RealDiv": .quotient(isWhole: false), "Div": .quotient(isWhole: false),
    "FloorDiv": .quotient(isWhole: true),
    "Maximum": .other { max($0, $1) }, "Minimum": .other { min($0, $1) },
    "Pow": .other { power($0, $1) },
    "FloorMod": .other { $1 == 0 ? .nan : $0 - ($0 / $1).rounded(.down) * $1 },
    "SquaredDifference": .other { ($0 - $1) * ($0 - $1) },
    "Equal": .comparison { $0 == $1 }, "NotEqual": .comparison { $0 != $1 },
    "Less": .comparison { $0 < $1 }, "LessEqual": .comparison { $0 <= $1 },
    "Greater": .comparison { $0 > $1 }, "GreaterEqual": .comparison { $0 >= $1 },
    "LogicalAnd": .comparison { $0 != 0 && $1 != 0 },
    "LogicalOr": .comparison { $0 != 0 || $1 != 0 },
  ]

  /// The result, of which values may count batches as those of the inputs do.
  func applied(
    to first: GraphConstant, _ second: GraphConstant, at path: String
  ) throws(NetconvError) -> GraphConstant {
    let shape = try broadcastShape(first.shape, second.shape)
    let count = try foldedCount(of: shape)
    let x = try Spread(first, over: shape)
    let y = try Spread(second, over: shape)
    var numbers: [Double] = []
    var batches: [Double]?
    let isWhole = first.type.isInteger
    numbers.reserveCapacity(count)
    for index in 0..<count {
      let (a, b) = (x.number(index), y.number(index))
      let (m, n) = (x.batch(index), y.batch(index))
      let isPlain = m == 0 && n == 0
      switch kind {
      case .sum(let sign):
        numbers.append(a + sign * b)
        if !isPlain { set(&batches, index, m + sign * n, count) }
      case .product:
        guard m == 0 || n == 0 else { throw .countsBatches(path) }
        numbers.append(a * b)
        if !isPlain { set(&batches, index, m * b + a * n, count) }
      case .quotient(let isFloor):
        guard n == 0, m == 0 || a == 0 else { throw .countsBatches(path) }
        if isWhole || isFloor {
          guard b != 0 else { throw .dividesByZero }
          guard (m / b).rounded() == m / b else { throw .countsBatches(path) }
          numbers.append((a / b).rounded(isFloor ? .down : .towardZero))
        } else {
          numbers.append(a / b)
        }
        if !isPlain { set(&batches, index, m / b, count) }
      case .other(let function):
        guard isPlain else { throw .countsBatches(path) }
        numbers.append(function(a, b))
      case .comparison(let function):
        guard isPlain else { throw .countsBatches(path) }
        numbers.append(function(a, b) ? 1 : 0)
      }
    }
    var type = first.type
    if case .comparison = kind { type = .bool }
    return try GraphConstant(numbers, shape: shape, type: type, batches: batches, path: path)
      .checkedToFit()
  }

  private func set(_ batches: inout [Double]?, _ index: Int, _ value: Double, _ count: Int) {
    if batches == nil { batches = [Double](repeating: 0, count: count) }
    batches?[index] = value
  }
}

/// A constant as a larger shape sees it.
private struct Spread {
  private let numbers: [Double]
  private let batches: [Double]?
  private let places: BroadcastPlaces

  init(_ constant: GraphConstant, over shape: [Int]) throws(NetconvError) {
    numbers = try constant.numbers()
    batches = constant.batches
    let missing = [Int](repeating: 1, count: shape.count - constant.shape.count)
    places = BroadcastPlaces(of: missing + constant.shape, in: shape)
  }

  func number(_ index: Int) -> Double { numbers[places[index]] }

  func batch(_ index: Int) -> Double { batches?[places[index]] ?? 0 }
}

/// The shape of the result of an operation of two arrays.
func broadcastShape(_ first: [Int], _ second: [Int]) throws(NetconvError) -> [Int] {
  var shape: [Int] = []
  for offset in 0..<max(first.count, second.count) {
    let a = offset < first.count ? first[first.count - 1 - offset] : 1
    let b = offset < second.count ? second[second.count - 1 - offset] : 1
    guard a == b || a == 1 || b == 1 else { throw .shapesDiffer(first, second) }
    shape.insert(a == 1 ? b : a, at: 0)
  }
  return shape
}
