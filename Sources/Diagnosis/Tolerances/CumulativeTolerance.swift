import Execution
import Lowering

/// The allowed distance of a layer's output from its exact value if everything before it is
/// computed in floating point.
///
/// It applies end to end, whereas the tolerance of a comparison layer by layer applies to one layer
/// alone.
///
/// The tolerance of a layer is, with u the unit roundoff of the stored values (2⁻²⁴ for float32,
/// 2⁻¹¹ for float16) and u₃₂ = 2⁻²⁴,
///
///     t = r · max |ỹ - y| + G · max |y|,    G² = max over the inputs of G² + (4 u)² + (u₃₂ · √n)²
///
/// with r = 16 for float32 and 6 for float16.
///
/// n is the fan-in, the number of products in a sum. y is the exact output. ỹ is the output of a
/// second run in Double, in which each layer makes random errors as large as those of
/// floating-point arithmetic. Each input value has an error of u₃₂ · √n, plus 2⁻¹¹ for kernels in
/// half precision. Each output value has an error of 4 u₃₂, or of u and half a subnormal step if it
/// is stored in half precision. The first term follows the network's own amplification and damping
/// of errors, including cancellation and saturation. The second is a floor that depends on fan-in
/// and depth alone, for a run whose errors happen to cancel.
///
/// Errors of a sum of n products in float32 are bounded by n · u₃₂ and typically √n · u₃₂ of their
/// magnitudes (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, sections 3.1 and
/// 2.8). The factor 16 allows for the difference, for the order of summation, and for functions
/// that are not correctly rounded. In half precision nearly all errors come from storing values,
/// which ỹ makes as large as possible; sums are in float32. The factor 6 allows for additional
/// intermediate values that are stored.
public struct CumulativeTolerance: Sendable, Equatable {
  /// The tolerance in float32.
  public let float32: Double
  /// The tolerance in half precision; `nil` if float16 cannot hold the values or those they depend
  /// on.
  public let float16: Double?

  /// The tolerance at a precision; `nil` if it is unknown.
  public subscript(_ precision: Precision) -> Double? {
    precision == .float32 ? float32 : float16
  }

  /// The safety factor for the errors of the second run.
  static func room(_ precision: Precision) -> Double { precision == .float32 ? 16 : 6 }
}
