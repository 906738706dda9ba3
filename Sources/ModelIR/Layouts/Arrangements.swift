/// An axis that a rearrangement moves as a unit.
package struct SizedAxis: Sendable, Hashable {
  /// The axis.
  package let axis: Axis
  /// The number of indices.
  package let size: Int

  /// Creates an axis of size `size`.
  package init(_ axis: Axis, size: Int) {
    self.axis = axis
    self.size = size
  }
}

/// The ways to turn one array into another by permuting, merging and reversing whole axes, simplest first.
///
/// Searches that infer the layout of values from the values themselves try these in turn.
package struct Arrangements: Sequence, IteratorProtocol {
  /// The array whose axes are known.
  package enum Side {
    /// The array that is rearranged.
    case source
    /// The result of the rearrangement.
    case target
  }

  /// The axes that both arrays have.
  private let axes: [SizedAxis]
  /// The axes of the known array, grouped by dimension.
  private let known: [[SizedAxis]]
  private let side: Side
  /// The candidate groups of the other array.
  private let orders: [[[SizedAxis]]]
  private var order = 0
  private let reversals: [Set<Axis>]
  private var reversal = 0

  /// Arrays with more axes are only permuted, not reversed.
  private static let mostReversed = 5
  private static let mostAxes = 7

  /// Creates the arrangements in which the array on `side` has the axes `known`, and the other one the shape `shape`.
  ///
  /// - Parameters:
  ///   - known: for each axis of the array the axes that are merged in it, slowest first.
  ///   - shape: the shape of the other array, whose axes may merge neighbours; `nil` if it merges none.
  package init(_ known: [[SizedAxis]], _ shape: [Int]?, known side: Side) {
    self.known = known
    self.side = side
    axes = known.flatMap(\.self)
    let isTried = axes.count <= Self.mostAxes
    orders =
      if let shape {
        isTried ? Self.orders(of: axes, in: shape) : []
      } else {
        isTried ? axes.orders.map { $0.map { [$0] } } : []
      }
    let names = axes.map(\.axis)
    reversals =
      axes.count > Self.mostReversed
      ? [[]]
      : (0..<1 << names.count).map { mask in
        Set(names.indices.filter { mask >> $0 & 1 == 1 }.map { names[$0] })
      }.sorted { $0.count < $1.count }
  }

  /// Returns the next arrangement; those with fewer reversed axes come first.
  package mutating func next() -> Rearrangement? {
    guard !orders.isEmpty, reversal < reversals.count else { return nil }
    let groups = orders[order]
    let reversed = reversals[reversal]
    order += 1
    if order == orders.count {
      order = 0
      reversal += 1
    }
    let sizes = Dictionary(uniqueKeysWithValues: axes.map { ($0.axis, $0.size) })
    let (source, target) = side == .source ? (known, groups) : (groups, known)
    guard let from = Self.layout(source), let to = Self.layout(target) else { return nil }
    return try? Rearrangement(from: from, to: to, sizes: sizes, reversing: reversed)
  }

  private static func layout(_ groups: [[SizedAxis]]) -> Layout? {
    groups.isEmpty ? .scalar : try? Layout(groups.map { .init($0.map(\.axis)) })
  }

  /// Returns the orders in which neighbouring axes merge to axes of the given sizes.
  private static func orders(of axes: [SizedAxis], in sizes: [Int]) -> [[[SizedAxis]]] {
    guard let size = sizes.first else { return axes.isEmpty ? [[]] : [] }
    return groups(of: size, from: axes).flatMap { group in
      orders(of: axes.filter { !group.contains($0) }, in: Array(sizes.dropFirst()))
        .map { [group] + $0 }
    }
  }

  /// Returns the ordered selections of axes whose sizes have the product `size`.
  private static func groups(of size: Int, from axes: [SizedAxis]) -> [[SizedAxis]] {
    guard size > 1 else { return [[]] }
    return axes.filter { size.isMultiple(of: $0.size) }.flatMap { axis in
      groups(of: size / axis.size, from: axes.filter { $0 != axis }).map { [axis] + $0 }
    }
  }
}

extension Array {
  /// All permutations of the elements, from this order to its reverse.
  package var orders: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index in
      var rest = self
      let first = rest.remove(at: index)
      return rest.orders.map { [first] + $0 }
    }
  }
}
