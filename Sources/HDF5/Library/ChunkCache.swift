/// The size of libhdf5's cache of decoded chunks for a dataset.
///
/// Sequential reading passes repeatedly through all chunks with the same index along the first axis, so the cache
/// should hold all of them.
struct ChunkCache {
  /// The number of hash table slots: a prime at least ten times the number of chunks, since collisions evict chunks.
  let slotCount: Int
  /// The size of the cache in bytes.
  let byteCount: Int

  private static let smallest = 1 << 20
  private static let largest = 64 << 20
  private static let primes = [1_009, 10_007, 100_003]

  /// Creates a cache configuration for a dataset of `shape` with chunks of shape `chunk`.
  init(shape: [Int], chunk: [Int], valueByteCount: Int) {
    let chunkBytes = Self.saturatingProduct(chunk + [valueByteCount])
    let row = zip(shape, chunk).dropFirst().map { size, step in
      step > 0 ? size / step + (size % step == 0 ? 0 : 1) : 1
    }
    let wanted = Self.saturatingProduct(row + [chunkBytes])
    // A chunk that does not fit is decoded again on every read.
    byteCount = max(min(max(wanted, Self.smallest), Self.largest), chunkBytes)
    let chunkCount = byteCount / max(chunkBytes, 1)
    slotCount = Self.primes.first { $0 >= 10 * chunkCount } ?? Self.primes[Self.primes.count - 1]
  }

  private static func saturatingProduct(_ factors: [Int]) -> Int {
    factors.reduce(1) { product, factor in
      let (next, overflow) = product.multipliedReportingOverflow(by: factor)
      return overflow ? .max : next
    }
  }
}
