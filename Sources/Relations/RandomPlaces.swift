/// Pseudorandom indices of an array, the same in each run.
///
/// Source: Knuth, The Art of Computer Programming, volume 2: the linear congruential generator of
/// MMIX.
struct RandomPlaces {
  private let count: Int
  private var state: UInt64 = 0x2545_f491_4f6c_dd1d

  /// Creates a generator of indices below `count`; always 0 for an empty array.
  init(in count: Int) { self.count = max(1, count) }

  /// Returns the next index, possibly a repeated one.
  mutating func next() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}
