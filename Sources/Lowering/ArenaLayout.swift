import ModelIR

/// Buffers packed into one block of memory; buffers with disjoint lifetimes share memory.
package struct ArenaLayout {
  /// A buffer, and the range of steps during which it is needed.
  package struct Request {
    /// The number of values.
    package let count: Int
    /// The steps that need it.
    package let lifetime: ClosedRange<Int>

    /// Creates a request for `count` values.
    package init(count: Int, lifetime: ClosedRange<Int>) {
      self.count = count
      self.lifetime = lifetime
    }
  }

  /// The offset of each buffer.
  package let offsets: [Int]
  /// The total size.
  package let count: Int

  /// Places the largest buffers first, each at the lowest offset that is free for its whole lifetime.
  ///
  /// Source: "greedy by size" in Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020).
  /// - Throws: `badData` if the sizes overflow.
  package init(_ requests: [Request]) throws(NetconvError) {
    var offsets = requests.map { _ in 0 }
    var placed: [Int] = []
    var total = 0
    for index in requests.indices.sorted(by: { requests[$0].count > requests[$1].count }) {
      let rivals = placed.filter { requests[$0].lifetime.overlaps(requests[index].lifetime) }
        .sorted { offsets[$0] < offsets[$1] }
      var offset = 0
      for rival in rivals {
        if offsets[rival] >= offset + Self.padded(requests[index].count) { break }
        offset = max(offset, offsets[rival] + Self.padded(requests[rival].count))
      }
      let (end, overflow) = offset.addingReportingOverflow(Self.padded(requests[index].count))
      guard !overflow else { throw .planTooLarge(samples: 1) }
      offsets[index] = offset
      placed.append(index)
      total = max(total, end)
    }
    self.offsets = offsets
    count = total
  }

  /// Rounds a count up to whole cache lines of 16 values.
  package static func padded(_ count: Int) -> Int { (count + 15) / 16 * 16 }
}
