/// The order of the gates of a recurrent layer along the axis G.
///
/// A gate is a lower-case letter: `ifco` are the input, forget, cell and output gates of an LSTM, `zrh` the update and
/// reset gates and the new value of a GRU. PyTorch's g and n are c and h here.
public struct GateOrder: Hashable, Sendable {
  /// The gates, slowest first.
  public let gates: [Character]

  /// The number of gates.
  public var count: Int { gates.count }

  /// Returns true if both orders have the same gates.
  public func hasSameGates(as other: GateOrder) -> Bool { Set(gates) == Set(other.gates) }

  /// Returns, for each gate of this order, its index in `source`; `nil` if they have different gates.
  public func places(in source: GateOrder) -> [Int]? {
    guard hasSameGates(as: source) else { return nil }
    return gates.compactMap(source.gates.firstIndex)
  }

  /// All other orders of the same gates.
  package var others: [GateOrder] {
    gates.orders.map { GateOrder(letters: String($0)) }.filter { $0 != self }
  }
}

extension GateOrder: LosslessStringConvertible {
  /// The letters, such as `ifco`.
  public var description: String { String(gates) }

  /// Parses letters such as `ifco`.
  ///
  /// - Returns: `nil` unless there are at least two lower-case ASCII letters, all distinct.
  public init?(_ description: String) {
    let letters = Array(description)
    guard letters.count > 1, Set(letters).count == letters.count,
      letters.allSatisfy({ $0.isASCII && $0.isLowercase })
    else { return nil }
    gates = letters
  }
}

extension GateOrder {
  private init(letters: String) {
    gates = Array(letters)
  }

  /// The order for LSTM layers of Keras, PyTorch, MLX and TensorFlow Lite, which call the cell gate c or g.
  public static let ifco = GateOrder(letters: "ifco")
  /// The order for LSTM operators of ONNX.
  public static let iofc = GateOrder(letters: "iofc")
  /// The order for LSTM layers of Core ML and ncnn.
  public static let ifoc = GateOrder(letters: "ifoc")
  /// The order for GRU layers of Keras, ONNX and Core ML.
  public static let zrh = GateOrder(letters: "zrh")
  /// The order for GRU layers of PyTorch, MLX and ncnn, which call the new value n.
  public static let rzh = GateOrder(letters: "rzh")
}
