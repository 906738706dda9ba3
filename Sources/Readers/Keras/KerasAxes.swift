import Documents
import ModelIR
import Operators

extension KerasLayerConfig {
  /// Returns axes as the IR counts them, without the batch; Keras stores a number or a list.
  ///
  /// - Parameter ordered: True if weights extend along the axes, which must then be ascending.
  /// - Throws: `badData` if the batch is among the axes, or the list is empty.
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

  /// Returns an interpolation by its Keras name.
  ///
  /// - Throws: `badData` if TensorFlow has no interpolation of this name.
  func interpolation(default fallback: Interpolation) throws(NetconvError) -> Interpolation {
    let known = Interpolation.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ")
    return try setting("interpolation", default: fallback, expected: "one of " + known) { value in
      Interpolation.allCases.first { $0.rawValue.lowercased() == value.string?.lowercased() }
    }
  }

  /// Returns the settings `height` and `width`.
  ///
  /// - Throws: `badData` if either is missing.
  func heightAndWidth() throws(NetconvError) -> Size2D {
    Size2D(try int("height"), try int("width"))
  }
}
