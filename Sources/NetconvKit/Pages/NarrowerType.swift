import ModelIR
import Writers

/// The effect of a smaller type on the values of a tensor.
struct NarrowerType: Sendable, Encodable {
  /// The smaller type.
  let dtype: String
  /// The number of finite values that would become infinite.
  let overflowed: Int
  /// The number of values that would become subnormal.
  let subnormal: Int
  /// The number of values that would become zero.
  let zeroed: Int
  /// The largest relative error of a value.
  let worstRelativeError: Double
  /// The relative root-mean-square error.
  let rmsRelativeError: Double
  /// True if that exceeds the rounding error of the type.
  let isMoreThanUsual: Bool

  init(_ type: ElementType, _ rounding: Rounding) {
    dtype = type.rawValue
    overflowed = rounding.overflow.count
    subnormal = rounding.subnormal
    zeroed = rounding.zeroed
    worstRelativeError = Double(rounding.worstRelativeError)
    rmsRelativeError = Double(rounding.rmsRelativeError)
    isMoreThanUsual =
      rounding.overflow.count > 0 || rounding.rmsRelativeError > type.rmsRelativeErrorBound
  }

  /// Returns the effects of smaller types on `tensor`; integer types are included only if it has channels and finite
  /// values.
  ///
  /// - Throws: any error from reading it, or `interrupted`.
  static func all(
    for tensor: Tensor, isFinite: Bool, _ observer: Observer
  ) throws(NetconvError) -> [NarrowerType] {
    var types: [ElementType] = [.float16, .bfloat16]
    if isFinite, tensor.channels != nil { types.append(.int8) }
    let stored = tensor.stored.source.elementType
    // Types that are no larger, and integers, need no comparison.
    guard stored == .float32 || stored == .float64 else { return [] }
    let survey = TensorSurvey(of: types.map { .init(tensor, as: $0) }) {
      () throws(NetconvError) in try observer.checkCancellation()
    }
    return zip(types, try survey.roundings(in: survey.encodings())).map(NarrowerType.init)
  }
}
