import ModelIR
import Operators

/// Padding on the other side, shared out otherwise, or counted in a mean.
enum PaddingMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    if let padding = layer.zeroPadding { return sides(of: padding, evidence) }
    guard let operation = layer.operation as? any WindowedOperator<Plane>,
      layer.inputs[0].rank == 4
    else { return [] }
    return otherSides(of: layer, operation)
  }

  /// The layer is the padding itself.
  private static func sides(of found: [[Int]], _ evidence: Evidence) -> [Repair] {
    let expected = evidence.expected?.zeroPadding
    let (rows, columns) = (found[0], found[1])
    let others = [
      [Array(rows.reversed()), Array(columns.reversed())], [Array(rows.reversed()), columns],
      [rows, Array(columns.reversed())], [columns, rows],
    ]
    return ([expected].compactMap(\.self) + others).filter { $0 != found }.map { right in
      let isTurned = right == others[0] || right == others[1] || right == others[2]
      return Repair(
        .padding,
        isTurned
          ? "the padding is on the wrong side: \(text(found)), expected \(text(right))"
          : "the padding is \(text(found)), expected \(text(right))",
        advice: "pad \(text(right))"
      ) { layer in
        layer.zeroPadding = right
      }
    }
  }

  private static func text(_ padding: [[Int]]) -> String {
    "top \(padding[0][0]), bottom \(padding[0][1]), left \(padding[1][0]), right \(padding[1][1])"
  }

  /// A window that reaches over the edge: the same number of windows over an image that was padded before.
  private static func otherSides(
    of layer: LayerCase, _ operation: any WindowedOperator<Plane>
  ) -> [Repair] {
    let window = operation.window
    let (height, width) = (layer.inputs[0].shape[1], layer.inputs[0].shape[2])
    let found = Border(
      rows: sides(window.rows, height), columns: sides(window.columns, width))
    guard window.padding == .same, found.rows != (0, 0) || found.columns != (0, 0) else {
      return []
    }
    let value: Float
    switch operation.surroundings {
    case .zeros: value = 0
    case .lowest: value = -.greatestFiniteMagnitude
    case .nothing:
      return [
        repair(
          found, 0, "the padding is left out of the mean, expected to be counted",
          advice: "pad with zeros in a layer of its own, then pool without padding")
      ]
    }
    return conventions.compactMap { name, sides in
      let right = Border(rows: sides(found.rows), columns: sides(found.columns))
      guard right.rows != found.rows || right.columns != found.columns else { return nil }
      return repair(
        right, value,
        "the padding is \(found), as TensorFlow has it; expected \(name): \(right)",
        advice: "pad in a layer of its own, then use padding valid")
    }
  }

  private static func repair(
    _ border: Border, _ value: Float, _ finding: String, advice: String
  ) -> Repair {
    Repair(.padding, finding, advice: advice) { layer throws(NetconvError) in
      layer.inputs[0] = try layer.inputs[0].padded(border, with: value)
      layer.window?.padding = .valid
    }
  }

  /// What other frameworks do with the padding of one axis.
  private static let conventions: [(String, @Sendable (Border.Sides) -> Border.Sides)] = [
    ("the odd pixel on the near side, as Caffe has it", { ($0.1, $0.0) }),
    ("as much on both sides, as PyTorch has it", { (max($0.0, $0.1), max($0.0, $0.1)) }),
    ("none before the first pixel", { (0, $0.0 + $0.1) }),
  ]

  private static func sides(_ axis: WindowAxis, _ length: Int) -> Border.Sides {
    let before = axis.paddingBefore(length)
    let total = max(0, (axis.count(in: length) - 1) * axis.stride + axis.extent - length)
    return (before, total - before)
  }
}

/// Pixels around an image.
private struct Border: CustomStringConvertible {
  /// Before and behind the pixels of one axis.
  typealias Sides = (Int, Int)

  let rows: Sides
  let columns: Sides

  var description: String {
    "top \(rows.0), bottom \(rows.1), left \(columns.0), right \(columns.1)"
  }
}

extension NDArray<Float> {
  /// A batch of images with a border of `value`.
  fileprivate func padded(
    _ border: Border, with value: Float
  ) throws(NetconvError) -> NDArray {
    let (batch, height, width, channels) = (shape[0], shape[1], shape[2], shape[3])
    let newHeight = height + border.rows.0 + border.rows.1
    let newWidth = width + border.columns.0 + border.columns.1
    var image = try NDArray(shape: [batch, newHeight, newWidth, channels], filledWith: value)
    for sample in 0..<batch {
      for row in 0..<height {
        let from = (sample * height + row) * width * channels
        let to =
          ((sample * newHeight + row + border.rows.0) * newWidth + border.columns.0) * channels
        image.values.replaceSubrange(
          to..<to + width * channels, with: values[from..<from + width * channels])
      }
    }
    return image
  }
}
