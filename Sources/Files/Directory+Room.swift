import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Directory {
  /// Checks that the parent folder of `path` has enough free space.
  ///
  /// - Throws: `inputOutput` if it has not.
  public static func checkRoom(for byteCount: Int, at path: String) throws(NetconvError) {
    var status = statvfs()
    guard statvfs(parent(of: path.plain), &status) == 0, status.f_blocks > 0 else { return }
    let room = room(status)
    if byteCount > room { throw .noRoom(path, wanted: byteCount, found: room) }
  }

  /// Returns the free space at an open file in bytes; `nil` if the system does not report it.
  static func room(descriptor: Int32) -> Int? {
    var status = statvfs()
    return fstatvfs(descriptor, &status) == 0 && status.f_blocks > 0 ? room(status) : nil
  }

  private static func room(_ status: statvfs) -> Int {
    let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}
