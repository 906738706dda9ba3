internal import CKernels
import ModelIR
import Processor

/// The threads that share the rows of a picture, and the kernels that they run.
struct Workers: Sendable {
  let threads: Int
  let level: CPULevel

  /// As many threads as there are cores, or fewer.
  ///
  /// - Throws: `usage` if `NETCONV_CPU` names nothing that the CPU has.
  init(threads: Int? = nil) throws(NetconvError) {
    self.threads = max(1, threads ?? CPULevel.coreCount)
    level = try CPULevel.chosen()
  }

  var kernels: netconv_level {
    level.table.assumingMemoryBound(to: netconv_level.self).pointee
  }

  /// Runs `work` on shares of `count` things, each of which takes `cost` values.
  func share(
    _ count: Int, cost: Int, unit: Int = 1,
    _ work: @escaping @Sendable (_ share: Range<Int>) -> Void
  ) {
    // What has fewer values is done before a second thread is awake.
    let smallest = max(1, 32_768 / max(1, cost))
    guard count > 0 else { return }
    guard count >= 2 * smallest, threads > 1 else { return work(0..<count) }
    Team.gather(threads) { team in
      team.share(count, unit: unit, smallest: smallest) { share, _ in work(share) }
    }
  }

  /// New values that `fill` writes from those of an array.
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
