import ModelIR

/// The border around an image that a window reaches over.
public enum Padding: Sendable, Hashable {
  /// Windows stay inside.
  case valid
  /// ceil(input / stride) windows; an odd pixel of padding goes to the far edge, as in TensorFlow.
  case same
  /// ceil(input / stride) windows; an odd pixel of padding goes to the near edge, as ONNX's SAME_LOWER.
  case sameLower
  /// ceil(input / stride) windows, each of which ends at its own step: no output sees what comes after it.
  ///
  /// Along one axis only.
  case causal
  /// Pixels before and behind each axis.
  case amounts([[Int]])
}

extension Padding: Codable {
  private static let names: [(padding: Padding, name: String)] = [
    (.causal, "causal"), (.same, "same"), (.sameLower, "sameLower"), (.valid, "valid"),
  ]

  /// The name in documents; `nil` of amounts, which have none.
  public var name: String? { Self.names.first { $0.padding == self }?.name }

  /// Reads a name, or two numbers for each axis.
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

  /// Writes the name, or the numbers.
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
  /// The same over images of one row.
  package var planar: Padding {
    if case .amounts(let amounts) = self { .amounts([[0, 0]] + amounts) } else { self }
  }

  /// The padding of one axis.
  fileprivate func along(_ index: Int) -> Padding {
    guard case .amounts(let amounts) = self else { return self }
    return .amounts(amounts.indices.contains(index) ? [amounts[index]] : [])
  }

  /// The pixels before and behind the only axis; `nil` if they follow from its length.
  fileprivate var sides: (before: Int, after: Int)? {
    guard case .amounts(let amounts) = self, amounts.count == 1, amounts[0].count == 2 else {
      return nil
    }
    return (amounts[0][0], amounts[0][1])
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
      padding: padding.along(index))
  }

  /// Checks that all sizes are positive, and that the padding is one of that many axes: amounts are less than a window,
  /// so that each sees a pixel.
  ///
  /// - Parameter sizeName: what documents call the window's size.
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
    case .valid: inside(length)
    case .same, .sameLower, .causal: (length + stride - 1) / stride
    case .amounts: inside(length + (padding.sides?.before ?? 0) + (padding.sides?.after ?? 0))
    }
  }

  /// The number of windows that stay inside `length` pixels.
  private func inside(_ length: Int) -> Int {
    length < extent ? 0 : (length - extent) / stride + 1
  }

  /// The padding before the first pixel.
  ///
  /// Source: TensorFlow, "padding" of tf.nn.convolution: the total is halved, the odd pixel goes behind.
  public func paddingBefore(_ length: Int) -> Int {
    switch padding {
    case .valid: 0
    case .same: samePadding(length) / 2
    case .sameLower: samePadding(length) - samePadding(length) / 2
    case .causal: extent - 1
    case .amounts: padding.sides?.before ?? 0
    }
  }

  /// The padding behind the last pixel that is stated; 0 where it follows from the length.
  var paddingBehind: Int { padding.sides?.after ?? 0 }

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
