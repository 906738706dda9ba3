/// Where the pixels of an image lie when another is made of them, as ONNX names it.
///
/// Source: TensorFlow, core/util/image_resizer_state.h; onnx, `Resize`, coordinate_transformation_mode.
public enum SamplingCoordinates: String, Sendable, Codable, CaseIterable {
  /// A pixel's centre is half a pixel from its edge.
  case halfPixel
  /// A pixel is its corner at the top left: pixel i of the result lies at i times the proportion of the sizes.
  case asymmetric
  /// The first and the last pixels of both images lie on each other.
  case alignCorners
}

extension Interpolation {
  /// Whether pixels can be measured from their corners.
  var hasCorners: Bool { self == .nearest || self == .bilinear }

  /// The pixels that make up each of `count`, of images whose pixels are measured from their corners.
  ///
  /// Where a pixel falls between two is decided in Float, as in TensorFlow.
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
