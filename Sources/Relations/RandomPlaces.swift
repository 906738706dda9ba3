/// Places of an array that follow no pattern, the same in each run.
///
/// Source: Knuth, The Art of Computer Programming, volume 2: the linear congruential generator of MMIX.
struct RandomPlaces {
  private let count: Int
  private var state: UInt64 = 0x2545_f491_4f6c_dd1d

  /// Places below `count`; always 0 of an empty array.
  init(in count: Int) { self.count = max(1, count) }

  /// The next place, which may have been there before.
  mutating func next() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}
