import ModelIR

/// What lies outside of an image when a window reaches over its edge.
public enum Padding: String, Sendable, Codable {
  /// Windows stay inside.
  case valid
  /// ceil(input / stride) windows; an odd pixel of padding goes to the far edge, as in TensorFlow.
  case same

  /// Reads `"valid"` or `"same"`.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let padding = Padding(rawValue: name) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "unknown padding \(quoted(name)); known are same, valid"))
    }
    self = padding
  }
}

/// A window that slides over an image: what convolution and pooling have in common.
public struct Window2D: Sendable, Equatable {
  /// Rows and columns of the window.
  public var size: Size2D
  /// The distance of two windows.
  public var strides: Size2D
  /// The distance of two taps of one window.
  public var dilation: Size2D
  /// What happens at the edges.
  public var padding: Padding

  /// A window of `size`.
  public init(size: Size2D, strides: Size2D, dilation: Size2D = .one, padding: Padding) {
    self.size = size
    self.strides = strides
    self.dilation = dilation
    self.padding = padding
  }

  /// Checks that all sizes are positive.
  ///
  /// - Parameter sizeName: what documents call the window's size.
  /// - Throws: `badData`.
  func check(sizeName: String) throws(NetconvError) {
    try checkSizes(
      (sizeName, size.height), (sizeName, size.width), ("strides", strides.height),
      ("strides", strides.width), ("dilation", dilation.height), ("dilation", dilation.width))
  }

  /// The number of windows along each axis; unknown where the image's size is.
  func outputSize(height: Int?, width: Int?) -> (height: Int?, width: Int?) {
    (height.map { rows.count(in: $0) }, width.map { columns.count(in: $0) })
  }

  /// The window along the vertical axis.
  public var rows: WindowAxis {
    WindowAxis(
      size: size.height, stride: strides.height, dilation: dilation.height, padding: padding)
  }

  /// The window along the horizontal axis.
  public var columns: WindowAxis {
    WindowAxis(size: size.width, stride: strides.width, dilation: dilation.width, padding: padding)
  }
}

/// A window along one axis.
public struct WindowAxis: Sendable, Equatable {
  /// Taps of one window.
  public let size: Int
  /// The distance of two windows.
  public let stride: Int
  /// The distance of two taps.
  public let dilation: Int
  /// What happens at the ends.
  public let padding: Padding

  /// From the first to the last tap of a window, both included.
  public var extent: Int { (size - 1) * dilation + 1 }

  /// The number of windows over `length` pixels.
  public func count(in length: Int) -> Int {
    switch padding {
    case .valid: length < extent ? 0 : (length - extent) / stride + 1
    case .same: (length + stride - 1) / stride
    }
  }

  /// The padding before the first pixel.
  ///
  /// Source: TensorFlow, "padding" of tf.nn.convolution: the total is halved, the odd pixel goes behind.
  public func paddingBefore(_ length: Int) -> Int {
    switch padding {
    case .valid: 0
    case .same: max(0, (count(in: length) - 1) * stride + extent - length) / 2
    }
  }

  /// The taps of window number `index` that lie within `length` pixels, with the pixel under each.
  func taps(_ index: Int, in length: Int) -> [(tap: Int, pixel: Int)] {
    let start = index * stride - paddingBefore(length)
    // Of a huge window only what lies inside is looked at.
    let first = max(0, (dilation - 1 - start) / dilation)
    let end = min(size, (length - start + dilation - 1) / dilation)
    guard first < end else { return [] }
    return (first..<end).map { ($0, start + $0 * dilation) }
  }
}
