/// Memory that netconv and a process that it has started share.
///
/// First what that process is at, which it writes down before each step, then room for values. The process may be out of
/// its mind, so that nothing in here is believed.
package struct HelperMemory {
  private let base: UnsafeMutableRawPointer
  private let roomSize: Int

  private static let announcementSize = 4096

  init(_ base: UnsafeMutableRawPointer, for purpose: HelperPurpose) {
    (self.base, roomSize) = (base, purpose.roomSize)
  }

  /// Bytes of all of it.
  static func size(for purpose: HelperPurpose) -> Int { announcementSize + purpose.roomSize }

  /// The room for values.
  package var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base + Self.announcementSize, count: roomSize)
  }

  /// Counts announcements.
  package var step: UInt64 { base.load(as: UInt64.self) }

  /// The object that the process was at last; empty if it was at the file as a whole.
  var announced: String {
    let count = min(Int(clamping: (base + 8).load(as: UInt64.self)), Self.announcementSize - 16)
    return String(
      decoding: UnsafeRawBufferPointer(start: base + 16, count: count), as: UTF8.self)
  }

  /// Writes down that the next step is at the object `path`.
  package func announce(_ path: String) {
    var path = path
    path.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8).prefix(Self.announcementSize - 16)
      UnsafeMutableRawBufferPointer(start: base + 16, count: bytes.count).copyBytes(from: bytes)
      (base + 8).storeBytes(of: UInt64(bytes.count), as: UInt64.self)
    }
    base.storeBytes(of: step &+ 1, as: UInt64.self)
  }
}
