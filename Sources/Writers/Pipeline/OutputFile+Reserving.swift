internal import CSystemCalls
import Files

extension OutputFile {
  /// Files below this are written as fast without.
  private static let leastReserved = 1 << 20

  /// Makes room on the disk for `byteCount` bytes, where the file system can.
  ///
  /// A tensor that is rearranged is written here and there; without room the system has to remember all those
  /// places until it has found some on the disk. Where there is none, writing says so.
  func reserve(_ byteCount: Int) {
    if byteCount >= Self.leastReserved { netconv_reserve(descriptor, Int64(byteCount)) }
  }
}
