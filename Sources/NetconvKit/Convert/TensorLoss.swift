import ModelIR
import Writers

/// Descriptions of the losses of a tensor in the type in which it is written.
struct TensorLoss {
  let layer: String
  let role: String
  let path: String
  let encoding: TensorEncoding
  let rounding: Rounding
  /// True if the values become codes, so that steps are as wide for small values as for large ones.
  let isQuantized: Bool
  var elementType: ElementType { encoding.elementType }

  /// Creates the descriptions for the values of `entry`.
  init(_ entry: OutputPlan.Entry, _ rounding: Rounding) {
    layer = entry.tensor.layer
    role = entry.tensor.spec.role.rawValue
    path = entry.tensor.stored.path
    encoding = entry.encoding
    isQuantized = entry.encoding.elementType == .int8 || entry.tensor.stored.source is PackedValues
    self.rounding = rounding
  }

  /// Text such as `'fc' kernel (/fc/kernel:0): 5 of 48`; `nil` if all values were finite in the source.
  var nonFinite: String? {
    guard rounding.nonFinite > 0 else { return nil }
    return "\(quoted(layer)) \(role) (\(escaped(path))): "
      + "\(grouped(rounding.nonFinite)) of \(grouped(rounding.count))"
  }

  /// Text such as `'fc' kernel (/fc/kernel:0): 2 of 48 become infinite, …, as float16`; `nil` if none do.
  var overflow: String? {
    let overflow = rounding.overflow
    guard let first = overflow.first else { return nil }
    return sentence(
      "\(grouped(overflow.count)) of \(grouped(rounding.count)) become infinite, the first at index "
        + "\(first), the largest of magnitude \(significant(overflow.largest))")
  }

  /// A description of values that become subnormal or zero; `nil` if there are none that count as lost.
  ///
  /// The steps of codes are as wide for small values as for large ones, so that every kernel has values that become
  /// zero; ``error`` tells whether they matter.
  var underflow: String? {
    guard !isQuantized, rounding.subnormal + rounding.zeroed > 0 else { return nil }
    return sentence(
      "of \(grouped(rounding.count)), \(grouped(rounding.subnormal)) become subnormal and "
        + "\(grouped(rounding.zeroed)) zero")
  }

  /// A description of an error that exceeds the rounding error of the type; otherwise `nil`.
  var error: String? {
    guard rounding.rmsRelativeError > elementType.rmsRelativeErrorBound else { return nil }
    return sentence(
      "relative RMS error \(significant(rounding.rmsRelativeError)), expected at most "
        + significant(elementType.rmsRelativeErrorBound))
  }

  /// A description of channels in which a few outliers leave too few steps for the other values; `nil` if there are
  /// none.
  var outliers: String? {
    encoding.outliers.map {
      sentence(
        "\($0.count) of \($0.channelCount) channels, the first is number \($0.first): its largest "
          + "magnitude is \(significant($0.largest)), the mean of the others \(significant($0.mean)), "
          + "and a step \(significant($0.step))")
    }
  }

  private func sentence(_ text: String) -> String {
    "\(quoted(layer)) \(role) (\(escaped(path))): \(text), as \(elementType.rawValue)"
  }
}

extension [TensorLoss] {
  /// - Throws: `badData` if finite values become infinite, with all tensors that contain some.
  func checkOverflows() throws(NetconvError) {
    let overflowing = filter { $0.rounding.overflow.count > 0 }
    if !overflowing.isEmpty { throw .overflows(overflowing) }
  }
}

extension NetconvError {
  fileprivate static func overflows(_ losses: [TensorLoss]) -> NetconvError {
    let found =
      losses.count == 1
      ? "1 tensor holds finite values that its new type cannot hold"
      : "\(losses.count) tensors hold finite values that their new types cannot hold"
    let wayOn: Message =
      losses.first { $0.elementType != .float32 }
      .map { "name another type, as in \(.elementTypeOf(layer: $0.layer, .float32)), or " } ?? ""
    return NetconvError(
      .badData, text: "\(found); \(wayOn)pass \(.allowOverflow) to write them as infinite",
      list: losses.compactMap(\.overflow).messages)
  }
}
