import ModelIR

/// A value of a table that is written.
public indirect enum FlatValue: Sendable, Equatable {
  /// An 8-bit integer, an enumeration or the type of a union.
  case byte(Int)
  /// A 32-bit integer.
  case int(Int)
  /// A 64-bit integer.
  case long(Int)
  /// A float32.
  case float(Float)
  /// A truth value.
  case flag(Bool)
  /// A string.
  case text(String)
  /// A table.
  case table(FlatFields)
  /// A vector of tables.
  case tables([FlatFields])
  /// A vector of 32-bit integers.
  case ints([Int])
  /// A vector of 64-bit integers.
  case longs([Int])
  /// A vector of float32.
  case floats([Float])
  /// A vector of bytes, aligned to 16.
  case bytes([UInt8])
  /// A vector of bytes that are written later, aligned to 16: its number and its size.
  case payload(Int, count: Int)
  /// The offset in the file of bytes after the FlatBuffer, as a 64-bit integer: the number of the payload.
  case offset(Int)
}

/// The fields of a table by index.
public typealias FlatFields = [Int: FlatValue]

/// A FlatBuffer with placeholders for payloads that are not in memory.
///
/// Tables precede what they refer to, and payloads follow all tables in their order. Only the sizes of payloads are required.
///
/// Source: flatbuffers.dev, "FlatBuffer Internals".
public struct FlatBufferOutput: Sendable {
  /// A payload's number, offset and size in bytes.
  public typealias Payload = (number: Int, offset: Int, count: Int)

  /// The known bytes with their offsets.
  public private(set) var pieces: [(offset: Int, bytes: [UInt8])] = []
  /// The payloads in the order of their offsets.
  public private(set) var payloads: [Payload] = []
  /// The size of the file in bytes.
  public private(set) var count: Int

  /// The alignment of payloads in bytes.
  public static let alignment = 16

  /// Encodes a root table.
  ///
  /// - Parameters:
  ///   - identifier: four ASCII characters.
  ///   - mark: a text directly after the identifier, which no table refers to.
  ///   - behind: the sizes of payloads after the FlatBuffer, for ``FlatValue/offset(_:)``.
  public init(_ root: FlatFields, identifier: String, mark: String, behind: [Int] = []) {
    var encoder = FlatEncoder(identifier, mark)
    encoder.addRoot(root)
    var end = encoder.bytes.count
    for wanted in encoder.payloads {
      let offset = Self.aligned(end + 4)
      // Of a buffer that is too large only the size is used.
      let length = UInt32(truncatingIfNeeded: wanted.count)
      encoder.patch(
        at: wanted.reference, UInt32(truncatingIfNeeded: offset - 4 - wanted.reference))
      let gap = [UInt8](repeating: 0, count: offset - 4 - end)
      pieces.append((end, gap + withUnsafeBytes(of: length.littleEndian) { Array($0) }))
      payloads.append((wanted.number, offset, wanted.count))
      end = offset + wanted.count
    }
    for (number, size) in behind.enumerated() {
      let offset = Self.aligned(end)
      for place in encoder.offsets where place.number == number {
        encoder.patch(at: place.reference, UInt64(offset))
      }
      if offset > end { pieces.append((end, [UInt8](repeating: 0, count: offset - end))) }
      payloads.append((number, offset, size))
      end = offset + size
    }
    pieces.insert((0, encoder.bytes), at: 0)
    count = end
  }

  private static func aligned(_ offset: Int) -> Int {
    (offset + alignment - 1) / alignment * alignment
  }
}

/// The encoder of tables, each before what it refers to.
private struct FlatEncoder {
  private(set) var bytes: [UInt8] = [0, 0, 0, 0]
  /// The references to payloads, which have no offset yet.
  private(set) var payloads: [(number: Int, reference: Int, count: Int)] = []
  /// The fields with offsets of payloads after the FlatBuffer.
  private(set) var offsets: [(number: Int, reference: Int)] = []
  /// The offsets of vtables by their contents.
  private var tables: [[UInt8]: Int] = [:]

  init(_ identifier: String, _ mark: String) {
    bytes += Array(identifier.utf8)
    add(text: mark)
    align(to: 8)
  }

  mutating func addRoot(_ fields: FlatFields) {
    let root = add(fields)
    patch(at: 0, UInt32(root))
  }

  /// Writes a little-endian integer over earlier bytes.
  mutating func patch(at offset: Int, _ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { encoded in
      for (index, byte) in encoded.enumerated() { bytes[offset + index] = byte }
    }
  }

