import ModelIR

/// An operator whose pixels are mixtures of those of its input.
package protocol SamplingOperator: Operator {
  /// What makes up each pixel, for an image of `shape`.
  func sampling(of shape: [Int]) -> ImageSampling
}
