/// The mapping from output to input coordinates in resizing, named as in ONNX.
///
/// Source: TensorFlow, core/util/image_resizer_state.h; onnx, `Resize`, coordinate_transformation_mode.
public enum SamplingCoordinates: String, Sendable, Codable, CaseIterable {
  /// Pixel centres are at half-integer coordinates.
  case halfPixel
  /// Coordinates refer to the top-left corner: pixel i of the output is at i times the ratio of the sizes.
  case asymmetric
  /// The first and last pixels of both images are aligned.
  case alignCorners
}

extension Interpolation {
  /// True if the method supports coordinates that refer to corners.
  var hasCorners: Bool { self == .nearest || self == .bilinear }

  /// Returns the taps of `count` output pixels, for coordinates that refer to corners.
  ///
  /// Positions between two pixels are computed in Float, as in TensorFlow.
  ///
  /// Source: TensorFlow, core/kernels/image, resize_bilinear_op.cc and resize_nearest_neighbor_op.cc, `LegacyScaler`.
  func taps(_ count: Int, from length: Int, _ coordinates: SamplingCoordinates) -> [[ImageTap]] {
    let isAligned = coordinates == .alignCorners && count > 1
    let scale =
      isAligned ? Float(length - 1) / Float(count - 1) : Float(length) / Float(count)
    return (0..<count).map { index in
      let place = Float(index) * scale
      if self == .nearest {
        let pixel = coordinates == .alignCorners ? place.rounded() : place.rounded(.down)
        return [ImageTap(pixel: min(length - 1, Int(pixel)), share: 1)]
      }
      let lower = place.rounded(.down)
      let share = Double(place - lower)
      return [
        ImageTap(pixel: min(length - 1, Int(lower)), share: 1 - share),
        ImageTap(pixel: min(length - 1, Int(lower) + 1), share: share),
      ]
    }
  }
}
