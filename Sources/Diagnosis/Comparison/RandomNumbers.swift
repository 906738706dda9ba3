import ModelIR

/// Numbers that look random and are the same everywhere.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).
public struct RandomNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private var signs: UInt64 = 0
  private var signsLeft = 0

  /// The numbers that belong to `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, but not including, 1; a multiple of 2⁻²⁴.
  public mutating func uniform() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// 1 or -1.
  mutating func sign() -> Float {
    if signsLeft == 0 {
      signs = next()
      signsLeft = 64
    }
    defer {
      signs >>= 1
      signsLeft -= 1
    }
    return signs & 1 == 0 ? -1 : 1
  }

  /// An array of uniform numbers.
  public mutating func array(_ shape: [Int]) -> NDArray<Float> {
    var array = NDArray<Float>(shape: shape)
    for index in array.values.indices { array.values[index] = uniform() }
    return array
  }
}
