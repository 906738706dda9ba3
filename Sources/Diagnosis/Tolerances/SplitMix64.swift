import Dispatch
import ModelIR

/// A pseudorandom number generator with the same sequence on every platform.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// Creates a generator from a seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= Self.step
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Returns 1 or -1.
  mutating func sign() -> Double { next() >> 63 == 0 ? 1 : -1 }

  /// Returns a number in [0, 1), a multiple of 2⁻²⁴.
  package mutating func fraction() -> Float { Float(next() >> 40) * 0x1p-24 }

  /// Returns an array of numbers in [0, 1), or what `value` makes of each number and its index.
  ///
  /// Threads share a large array; the values are those of one thread.
  /// - Throws: `usage` if the array needs too much memory.
  package mutating func array(
    _ shape: [Int], _ value: @Sendable (Float, Int) -> Float = { number, _ in number }
  ) throws(NetconvError) -> NDArray<Float> {
    var array = try NDArray<Float>(shape: shape)
    let count = array.count
    let start = state
    array.values.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let values = buffer
      let shares = min(64, 1 + count / Self.sharedCount)
      DispatchQueue.concurrentPerform(iterations: shares) { share in
        let range = count * share / shares..<count * (share + 1) / shares
        var random = SplitMix64(seed: start &+ Self.step &* UInt64(range.lowerBound))
        for index in range { values[index] = value(random.fraction(), index) }
      }
    }
    state = start &+ Self.step &* UInt64(count)
    return array
  }

  /// The number of values below which another thread is not worth its start.
  private static var sharedCount: Int { 1 << 16 }
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
