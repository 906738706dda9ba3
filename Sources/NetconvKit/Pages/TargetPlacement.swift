import Documents
import ModelIR
import Transforms

/// The layout of a tensor for some targets.
struct TargetPlacement: Sendable, Encodable {
  /// The names of the targets that use it.
  var targets: [String]
  /// The order of axes.
  let layout: String
  /// The shape in that order.
  let shape: [Int]
  /// The rearrangement from the source's order, in einops notation.
  let pattern: String
  /// The sizes that einops needs to split axes.
  let sizes: [String: Int]
  /// Axes that are reversed.
  let reversed: [String]

  /// Returns the layouts of `tensor` for all targets that have one, with equal ones merged.
  ///
  /// - Throws: no error for a valid tensor.
  static func all(for tensor: Tensor) throws(NetconvError) -> [TargetPlacement] {
    var found: [TargetPlacement] = []
    for target in Target.all {
      guard target != .source, let layout = target.layout(for: tensor) else { continue }
      let wanted = try tensor.rearranged(
        to: layout, reversed: target.reversedAxes(of: tensor.spec))
      let move = TensorRecord.Move(wanted.rearrangement)
      let own = TargetPlacement(
        targets: [target.name], layout: layout.description, shape: wanted.shape,
        pattern: move.pattern, sizes: move.sizes, reversed: move.flip)
      if let same = found.firstIndex(where: {
        $0.layout == own.layout && $0.shape == own.shape && $0.reversed == own.reversed
      }) {
        found[same].targets.append(target.name)
      } else {
        found.append(own)
      }
    }
    return found
  }
}
