import Operators

extension Window2D {
  /// What is to be said about SAME padding: TensorFlow's is not centred.
  func unevenPadding(height: Int, width: Int) -> String? {
    guard padding == .same else { return nil }
    var places: [String] = []
    if columns.isUneven(width) { places.append("at the right") }
    if rows.isUneven(height) { places.append("at the bottom") }
    return places.isEmpty
      ? nil : "SAME: one pixel of padding more \(places.joined(separator: " and "))."
  }
}

extension WindowAxis {
  /// The padding around `length` pixels.
  func paddingTotal(_ length: Int) -> Int {
    padding == .valid ? 0 : max(0, (count(in: length) - 1) * stride + extent - length)
  }

  /// Whether one pixel more of padding is behind `length` pixels than in front of them.
  fileprivate func isUneven(_ length: Int) -> Bool { paddingTotal(length) % 2 == 1 }
}
