extension PackageTemplates {
  /// The words in which code that stores floats differs from code that stores halves.
  struct StoredValues {
    /// Whether they are halves.
    let halves: Bool

    /// What they are called in comments.
    var name: String { halves ? "halves" : "floats" }
    /// What a variable of them is called.
    var variable: String { halves ? "halves" : "values" }
    /// The type of an element; of halves, of its bits.
    var type: String { halves ? "UInt16" : "Float" }
    /// The type of a tensor's elements.
    var dataType: String { halves ? ".float16" : ".float32" }
    /// They, of the floats that are called `values`.
    var fromFloats: String { halves ? "values.map(bits)" : "values" }
    /// Floats, of ``variable``.
    var toFloats: String { halves ? "halves.map(float)" : "values" }
    /// What ``fromFloats`` and ``toFloats`` call, at the end of a type.
    var functions: String { halves ? "\n\n" + PackageTemplates.halves : "" }
  }

  /// Functions that convert between floats and the bits of halves.
  private static let halves = #"""
      // Float16 does not exist on Macs with Intel's processors.

      /// The nearest half, ties to even.
      static func bits(_ value: Float) -> UInt16 {
        let sign = UInt16(value.bitPattern >> 16) & 0x8000
        if value.isNaN { return sign | 0x7e00 }
        let magnitude = value.magnitude
        if magnitude >= 65520 { return sign | 0x7c00 }
        if magnitude < 0x1p-14 {
          // A subnormal half counts in steps of 2^-24.
          return sign | UInt16((magnitude * 0x1p24).rounded(.toNearestOrEven))
        }
        // 13 bits fewer in the fraction, and an exponent that is 112 less.
        let pattern = magnitude.bitPattern
        let rounded = pattern + 0xfff + (pattern >> 13 & 1)
        return sign | UInt16((rounded - (112 << 23)) >> 13)
      }

      /// The value of a half, which a float has exactly.
      static func float(_ bits: UInt16) -> Float {
        let (exponent, fraction) = (UInt32(bits >> 10 & 0x1f), UInt32(bits & 0x3ff))
        let magnitude: Float
        switch exponent {
        case 0: magnitude = Float(fraction) * 0x1p-24
        case 0x1f: magnitude = Float(bitPattern: 0x7f80_0000 | fraction << 13)
        default: magnitude = Float(bitPattern: (exponent + 112) << 23 | fraction << 13)
        }
        return bits & 0x8000 == 0 ? magnitude : -magnitude
      }
    """#
}
