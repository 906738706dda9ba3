/// A factor and an offset for each channel: y = scale · (x - mean) + shift.
package struct ChannelScale: Sendable {
  /// What each channel is multiplied by.
  package let scale: [Double]
  /// What is subtracted before.
  package let mean: [Double]
  /// What is added afterwards.
  package let shift: [Double]

  /// Whether folding leaves numbers numbers: 0 times an infinite scale would be none.
  package var isFinite: Bool {
    [scale, mean, shift].allSatisfy { $0.allSatisfy { Float($0).isFinite } }
  }
}
