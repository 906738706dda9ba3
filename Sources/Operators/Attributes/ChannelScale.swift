/// An affine function per channel: y = scale · (x - mean) + shift.
package struct ChannelScale: Sendable {
  /// The factor of each channel.
  package let scale: [Double]
  /// The value subtracted before scaling.
  package let mean: [Double]
  /// The value added after scaling.
  package let shift: [Double]

  /// True if all numbers are finite in float32, so that folding cannot produce NaN.
  package var isFinite: Bool {
    [scale, mean, shift].allSatisfy { $0.allSatisfy { Float($0).isFinite } }
  }
}
