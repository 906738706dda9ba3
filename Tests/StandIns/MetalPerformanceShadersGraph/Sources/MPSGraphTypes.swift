/// The order of a tensor's dimensions, slowest first.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphtensornameddatalayout
public enum MPSGraphTensorNamedDataLayout: UInt, Sendable {
  /// Images: batch, channels, height, width.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case NCHW = 0
  /// Images: batch, height, width, channels.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case NHWC = 1
  /// Kernels: outputs, inputs, height, width.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case OIHW = 2
  /// Kernels: height, width, inputs, outputs.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case HWIO = 3

  var isOfImages: Bool { self == .NCHW || self == .NHWC }
}

/// How many zeros there are around an image.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphpaddingstyle
public enum MPSGraphPaddingStyle: UInt, Sendable {
  /// As given.
  case explicit = 0
  /// None.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case TF_VALID = 1
  /// The result is as large as the source, divided by the stride and rounded up; the remainder is behind.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case TF_SAME = 2
}

/// What lies around a padded tensor.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphpaddingmode
public enum MPSGraphPaddingMode: Int, Sendable {
  /// A number.
  case constant = 0
  /// The tensor mirrored at its outermost elements.
  case reflect = 1
  /// The tensor mirrored behind its outermost elements.
  case symmetric = 2
}

/// How an image is resampled.
///
/// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraphresizemode
public enum MPSGraphResizeMode: UInt, Sendable {
  /// The nearest pixel; of two the one behind.
  case nearest = 0
  /// Between four pixels.
  case bilinear = 1
}

/// Windows in one dimension: where they lie and how many there are.
struct Slide {
  let size: Int
  let stride: Int
  let dilation: Int

  var extent: Int { (size - 1) * dilation + 1 }

  func padding(
    _ style: MPSGraphPaddingStyle, source: Int, before: Int, after: Int
  ) -> (before: Int, after: Int) {
    switch style {
    case .explicit: return (before, after)
    case .TF_VALID: return (0, 0)
    case .TF_SAME:
      let total = max(((source + stride - 1) / stride - 1) * stride + extent - source, 0)
      return (total / 2, total - total / 2)
    }
  }

  func count(source: Int, _ padding: (before: Int, after: Int)) -> Int {
    source == -1 ? -1 : (source + padding.before + padding.after - extent) / stride + 1
  }
}
