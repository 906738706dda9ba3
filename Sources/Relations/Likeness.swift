import ModelIR

/// What was done to values besides moving them.
public enum Likeness: Sendable, Hashable {
  /// Nothing: the bits are the same.
  case exact
  /// They were rounded to a type of fewer bits, float16 or bfloat16.
  case rounded(ElementType)
  /// They lost the bits that a type of fewer bits has no place for, float16 or bfloat16: rounding towards zero.
  case truncated(ElementType)
  /// Their signs were changed.
  case negated
  /// They were multiplied, up to rounding.
  case scaled(RelatedPart.Factors)
  /// They became a bias when a normalisation was folded, up to rounding; the source is its beta.
  case folded(RelatedPart.FoldedBias)

  /// Whether values are others than those of the source, and no other tensor of the source accounts for it.
  public var changesValues: Bool {
    switch self {
    case .negated: true
    case .scaled(let factors): factors.normalization == nil && !factors.isRounding
    case .exact, .rounded, .truncated, .folded: false
    }
  }

  /// Does it to the bits of a value.
  func apply(to bits: UInt32) -> UInt32 {
    let value = Float(bitPattern: bits)
    return switch self {
    case .exact: bits
    case .rounded(.float16): Half.float(from: Half.bits(from: value)).bitPattern
    case .rounded(.bfloat16): BFloat16.float(from: BFloat16.bits(from: value)).bitPattern
    case .truncated(.float16): Half.truncated(value).bitPattern
    case .truncated(.bfloat16): bits & 0xffff_0000
    case .negated: bits ^ 0x8000_0000
    case .rounded, .truncated, .scaled, .folded: bits
    }
  }

  /// The sum of a fingerprint that values to which it was done have in common with the original.
  func sum(of original: Fingerprint) -> UInt64 {
    switch self {
    case .exact: original.sum
    case .rounded(.float16): original.halves
    case .rounded(.bfloat16): original.brains
    case .truncated(.float16): original.truncatedHalves
    case .truncated(.bfloat16): original.truncatedBrains
    case .rounded, .truncated, .negated, .scaled, .folded: original.sum
    }
  }

  /// What makes values of a type of fewer bits than float32, the likeliest first; nothing if the type has as many.
  private static func narrowing(to type: ElementType) -> [Likeness] {
    type == .float16 || type == .bfloat16 ? [.rounded(type), .truncated(type)] : []
  }

  /// What may have been done to values of any of these types, each once.
  static func allRoundings(for types: Set<ElementType>) -> [Likeness] {
    [.exact] + [ElementType.float16, .bfloat16].filter(types.contains).flatMap(narrowing)
  }

  /// What may have been done to values that are now of the type `type`, the likeliest first.
  static func all(for type: ElementType) -> [Likeness] { [.exact] + narrowing(to: type) }

  /// The type of fewer bits that values became by rounding or truncation; `nil` if they did not.
  var narrowType: ElementType? {
    switch self {
    case .rounded(let type), .truncated(let type): type == .float32 ? nil : type
    case .exact, .negated, .scaled, .folded: nil
    }
  }
}
