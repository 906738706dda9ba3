import Execution

/// How far the output of a layer may be from its exact value after everything before it was computed in floating
/// point: end to end, where the tolerance of a comparison layer by layer speaks of one layer alone.
///
/// The tolerance of a layer l is, with u the unit roundoff of the values that are stored (2⁻²⁴ for float32, 2⁻¹¹ for
/// float16) and u₃₂ = 2⁻²⁴,
///
///     t = r · max |ỹ - y| + G · max |y|,    G² = max over the inputs of G² + (4 u)² + (u₃₂ · √n)²
///
/// with r = 16 for float32 and 6 for float16.
///
/// n is the fan-in, the products in a sum. y is the exact output; ỹ is what a second run in Double gives in which
/// each layer, at random, makes errors as large as arithmetic makes: each value it reads is off by u₃₂ · √n (for
/// kernels in half precision by 2⁻¹¹ more), and each value it gives by 4 u₃₂, or u and half a subnormal step where it
/// is stored in half precision. The first part follows how the network itself enlarges or forgets errors; it grows
/// with fan-in and depth as errors do, through cancellations and saturations too. The second is a floor that grows
/// with fan-in and depth alone, for a run whose errors happened to cancel.
///
/// Errors of a sum of n products in float32 are bounded by n · u₃₂ and typically √n · u₃₂ of their magnitudes (Higham,
/// "Accuracy and Stability of Numerical Algorithms", 2002, sections 3.1 and 2.8); 16 is room for the difference, for
/// orders of summation, and for functions that are not correctly rounded. In half precision nearly all errors are those
/// of storing, which ỹ makes as large as they can be; sums are of float32. 6 is room for values that are stored once
/// more on the way.
public struct CumulativeTolerance: Sendable, Equatable {
  /// The largest distance from an exact value at float32.
  public let float32: Double
  /// The same with half precision; `nil` where float16 cannot hold the values, or those they depend on.
  public let float16: Double?

  /// The tolerance at a precision; `nil` if nothing can be said.
  public subscript(_ precision: Precision) -> Double? {
    precision == .float32 ? float32 : float16
  }

  /// How much room is left above the errors of the second run.
  static func room(_ precision: Precision) -> Double { precision == .float32 ? 16 : 6 }
}
