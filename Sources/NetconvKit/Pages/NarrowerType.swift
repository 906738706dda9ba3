import ModelIR
import Writers

/// What a smaller type would do to the values of a tensor.
struct NarrowerType: Sendable, Encodable {
  /// The type.
  let dtype: String
  /// Finite values that would become infinite.
  let overflowed: Int
  /// Values that would become subnormal.
  let subnormal: Int
  /// Values that would become zero.
  let zeroed: Int
  /// The largest error of a value, relative to it.
  let worstRelativeError: Double
  /// The root of all squared errors over all squared values.
  let rmsRelativeError: Double
  /// Whether that is more than the type explains.
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

  /// What the smaller types would do to `tensor`; of integers that need channels and finite values, only where there
  /// are both.
  ///
  /// - Throws: what reading it throws, or `interrupted`.
  static func all(
    for tensor: Tensor, isFinite: Bool, _ observer: Observer
  ) throws(NetconvError) -> [NarrowerType] {
    var types: [ElementType] = [.float16, .bfloat16]
    if isFinite, tensor.channels != nil { types.append(.int8) }
    let stored = tensor.stored.source.elementType
    // Of a type that is as small, or of integers, there is nothing to tell.
    guard stored == .float32 || stored == .float64 else { return [] }
    let survey = TensorSurvey(of: types.map { .init(tensor, as: $0) }) {
      () throws(NetconvError) in try observer.checkCancellation()
    }
    return zip(types, try survey.roundings(in: survey.encodings())).map(NarrowerType.init)
  }
}
