import ModelIR

/// The ways in which an array of one shape can become one of another by moving, merging and reversing whole axes.
struct Arrangements: Sequence, IteratorProtocol {
  /// Axes that both arrays have.
  private let atoms: [Atom]
  /// The axes of the array whose atoms are known, as groups of them.
  private let known: [[Atom]]
  /// The sizes of the axes of the other array.
  private let sizes: [Int]
  private let ofTarget: Bool
  private var orders: [[[Atom]]]
  private var order = 0
  private var reversals: [Set<Axis>]
  private var reversal = 0

  /// Arrays of more axes are only moved, not reversed.
  private static let mostReversed = 5
  private static let mostAtoms = 7

  /// All that make an array of the groups `known` from one of the shape `shape`, or, if `ofTarget`, the reverse.
  init(_ known: [[Atom]], _ shape: [Int], ofTarget: Bool) {
    self.known = known
    self.ofTarget = ofTarget
    atoms = known.flatMap(\.self)
    sizes = shape
    orders = atoms.count > Self.mostAtoms ? [] : Self.orders(of: atoms, in: sizes)
    let axes = atoms.map(\.axis)
    reversals =
      atoms.count > Self.mostReversed
      ? [[]]
      : (0..<1 << axes.count).map { mask in
        Set(axes.indices.filter { mask >> $0 & 1 == 1 }.map { axes[$0] })
      }.sorted { $0.count < $1.count }
  }

  /// The next, those with fewer reversed axes first.
  mutating func next() -> Rearrangement? {
    guard !orders.isEmpty, reversal < reversals.count else { return nil }
    let groups = orders[order]
    let reversed = reversals[reversal]
    order += 1
    if order == orders.count {
      order = 0
      reversal += 1
    }
    let sizes = Dictionary(uniqueKeysWithValues: atoms.map { ($0.axis, $0.size) })
    let (source, target) = ofTarget ? (groups, known) : (known, groups)
    guard let from = Self.layout(source), let to = Self.layout(target) else { return nil }
    return try? Rearrangement(from: from, to: to, sizes: sizes, reversing: reversed)
  }

  private static func layout(_ groups: [[Atom]]) -> Layout? {
    try? Layout(groups.isEmpty ? [Layout.Dimension([])] : groups.map { .init($0.map(\.axis)) })
  }

  /// The orders of the atoms whose neighbours merge to axes of these sizes.
  private static func orders(of atoms: [Atom], in sizes: [Int]) -> [[[Atom]]] {
    guard let size = sizes.first else { return atoms.isEmpty ? [[]] : [] }
    return groups(of: size, from: atoms).flatMap { group in
      orders(of: atoms.filter { !group.contains($0) }, in: Array(sizes.dropFirst()))
        .map { [group] + $0 }
    }
  }

  /// The ordered choices of atoms whose sizes have the product `size`.
  private static func groups(of size: Int, from atoms: [Atom]) -> [[Atom]] {
    guard size > 1 else { return [[]] }
    return atoms.filter { size.isMultiple(of: $0.size) }.flatMap { atom in
      groups(of: size / atom.size, from: atoms.filter { $0 != atom }).map { [atom] + $0 }
    }
  }
}
