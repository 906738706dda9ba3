import ModelIR

/// Which value of one tensor belongs to which of another, whatever the layouts of both are.
///
/// Both are walked in their canonical layouts. These agree where the axes have the same names and sizes, and where
/// one tensor has a single axis for what are several neighbours in the other: a fully-connected kernel that was
/// read without a graph is a matrix, `OI`, and `OHWI` with one.
package struct TensorAlignment: Sendable {
  /// The axes of the tensor that says more about them, in canonical order.
  private let axes: [(axis: Axis, size: Int)]
  /// Whether both say the same about them.
  package let isExact: Bool

  /// The alignment of two tensors; `nil` if their axes do not fit.
  package init?(_ first: Tensor, _ second: Tensor) {
    let (all, others) = (Self.axes(of: first), Self.axes(of: second))
    // An axis of size 1 moves no value, and only one of the two may name it.
    let (a, b) = (all.filter { $0.size != 1 }, others.filter { $0.size != 1 })
    if a.count == b.count, zip(a, b).allSatisfy({ $0 == $1 }) {
      axes = all.count >= others.count ? all : others
      isExact = true
      return
    }
    let (coarse, fine) = a.count <= b.count ? (a, b) : (b, a)
    guard Self.ends(of: coarse).isSubset(of: Self.ends(of: fine)),
      Self.ends(of: coarse).max() == Self.ends(of: fine).max(),
      fine.count == 1 || Set(coarse.map(\.axis)).isSubset(of: fine.map(\.axis))
    else { return nil }
    axes = a.count <= b.count ? others : all
    isExact = false
  }

  /// The index along each axis of the value that comes as number `index` in canonical order.
  package func coordinates(of index: Int) -> [(axis: Axis, index: Int)] {
    var rest = index
    var coordinates: [(axis: Axis, index: Int)] = []
    for (axis, size) in axes.reversed() {
      coordinates.append((axis, rest % size))
      rest /= size
    }
    return coordinates.reversed()
  }

  private static func axes(of tensor: Tensor) -> [(axis: Axis, size: Int)] {
    tensor.spec.layout.canonical.axes.map { (axis: $0, size: tensor.spec.sizes[$0] ?? 1) }
  }

  /// How many values the first axis, the first two, … span, counted from the slowest.
  private static func ends(of axes: [(axis: Axis, size: Int)]) -> Set<Int> {
    var ends: Set<Int> = [1]
    var count = 1
    for (_, size) in axes {
      count *= size
      ends.insert(count)
    }
    return ends
  }
}
