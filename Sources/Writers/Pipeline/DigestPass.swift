import Digests
import Documents
import ModelIR
import Zlib

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A sequential pass over a written tensor, for everything that needs its bytes in order.
struct DigestPass {
  /// The number of bytes hashed at once.
  private static let chunkSize = 1 << 18

  private let entry: OutputPlan.Entry
  private let needsChecksum: Bool

  /// Creates a pass over the tensor of `entry`.
  ///
  /// - Parameter needsChecksum: true if the CRC-32 is needed, as in archives; otherwise it is 0.
  init(_ entry: OutputPlan.Entry, needsChecksum: Bool) {
    self.entry = entry
    self.needsChecksum = needsChecksum
  }

  /// Hashes the tensor, computes its statistics, and copies it; copies are read back and verified.
  func run(
    _ place: Placement, copyingTo others: ArraySlice<Placement>,
    _ checkCancellation: () throws(NetconvError) -> Void
  ) throws(NetconvError) -> (TensorStatistics, TensorDigest) {
    let chunk = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(Self.chunkSize, entry.byteCount), alignment: 64)
    defer { chunk.deallocate() }
    let copied = UnsafeMutableRawBufferPointer.allocate(
      byteCount: others.isEmpty ? 0 : chunk.count, alignment: 64)
    defer { copied.deallocate() }
    let copy = entry.tensor.rearrangement.copy
    var statistics = TensorStatistics.Accumulator { copy.sourceIndex(of: $0) }
    var hash = SHA256()
    var checksum = CRC32()
    for offset in stride(from: 0, to: entry.byteCount, by: Self.chunkSize) {
      try checkCancellation()
      let bytes = UnsafeMutableRawBufferPointer(
        rebasing: chunk[..<min(Self.chunkSize, entry.byteCount - offset)])
      try place.read(at: offset, into: bytes)
      hash.update(UnsafeRawBufferPointer(bytes))
      if needsChecksum { checksum.update(UnsafeRawBufferPointer(bytes)) }
      for other in others {
        try other.write(UnsafeRawBufferPointer(bytes), at: offset)
        let found = UnsafeMutableRawBufferPointer(rebasing: copied[..<bytes.count])
        try other.read(at: offset, into: found)
        guard let first = found.baseAddress, let second = bytes.baseAddress,
          memcmp(first, second, bytes.count) == 0
        else { throw .wrongCopy(offset) }
      }
      update(&statistics, UnsafeRawBufferPointer(bytes), at: offset)
    }
    return (
      statistics.result,
      TensorDigest(sha256: hexadecimal(hash.finalize()), checksum: checksum.value)
    )
  }

  private func update(
    _ statistics: inout TensorStatistics.Accumulator, _ bytes: UnsafeRawBufferPointer,
    at offset: Int
  ) {
    let size = entry.elementType.byteCount
    if entry.encoding.isNative {
      bytes.withMemoryRebound(to: Float.self) { statistics.update($0) }
    } else {
      withUnsafeTemporaryAllocation(
        of: Float.self, capacity: bytes.count / size
      ) { values in
        entry.encoding.decode(bytes, from: offset / size, into: values)
        statistics.update(UnsafeBufferPointer(values))
      }
    }
  }
}

extension NetconvError {
  fileprivate static func wrongCopy(_ offset: Int) -> NetconvError {
    NetconvError(
      .internal,
      "the copy in another container differs from byte \(offset) on; "
        + "nothing was published, please report this")
  }
}
