import Operators

extension Window2D {
  /// A comment on padding that is not centred: TensorFlow's SAME padding and causal padding.
  func unevenPadding(height: Int, width: Int) -> String? {
    if padding == .causal { return "Causal: all of the padding at the left." }
    guard padding == .same else { return nil }
    var places: [String] = []
    if columns.isUneven(width) { places.append("at the right") }
    if rows.isUneven(height) { places.append("at the bottom") }
    return places.isEmpty
      ? nil : "SAME: one pixel of padding more \(places.joined(separator: " and "))."
  }
}

extension WindowAxis {
  /// The padding after `length` pixels, up to the end of the last window.
  func paddingAfter(_ length: Int) -> Int {
    guard padding != .valid else { return 0 }
    return max(0, (count(in: length) - 1) * stride + extent - length - paddingBefore(length))
  }

  /// True if the padding after `length` pixels is larger than before them.
  fileprivate func isUneven(_ length: Int) -> Bool {
    paddingAfter(length) > paddingBefore(length)
  }
}
