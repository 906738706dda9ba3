import Documents
import ModelIR
import Operators

extension KerasLayerConfig {
  /// Axes as the IR counts them, without the batch; Keras writes a number or a list.
  ///
  /// - Parameter ordered: whether weights run along the axes, so that they must ascend.
  /// - Throws: `badData` if one is the batch, or there is none.
  func axes(
    _ key: String, default fallback: AxisList? = -1, ordered: Bool = false
  ) throws(NetconvError) -> AxisList {
    try setting(
      key, default: fallback,
      expected: ordered
        ? "axes in ascending order, without the batch" : "axes that are not the batch"
    ) { value in
      let axes = (value.array ?? [value]).map { $0.int ?? 0 }
      guard let first = axes.first, let last = axes.last, !axes.contains(0) else { return nil }
      guard !ordered || axes == axes.sorted() && (first > 0 || last < 0) else { return nil }
      return AxisList(axes.map { $0 > 0 ? $0 - 1 : $0 })
    }
  }

  /// An interpolation by its name in Keras.
  ///
  /// - Throws: `badData` if TensorFlow has none of the name.
  func interpolation(default fallback: Interpolation) throws(NetconvError) -> Interpolation {
    let known = Interpolation.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")
    return try setting("interpolation", default: fallback, expected: "one of " + known) { value in
      Interpolation.allCases.first { $0.rawValue.lowercased() == value.string?.lowercased() }
    }
  }

  /// The settings `height` and `width`.
  ///
  /// - Throws: `badData` if one is missing.
  func heightAndWidth() throws(NetconvError) -> Size2D {
    Size2D(try int("height"), try int("width"))
  }
}
