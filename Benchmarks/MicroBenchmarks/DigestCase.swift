import Benchmark
import Digests

/// SHA-256 of a block that the caches do not hold, against memcpy of it; the bench holds it against `openssl`.
struct DigestCase: Sendable {
  private static let byteCount = 64 << 20

  static func add() {
    Benchmark("SHA-256") { (benchmark, memory: MemoryCopy) in
      benchmark.measure {
        var hash = SHA256()
        hash.update(UnsafeRawBufferPointer(start: memory.source, count: byteCount))
        blackHole(hash.finalize())
        return Double(byteCount)
      } against: {
        memory.run()
      }
    } setup: {
      MemoryCopy(byteCount: byteCount)
    }
  }
}
