import FlatBuffers
import ModelIR
import Operators

/// Windows over images; sequences are images of one row.
extension TFLiteGraphBuilder {
  /// A window with the padding that an operator applies itself.
  struct PlanarWindow {
    /// The size, strides and dilation of each axis.
    let axes: [WindowAxis]
    /// True for `SAME`, false for `VALID`.
    let pads: Bool
    /// The lengths of the output.
    let lengths: [TFLiteSize]

    /// The first fields of all options with windows.
    var fields: FlatFields {
      [0: .byte(pads ? 0 : 1), 1: .int(axes[1].stride), 2: .int(axes[0].stride)]
    }
  }

  /// Returns a value as images: a sequence gets an axis of one row.
  mutating func planar<Space>(_ x: TFLiteValue, _ space: Space.Type) -> TFLiteValue
  where Space: SpatialAxes {
    Space.axes.count == 1 ? expand(x, at: 1) : x
  }

  /// Returns images as values of the axes: the row of a sequence is removed.
  mutating func lines<Space>(_ x: TFLiteValue, _ space: Space.Type) -> TFLiteValue
  where Space: SpatialAxes {
    Space.axes.count == 1 ? squeeze(x, at: 1) : x
  }

  /// Returns the window of an operator over images, and the images with padding that the operator does not apply.
  ///
  /// `SAME` of TensorFlow Lite is that of TensorFlow; other padding is added in front.
  mutating func window<Space>(
    _ window: Window<Space>, over x: TFLiteValue, padding value: Double = 0
  ) throws(NetconvError) -> (window: PlanarWindow, input: TFLiteValue) {
    let axes = window.axes.count == 1 ? window.ofOneRow.axes : window.axes
    let inputs = Array(x.sizes[1...2])
    let lengths = zip(axes, inputs).map { axis, size -> TFLiteSize in
      let count = axis.count(in: size.count)
      return size.known == nil ? .open(max(1, count)) : .fixed(count)
    }
    if window.padding == .same {
      return (PlanarWindow(axes: axes, pads: true, lengths: lengths), x)
    }
    let sides = try zip(axes, inputs).map { axis, size throws(NetconvError) in
      try axis.sides(over: size.known)
    }
    let padded = try pad(x, [[0, 0]] + sides + [[0, 0]], with: value)
    return (PlanarWindow(axes: axes, pads: false, lengths: lengths), padded)
  }
}

extension Window {
  /// The window over an image of one row, for a window over a sequence.
  fileprivate var ofOneRow: Window2D {
    Window2D(
      size: Size2D(1, size.sizes[0]), strides: Size2D(1, strides.sizes[0]),
      dilation: Size2D(1, dilation.sizes[0]), padding: padding.planar)
  }
}

extension WindowAxis {
  /// Returns the padding at both ends.
  ///
  /// - Throws: `badData` if it depends on an open length.
  fileprivate func sides(over length: Int?) throws(NetconvError) -> [Int] {
    switch padding {
    case .valid: return [0, 0]
    case .causal: return [paddingBefore(0), 0]
    case .amounts(let amounts): return amounts.first ?? [0, 0]
    case .same, .sameLower: break
    }
    // With stride 1 the padding is the same for each length.
    guard let length = length ?? (stride == 1 ? extent : nil) else { throw .openSizeForTFLite }
    let total = max(0, (count(in: length) - 1) * stride + extent - length)
    let before = paddingBefore(length)
    return [before, total - before]
  }
}
