import Documents
import ModelIR
import Transforms

/// How a tensor lies for some targets.
struct TargetPlacement: Sendable, Encodable {
  /// The targets for which it lies so, by their names.
  var targets: [String]
  /// The order of axes.
  let layout: String
  /// The shape in that order.
  let shape: [Int]
  /// From the source's order to that one, in einops notation.
  let pattern: String
  /// The sizes that einops needs to split axes.
  let sizes: [String: Int]
  /// Axes that are reversed.
  let reversed: [String]

  /// How `tensor` lies for every target that has a place for it, those that want the same together.
  ///
  /// - Throws: nothing that a valid tensor could cause.
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
