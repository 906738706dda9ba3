import ModelIR
import Processor

/// The transfer function between linear light and sRGB, from 0 to 255 on both sides.
///
/// Values below 0 continue the linear segment, values above 255 the power function.
/// Source: IEC 61966-2-1, section 5.2.
enum TransferCurve {
  /// Returns the linear value of an sRGB value.
  static func linear(_ value: Float) -> Float {
    let x = Double(value) / 255
    return Float(255 * (x <= 0.04045 ? x / 12.92 : power((x + 0.055) / 1.055, 2.4)))
  }

  /// Returns the sRGB value of a linear value.
  static func sRGB(_ value: Float) -> Float {
    let x = Double(value) / 255
    return Float(255 * (x <= 0.0031308 ? x * 12.92 : 1.055 * power(x, 1 / 2.4) - 0.055))
  }

  /// Applies the transfer function to the colours of a picture.
  static func apply(
    _ wanted: PixelStep.Encoding, to picture: Picture, _ workers: Workers
  ) -> [Float] {
    guard wanted != picture.encoding else { return picture.values }
    let curve = wanted == .linear ? linear : sRGB
    // Pictures from files usually have integer values.
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
  /// The element at an index, if there is one.
  fileprivate func element(at place: Int) -> Element? {
    indices.contains(place) ? self[place] : nil
  }
}
