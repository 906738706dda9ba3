#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An interpolation method for resizing images.
public enum Interpolation: String, Sendable, Codable, CaseIterable {
  /// The nearest input pixel.
  case nearest
  /// Linear interpolation between two pixel centres along each axis.
  case bilinear
  /// Keys' cubic interpolation between four pixel centres along each axis.
  case bicubic
  /// The mean of the input area under each pixel.
  case area
  /// A Lanczos kernel with radius 3.
  case lanczos3
  /// A Lanczos kernel with radius 5.
  case lanczos5
  /// A Gaussian kernel with a standard deviation of half a pixel.
  case gaussian
  /// The cubic kernel of Mitchell and Netravali, which smooths.
  case mitchellCubic
}

/// An input pixel and its weight in an output pixel.
package struct ImageTap: Sendable, Equatable {
  package let pixel: Int
  package let share: Double
}

extension Interpolation {
  /// Returns the taps of `count` output pixels along an axis of `length` input pixels.
  ///
  /// Pixel centres are at half-integer coordinates. Positions between two pixels are computed in Float, as in
  /// TensorFlow.
  /// - Parameter antialias: true to widen the kernel when downsampling, so that it covers all input pixels.
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

  /// Returns the fraction of each input pixel that an output pixel covers.
  ///
  /// An output pixel within a single input pixel covers exactly `scale`, regardless of rounding errors at its edges.
  private func area(_ index: Int, _ length: Int, _ scale: Float) -> [ImageTap] {
    let (start, end) = (Float(index) * scale, Float(index + 1) * scale)
    return (Int(start.rounded(.down))..<Int(end.rounded(.up))).map { pixel in
      let (from, to) = (Float(pixel), Float(pixel + 1))
      let covered = from < start && to > end ? scale : min(to, end) - max(from, start)
      return ImageTap(pixel: min(pixel, length - 1), share: Double(covered / scale))
    }
  }

  /// Returns four taps; the offset from the centre is rounded to 1/1024, because TensorFlow's weights are in a table.
  private func bicubic(_ index: Int, _ length: Int, _ scale: Float) -> [ImageTap] {
    let center = (Float(index) + 0.5) * scale - 0.5
    let lower = center.rounded(.down)
    let offset = Double(((center - lower) * 1024).rounded(.toNearestOrEven)) / 1024
    return Self.normalized(
      (-1...2).map { step in
        ImageTap(pixel: Int(lower) + step, share: kernel(abs(Double(step) - offset)))
      }.filter { (0..<length).contains($0.pixel) })
  }

  /// Returns all taps within the kernel's radius.
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

  /// The radius of the kernel.
  private var radius: Float {
    switch self {
    case .nearest, .area, .bilinear: 1
    case .bicubic, .mitchellCubic: 2
    case .gaussian: 1.5
    case .lanczos3: 3
    case .lanczos5: 5
    }
  }

  /// Returns the weight of a pixel at a distance from the centre.
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
