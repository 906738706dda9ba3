import Digests
import TestSupport

/// A protocol buffer, field by field.
struct Message {
  private(set) var bytes: [UInt8] = []

  /// The message with a number.
  func number(_ field: Int, _ value: Int) -> Message {
    adding(Self.varint(field << 3) + Self.varint(value))
  }

  /// The message with bytes.
  func bytes(_ field: Int, _ value: [UInt8]) -> Message {
    adding(Self.varint(field << 3 | 2) + Self.varint(value.count) + value)
  }

  /// Returns the message with another one appended as a field.
  func message(_ field: Int, _ value: Message) -> Message { bytes(field, value.bytes) }

  /// The message with four bytes.
  func fixed32(_ field: Int, _ value: UInt32) -> Message {
    adding(Self.varint(field << 3 | 5) + Self.fixed32(value))
  }

  private func adding(_ more: [UInt8]) -> Message {
    var message = self
    message.bytes += more
    return message
  }

  static func varint(_ value: Int) -> [UInt8] {
    var rest = UInt64(bitPattern: Int64(value))
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func fixed32(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// TensorShapeProto.
  static func shape(_ sizes: [Int]) -> Message {
    sizes.reduce(Message()) { $0.message(2, Message().number(1, $1)) }
  }
}

/// A LevelDB table, each entry in a block of its own, without prefix compression of keys.
struct TableBuilder {
  var entries: [(key: [UInt8], value: [UInt8])] = []
  /// The compression byte after the contents of blocks.
  var compression: UInt8 = 0

  func bytes() -> [UInt8] {
    var file: [UInt8] = []
    var handles: [(key: [UInt8], value: [UInt8])] = []
    for entry in entries {
      handles.append((entry.key, append(block([entry]), to: &file)))
    }
    let meta = append(block([]), to: &file)
    let index = append(block(handles), to: &file, isIndex: true)
    let footer = meta + index
    return file + footer + [UInt8](repeating: 0, count: 40 - footer.count)
      + [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]
  }

  private func block(_ entries: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
    entries.reduce([]) { bytes, entry in
      bytes + [0] + Message.varint(entry.key.count) + Message.varint(entry.value.count) + entry.key
        + entry.value
    } + Message.fixed32(0) + Message.fixed32(1)
  }

  private func append(
    _ block: [UInt8], to file: inout [UInt8], isIndex: Bool = false
  ) -> [UInt8] {
    let handle = Message.varint(file.count) + Message.varint(block.count)
    let checked = block + [isIndex ? 0 : compression]
    file += checked + Message.fixed32(CRC32C.masked(of: checked))
    return handle
  }
}

/// A checkpoint of version 2 with one data file.
struct CheckpointBuilder {
  var header = Message().number(1, 1)
  var entries: [(key: String, value: Message)] = []
  var compression: UInt8 = 0

  /// Writes `x.index` and `x.data-00000-of-00001`, and returns the path of the first.
  func write(to folder: TemporaryFolder, values: [UInt8]) throws -> String {
    let table = TableBuilder(
      entries: [([], header.bytes)] + entries.map { (Array($0.key.utf8), $0.value.bytes) },
      compression: compression)
    try folder.write(values, to: "x.data-00000-of-00001")
    return try folder.write(table.bytes(), to: "x.index")
  }

  /// BundleEntryProto of float32.
  static func entry(
    _ shape: [Int], shard: Int = 0, offset: Int = 0, size: Int, type: Int = 1
  ) -> Message {
    Message().number(1, type).message(2, Message.shape(shape)).number(3, shard).number(4, offset)
      .number(5, size)
  }

  /// TensorSliceProto.
  static func slice(_ extents: [(start: Int, length: Int)?]) -> Message {
    extents.reduce(Message()) { slice, extent in
      slice.message(
        1, extent.map { Message().number(1, $0.start).number(2, $0.length) } ?? Message())
    }
  }
}
