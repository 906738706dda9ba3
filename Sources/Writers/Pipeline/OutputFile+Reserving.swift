internal import CSystemCalls
import Files

extension OutputFile {
  /// Smaller files are written just as fast without reservation.
  private static let leastReserved = 1 << 20

  /// Reserves `byteCount` bytes on the disk, where the file system supports it.
  ///
  /// A rearranged tensor is written out of order; without a reservation the system has to track all those ranges until
  /// it has allocated disk blocks. If there is not enough space, writing reports it.
  func reserve(_ byteCount: Int) {
    if byteCount >= Self.leastReserved { netconv_reserve(descriptor, Int64(byteCount)) }
  }
}
