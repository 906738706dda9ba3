import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which file something is, how large it is and when it was changed, as the system says.
///
/// Two equal states are of one file that nobody has written to in between, unless its last change was less than
/// ``tick`` before the first of them: see ``wasChanged(since:)``.
public struct FileState: Sendable, Equatable {
  /// Bytes.
  public let size: Int
  private let device: UInt64
  private let inode: UInt64
  /// When its bytes were changed, in nanoseconds since 1970.
  private let modified: Int
  /// When its bytes, its mode or its names were changed, in nanoseconds since 1970.
  private let changed: Int

  /// What stands at `path`, through symbolic links; `nil` if nothing does, or the system will not say.
  public init?(path: String) {
    var status = stat()
    guard stat(path.plain, &status) == 0 else { return nil }
    self.init(status)
  }

  /// What stands at `path`, through symbolic links.
  ///
  /// - Throws: `cannotOpen` if nothing does, or the system will not say.
  public init(of path: String) throws(NetconvError) {
    var status = stat()
    guard stat(path.plain, &status) == 0 else { throw .cannotOpen(path, errno) }
    self.init(status)
  }

  /// The state of an open file; `nil` if the system will not say.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The state of a file of which nothing but its size is known.
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

  /// Whether both are one file, whatever was written to it in between.
  public func isSameFile(as other: FileState) -> Bool {
    device == other.device && inode == other.inode
  }

  /// The longest time for which a system may stamp its files alike: its clock for that goes in steps of 1 to 10 ms.
  public static let tick = 20_000_000

  /// The time, in nanoseconds since 1970.
  public static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Whether the last change is so young that a further one may have got the same time.
  ///
  /// A time in the future says nothing: another machine's clock has set it.
  /// - Parameter start: a time before the state was asked for.
  public func wasChanged(since start: Int) -> Bool {
    let end = Self.now
    return [modified, changed].contains { start &- Self.tick < $0 && $0 <= end }
  }

  /// Waits until a change gets another time than one before.
  public static func waitForTick() { usleep(UInt32(tick / 1000)) }

  /// A file may bear any time, also one that does not fit.
  private static func nanoseconds(_ time: timespec) -> Int {
    Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}
