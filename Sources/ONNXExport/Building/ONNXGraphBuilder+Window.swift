import ModelIR
import Operators

extension Window {
  /// Returns the node attributes of a window over inputs of these lengths.
  ///
  /// - Parameter dilates: true if the operation supports dilation.
  func onnx(over lengths: [Int?], dilates: Bool = true) -> [ONNXAttribute] {
    var attributes: [ONNXAttribute] = [
      .ints("kernel_shape", size.sizes), .ints("strides", strides.sizes),
    ]
    if dilates { attributes.append(.ints("dilations", dilation.sizes)) }
    let sides = zip(axes, lengths).compactMap { $0.sides(over: $1) }
    if sides.count == axes.count {
      attributes.append(.ints("pads", sides.map(\.before) + sides.map(\.after)))
    } else {
      attributes.append(
        .string("auto_pad", padding == .sameLower ? "SAME_LOWER" : "SAME_UPPER"))
    }
    return attributes
  }
}

extension WindowAxis {
  /// Returns the padding at both ends; `nil` if it depends on an unknown length.
  fileprivate func sides(over length: Int?) -> (before: Int, after: Int)? {
    switch padding {
    case .valid: return (0, 0)
    case .causal: return (paddingBefore(0), 0)
    case .amounts(let amounts): return amounts.first.map { ($0[0], $0[1]) }
    case .same, .sameLower: break
    }
    // With stride 1 the padding is the same for each length.
    guard let length = length ?? (stride == 1 ? extent : nil) else { return nil }
    let total = max(0, (count(in: length) - 1) * stride + extent - length)
    let before = paddingBefore(length)
    return (before, total - before)
  }
}
