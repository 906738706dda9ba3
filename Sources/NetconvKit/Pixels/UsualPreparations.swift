import ModelIR

/// The preparations that are commonly used in training.
///
/// Source of the means and deviations: keras/src/applications/imagenet_utils.py, `_preprocess_numpy_input`.
enum UsualPreparations {
  private static let means = [123.68, 116.779, 103.939]
  private static let unitMeans = [0.485, 0.456, 0.406]
  private static let unitDeviations = [0.229, 0.224, 0.225]

  /// Returns the usual preparations of pixels with a range up to `largest`, 255 or 1.
  static func all(upTo largest: Double, areColored: Bool) -> [[PixelStep]] {
    let bytes: [PixelStep] = largest == 255 ? [] : [.scale([255])]
    let units: [PixelStep] = largest == 255 ? [.scale([1.0 / 255])] : []
    let signed: [PixelStep] = [.scale([2 / largest]), .offset([-1])]
    let plain = [bytes, units, signed]
    func normalized(_ order: (([Double]) -> [Double])) -> [[PixelStep]] {
      guard areColored else { return [] }
      return [
        bytes + [.mean(order(means))],
        units + [.mean(order(unitMeans)), .deviation(order(unitDeviations))],
      ]
    }
    let inOrder = plain + normalized { $0 }
    let reversed = areColored ? plain + normalized { $0.reversed() } : []
    return inOrder + reversed.map { [.channels(.bgr)] + $0 }
      + plain.map { [.invert(from: largest)] + $0 }
      + inOrder.map { [.transpose] + $0 }
      + inOrder.map { [.axes(.channelsFirst)] + $0 }
  }
}
