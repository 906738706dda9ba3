/// An encoder for messages over a socket: numbers are varints, strings follow their lengths.
package struct WireWriter {
  @usableFromInline package var bytes: [UInt8] = []

  @inlinable package init() {}

  @inlinable package mutating func put(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Zigzag encoding, so that small numbers of either sign take few bytes.
  @inlinable package mutating func put(_ value: Int64) {
    put(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  @inlinable package mutating func put(_ value: Int) { put(Int64(value)) }

  @inlinable package mutating func put(_ value: Bool) { put(value ? 1 : 0 as UInt64) }

  @inlinable package mutating func put(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  @inlinable package mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      put(utf8.count)
      bytes.append(contentsOf: utf8)
    }
  }

  @inlinable package mutating func put<Element>(
    _ elements: some Collection<Element>, _ body: (inout WireWriter, Element) -> Void
  ) {
    put(elements.count)
    for element in elements { body(&self, element) }
  }
}

/// The message is malformed.
package struct MalformedWire: Error {
  @inlinable package init() {}
}

/// A decoder for ``WireWriter``'s encoding, which treats its input as untrusted.
package struct WireReader {
  @usableFromInline let bytes: [UInt8]
  @usableFromInline var place = 0

  /// The number of bytes that have not been read.
  @inlinable package var remaining: Int { bytes.count - place }

  @inlinable package init(_ bytes: [UInt8]) { self.bytes = bytes }

  @inlinable package mutating func byte() throws(MalformedWire) -> UInt8 {
    guard place < bytes.count else { throw MalformedWire() }
    defer { place += 1 }
    return bytes[place]
  }

  @inlinable package mutating func number() throws(MalformedWire) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let byte = try byte()
      let bits = UInt64(byte & 0x7f)
      guard shift < 63 || bits < 2 else { break }
      value |= bits << shift
      if byte < 0x80 { return value }
    }
    throw MalformedWire()
  }

  @inlinable package mutating func signed() throws(MalformedWire) -> Int64 {
    let value = try number()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  @inlinable package mutating func integer() throws(MalformedWire) -> Int { Int(try signed()) }

  /// Reads a non-negative number.
  @inlinable package mutating func natural() throws(MalformedWire) -> Int {
    let value = try integer()
    guard value >= 0 else { throw MalformedWire() }
    return value
  }

  @inlinable package mutating func bool() throws(MalformedWire) -> Bool {
    switch try number() {
    case 0: return false
    case 1: return true
    default: throw MalformedWire()
    }
  }

  @inlinable package mutating func double() throws(MalformedWire) -> Double {
    guard remaining >= 8 else { throw MalformedWire() }
    defer { place += 8 }
    return Double(bitPattern: littleEndian(bytes[place..<place + 8]))
  }

  /// Reads a string; invalid UTF-8 is repaired.
  @inlinable package mutating func text() throws(MalformedWire) -> String {
    let count = try natural()
    guard count <= remaining else { throw MalformedWire() }
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  /// Reads the number of elements that follow, each of which takes at least `size` bytes.
  @inlinable package mutating func count(ofSize size: Int = 1) throws(MalformedWire) -> Int {
    let count = try natural()
    guard count <= remaining / size else { throw MalformedWire() }
    return count
  }

  @inlinable package mutating func elements<Element>(
    _ body: (inout WireReader) throws(MalformedWire) -> Element
  ) throws(MalformedWire) -> [Element] {
    let count = try count()
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count { elements.append(try body(&self)) }
    return elements
  }

  /// Checks that no bytes remain.
  @inlinable package func end() throws(MalformedWire) {
    guard remaining == 0 else { throw MalformedWire() }
  }
}

/// Decodes a little-endian number.
@usableFromInline func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
