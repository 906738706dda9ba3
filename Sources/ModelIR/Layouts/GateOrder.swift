/// The order in which the gates of a recurrent layer lie along the axis G.
///
/// A gate is a lower-case letter: `ifco` are the input, forget, cell and output gates of an LSTM, `zrh` the update
/// and reset gates and the new value of a GRU. What PyTorch calls g and n are c and h here.
public struct GateOrder: Hashable, Sendable {
  /// The gates, the first in memory first.
  public let gates: [Character]

  /// The number of gates.
  public var count: Int { gates.count }

  /// Whether both have the same gates, in whichever order.
  public func hasSameGates(as other: GateOrder) -> Bool { Set(gates) == Set(other.gates) }

  /// For each gate of this order, its place in `source`; `nil` if they have other gates.
  public func places(in source: GateOrder) -> [Int]? {
    guard hasSameGates(as: source) else { return nil }
    return gates.compactMap(source.gates.firstIndex)
  }

  /// Every other order of the same gates.
  package var others: [GateOrder] {
    gates.orders.map { GateOrder(letters: String($0)) }.filter { $0 != self }
  }
}

extension GateOrder: LosslessStringConvertible {
  /// `ifco`.
  public var description: String { String(gates) }

  /// Reads `ifco`.
  ///
  /// - Returns: `nil` unless there are at least two lower-case ASCII letters, none of them twice.
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

  /// An LSTM of Keras, PyTorch, MLX and TensorFlow Lite, which call the cell gate c or g.
  public static let ifco = GateOrder(letters: "ifco")
  /// An LSTM of ONNX.
  public static let iofc = GateOrder(letters: "iofc")
  /// An LSTM of Core ML and ncnn.
  public static let ifoc = GateOrder(letters: "ifoc")
  /// A GRU of Keras, ONNX and Core ML.
  public static let zrh = GateOrder(letters: "zrh")
  /// A GRU of PyTorch, MLX and ncnn, which call the new value n.
  public static let rzh = GateOrder(letters: "rzh")
}
