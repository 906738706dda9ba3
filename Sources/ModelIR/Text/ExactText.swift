/// Texts from files, encoded so that Swift compares them by their bytes.
///
/// Swift considers texts equal that differ only in Unicode normalisation, also as keys of a dictionary. To files, and
/// to the programs that wrote them, `é` as one scalar and as a letter with a combining accent are two names. A scalar
/// that normalisation composes, reorders or replaces is therefore encoded as two scalars of a private plane, which it
/// leaves unchanged: encoded texts are equal if and only if their bytes are. Most texts have no such scalars and stay
/// as they are.
///
/// Text from a file or a user is encoded as soon as it may be a name. Text that is written, printed or opened is the
/// original. Source: Unicode Standard Annex #15, "Detecting Normalization Forms".
extension String {
  /// The text with each scalar that normalisation may change encoded as two that it does not; unchanged if it is
  /// encoded already.
  package var exact: String {
    guard utf8.contains(where: { $0 >= Self.firstByteOfChanging }),
      unicodeScalars.contains(where: \.isChangedByNormalForms)
    else { return self }
    var text = ""
    for scalar in unicodeScalars {
      guard scalar.isChangedByNormalForms else {
        text.unicodeScalars.append(scalar)
        continue
      }
      for part in [
        Held.upper.lowerBound + scalar.value >> Held.bits,
        Held.lower.lowerBound + scalar.value & (1 << Held.bits - 1),
      ] {
        text.unicodeScalars.append(Unicode.Scalar(part) ?? scalar)
      }
    }
    return text
  }

  /// The original text, as before ``exact``.
  package var plain: String {
    guard utf8.contains(Self.firstByteOfHeld) else { return self }
    var text = ""
    var upper: Unicode.Scalar?
    for scalar in unicodeScalars {
      if let first = upper {
        upper = nil
        let value = (first.value - Held.upper.lowerBound) << Held.bits
        if Held.lower.contains(scalar.value),
          let whole = Unicode.Scalar(value + scalar.value - Held.lower.lowerBound)
        {
          text.unicodeScalars.append(whole)
          continue
        }
        text.unicodeScalars.append(first)
      }
      if Held.upper.contains(scalar.value) {
        upper = scalar
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    if let upper { text.unicodeScalars.append(upper) }
    return text
  }

  /// The first byte of U+0300; smaller scalars are always normalised.
  private static let firstByteOfChanging: UInt8 = 0xcc
  /// The first byte of the private planes in UTF-8.
  private static let firstByteOfHeld: UInt8 = 0xf3
}

extension [UInt8] {
  /// The UTF-8 bytes of the original text, as before ``Swift/String/exact``.
  package var plainText: [UInt8] {
    guard contains(0xf3) else { return self }
    return Array(String(decoding: self, as: UTF8.self).plain.utf8)
  }
}

/// The scalars of plane 15 that encode others: the upper bits of a scalar value, then the lower bits.
private enum Held {
  static let bits: UInt32 = 12
  static let lower: ClosedRange<UInt32> = 0xf0000...0xf0fff
  static let upper: ClosedRange<UInt32> = 0xf1000...0xf110f
}

extension Unicode.Scalar {
  /// True if normalisation may compose the scalar with a preceding one, reorder it, or replace it.
  fileprivate var isChangedByNormalForms: Bool {
    guard value >= 0x300 else { return false }
    return properties.canonicalCombiningClass != .notReordered
      || properties.isFullCompositionExclusion
      || Self.joining.contains { $0.contains(value) }
  }

  /// Scalars of combining class 0 that can be the second of a composed pair: vowels and final consonants of Hangul, and
  /// signs of Indic scripts.
  private static let joining: [ClosedRange<UInt32>] = [
    0x1161...0x1175, 0x11a8...0x11c2, 0x9be...0x9be, 0x9d7...0x9d7, 0xb3e...0xb3e, 0xb56...0xb57,
    0xbbe...0xbbe, 0xbd7...0xbd7, 0xcc2...0xcc2, 0xcd5...0xcd6, 0xd3e...0xd3e, 0xd57...0xd57,
    0xdcf...0xdcf, 0xddf...0xddf, 0x102e...0x102e, 0x1b35...0x1b35, 0x11127...0x11127,
    0x1133e...0x1133e, 0x11357...0x11357, 0x113b8...0x113b8, 0x113bb...0x113bb,
    0x113c2...0x113c2, 0x113c5...0x113c5, 0x113c7...0x113c9, 0x114b0...0x114b0,
    0x114ba...0x114ba, 0x114bd...0x114bd, 0x115af...0x115af, 0x11930...0x11930,
    0x1611e...0x16129, 0x16d63...0x16d63, 0x16d67...0x16d6a,
  ]
}
