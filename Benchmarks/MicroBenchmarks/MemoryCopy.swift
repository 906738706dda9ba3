#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// memcpy between two blocks of memory that the system has handed out already.
final class MemoryCopy {
  let source: UnsafeMutablePointer<Float>
  let destination: UnsafeMutablePointer<Float>
  private let byteCount: Int

  init(byteCount: Int) {
    self.byteCount = byteCount
    let count = byteCount / MemoryLayout<Float>.size + 1
    source = .allocate(capacity: count)
    destination = .allocate(capacity: count)
    source.initialize(repeating: 1, count: count)
    destination.initialize(repeating: 2, count: count)
  }

  deinit {
    source.deallocate()
    destination.deallocate()
  }

  /// Copies all bytes.
  ///
  /// - Returns: bytes read and bytes written.
  func run() -> Double {
    memcpy(destination, source, byteCount)
    return 2 * Double(byteCount)
  }
}
