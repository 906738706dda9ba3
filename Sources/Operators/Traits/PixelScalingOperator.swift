import ModelIR

/// An operator that scales pixels to the range that a network was trained on.
package protocol PixelScalingOperator: Operator {
  /// True if it scales pixels to that range, false if it scales values of that range back to pixels.
  var scalesPixels: Bool { get }

  /// True if it expects pixels up to 255, false if it expects pixels up to 1; `nil` if unknown.
  var expectsLargePixels: Bool? { get }
}

/// An operator that applies a factor and an offset, which are attributes.
package protocol RescalingOperator: PixelScalingOperator {
  /// The factor: one number, or one for each channel.
  var scale: [Double] { get set }
  /// The offset that is added after scaling: one number, or one for each channel.
  var offset: [Double] { get set }
}
