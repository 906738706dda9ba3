import Files
import ModelIR

/// A table of a FlatBuffer: optional fields, identified by index.
///
/// Every offset is checked before it is followed. Errors name the type of the table.
///
/// Source: flatbuffers.dev, "FlatBuffer Binary Format".
public struct FlatTable {
  /// The buffer that contains the table.
  public let bytes: FlatBufferBytes
  /// The name of the table's type, such as `SubGraph`.
  public let type: String
  /// The offset of the table in the buffer; field offsets are relative to it.
  let start: Int
  /// The size of the table in bytes.
  private let size: Int
  /// The byte range of the field offsets in the vtable.
  private let fields: Range<Int>

  /// Creates the root table; its offset is the first integer of the buffer.
  ///
  /// - Parameter type: The name of the table's type, for errors.
  /// - Throws: `badData` if the table is not within the buffer.
  public init(rootOf bytes: FlatBufferBytes, _ type: String) throws(NetconvError) {
    let start = Int(try bytes.bits(at: 0, width: 4, type))
    try self.init(bytes, at: start, type)
  }

  /// Creates the table at the offset `start`.
  init(_ bytes: FlatBufferBytes, at start: Int, _ type: String) throws(NetconvError) {
    try bytes.countTable()
    self.bytes = bytes
    self.type = type
    self.start = start
    let distance = Int(
      Int32(truncatingIfNeeded: try bytes.bits(at: start, width: 4, type)))
    let offsets = start - distance
    let length = Int(try bytes.bits(at: offsets, width: 2, type))
    size = Int(try bytes.bits(at: offsets + 2, width: 2, type))
    guard length >= 4, length.isMultiple(of: 2), length <= bytes.count - offsets,
      size >= 4, size <= bytes.count - start
    else { throw .wrongTable(type, at: start) }
    fields = offsets + 4..<offsets + length
  }

  /// The offset in the buffer of a field of `width` bytes; `nil` if the field is absent.
  private func place(of field: Int, width: Int) throws(NetconvError) -> Int? {
    let entry = fields.lowerBound + 2 * field
    guard entry < fields.upperBound else { return nil }
    let offset = Int(try bytes.bits(at: entry, width: 2, type))
    guard offset != 0 else { return nil }
    guard offset >= 4, offset <= size - width else {
      throw .fieldOutside(type, field: field, offset: offset, size: size)
    }
    return start + offset
  }

  /// Returns true if the table has the given field, which must be an offset.
  public func has(_ field: Int) throws(NetconvError) -> Bool {
    try place(of: field, width: 4) != nil
  }

  // MARK: - Numbers

  /// A signed integer, or `fallback` if the field is absent.
  public func integer<Stored: FixedWidthInteger & SignedInteger>(
    _ field: Int, _: Stored.Type = Int32.self, default fallback: Int = 0
  ) throws(NetconvError) -> Int {
    let width = MemoryLayout<Stored>.size
    guard let place = try place(of: field, width: width) else { return fallback }
    return Int(Stored(truncatingIfNeeded: try bytes.bits(at: place, width: width, type)))
  }

  /// An unsigned integer of `width` bytes, or 0 if the field is absent.
  ///
  /// - Throws: `badData` also if the value does not fit in `Int`.
  public func unsigned(_ field: Int, width: Int) throws(NetconvError) -> Int {
    guard let place = try place(of: field, width: width) else { return 0 }
    guard let value = Int(exactly: try bytes.bits(at: place, width: width, type)) else {
      throw .wrongTable(type, at: start)
    }
    return value
  }

  /// A Boolean, or `fallback` if the field is absent.
  public func flag(_ field: Int, default fallback: Bool = false) throws(NetconvError) -> Bool {
    guard let place = try place(of: field, width: 1) else { return fallback }
    return try bytes.bits(at: place, width: 1, type) != 0
  }

