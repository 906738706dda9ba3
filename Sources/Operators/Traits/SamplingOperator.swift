import ModelIR

/// An operator that resamples images.
package protocol SamplingOperator: Operator {
  /// Returns the sampling weights for an image of the given shape.
  func sampling(of shape: [Int]) -> ImageSampling
}
