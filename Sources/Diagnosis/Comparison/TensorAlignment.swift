import ModelIR

/// The correspondence of the values of two tensors, whatever their layouts.
///
/// Both are traversed in their canonical layouts. These agree where the axes have the same names
/// and sizes, and where one tensor has a single axis instead of several adjacent ones: a
/// fully-connected kernel read without a graph is a matrix, `OI`, and with a graph `OHWI`.
package struct TensorAlignment: Sendable {
  /// The axes of the tensor with more of them, in canonical order.
  private let axes: [(axis: Axis, size: Int)]
  /// True if both tensors have the same axes.
  package let isExact: Bool

  /// Aligns two tensors; `nil` if their axes do not fit.
  package init?(_ first: Tensor, _ second: Tensor) {
    let (all, others) = (Self.axes(of: first), Self.axes(of: second))
    // An axis of size 1 moves no value, and possibly only one tensor names it.
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

  /// The coordinates of the value at `index` in canonical order.
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

  /// The cumulative products of the sizes, from the slowest axis.
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
