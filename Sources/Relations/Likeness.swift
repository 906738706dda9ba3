import ModelIR

/// The change of values besides their rearrangement.
public enum Likeness: Sendable, Hashable {
  /// The bits are unchanged.
  case exact
  /// Rounding to a narrower type, float16 or bfloat16.
  case rounded(ElementType)
  /// Truncation to a narrower type, float16 or bfloat16: rounding towards zero.
  case truncated(ElementType)
  /// A change of sign.
  case negated
  /// Multiplication, up to rounding.
  case scaled(RelatedPart.Factors)
  /// Addition of a number, up to rounding, as in the gains of a normalisation that are stored less 1.
  case shifted(Double)
  /// -exp(x), up to rounding.
  case negatedExponential
  /// Quantisation.
  case quantized(Quantization)
  /// A bias into which a normalisation was folded, up to rounding; the source is its beta.
  case folded(RelatedPart.FoldedBias)

  /// True if the values differ from the source's and no other tensor of the source explains the
  /// difference.
  public var changesValues: Bool {
    switch self {
    case .negated, .shifted, .negatedExponential: true
    case .scaled(let factors):
      factors.normalization == nil && factors.lengths == nil && !factors.isRounding
    case .exact, .rounded, .truncated, .quantized, .folded: false
    }
  }

  /// Applies the change to the bits of a value.
  func apply(to bits: UInt32) -> UInt32 {
    let value = Float(bitPattern: bits)
    return switch self {
    case .exact: bits
    case .rounded(.float16): Half.float(from: Half.bits(from: value)).bitPattern
    case .rounded(.bfloat16): BFloat16.float(from: BFloat16.bits(from: value)).bitPattern
    case .truncated(.float16): Half.truncated(value).bitPattern
    case .truncated(.bfloat16): bits & 0xffff_0000
    case .negated: bits ^ 0x8000_0000
    case .rounded, .truncated, .scaled, .shifted, .negatedExponential, .quantized, .folded: bits
    }
  }

  /// The sum in the fingerprint of the original that changed values have as their own.
  func sum(of original: Fingerprint) -> UInt64 {
    switch self {
    case .exact: original.sum
    case .rounded(.float16): original.halves
    case .rounded(.bfloat16): original.brains
    case .truncated(.float16): original.truncatedHalves
    case .truncated(.bfloat16): original.truncatedBrains
    case .rounded, .truncated, .negated, .scaled, .shifted, .negatedExponential, .quantized,
      .folded:
      original.sum
    }
  }

  /// The conversions to a type narrower than float32, in order of likelihood; empty for other
  /// types.
  private static func narrowing(to type: ElementType) -> [Likeness] {
    type == .float16 || type == .bfloat16 ? [.rounded(type), .truncated(type)] : []
  }

  /// The possible changes of values of any of these types, without duplicates.
  static func allRoundings(for types: Set<ElementType>) -> [Likeness] {
    [.exact] + [ElementType.float16, .bfloat16].filter(types.contains).flatMap(narrowing)
  }

  /// The possible changes of values that now have the type `type`, in order of likelihood.
  static func all(for type: ElementType) -> [Likeness] { [.exact] + narrowing(to: type) }

  /// The narrower type of rounding or truncation; `nil` for other changes.
  var narrowType: ElementType? {
    switch self {
    case .rounded(let type), .truncated(let type): type == .float32 ? nil : type
    case .exact, .negated, .scaled, .shifted, .negatedExponential, .quantized, .folded: nil
    }
  }
}
