import ModelIR

/// An operator that brings pixels to the range that a network was trained on.
package protocol PixelScalingOperator: Operator {
  /// Whether it brings pixels to that range, not values of the range back to pixels.
  var scalesPixels: Bool { get }

  /// Whether it is made for pixels of up to 255, or of up to 1; `nil` if it does not tell.
  var expectsLargePixels: Bool? { get }
}

/// An operator that multiplies values and adds to them, by numbers that are attributes.
package protocol RescalingOperator: PixelScalingOperator {
  /// What values are multiplied by: one number, or one for each channel.
  var scale: [Double] { get set }
  /// What is added then: one number, or one for each channel.
  var offset: [Double] { get set }
}
