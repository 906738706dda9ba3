/// The conversion of a tensor from one layout to another, derived from the two layouts and the axis sizes.
///
/// Permutations are never written by hand: the named axes determine them. An axis that only one side names must have
/// size 1.
public struct Rearrangement: Sendable, Equatable {
  /// The layout in which the values are stored.
  public let source: Layout
  /// The requested layout.
  public let target: Layout
  /// The size of each axis; an axis that is not listed has size 1.
  public let sizes: [Axis: Int]
  /// The axes that are reversed, for targets that rotate kernels.
  public let reversed: Set<Axis>
  /// For each gate of the target, its index in the source; `nil` if both have the same order.
  public let gatePlaces: [Int]?
  /// The number of values.
  public let count: Int

  /// Creates the rearrangement of `source` into `target`.
  ///
  /// - Throws: `badData` if one side names an axis of size over 1 that the other lacks, if a size overflows, or if the
  ///   gates differ or do not match the size of G.
  public init(
    from source: Layout, to target: Layout, sizes: [Axis: Int], reversing reversed: Set<Axis> = []
  ) throws(NetconvError) {
    for axis in source.axesOfOne(with: target) where sizes[axis] ?? 1 != 1 {
      throw .unmatchedAxis(axis, size: sizes[axis] ?? 1, source: source, target: target)
    }
    count = try product(source.axes) { sizes[$0] ?? 1 }
    self.source = source
    self.target = target
    self.sizes = sizes
    self.reversed = reversed.isEmpty ? [] : reversed.filter { (sizes[$0] ?? 1) > 1 }
    gatePlaces = try Self.gatePlaces(from: source, to: target, sizes)
  }

  /// Creates the identity rearrangement of `count` values.
  ///
  /// - Throws: `badData` if the number of gates differs from the size of G.
  init(keeping layout: Layout, sizes: [Axis: Int], count: Int) throws(NetconvError) {
    source = layout
    target = layout
    self.sizes = sizes
    reversed = []
    self.count = count
    gatePlaces = try Self.gatePlaces(from: layout, to: layout, sizes)
  }

  /// For each gate of the source, its index in the target; `nil` if both have the same order.
  var gatePlacesInTarget: [Int]? {
    guard gatePlaces != nil, let to = target.gates else { return nil }
    return source.gates?.places(in: to)
  }

  private static func gatePlaces(
    from source: Layout, to target: Layout, _ sizes: [Axis: Int]
  ) throws(NetconvError) -> [Int]? {
    guard source.gates != nil || target.gates != nil else { return nil }
    let count = sizes[.gates] ?? 1
    for gates in [source.gates, target.gates].compactMap(\.self) where gates.count != count {
      throw .wrongGates(gates, count: count)
    }
    guard let from = source.gates, let to = target.gates, from != to else { return nil }
    guard let places = to.places(in: from) else { throw .otherGates(to, expected: from) }
    return places
  }

  private func size(of axis: Axis) -> Int { sizes[axis] ?? 1 }
}

// MARK: - einops notation

extension Rearrangement {
  /// The rearrangement in einops notation, `(h w i) o -> o h w i`.
  ///
  /// An axis that the other side does not name has size 1 and is written as 1.
  public var pattern: String {
    let common = Set(source.axes).intersection(target.axes)
    return Self.notation(source, common) + " -> " + Self.notation(target, common)
  }

  /// The sizes that einops needs to split the source's groups: all but the last axis of each.
  public var patternSizes: [String: Int] {
    let common = Set(source.axes).intersection(target.axes)
    var needed: [String: Int] = [:]
    for dimension in source.dimensions {
      for axis in dimension.axes.filter(common.contains).dropLast() {
        needed[axis.lowercased] = size(of: axis)
      }
    }
    return needed
  }

  private static func notation(_ layout: Layout, _ common: Set<Axis>) -> String {
    layout.dimensions.map { dimension in
      let names = dimension.axes.filter(common.contains).map(\.lowercased)
      return switch names.count {
      case 0: "1"
      case 1: names[0]
      default: "(" + names.joined(separator: " ") + ")"
      }
    }.joined(separator: " ")
  }
}

// MARK: - Copies

extension Rearrangement {
  /// The whole rearrangement as one copy; axes that stay adjacent are merged.
  public var copy: StridedCopy { copy(orders: gatePlaces.map { [.gates: $0] } ?? [:]) }

  /// Returns the copy with some axes permuted: for each index of such an axis, the source index.
  package func copy(orders: [Axis: [Int]]) -> StridedCopy {
    var strides: [Axis: Int] = [:]
    var stride = 1
    for axis in source.axes.reversed() {
      strides[axis] = stride
      stride *= size(of: axis)
    }
    let dimensions = target.axes.map { axis in
      StridedCopy.Dimension(
        size: size(of: axis), stride: (strides[axis] ?? 0) * (reversed.contains(axis) ? -1 : 1),
        places: orders[axis])
    }
    return StridedCopy(dimensions)
  }

  /// Splits the rearrangement into panels.
  ///
  /// - Parameters:
  ///   - maximumCount: the maximum number of values per panel.
  ///   - isSequential: true if the source must be read in order, with one run per panel.
  public func panels(maximumCount: Int, isSequential: Bool = false) -> Panels {
    Panel.split(copy, maximumCount: maximumCount, isSequential: isSequential)
  }

  /// Splits the rearrangement into panels that are consecutive in the destination, for sequential consumers.
  ///
  /// - Parameter maximumCount: the maximum number of values per panel.
  package func consecutivePanels(maximumCount: Int) -> Panels {
    Panel.consecutive(copy, maximumCount: maximumCount)
  }
}

extension NetconvError {
  fileprivate static func unmatchedAxis(
    _ axis: Axis, size: Int, source: Layout, target: Layout
  ) -> NetconvError {
    NetconvError(
      .badData,
      "axis \(axis) of size \(size) is in only one of the layouts \(source) and \(target); "
        + "only axes of size 1 can be left out")
  }

  fileprivate static func wrongGates(_ gates: GateOrder, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "gates \(quoted(gates.description)) are \(gates.count), expected \(count); "
        + "write a letter for each gate, as in G[ifco]")
  }

  fileprivate static func otherGates(_ gates: GateOrder, expected: GateOrder) -> NetconvError {
    NetconvError(
      .badData,
      "gates \(quoted(gates.description)) are not those of this layer, "
        + "\(quoted(expected.description)); write the same letters in the order of the file")
  }
}
