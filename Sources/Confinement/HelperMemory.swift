/// Memory shared by netconv and a helper process.
///
/// It starts with the object that the process is working on, which the process announces before each step, followed
/// by room for values. The process may be compromised, so the contents are untrusted.
package struct HelperMemory {
  private let base: UnsafeMutableRawPointer
  private let roomSize: Int

  private static let announcementSize = 4096

  init(_ base: UnsafeMutableRawPointer, for purpose: HelperPurpose) {
    (self.base, roomSize) = (base, purpose.roomSize)
  }

  /// The total size in bytes.
  static func size(for purpose: HelperPurpose) -> Int { announcementSize + purpose.roomSize }

  /// The buffer for values.
  package var room: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base + Self.announcementSize, count: roomSize)
  }

  /// The number of announcements.
  package var step: UInt64 { base.load(as: UInt64.self) }

  /// The object that was announced last; empty for the file as a whole.
  var announced: String {
    let count = min(Int(clamping: (base + 8).load(as: UInt64.self)), Self.announcementSize - 16)
    return String(
      decoding: UnsafeRawBufferPointer(start: base + 16, count: count), as: UTF8.self)
  }

  /// Announces that the next step concerns the object `path`.
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
