/// The recurrent layers that consumers have counterparts of, as far as their parameters can tell.
public enum RecurrentCellKind: Sendable, Hashable, CaseIterable {
  /// One gate: a simple recurrent layer.
  case simple
  /// Long short-term memory.
  case lstm
  /// Gated recurrent units whose reset gate goes behind the recurrent kernel.
  case gru
  /// Gated recurrent units whose reset gate goes before the recurrent kernel: most consumers have no such layer.
  case gruWithResetBefore

  /// The gates in the order in which the operator's definition reads them; `nil` where there is only one.
  public var gates: GateOrder? {
    switch self {
    case .simple: nil
    case .lstm: .ifco
    case .gru, .gruWithResetBefore: .zrh
    }
  }

  /// How many gates there are.
  public var gateCount: Int { gates?.count ?? 1 }
}
