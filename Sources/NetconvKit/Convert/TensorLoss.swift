import ModelIR
import Writers

/// What is lost of a tensor in the type that it is written in, in words.
struct TensorLoss {
  let layer: String
  let role: String
  let path: String
  let encoding: TensorEncoding
  let rounding: Rounding
  var elementType: ElementType { encoding.elementType }

  /// What is lost of the values of `entry`.
  init(_ entry: OutputPlan.Entry, _ rounding: Rounding) {
    layer = entry.tensor.layer
    role = entry.tensor.spec.role.rawValue
    path = entry.tensor.stored.path
    encoding = entry.encoding
    self.rounding = rounding
  }

  /// `'fc' kernel (/fc/kernel:0): 5 of 48`; `nil` if all was finite in the source.
  var nonFinite: String? {
    guard rounding.nonFinite > 0 else { return nil }
    return "\(quoted(layer)) \(role) (\(escaped(path))): "
      + "\(grouped(rounding.nonFinite)) of \(grouped(rounding.count))"
  }

  /// `'fc' kernel (/fc/kernel:0): 2 of 48 become infinite, …, as float16`; `nil` if none does.
  var overflow: String? {
    let overflow = rounding.overflow
    guard let first = overflow.first else { return nil }
    return sentence(
      "\(grouped(overflow.count)) of \(grouped(rounding.count)) become infinite, the first at index "
        + "\(first), the largest of magnitude \(significant(overflow.largest))")
  }

  /// What becomes subnormal or zero; `nil` if nothing does that can be called a loss.
  ///
  /// The steps of int8 are as wide for small values as for large ones, so that every kernel has values that become
  /// zero; ``error`` says if they matter.
  var underflow: String? {
    guard elementType != .int8, rounding.subnormal + rounding.zeroed > 0 else { return nil }
    return sentence(
      "of \(grouped(rounding.count)), \(grouped(rounding.subnormal)) become subnormal and "
        + "\(grouped(rounding.zeroed)) zero")
  }

  /// An error that is larger than the type explains; `nil` if it is not.
  var error: String? {
    guard rounding.rmsRelativeError > elementType.rmsRelativeErrorBound else { return nil }
    return sentence(
      "relative RMS error \(significant(rounding.rmsRelativeError)), expected at most "
        + significant(elementType.rmsRelativeErrorBound))
  }

  /// Channels in which a few large values leave no steps to the others; `nil` if there is none.
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
  /// - Throws: `badData` if finite values become infinite, with all tensors that hold some.
  func checkOverflows() throws(NetconvError) {
    let overflowing = filter { $0.rounding.overflow.count > 0 }
    if !overflowing.isEmpty { throw .overflows(overflowing) }
  }
}
