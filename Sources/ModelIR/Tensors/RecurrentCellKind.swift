/// The types of recurrent layers that targets support, as far as their parameters distinguish them.
public enum RecurrentCellKind: Sendable, Hashable, CaseIterable {
  /// A simple recurrent layer, which has one gate.
  case simple
  /// Long short-term memory.
  case lstm
  /// Gated recurrent units whose reset gate is applied after the recurrent kernel.
  case gru
  /// Gated recurrent units whose reset gate is applied before the recurrent kernel: most targets have no such layer.
  case gruWithResetBefore

  /// The gates in the order of the operator's definition; `nil` if there is only one.
  public var gates: GateOrder? {
    switch self {
    case .simple: nil
    case .lstm: .ifco
    case .gru, .gruWithResetBefore: .zrh
    }
  }

  /// The number of gates.
  public var gateCount: Int { gates?.count ?? 1 }
}
