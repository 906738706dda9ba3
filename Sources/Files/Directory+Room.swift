import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Directory {
  /// Checks that there is room for so many bytes in the folder that `path` is to be in.
  ///
  /// - Throws: `inputOutput`.
  public static func checkRoom(for byteCount: Int, at path: String) throws(NetconvError) {
    var status = statvfs()
    guard statvfs(parent(of: path.plain), &status) == 0, status.f_blocks > 0 else { return }
    let room = room(status)
    if byteCount > room { throw .noRoom(path, wanted: byteCount, found: room) }
  }

  /// Bytes that are free where an open file lies; `nil` if the system does not tell.
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
