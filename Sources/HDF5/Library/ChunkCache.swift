/// How much of a chunked dataset libhdf5 keeps decoded.
///
/// Reading in order passes through all chunks that share an index of the first dimension before it is
/// done with any of them, so they should all fit.
struct ChunkCache {
  /// Places in the table of chunks; a prime, ten times the chunks, as two in one place evict each other.
  let slotCount: Int
  /// Bytes of decoded chunks to keep.
  let byteCount: Int

  private static let smallest = 1 << 20
  private static let largest = 64 << 20
  private static let primes = [1_009, 10_007, 100_003]

  /// A cache for a dataset of `shape` in chunks of `chunk`.
  init(shape: [Int], chunk: [Int], valueByteCount: Int) {
    let chunkBytes = Self.saturatingProduct(chunk + [valueByteCount])
    let row = zip(shape, chunk).dropFirst().map { size, step in
      step > 0 ? size / step + (size % step == 0 ? 0 : 1) : 1
    }
    let wanted = Self.saturatingProduct(row + [chunkBytes])
    // A chunk that does not fit is decoded again by every read.
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
