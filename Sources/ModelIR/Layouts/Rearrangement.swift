/// The move of a tensor from one layout to another, derived from the two layouts and the axis sizes.
///
/// Nobody writes a permutation down: the named axes say it. An axis that only one side names must have
/// size 1.
public struct Rearrangement: Sendable, Equatable {
  /// The order in which the values are stored.
  public let source: Layout
  /// The order in which they are wanted.
  public let target: Layout
  /// The size of each axis; an axis that is not listed has size 1.
  public let sizes: [Axis: Int]
  /// Axes whose order is reversed on the way, for consumers that rotate kernels.
  public let reversed: Set<Axis>
  /// For each gate of the target, its place among those of the source; `nil` where they have the same order.
  public let gatePlaces: [Int]?
  /// The number of values moved.
  public let count: Int

  /// The rearrangement of `source` into `target`.
  ///
  /// - Throws: `badData` if one side names an axis of size over 1 that the other lacks, a size
  ///   overflows, or the gates are others, or more or fewer than the axis G has.
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

  /// No move: values that are wanted as `layout` has them, `count` by the sizes of its axes.
  ///
  /// - Throws: `badData` if there are more or fewer gates than the axis G has.
  init(keeping layout: Layout, sizes: [Axis: Int], count: Int) throws(NetconvError) {
    source = layout
    target = layout
    self.sizes = sizes
    reversed = []
    self.count = count
    gatePlaces = try Self.gatePlaces(from: layout, to: layout, sizes)
  }

  /// For each gate of the source, its place among those of the target; `nil` where they have the same order.
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
  /// The whole rearrangement as one copy; axes that stay together are merged.
  public var copy: StridedCopy { copy(orders: gatePlaces.map { [.gates: $0] } ?? [:]) }

  /// The same with the places of some axes in orders of their own: of each place, the one that it comes from.
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

  /// Parts of the rearrangement that together are the whole.
  ///
  /// - Parameters:
  ///   - maximumCount: values in a panel, at most.
  ///   - isSequential: whether the source is to be read from front to back, each panel in one run.
  public func panels(maximumCount: Int, isSequential: Bool = false) -> Panels {
    Panel.split(copy, maximumCount: maximumCount, isSequential: isSequential)
  }

  /// Parts of the rearrangement that follow one another in the destination, for who reads that from front to
  /// back.
  ///
  /// - Parameter maximumCount: values in a panel, at most.
  package func consecutivePanels(maximumCount: Int) -> Panels {
    Panel.consecutive(copy, maximumCount: maximumCount)
  }
}