  /// A float32, or `fallback` if the field is absent.
  public func number(_ field: Int, default fallback: Float = 0) throws(NetconvError) -> Float {
    guard let place = try place(of: field, width: 4) else { return fallback }
    return Float(
      bitPattern: UInt32(truncatingIfNeeded: try bytes.bits(at: place, width: 4, type)))
  }

  // MARK: - Offsets

  /// The offset in the buffer that a field refers to; `nil` if the field is absent.
  private func target(_ field: Int) throws(NetconvError) -> Int? {
    guard let place = try place(of: field, width: 4) else { return nil }
    return place + Int(try bytes.bits(at: place, width: 4, type))
  }

  /// The table that a field refers to; `nil` if the field is absent.
  public func table(_ field: Int, _ type: String) throws(NetconvError) -> FlatTable? {
    guard let target = try target(field) else { return nil }
    return try FlatTable(bytes, at: target, type)
  }

  /// The byte range of a vector's elements in the buffer; `nil` if the field is absent.
  ///
  /// - Parameter width: The size of an element in bytes.
  public func vector(_ field: Int, width: Int) throws(NetconvError) -> Range<Int>? {
    guard let target = try target(field) else { return nil }
    let count = Int(try bytes.bits(at: target, width: 4, type))
    let first = target + 4
    guard count <= (bytes.count - first) / width else {
      throw .vectorOutside(type, field: field, count: count)
    }
    return first..<first + count * width
  }

  /// The tables of a vector; empty if the field is absent.
  public func tables(_ field: Int, _ type: String) throws(NetconvError) -> [FlatTable] {
    guard let range = try vector(field, width: 4) else { return [] }
    return try stride(from: range.lowerBound, to: range.upperBound, by: 4).map {
      place throws(NetconvError) in
      try FlatTable(bytes, at: place + Int(bytes.bits(at: place, width: 4, type)), type)
    }
  }

  /// The elements of a vector as bit patterns; `nil` if the field is absent.
  private func elements(_ field: Int, width: Int) throws(NetconvError) -> [UInt64]? {
    guard let range = try vector(field, width: width) else { return nil }
    try bytes.countElements(range.count / width)
    return try stride(from: range.lowerBound, to: range.upperBound, by: width).map {
      place throws(NetconvError) in try bytes.bits(at: place, width: width, type)
    }
  }

  /// The signed integers of a vector; `nil` if the field is absent.
  public func integers<Stored: FixedWidthInteger & SignedInteger>(
    _ field: Int, _: Stored.Type = Int32.self
  ) throws(NetconvError) -> [Int]? {
    try elements(field, width: MemoryLayout<Stored>.size)?.map {
      Int(Stored(truncatingIfNeeded: $0))
    }
  }

  /// The float32 values of a vector; `nil` if the field is absent.
  public func numbers(_ field: Int) throws(NetconvError) -> [Float]? {
    try elements(field, width: 4)?.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
  }

  /// A string; empty if the field is absent.
  ///
  /// - Throws: `badData` also if it is not valid UTF-8.
  public func text(_ field: Int) throws(NetconvError) -> String {
    guard let range = try vector(field, width: 1) else { return "" }
    try bytes.countElements(range.count)
    guard let text = String(utf8: try bytes.bytes(at: range)) else {
      throw .noText(type, field: field)
    }
    return text
  }
}

extension NetconvError {
  fileprivate static func wrongTable(_ type: String, at offset: Int) -> NetconvError {
    NetconvError(.badData, "\(type): no table begins at byte \(offset); the file is damaged")
  }

  fileprivate static func fieldOutside(
    _ type: String, field: Int, offset: Int, size: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(field) is at byte \(offset) of a table of \(size); the file is damaged")
  }

  fileprivate static func vectorOutside(_ type: String, field: Int, count: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(type): field \(field) has \(count) elements, more than the file; it is truncated or damaged"
    )
  }

  fileprivate static func noText(_ type: String, field: Int) -> NetconvError {
    NetconvError(.badData, "\(type): field \(field) is no text in UTF-8; the file is damaged")
  }
}
