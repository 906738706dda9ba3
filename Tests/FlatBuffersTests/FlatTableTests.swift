import FlatBuffers
import ModelIR
import TestSupport
import Testing

/// A handwritten buffer, by flatbuffers.dev, "FlatBuffer Binary Format".
@Suite struct FlatTableTests {
  /// A table with a string, a vector of int32, an int16, an absent field, and a vector of tables.
  private static let bytes: [UInt8] =
    [16, 0, 0, 0]  // The root is at byte 16.
    + [12, 0, 20, 0, 4, 0, 8, 0, 12, 0, 0, 0]  // Of 12 bytes; tables have 20; fields 0 to 3.
    + [12, 0, 0, 0]  // Byte 16: its fields are described 12 bytes before.
    + [16, 0, 0, 0]  // Byte 20, field 0: a text at byte 36.
    + [20, 0, 0, 0]  // Byte 24, field 1: a vector at byte 44.
    + [0xfe, 0xff, 0, 0]  // Byte 28, field 2: -2.
    + [0, 0, 0, 0]
    + [3, 0, 0, 0, 97, 98, 99, 0]  // Byte 36: "abc".
    + [2, 0, 0, 0, 7, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]  // Byte 44: 7 and -1.

  private func root(_ bytes: [UInt8]) throws -> FlatTable {
    try FlatTable(rootOf: FlatBufferBytes(bytes), "Thing")
  }

  @Test func `fields are read by their numbers`() throws {
    let table = try root(Self.bytes)
    #expect(try table.text(0) == "abc")
    #expect(try table.integers(1) == [7, -1])
    #expect(try table.integer(2, Int16.self) == -2)
  }

  @Test func `fields that are left out have the values of the schema`() throws {
    let table = try root(Self.bytes)
    // Field 3 has the offset 0, and field 4 is beyond the end of the vtable.
    for field in [3, 4, 1000] {
      #expect(try table.integer(field, default: 5) == 5)
      #expect(try table.number(field, default: 0.5) == 0.5)
      #expect(try table.text(field) == "")
      #expect(try table.integers(field) == nil)
      #expect(try table.tables(field, "Other").isEmpty)
    }
  }

  @Test func `every truncation is refused, or reads the same`() throws {
    for count in 0..<Self.bytes.count {
      let cut = Array(Self.bytes.prefix(count))
      guard let table = try? root(cut) else { continue }
      if let text = try? table.text(0) { #expect(text == "abc") }
      #expect(thrown { try table.integers(1) } != nil)
    }
  }

  @Test func `every change of a byte is refused or gives values, and never traps`() throws {
    for place in Self.bytes.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
        var changed = Self.bytes
        changed[place] = value
        guard let table = try? root(changed) else { continue }
        for field in 0..<4 {
          _ = try? table.text(field)
          _ = try? table.integers(field)
          _ = try? table.integer(field)
          _ = try? table.tables(field, "Other")
        }
      }
    }
  }

  @Test func `what lies outside is refused with its place`() {
    var bytes = Self.bytes
    bytes.replaceSubrange(0..<4, with: [0xff, 0xff, 0xff, 0xff])
    #expect(
      thrown { try root(bytes) }?.message
        == "Thing refers to byte 4294967295 of 56; the file is truncated or damaged")
    bytes = Self.bytes
    bytes.replaceSubrange(44..<48, with: [0xff, 0xff, 0xff, 0x7f])
    #expect(
      thrown { try root(bytes).integers(1) }?.message
        == "Thing: field 1 has 2147483647 elements, more than the file; it is truncated or damaged")
    bytes = Self.bytes
    bytes[8] = 19
    #expect(
      thrown { try root(bytes).text(0) }?.message
        == "Thing: field 0 is at byte 19 of a table of 20; the file is damaged")
  }

  @Test func `tables that are named again and again have a limit`() throws {
    // A vector of offsets that all refer to the root.
    let count = 1 << 21
    var bytes = Array(Self.bytes.prefix(24)) + [16, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
    bytes += withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) }
    for index in 0..<count {
      let place = 44 + 4 * index
      bytes += withUnsafeBytes(of: Int32(truncatingIfNeeded: 16 - place).littleEndian) { Array($0) }
    }
    // Offsets are unsigned: these refer beyond the end.
    #expect(thrown { try root(bytes).tables(1, "Other") } != nil)
  }
}
