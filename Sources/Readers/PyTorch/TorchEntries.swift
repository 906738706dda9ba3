import ModelIR

/// The parts of a file that contain tensors, and the part that is the network.
struct TorchEntries {
  /// A part of a file: a dictionary, list or module.
  struct Entry: Sendable {
    /// The path to the part, with dots as separators; a single dot is the whole file.
    let name: String
    let tensorCount: Int

    /// The text in messages: `'ema' (26 tensors)`.
    var text: String {
      "\(quoted(name)) (\(tensorCount) \(tensorCount == 1 ? "tensor" : "tensors"))"
    }
  }

  /// A tensor of the chosen part, with its name in that part.
  struct Chosen {
    let name: String
    let leaf: TorchLeaf
  }

  static let whole = "."

  /// The chosen part; `nil` for the whole file.
  private(set) var chosen: String?
  private(set) var tensors: [Chosen] = []
  /// Tensors that are not weights, by role.
  private(set) var leftOut: [(name: String, role: TorchRole)] = []
  /// The other parts.
  private(set) var others: [Entry] = []

  /// Creates an empty choice.
  init() {}

  /// Chooses the part named `wanted`, or the only part.
  ///
  /// - Throws: `usage` if there is no such part; `badData` if there are several and none is named, or there are none.
  init(_ leaves: [TorchLeaf], wanted: String?) throws(NetconvError) {
    let candidates = Self.candidates(leaves)
    if let wanted {
      try choose(wanted, leaves, candidates)
    } else {
      guard let only = candidates.first else { throw .torchNoTensors }
      // A collection of NumPy arrays, one for each layer, is a single network.
      guard candidates.count == 1 || leaves.allSatisfy(\.isArray) else {
        throw .torchSeveralEntries(candidates.map { Self.entry($0, leaves) })
      }
      let name = candidates.count == 1 ? Self.joined(only) : Self.whole
      try choose(name, leaves, candidates)
    }
  }

  /// Returns the outermost parts with PyTorch tensors of more than one value; if there are none, the outermost parts
  /// with any weights.
  private static func candidates(_ leaves: [TorchLeaf]) -> [[String]] {
    let weights = leaves.indices.filter {
      leaves[$0].mark == nil || leaves[$0].mark?.role == .unsaved
    }
    let large = weights.filter { leaves[$0].isLarge }
    let tensors = large.filter { !leaves[$0].isArray }
    let telling = [tensors, large, weights].first { !$0.isEmpty } ?? []
    var owners: [[String]] = []
    var seen: Set<[String]> = []
    for owner in telling.lazy.map({ leaves[$0].owner })
    where owners.last.map({ $0[...] != owner }) ?? true {
      let owner = Array(owner)
      if seen.insert(owner).inserted { owners.append(owner) }
    }
    return owners.filter { owner in
      !(0..<owner.count).contains { seen.contains(Array(owner[..<$0])) }
    }
  }

  private mutating func choose(
    _ wanted: String, _ leaves: [TorchLeaf], _ candidates: [[String]]
  ) throws(NetconvError) {
    tensors.reserveCapacity(leaves.count)
    for leaf in leaves {
      let depth = (0..<max(1, leaf.path.count)).first { Self.joined(leaf.path[..<$0]) == wanted }
      guard let depth else {
        leftOut.append((Self.joined(leaf.path[...]), leaf.mark?.role ?? .other))
        continue
      }
      let name = leaf.path.isEmpty ? "tensor" : Self.joined(leaf.path[depth...])
      // An optimizer's tensors are included if they are requested explicitly.
      if let mark = leaf.mark, mark.depth > depth {
        leftOut.append((Self.joined(leaf.path[...]), mark.role))
      } else {
        tensors.append(Chosen(name: name, leaf: leaf))
      }
    }
    guard !tensors.isEmpty else {
      throw .torchNoEntry(wanted, candidates.map { Self.entry($0, leaves) })
    }
    chosen = wanted == Self.whole ? nil : wanted
    others = candidates.map { Self.entry($0, leaves) }.filter { $0.name != wanted }
  }

  private static func entry(_ owner: [String], _ leaves: [TorchLeaf]) -> Entry {
    Entry(
      name: joined(owner[...]),
      tensorCount: leaves.count { $0.mark == nil && $0.path.starts(with: owner) })
  }

  private static func joined(_ names: [String]) -> String { joined(names[...]) }

  private static func joined(_ names: ArraySlice<String>) -> String {
    switch names.count {
    case 0: whole
    case 1: names[names.startIndex]
    default: names.joined(separator: ".")
    }
  }
}
