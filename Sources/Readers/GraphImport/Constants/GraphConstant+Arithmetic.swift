import ModelIR
import Operators

extension GraphConstant {
  /// Applies a function to constants, which are broadcast.
  ///
  /// Their values may be multiples of the batch size.
  ///
  /// - Throws: `badData` if the shapes cannot be broadcast, or a result depends on the batch size other than as a
  ///   multiple of it.
  static func folded(
    _ function: PointFunction, of constants: [GraphConstant], at path: String
  ) throws(NetconvError) -> GraphConstant {
    guard let first = constants.first, function.arity.contains(constants.count) else {
      throw .missingOperand(constants.count, path)
    }
    if constants.count == 3, function == .select { return try selected(constants, at: path) }
    var shape = first.shape
    for other in constants.dropFirst() { shape = try broadcastShape(shape, other.shape) }
    let count = try foldedCount(of: shape)
    let operands = try constants.map { operand throws(NetconvError) in
      try Spread(operand, over: shape)
    }
    let isInteger = first.type.isInteger
    var numbers: [Double] = []
    var batches: [Double] = []
    numbers.reserveCapacity(count)
    let countsBatches = constants.contains { $0.countsBatches }
    for index in 0..<count {
      let values = operands.map { $0.number(index) }
      if countsBatches {
        let times = operands.map { $0.batch(index) }
        batches.append(try self.times(function, values, times, isInteger: isInteger, at: path))
      }
      if isInteger, function == .divide || function == .floorDivide {
        guard values[1] != 0 else { throw .dividesByZero }
        let quotient = values[0] / values[1]
        numbers.append(quotient.rounded(function == .divide ? .towardZero : .down))
      } else {
        numbers.append(function(values))
      }
    }
    let type = function.isPredicate ? .truth : first.type
    return try GraphConstant(
      numbers, shape: shape, type: type, batches: countsBatches ? batches : nil, path: path
    ).checkedToFit()
  }

  /// The multiple of the batch size in the result of a function of such values.
  private static func times(
    _ function: PointFunction, _ values: [Double], _ times: [Double], isInteger: Bool,
    at path: String
  ) throws(NetconvError) -> Double {
    if times.allSatisfy({ $0 == 0 }) { return 0 }
    switch function {
    case .add: return times[0] + times[1]
    case .subtract: return times[0] - times[1]
    case .multiply where times.contains(0): return times[0] * values[1] + values[0] * times[1]
    case .divide where times[1] == 0 && values[0] == 0,
      .floorDivide where times[1] == 0 && values[0] == 0:
      let quotient = times[0] / values[1]
      guard !isInteger && function == .divide || quotient.rounded() == quotient else {
        throw .countsBatches(path)
      }
      return quotient
    default: throw .countsBatches(path)
    }
  }

  /// The values of the second constant where the first is true, else those of the third.
  private static func selected(
    _ constants: [GraphConstant], at path: String
  ) throws(NetconvError) -> GraphConstant {
    guard !constants[0].countsBatches else { throw .countsBatches(path) }
    if let condition = try constants[0].scalar() { return constants[condition != 0 ? 1 : 2] }
    guard !constants[1].countsBatches, !constants[2].countsBatches else {
      throw .countsBatches(path)
    }
    var shape = constants[0].shape
    for other in constants.dropFirst() { shape = try broadcastShape(shape, other.shape) }
    let operands = try constants.map { operand throws(NetconvError) in
      try Spread(operand, over: shape)
    }
    return GraphConstant(
      (0..<(try foldedCount(of: shape))).map { index in
        operands[operands[0].number(index) != 0 ? 1 : 2].number(index)
      }, shape: shape, type: constants[1].type, path: path)
  }
}

/// A constant that is broadcast to a larger shape.
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

/// The broadcast shape of two arrays.
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

extension NetconvError {
  fileprivate static var dividesByZero: NetconvError {
    NetconvError(.badData, "divides a whole number by zero")
  }
}
