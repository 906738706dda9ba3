import ModelIR
import Processor

/// The curve between light and the values of sRGB, from 0 to 255 on both sides.
///
/// Values below 0 are on the straight part, continued; those above 255 on the power, continued.
/// Source: IEC 61966-2-1, section 5.2.
enum TransferCurve {
  /// Light from a value of sRGB.
  static func linear(_ value: Float) -> Float {
    let x = Double(value) / 255
    return Float(255 * (x <= 0.04045 ? x / 12.92 : power((x + 0.055) / 1.055, 2.4)))
  }

  /// The value of sRGB for light.
  static func sRGB(_ value: Float) -> Float {
    let x = Double(value) / 255
    return Float(255 * (x <= 0.0031308 ? x * 12.92 : 1.055 * power(x, 1 / 2.4) - 0.055))
  }

  /// Takes the colours of a picture along the curve.
  static func apply(
    _ wanted: PixelStep.Encoding, to picture: Picture, _ workers: Workers
  ) -> [Float] {
    guard wanted != picture.encoding else { return picture.values }
    let curve = wanted == .linear ? linear : sRGB
    // Pictures from files have whole numbers only.
    let whole = (0...255).map { curve(Float($0)) }
    let (colors, channels) = (picture.colors, picture.channels)
    let values = picture.values
    return workers.values(values.count, from: values) { x, y in
      let (from, to) = (Shared(x), Shared(y))
      workers.share(picture.height, cost: picture.width * channels * 16) { rows in
        let first = rows.lowerBound * picture.width * channels
        for index in first..<rows.upperBound * picture.width * channels {
          let value = from.value[index]
          let isAlpha = index % channels >= colors
          to.value[index] =
            isAlpha ? value : Int(exactly: value).flatMap { whole.element(at: $0) } ?? curve(value)
        }
      }
    }
  }
}

extension Array {
  /// The element at a place, if there is one.
  fileprivate func element(at place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
