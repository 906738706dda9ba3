import ModelIR

/// A pseudorandom number generator with the same sequence on every platform.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Returns 1 or -1.
  mutating func sign() -> Double { next() >> 63 == 0 ? 1 : -1 }

  /// Returns a number in [0, 1), a multiple of 2⁻²⁴.
  package mutating func fraction() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// Returns an array of numbers in [0, 1).
  ///
  /// - Throws: `usage` if the array needs too much memory.
  package mutating func array(_ shape: [Int]) throws(NetconvError) -> NDArray<Float> {
    var array = try NDArray<Float>(shape: shape)
    for index in array.values.indices { array.values[index] = fraction() }
    return array
  }
}

/// Random signs for large arrays: 64 from each random number.
struct RandomSigns {
  private var random: SplitMix64
  private var bits: UInt64 = 0
  private var left = 0

  /// Creates the signs from a seed.
  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns 1 or -1.
  mutating func next() -> Float {
    if left == 0 {
      bits = random.next()
      left = 64
    }
    defer {
      bits >>= 1
      left -= 1
    }
    return bits & 1 == 0 ? -1 : 1
  }
}
