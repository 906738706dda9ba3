import ModelIR

/// The tensors of a base by the names that an adapter has for them.
///
/// A file may leave out the name of the inner model, or have one more than the adapter: `transformer.h.0` and `h.0`.
struct BaseNames {
  private let tensors: [String: Tensor]
  private let wanted: Set<String>
  private let shift: Shift

  /// A difference between the names in the adapter and in the base.
  private enum Shift: Hashable {
    case none
    case dropping(String)
    case adding(String)

    func applied(to name: String) -> String {
      switch self {
      case .none: name
      case .dropping(let start): name.hasPrefix(start) ? String(name.dropFirst(start.count)) : name
      case .adding(let start): start + name
      }
    }
  }

  /// Finds the tensor of each wanted name.
  ///
  /// - Throws: `badData` with the names that match no tensor.
  init(_ network: Network, wanted: [String]) throws(NetconvError) {
    let all = network.tensors.map { ($0.stored.name ?? $0.stored.path, $0) }
    let tensors = Dictionary(all, uniquingKeysWith: { $1 })
    self.tensors = tensors
    self.wanted = Set(wanted)
    let missing = wanted.filter { tensors[$0] == nil }
    guard !missing.isEmpty else {
      shift = .none
      return
    }
    let starts = Set(missing.map(Self.start)).union(tensors.keys.map(Self.start))
    let shifts = starts.flatMap { [Shift.dropping($0), .adding($0)] }.filter { shift in
      wanted.allSatisfy { tensors[shift.applied(to: $0)] != nil }
        && Set(wanted.map(shift.applied)).count == Set(wanted).count
    }
    guard shifts.count == 1, let shift = shifts.first else { throw .noCounterpart(missing) }
    self.shift = shift
  }

  /// The first component of a name, with its dot; the whole name if there is no dot.
  private static func start(of name: String) -> String {
    name.firstIndex(of: ".").map { String(name[...$0]) } ?? name
  }

  /// The tensor of a wanted name.
  subscript(name: String) -> Tensor {
    guard let tensor = found(name) else { preconditionFailure("\(name) was not asked for") }
    return tensor
  }

  /// The tensor of any name; `nil` if there is none.
  func found(_ name: String) -> Tensor? { tensors[shift.applied(to: name)] }

  /// A note on names that differ; `nil` if they do not.
  var note: SourceNote? {
    let text: String
    switch shift {
    case .none: return nil
    case .dropping(let start):
      text = "the adapter's names begin with \(quoted(start)), the base's do not"
    case .adding(let start):
      text = "the base's names begin with \(quoted(start)), the adapter's do not"
    }
    return SourceNote(
      text: text + "; they are taken for the same",
      details: wanted.sorted().map { "\(quoted($0)) is \(quoted(shift.applied(to: $0)))" },
      isWarning: false, isDecision: true)
  }
}

extension NetconvError {
  fileprivate static func noCounterpart(_ names: [String]) -> NetconvError {
    NetconvError(
      .badData,
      text: (names.count == 1
        ? "1 tensor that the adapter changes is not in the base"
        : "\(names.count) tensors that the adapter changes are not in the base")
        + "; name the base it was trained on, or convert this one with \(.renames) first",
      list: names.prefix(12).map { Message(text: quoted($0)) })
  }
}
