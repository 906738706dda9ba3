/// Random numbers that are the same everywhere.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers that begin with `seed`.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// 1 or -1.
  mutating func sign() -> Double { next() >> 63 == 0 ? 1 : -1 }

  /// A number in [0, 1), a multiple of 2⁻²⁴.
  package mutating func fraction() -> Float { Float(next() >> 40) * 0x1p-24 }
}
