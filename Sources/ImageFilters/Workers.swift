internal import CKernels
import ModelIR
import Processor

/// The threads that share the rows of a picture, and their kernels.
struct Workers: Sendable {
  let threads: Int
  let level: CPULevel

  /// Creates workers with one thread per core, or with the given number.
  ///
  /// - Throws: `usage` if `NETCONV_CPU` names an unavailable level.
  init(threads: Int? = nil) throws(NetconvError) {
    self.threads = max(1, threads ?? CPULevel.coreCount)
    level = try CPULevel.chosen()
  }

  var kernels: netconv_level {
    level.table.assumingMemoryBound(to: netconv_level.self).pointee
  }

  /// Runs `work` on ranges of `count` items, each with the cost of `cost` values.
  func share(
    _ count: Int, cost: Int, unit: Int = 1,
    _ work: @escaping @Sendable (_ share: Range<Int>) -> Void
  ) {
    // Smaller ranges are complete before another thread wakes up.
    let smallest = max(1, 32_768 / max(1, cost))
    guard count > 0 else { return }
    guard count >= 2 * smallest, threads > 1 else { return work(0..<count) }
    ThreadTeam.gather(threads) { team in
      team.share(count, unit: unit, smallest: smallest) { share, _ in work(share) }
    }
  }

  /// Returns an array that `fill` computes from the values of another.
  func values(
    _ count: Int, from values: [Float],
    _ fill: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      values.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = buffer.baseAddress { fill(from, to) }
      }
      initialized = count
    }
  }
}
