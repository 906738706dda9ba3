/// Memory that netconv and the process that reads HDF5 files share.
///
/// First what that process is at, which it writes down before each step, then two places for values: one is filled
/// while the other is used. The process may be out of its mind, so that nothing in here is believed.
struct HelperMemory {
  private let base: UnsafeMutableRawPointer

  private static let announcementSize = 4096
  /// Bytes of values that a place has room for.
  static let slotSize = 512 << 10
  static let slotCount = 2
  /// Bytes of all of it.
  static let size = announcementSize + slotCount * slotSize

  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  /// The place for values with the number `slot`.
  func slot(_ slot: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: base + Self.announcementSize + slot * Self.slotSize, count: Self.slotSize)
  }

  /// Counts announcements.
  var step: UInt64 { base.load(as: UInt64.self) }

  /// The object that the process was at last; empty if it was at the file as a whole.
  var announced: String {
    let count = min(Int(clamping: (base + 8).load(as: UInt64.self)), Self.announcementSize - 16)
    return String(
      decoding: UnsafeRawBufferPointer(start: base + 16, count: count), as: UTF8.self)
  }

  /// Writes down that the next step is at the object `path`.
  func announce(_ path: String) {
    var path = path
    path.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8).prefix(Self.announcementSize - 16)
      UnsafeMutableRawBufferPointer(start: base + 16, count: bytes.count).copyBytes(from: bytes)
      (base + 8).storeBytes(of: UInt64(bytes.count), as: UInt64.self)
    }
    base.storeBytes(of: step &+ 1, as: UInt64.self)
  }
}
