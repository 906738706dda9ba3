#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the pixels of an image of another size come about.
public enum Interpolation: String, Sendable, Codable, CaseIterable {
  /// Each pixel is the nearest one of the source.
  case nearest
  /// Linear between the centres of two pixels along each axis.
  case bilinear
  /// Keys's cubic through the centres of four pixels along each axis.
  case bicubic
  /// The mean of the source under each pixel.
  case area
  /// A sinc windowed by its middle three lobes.
  case lanczos3
  /// A sinc windowed by its middle five lobes.
  case lanczos5
  /// A bell with a deviation of half a pixel.
  case gaussian
  /// The cubic of Mitchell and Netravali, which smooths.
  case mitchellCubic
}

/// A pixel of the source, and its share in a pixel of the result.
package struct ImageTap: Sendable, Equatable {
  package let pixel: Int
  package let share: Double
}

extension Interpolation {
  /// The pixels that make up each of `count` pixels that stand for `length` along an axis.
  ///
  /// The centre of a pixel is half a pixel from its edge. Where a pixel falls between two is decided in Float,
  /// as in TensorFlow.
  /// - Parameter antialias: whether a smaller image sees as many pixels of the source as each of its own covers.
  ///
  /// Source: TensorFlow, tf.image.resize: `core/kernels/image`, resize_*_op.cc and scale_and_translate_op.cc.
  package func taps(_ count: Int, from length: Int, antialias: Bool = false) -> [[ImageTap]] {
    let scale = Float(length) / Float(count)
    return (0..<count).map { index in
      switch self {
      case .nearest:
        let pixel = Int(((Float(index) + 0.5) * scale).rounded(.down))
        return [ImageTap(pixel: min(pixel, length - 1), share: 1)]
      case .area: return area(index, length, scale)
      case .bilinear where !antialias: return bilinear(index, count, length)
      case .bicubic where !antialias: return bicubic(index, length, scale)
      default: return weighted(index, count, length, antialias)
      }
    }
  }

  private func bilinear(_ index: Int, _ count: Int, _ length: Int) -> [ImageTap] {
    let center = (Double(index) + 0.5) * Double(length) / Double(count) - 0.5
    let lower = center.rounded(.down)
    let share = center - lower
    return [
      ImageTap(pixel: max(0, Int(lower)), share: 1 - share),
      ImageTap(pixel: min(length - 1, Int(lower) + 1), share: share),
    ]
  }

  /// How much of each pixel lies under a new one.
  ///
  /// A new pixel that lies within an old one counts as `scale`, whatever the rounding errors of its edges are.
  private func area(_ index: Int, _ length: Int, _ scale: Float) -> [ImageTap] {
    let (start, end) = (Float(index) * scale, Float(index + 1) * scale)
    return (Int(start.rounded(.down))..<Int(end.rounded(.up))).map { pixel in
      let (from, to) = (Float(pixel), Float(pixel + 1))
      let covered = from < start && to > end ? scale : min(to, end) - max(from, start)
      return ImageTap(pixel: min(pixel, length - 1), share: Double(covered / scale))
    }
  }

  /// Four pixels; where the centre falls is rounded to 1/1024, because the weights are in a table.
  private func bicubic(_ index: Int, _ length: Int, _ scale: Float) -> [ImageTap] {
    let center = (Float(index) + 0.5) * scale - 0.5
    let lower = center.rounded(.down)
    let offset = Double(((center - lower) * 1024).rounded(.toNearestOrEven)) / 1024
    return Self.normalized(
      (-1...2).map { step in
        ImageTap(pixel: Int(lower) + step, share: kernel(abs(Double(step) - offset)))
      }.filter { (0..<length).contains($0.pixel) })
  }

  /// As many pixels as the kernel reaches.
  private func weighted(
    _ index: Int, _ count: Int, _ length: Int, _ antialias: Bool
  ) -> [ImageTap] {
    let inverse = 1 / (Float(count) / Float(length))
    let center = (Float(index) + 0.5) * inverse
    let stretch = antialias ? max(inverse, 1) : 1
    let reach = radius * stretch
    let first = max(0, Int((center - reach - 0.5).rounded(.up)))
    let last = min(length - 1, Int((center + reach - 0.5).rounded(.down)))
    return Self.normalized(
      (min(first, length - 1)...max(last, 0)).map { pixel in
        let distance = (Float(pixel) + 0.5 - center) / stretch
        return ImageTap(pixel: pixel, share: kernel(Double(abs(distance))))
      })
  }

  private static func normalized(_ taps: [ImageTap]) -> [ImageTap] {
    let sum = taps.reduce(0) { $0 + $1.share }
    return taps.map { ImageTap(pixel: $0.pixel, share: $0.share / sum) }
  }

  /// How far the kernel reaches.
  private var radius: Float {
    switch self {
    case .nearest, .area, .bilinear: 1
    case .bicubic, .mitchellCubic: 2
    case .gaussian: 1.5
    case .lanczos3: 3
    case .lanczos5: 5
    }
  }

  /// The weight of a pixel at a distance from the centre.
  ///
  /// Source: TensorFlow, core/kernels/image/sampling_kernels.h.
  private func kernel(_ x: Double) -> Double {
    switch self {
    case .nearest, .area, .bilinear: x < 1 ? 1 - x : 0
    case .bicubic:
      x >= 2
        ? 0 : x >= 1 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : (1.5 * x - 2.5) * x * x + 1
    case .mitchellCubic:
      x >= 2
        ? 0
        : x >= 1
          ? ((-7.0 / 18 * x + 2) * x - 10.0 / 3) * x + 16.0 / 9
          : (7.0 / 6 * x - 2) * x * x + 8.0 / 9
    case .gaussian: x >= 1.5 ? 0 : exp(-2 * x * x)
    case .lanczos3: lanczos(x, 3)
    case .lanczos5: lanczos(x, 5)
    }
  }

  private func lanczos(_ x: Double, _ radius: Double) -> Double {
    guard x <= radius else { return 0 }
    guard x > 1e-3 else { return 1 }
    let angle = Double.pi * x
    return radius * sin(angle) * sin(angle / radius) / (angle * angle)
  }
}