  private mutating func align(to size: Int, behind extra: Int = 0) {
    while (bytes.count + extra) % size != 0 { bytes.append(0) }
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += Array($0) }
  }

  /// Adds a table and everything that it refers to; returns its offset.
  private mutating func add(_ fields: FlatFields) -> Int {
    var (size, places) = (4, [Int: Int]())
    // Wide fields first, so that no gaps are needed; a table starts at a multiple of 8, 4 bytes before its first field.
    let order = fields.keys.sorted {
      let (one, other) = (fields[$0]?.width ?? 0, fields[$1]?.width ?? 0)
      return one == other ? $0 < $1 : one > other
    }
    for field in order {
      places[field] = size
      size += fields[field]?.width ?? 0
    }
    let table = start(size, places, isWide: fields.values.contains { $0.width == 8 })
    for field in order { addInline(fields[field], at: table + (places[field] ?? 0)) }
    for field in fields.keys.sorted() {
      addReferenced(fields[field], from: table + (places[field] ?? 0))
    }
    return table
  }

  /// Adds the vtable, unless there is one, and zeros for the table itself.
  private mutating func start(_ size: Int, _ places: [Int: Int], isWide: Bool) -> Int {
    let fieldCount = (places.keys.max() ?? -1) + 1
    var entries: [Int] = [4 + 2 * fieldCount, size]
    entries += (0..<fieldCount).map { places[$0] ?? 0 }
    let encoded = entries.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let vtable: Int
    if let known = tables[encoded] {
      vtable = known
    } else {
      align(to: 2)
      vtable = bytes.count
      bytes += encoded
      tables[encoded] = vtable
    }
    align(to: isWide ? 8 : 4, behind: isWide ? 4 : 0)
    let table = bytes.count
    bytes += [UInt8](repeating: 0, count: size)
    patch(at: table, Int32(table - vtable))
    return table
  }

  private mutating func addInline(_ value: FlatValue?, at offset: Int) {
    switch value {
    case .byte(let number): patch(at: offset, Int8(truncatingIfNeeded: number))
    case .int(let number): patch(at: offset, Int32(truncatingIfNeeded: number))
    case .long(let number): patch(at: offset, Int64(number))
    case .float(let number): patch(at: offset, number.bitPattern)
    case .flag(let isTrue): patch(at: offset, UInt8(isTrue ? 1 : 0))
    case .offset(let number): offsets.append((number, offset))
    default: break
    }
  }

  private mutating func addReferenced(_ value: FlatValue?, from reference: Int) {
    switch value {
    case .text(let text):
      align(to: 4)
      refer(from: reference)
      add(text: text)
    case .table(let fields):
      let table = add(fields)
      patch(at: reference, UInt32(table - reference))
    case .tables(let tables): add(tables, from: reference)
    case .ints(let numbers):
      vector(numbers.count, width: 4, from: reference)
      for number in numbers { append(Int32(truncatingIfNeeded: number)) }
    case .longs(let numbers):
      vector(numbers.count, width: 8, from: reference)
      for number in numbers { append(Int64(number)) }
    case .floats(let numbers):
      vector(numbers.count, width: 4, from: reference)
      for number in numbers { append(number.bitPattern) }
    case .bytes(let own):
      vector(own.count, width: FlatBufferOutput.alignment, from: reference)
      bytes += own
    case .payload(let number, let count): payloads.append((number, reference, count))
    default: break
    }
  }

  private mutating func add(_ tables: [FlatFields], from reference: Int) {
    vector(tables.count, width: 4, from: reference)
    let start = bytes.count
    bytes += [UInt8](repeating: 0, count: 4 * tables.count)
    for (index, fields) in tables.enumerated() {
      let table = add(fields)
      patch(at: start + 4 * index, UInt32(table - start - 4 * index))
    }
  }

  /// Starts a vector: its length, so that its elements are aligned.
  private mutating func vector(_ count: Int, width: Int, from reference: Int) {
    align(to: max(4, width), behind: 4)
    refer(from: reference)
    append(UInt32(count))
  }

  private mutating func refer(from reference: Int) {
    patch(at: reference, UInt32(bytes.count - reference))
  }

  /// Adds the length of a text, its bytes and a zero.
  private mutating func add(text: String) {
    let own = Array(text.plain.utf8)
    append(UInt32(own.count))
    bytes += own + [0]
  }
}

extension FlatValue {
  /// The size in a table in bytes; others than numbers are references.
  fileprivate var width: Int {
    switch self {
    case .byte, .flag: 1
    case .long, .offset: 8
    default: 4
    }
  }
}
