import ModelIR
import Operators

/// LSTM layers, which store a matrix per gate.
///
/// The interpreter keeps the states between runs until they are reset; netconv initialises them to zero.
///
/// Source: tensorflow/lite/kernels/unidirectional_sequence_lstm.cc.
enum TFLiteRecurrence: TFLiteOperation {
  static let names = ["UNIDIRECTIONAL_SEQUENCE_LSTM"]
  static let operators: [any Operator.Type] = [LSTM.self]
  static let refused = [
    "gates that see the cell, share a gate or are normalised", "projections",
    "other activations than TANH", "states that are fed",
  ]

  private enum Place {
    static let kernels = 1...4
    static let recurrent = 5...8
    static let biases = 12...15
    static let states = 18...19
    /// Peephole weights, projections and layer normalisation.
    static let others = [9, 10, 11, 16, 17, 20, 21, 22, 23]
  }

  /// Returns true if an input is a state variable, which the operator updates.
  static func isState(_ place: Int, of node: TFLiteOperator, _ tensor: TFLiteTensor?) -> Bool {
    names.contains(node.name) && Place.states.contains(place) && tensor?.isVariable ?? false
  }

  static func results(
    of node: MappedTFLiteNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let options = try node.options(71)
    let limit = try options.number(1)
    guard try options.choice(0) == 4, limit >= 0, try options.number(2) == 0,
      try !options.flag(5), Place.others.allSatisfy({ node.optional($0) == nil }),
      Place.states.allSatisfy({ node.optional($0) == nil })
    else { throw .unreadUse("one of: \(refused.joined(separator: ", "))") }
    let recurrent = try joined(Place.recurrent, rank: 2, node)
    let units = recurrent.shape[1]
    let bias = try joined(Place.biases, rank: 1, node)
    let zeros = GraphConstant(
      [Double](repeating: 0, count: bias.count), shape: bias.shape, type: .float32,
      path: "\(node.name)/zeros")
    let layer = GraphRecurrence(
      cell: .lstm, units: units, activation: .tanh,
      kernel: try joined(Place.kernels, rank: 2, node), recurrent: recurrent,
      biases: (bias, zeros), gates: .ifco)
    let isTimeMajor = try options.flag(3)
    let input = try graph.sequence(node.value(0), isBatchFirst: !isTimeMajor)
    graph.note(.states)
    // A step changes a cell by at most 1.
    if limit > 0, Float(input.shape.dimensions[0] ?? .max) > limit { graph.note(.cellLimit) }
    let sequence = try graph.recur(input, layer, from: []).sequence
    return [.value(isTimeMajor ? sequence.with(.init(axis: 1)) : sequence)]
  }

  /// The constants of the four gates, concatenated.
  private static func joined(
    _ places: ClosedRange<Int>, rank: Int, _ node: MappedTFLiteNode
  ) throws(NetconvError) -> GraphConstant {
    let parts = try places.map { place throws(NetconvError) in
      try node.constant(place, rank: rank)
    }
    guard parts.allSatisfy({ $0.shape == parts[0].shape }) else {
      throw .shapesDiffer(parts[0].shape, parts[1].shape)
    }
    return try .joined(parts, along: 0, at: "\(node.name)/\(places.lowerBound)")
  }
}
