import ModelIR

/// The padding around an input that windows extend over.
public enum Padding: Sendable, Hashable {
  /// No padding.
  case valid
  /// ceil(input / stride) windows; an odd pixel of padding is added at the end, as in TensorFlow.
  case same
  /// ceil(input / stride) windows; an odd pixel of padding is added at the start, as in ONNX's SAME_LOWER.
  case sameLower
  /// ceil(input / stride) windows, each of which ends at its own step, so that no output depends on later steps.
  ///
  /// Supported for one axis only.
  case causal
  /// The number of pixels before and after each axis.
  case amounts([[Int]])
}

extension Padding: Codable {
  private static let names: [(padding: Padding, name: String)] = [
    (.causal, "causal"), (.same, "same"), (.sameLower, "sameLower"), (.valid, "valid"),
  ]

  /// The name in documents; `nil` for explicit amounts.
  public var name: String? { Self.names.first { $0.padding == self }?.name }

  /// Decodes a name, or two numbers for each axis.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let amounts = try? container.decode([[Int]].self) {
      self = .amounts(amounts)
      return
    }
    let name = try container.decode(String.self)
    guard let known = Self.names.first(where: { $0.name == name }) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "unknown padding \(quoted(name)); known are "
            + Self.names.map(\.name).joined(separator: ", ")
            + ", and numbers before and after each axis"))
    }
    self = known.padding
  }

  /// Encodes the name, or the numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if case .amounts(let amounts) = self {
      try container.encode(amounts)
    } else {
      try container.encode(name)
    }
  }
}

extension Padding: CustomStringConvertible {
  /// The name, or the numbers.
  public var description: String {
    if case .amounts(let amounts) = self { "\(amounts)" } else { name ?? "" }
  }
}

extension Padding {
  /// The equivalent for images with one row.
  package var planar: Padding {
    if case .amounts(let amounts) = self { .amounts([[0, 0]] + amounts) } else { self }
  }

  /// Returns the padding of one axis.
  fileprivate func along(_ index: Int) -> Padding {
    guard case .amounts(let amounts) = self else { return self }
    return .amounts(amounts.indices.contains(index) ? [amounts[index]] : [])
  }

  /// The number of pixels before and after the only axis; `nil` if they depend on its length.
  fileprivate var sides: (before: Int, after: Int)? {
    guard case .amounts(let amounts) = self, amounts.count == 1, amounts[0].count == 2 else {
      return nil
    }
    return (amounts[0][0], amounts[0][1])
  }
}

/// A window that slides over its input, common to convolution and pooling.
public struct Window<Space: SpatialAxes>: Sendable, Equatable {
  /// The size of the window.
  public var size: SpatialSize<Space>
  /// The stride between windows.
  public var strides: SpatialSize<Space>
  /// The distance between the taps of a window.
  public var dilation: SpatialSize<Space>
  /// The padding at the edges.
  public var padding: Padding

  /// Creates a window of `size`.
  public init(
    size: SpatialSize<Space>, strides: SpatialSize<Space>, dilation: SpatialSize<Space> = .one,
    padding: Padding
  ) {
    self.size = size
    self.strides = strides
    self.dilation = dilation
    self.padding = padding
  }

  /// The windows along each axis.
  public var axes: [WindowAxis] { Space.axes.indices.map(axis) }

  fileprivate func axis(_ index: Int) -> WindowAxis {
    WindowAxis(
      size: size.sizes[index], stride: strides.sizes[index], dilation: dilation.sizes[index],
      padding: padding.along(index))
  }

  /// Checks that all sizes are positive and that the padding fits the axes.
  ///
  /// Explicit amounts must be smaller than the window, so that each window covers at least one pixel.
  ///
  /// - Parameter sizeName: the attribute name of the window's size in documents.
  /// - Throws: `badData`.
  func check(sizeName: String) throws(NetconvError) {
    try checkSizes(sizeName, size)
    try checkSizes("strides", strides)
    try checkSizes("dilation", dilation)
    guard padding != .causal || Space.count == 1 else { throw .causalPadding(axes: Space.count) }
    guard case .amounts(let amounts) = padding else { return }
    guard amounts.count == Space.count,
      zip(amounts, axes).allSatisfy({ sides, axis in
        sides.count == 2 && sides.allSatisfy { (0..<axis.extent).contains($0) }
      })
    else { throw .wrongPaddingAmounts(amounts, axes: axes.map(\.extent)) }
  }

