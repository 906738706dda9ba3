import ModelIR
import Operators

/// Padding on the wrong side, distributed differently, or counted in a mean.
enum PaddingMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    if let padding = layer.zeroPadding { return sides(of: padding, evidence) }
    return layer.windowEdges.map(otherSides) ?? []
  }

  /// Corrections of a layer that itself pads.
  private static func sides(of found: [[Int]], _ evidence: Evidence) -> [Repair] {
    let expected = evidence.expected?.zeroPadding
    let turned = turns(of: found)
    // Columns and rows exchanged.
    let exchanged = found.count == 2 ? [Array(found.reversed())] : []
    return ([expected].compactMap(\.self) + turned + exchanged).filter { $0 != found }.map {
      right in
      let (was, be) = (Border(found).description, Border(right).description)
      return Repair(
        .padding,
        turned.contains(right)
          ? "the padding is on the wrong side: \(was), expected \(be)"
          : "the padding is \(was), expected \(be)",
        advice: "pad \(be)"
      ) { layer in
        layer.zeroPadding = right
      }
    }
  }

  /// The padding reversed along all axes, or along one of them.
  private static func turns(of padding: [[Int]]) -> [[[Int]]] {
    let all = padding.map { Array($0.reversed()) }
    guard padding.count > 1 else { return [all] }
    return [all]
      + padding.indices.map { index in
        padding.indices.map { $0 == index ? all[$0] : padding[$0] }
      }
  }

  // MARK: - Windows

  /// Corrections of a window with padding: the same number of windows over an explicitly padded
  /// input.
  private static func otherSides(of edges: WindowEdges) -> [Repair] {
    guard let found = edges.borders[edges.padding], !found.isEmpty else { return [] }
    let value: Float
    switch edges.surroundings {
    case .zeros: value = 0
    case .lowest: value = -.greatestFiniteMagnitude
    case .nothing:
      return [
        repair(
          found, 0, "the padding is excluded from the mean, expected to be included",
          advice: "pad with zeros in a separate layer, then pool without padding")
      ]
    }
    return otherKinds(edges, found)
      + conventions(of: edges.padding, found).compactMap { finding, sides in
        let right = Border(found.sides.map(sides))
        guard right != found else { return nil }
        return repair(
          right, value, "the padding is \(found), \(finding): \(right)",
          advice: "pad in a separate layer, then use padding valid")
      }
  }

  /// Corrections of the kind of padding: causal, or distributed over both ends.
  private static func otherKinds(_ edges: WindowEdges, _ found: Border) -> [Repair] {
    edges.borders.compactMap { other, right in
      guard other != edges.padding, right != found else { return nil }
      return Repair(
        .padding, "the padding is \(edges.padding), \(found); expected \(other), \(right)",
        advice: "use padding \(other)"
      ) { layer in
        layer.pad(other)
      }
    }
  }

  private static func repair(
    _ border: Border, _ value: Float, _ finding: String, advice: String
  ) -> Repair {
    Repair(.padding, finding, advice: advice) { layer throws(NetconvError) in
      layer.inputs[0] = try layer.inputs[0].padded(border, with: value)
      layer.pad(.valid)
    }
  }

  /// The conventions of other frameworks for the padding of one axis.
  private static func conventions(
    of padding: Padding, _ found: Border
  ) -> [(String, @Sendable (Border.Sides) -> Border.Sides)] {
    let place = found.sides.count == 1 ? "step" : "pixel"
    let behind: @Sendable (Border.Sides) -> Border.Sides = {
      Border.Sides(before: 0, after: $0.before + $0.after)
    }
    if padding == .causal { return [("causal; expected after the last step", behind)] }
    return [
      (
        "as in TensorFlow; expected the odd \(place) before the input, as in Caffe",
        { Border.Sides(before: $0.after, after: $0.before) }
      ),
      (
        "as in TensorFlow; expected equal padding on both sides, as in PyTorch",
        { Border.Sides(before: max($0.before, $0.after), after: max($0.before, $0.after)) }
      ),
      ("as in TensorFlow; expected none before the first \(place)", behind),
    ]
  }
}
