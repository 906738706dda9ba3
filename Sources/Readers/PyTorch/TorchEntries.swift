import ModelIR

/// The parts of a file that hold tensors, and the one of them that is the network.
struct TorchEntries {
  /// A part: a dictionary, a list or a module.
  struct Entry: Sendable {
    /// The names that lead to it, with dots between; a dot alone is the whole file.
    let name: String
    let tensorCount: Int

    /// `'ema' (26 tensors)`.
    var text: String {
      "\(quoted(name)) (\(tensorCount) \(tensorCount == 1 ? "tensor" : "tensors"))"
    }
  }

  /// A tensor of the chosen part, by its name there.
  struct Chosen {
    let name: String
    let leaf: TorchLeaf
  }

  static let whole = "."

  /// What was chosen; `nil` if it is the whole file.
  private(set) var chosen: String?
  private(set) var tensors: [Chosen] = []
  /// What is no weight, by role.
  private(set) var leftOut: [(name: String, role: TorchRole)] = []
  /// Parts that were not chosen.
  private(set) var others: [Entry] = []

  /// Nothing.
  init() {}

  /// Chooses the part that is called `wanted`, or the only one.
  ///
  /// - Throws: `usage` if there is none of that name, `badData` if there are several and none is named, or none at all.
  init(_ leaves: [TorchLeaf], wanted: String?) throws(NetconvError) {
    let candidates = Self.candidates(leaves)
    if let wanted {
      try choose(wanted, leaves, candidates)
    } else {
      guard let only = candidates.first else { throw .torchNoTensors }
      // Tables of NumPy's arrays, one for each layer, are one network.
      guard candidates.count == 1 || leaves.allSatisfy(\.isArray) else {
        throw .torchSeveralEntries(candidates.map { Self.entry($0, leaves) })
      }
      let name = candidates.count == 1 ? Self.joined(only) : Self.whole
      try choose(name, leaves, candidates)
    }
  }

  /// The outermost of the parts that have weights of more than one value, of PyTorch's own; if there are none, of any.
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
      // Who asks for what an optimizer keeps gets it.
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
