import ModelIR

/// What lies outside of an image when a window reaches over its edge.
public enum Padding: String, Sendable, Codable {
  /// Windows stay inside.
  case valid
  /// ceil(input / stride) windows; an odd pixel of padding goes to the far edge, as in TensorFlow.
  case same
  /// ceil(input / stride) windows, each of which ends at its own step: no output sees what comes after it.
  ///
  /// Along one axis only.
  case causal

  /// Reads `"valid"`, `"same"` or `"causal"`.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let padding = Padding(rawValue: name) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "unknown padding \(quoted(name)); known are causal, same, valid"))
    }
    self = padding
  }
}

/// A window that slides over its input: what convolution and pooling have in common.
public struct Window<Space: SpatialAxes>: Sendable, Equatable {
  /// The window's own size.
  public var size: SpatialSize<Space>
  /// The distance of two windows.
  public var strides: SpatialSize<Space>
  /// The distance of two taps of one window.
  public var dilation: SpatialSize<Space>
  /// What happens at the edges.
  public var padding: Padding

  /// A window of `size`.
  public init(
    size: SpatialSize<Space>, strides: SpatialSize<Space>, dilation: SpatialSize<Space> = .one,
    padding: Padding
  ) {
    self.size = size
    self.strides = strides
    self.dilation = dilation
    self.padding = padding
  }

  /// The window along each axis.
  public var axes: [WindowAxis] { Space.axes.indices.map(axis) }

  fileprivate func axis(_ index: Int) -> WindowAxis {
    WindowAxis(
      size: size.sizes[index], stride: strides.sizes[index], dilation: dilation.sizes[index],
      padding: padding)
  }

  /// Checks that all sizes are positive, and that the padding is one of that many axes.
  ///
  /// - Parameter sizeName: what documents call the window's size.
  /// - Throws: `badData`.
  func check(sizeName: String) throws(NetconvError) {
    try checkSizes(sizeName, size)
    try checkSizes("strides", strides)
    try checkSizes("dilation", dilation)
    guard padding != .causal || Space.count == 1 else { throw .causalPadding(axes: Space.count) }
  }

  /// The number of windows along each axis; unknown where the size of the input is.
  func outputSize(_ lengths: [Int?]) -> [Int?] {
    zip(axes, lengths).map { axis, length in length.map { axis.count(in: $0) } }
  }
}

/// A window that slides over an image.
public typealias Window2D = Window<Plane>

extension Window where Space == Plane {
  /// The window along the vertical axis.
  public var rows: WindowAxis { axis(0) }

  /// The window along the horizontal axis.
  public var columns: WindowAxis { axis(1) }
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
    case .same, .causal: (length + stride - 1) / stride
    }
  }

  /// The padding before the first pixel.
  ///
  /// Source: TensorFlow, "padding" of tf.nn.convolution: the total is halved, the odd pixel goes behind.
  public func paddingBefore(_ length: Int) -> Int {
    switch padding {
    case .valid: 0
    case .same: samePadding(length) / 2
    case .causal: extent - 1
    }
  }

  /// The padding at both ends together, so that there are ceil(`length` / stride) windows.
  private func samePadding(_ length: Int) -> Int {
    max(0, (count(in: length) - 1) * stride + extent - length)
  }

  /// Whether windows with longer steps than one pad one end more than the other, as TensorFlow alone does.
  func padsUnequally(_ length: Int) -> Bool {
    padding == .same && stride > 1 && samePadding(length) % 2 == 1
  }

  /// The taps of a window that lie within the input, and the pixels under them.
  struct Taps {
    /// Their numbers in the window.
    let numbers: Range<Int>
    fileprivate let start: Int
    fileprivate let dilation: Int

    /// The pixel under a tap.
    func pixel(under number: Int) -> Int { start + number * dilation }
  }

  /// The taps of window number `index` that lie within `length` pixels.
  func taps(_ index: Int, in length: Int) -> Taps {
    let start = index * stride - paddingBefore(length)
    // Of a huge window only what lies inside is looked at.
    let first = max(0, (dilation - 1 - start) / dilation)
    let end = min(size, (length - start + dilation - 1) / dilation)
    return Taps(numbers: first..<max(first, end), start: start, dilation: dilation)
  }
}
