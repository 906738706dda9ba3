import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The identity, size and modification times of a file.
///
/// Equal states mean that the same file has not been modified in between, unless its last change was less than
/// ``tick`` before the first of them: see ``wasChanged(since:)``.
public struct FileState: Sendable, Equatable {
  /// The size in bytes.
  public let size: Int
  private let device: UInt64
  private let inode: UInt64
  /// The modification time, in nanoseconds since 1970.
  private let modified: Int
  /// The time of the last change to contents, mode or names, in nanoseconds since 1970.
  private let changed: Int

  /// Reads the state of the file at `path`, following symbolic links; returns `nil` if there is none or it is
  /// inaccessible.
  public init?(path: String) {
    var status = stat()
    guard stat(path.plain, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the state of the file at `path`, following symbolic links.
  ///
  /// - Throws: `cannotOpen` if there is no file, or it is inaccessible.
  public init(of path: String) throws(NetconvError) {
    var status = stat()
    guard stat(path.plain, &status) == 0 else { throw .cannotOpen(path, errno) }
    self.init(status)
  }

  /// Reads the state of an open file; returns `nil` on failure.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the state of a file of which only the size is known.
  init(size: Int) {
    self.size = size
    (device, inode, modified, changed) = (0, 0, 0, 0)
  }

  init(_ status: stat) {
    size = Int(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    #if canImport(Darwin)
      (modified, changed) = (
        Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec)
      )
    #else
      (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    #endif
  }

  /// Returns true if both are the same file, regardless of modifications.
  public func isSameFile(as other: FileState) -> Bool {
    device == other.device && inode == other.inode
  }

  /// The longest interval in which a system may assign equal timestamps; file system clocks tick every 1 to 10 ms.
  public static let tick = 20_000_000

  /// The current time, in nanoseconds since 1970.
  public static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Returns true if the last change is so recent that a further change may have the same timestamp.
  ///
  /// Timestamps in the future are ignored, since they come from another machine's clock.
  /// - Parameter start: A time before the state was read.
  public func wasChanged(since start: Int) -> Bool {
    let end = Self.now
    return [modified, changed].contains { start &- Self.tick < $0 && $0 <= end }
  }

  /// Waits until a change gets a new timestamp.
  public static func waitForTick() { usleep(UInt32(tick / 1000)) }

  /// Timestamps of files are arbitrary, so the arithmetic must not trap.
  private static func nanoseconds(_ time: timespec) -> Int {
    Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}