  /// Returns the number of windows along each axis; unknown where the size of the input is.
  package func outputSize(_ lengths: [Int?]) -> [Int?] {
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
  /// The number of taps.
  public let size: Int
  /// The stride between windows.
  public let stride: Int
  /// The distance between taps.
  public let dilation: Int
  /// The padding at the ends.
  public let padding: Padding

  /// Creates a window along one axis.
  package init(size: Int, stride: Int, dilation: Int, padding: Padding) {
    (self.size, self.stride, self.dilation, self.padding) = (size, stride, dilation, padding)
  }

  /// The distance from the first to the last tap of a window, inclusive.
  public var extent: Int { (size - 1) * dilation + 1 }

  /// Returns the number of windows over `length` pixels.
  public func count(in length: Int) -> Int {
    switch padding {
    case .valid: inside(length)
    case .same, .sameLower, .causal: (length + stride - 1) / stride
    case .amounts: inside(length + (padding.sides?.before ?? 0) + (padding.sides?.after ?? 0))
    }
  }

  /// Returns the number of windows that fit into `length` pixels.
  private func inside(_ length: Int) -> Int {
    length < extent ? 0 : (length - extent) / stride + 1
  }

  /// Returns the padding before the first pixel.
  ///
  /// Source: TensorFlow, "padding" of tf.nn.convolution: the total is halved, an odd pixel is added at the end.
  public func paddingBefore(_ length: Int) -> Int {
    switch padding {
    case .valid: 0
    case .same: samePadding(length) / 2
    case .sameLower: samePadding(length) - samePadding(length) / 2
    case .causal: extent - 1
    case .amounts: padding.sides?.before ?? 0
    }
  }

  /// The explicit padding after the last pixel; 0 if it depends on the length.
  var paddingBehind: Int { padding.sides?.after ?? 0 }

  /// Returns the total padding at both ends that results in ceil(`length` / stride) windows.
  private func samePadding(_ length: Int) -> Int {
    max(0, (count(in: length) - 1) * stride + extent - length)
  }

  /// Returns true if the padding of both ends differs for strides above 1, which only TensorFlow does.
  func padsUnequally(_ length: Int) -> Bool {
    padding == .same && stride > 1 && samePadding(length) % 2 == 1
  }

  /// The taps of a window that are within the input, and the pixels under them.
  struct Taps {
    /// The indices of the taps in the window.
    let numbers: Range<Int>
    fileprivate let start: Int
    fileprivate let dilation: Int

    /// Returns the pixel under a tap.
    func pixel(under number: Int) -> Int { start + number * dilation }
  }

  /// Returns the taps of the window at `index` that are within `length` pixels.
  func taps(_ index: Int, in length: Int) -> Taps {
    let start = index * stride - paddingBefore(length)
    // Taps outside of the input are skipped without iteration, as windows may be huge.
    let first = max(0, (dilation - 1 - start) / dilation)
    let end = min(size, (length - start + dilation - 1) / dilation)
    return Taps(numbers: first..<max(first, end), start: start, dilation: dilation)
  }
}

extension NetconvError {
  fileprivate static func wrongPaddingAmounts(_ amounts: [[Int]], axes extents: [Int])
    -> NetconvError
  {
    NetconvError(
      .badData,
      "padding is \(amounts); expected two numbers for each axis, from 0 to less than the window, "
        + extents.map { "\($0)" }.joined(separator: " x "))
  }

  fileprivate static func causalPadding(axes: Int) -> NetconvError {
    NetconvError(
      .badData, "padding is causal, which is for sequences; the window has \(axes) spatial axes")
  }
}
