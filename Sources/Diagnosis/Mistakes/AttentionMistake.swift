import ModelIR
import Operators

/// Attention with another scale, other keys in reach, other heads, or operands in another order.
enum AttentionMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let found = layer.operation as? Attention else { return [] }
    return scales(found, layer) + reaches(found) + exchanges(layer) + heads(found, layer)
  }

  private static func repair(
    _ finding: String, advice: String,
    change: @escaping @Sendable (inout LayerCase) throws(NetconvError) -> Void
  ) -> Repair {
    Repair(.attention, finding, advice: advice, change: change)
  }

  /// Scores that are not divided by the root of the width, or by that of another width.
  private static func scales(_ found: Attention, _ layer: LayerCase) -> [Repair] {
    guard let width = layer.inputs.first?.shape.last else { return [] }
    let own = width / max(1, found.heads ?? 1)
    let factor = found.factor(width: own)
    let usual: [(value: Double, text: String)] = [
      (1 / Double(own).squareRoot(), "1 / √\(own), by the width of a head"), (1, "1"),
      (1 / Double(width).squareRoot(), "1 / √\(width), by the width of all heads"),
      (1 / Double(own), "1 / \(own)"),
      (1 / Double(own).squareRoot().squareRoot(), "⁴√ of 1 / \(own)"),
    ]
    return usual.filter { abs($0.value - factor) > 1e-9 * factor }.map { value, text in
      repair(
        "scale is \(numeral(factor)), expected \(text)", advice: "multiply scores by \(text)"
      ) { layer in
        layer.operation = found.changed(scale: value)
      }
    }
  }

  /// A causal mask that is missing, superfluous or off by one, and windows of another size.
  private static func reaches(_ found: Attention) -> [Repair] {
    var repairs: [Repair] = []
    func add(_ before: Int?, _ after: Int?, _ finding: String, _ advice: String) {
      repairs.append(
        repair(finding, advice: advice) { layer in
          layer.operation = found.changed(before: .some(before), after: .some(after))
        })
    }
    switch found.after {
    case nil:
      add(
        found.before, 0, "queries attend to later keys, expected causal attention", "set after to 0"
      )
    case 0?:
      add(found.before, nil, "attention is causal, expected later keys too", "leave out after")
    case let after?:
      add(
        found.before, after - 1, "after is \(after), expected \(after - 1): the mask is off by one",
        "set after to \(after - 1)")
    }
    if let before = found.before {
      add(nil, found.after, "before is \(before), expected no limit", "leave out before")
      for right in [before - 1, before + 1] where right >= 0 {
        add(
          right, found.after, "before is \(before), expected \(right): the window is off by one",
          "set before to \(right)")
      }
    }
    return repairs
  }

  /// Queries, keys and values in another order.
  private static func exchanges(_ layer: LayerCase) -> [Repair] {
    let names = ["queries", "keys", "values"]
    let orders = [[1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]]
    return orders.compactMap { order in
      guard order.map({ layer.inputs[$0].shape }) == Array(layer.inputs.prefix(3)).map(\.shape)
      else {
        return nil
      }
      let moved = order.indices.filter { order[$0] != $0 }.map { names[$0] }
      return repair(
        "\(moved.joined(separator: ", ")) are exchanged",
        advice: "exchange \(moved.joined(separator: ", "))"
      ) { layer in
        layer.inputs.replaceSubrange(0..<3, with: order.map { layer.inputs[$0] })
      }
    }
  }

  /// Another number of heads of the same width in all.
  private static func heads(_ found: Attention, _ layer: LayerCase) -> [Repair] {
    guard let heads = found.heads, found.keyHeads == nil,
      let width = layer.inputs.first?.shape.last, let values = layer.inputs[2].shape.last
    else { return [] }
    return (1...max(1, min(width, 256))).filter {
      $0 != heads && width % $0 == 0 && values % $0 == 0
    }.map { right in
      repair("heads is \(heads), expected \(right)", advice: "set heads to \(right)") { layer in
        layer.operation = found.changed(heads: right)
      }
    }
  }
}

extension Attention {
  /// Returns the operator with other attributes.
  fileprivate func changed(
    heads: Int? = nil, scale: Double? = nil, before: Int?? = nil, after: Int?? = nil
  ) -> Attention {
    Attention(
      heads: heads ?? self.heads, keyHeads: keyHeads, score: score, scale: scale ?? self.scale,
      softCap: softCap, before: before ?? self.before, after: after ?? self.after, masks: masks,
      zerosEmpty: zerosEmpty, result: result)
  }
}
