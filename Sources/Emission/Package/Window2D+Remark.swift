import Operators

extension Window2D {
  /// What is to be said about padding that is not centred: TensorFlow's SAME, and what is causal.
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
  /// The padding behind `length` pixels: as far as the last window reaches.
  func paddingAfter(_ length: Int) -> Int {
    guard padding != .valid else { return 0 }
    return max(0, (count(in: length) - 1) * stride + extent - length - paddingBefore(length))
  }

  /// Whether one pixel more of padding is behind `length` pixels than in front of them.
  fileprivate func isUneven(_ length: Int) -> Bool {
    paddingAfter(length) > paddingBefore(length)
  }
}
