import Files
import ModelIR

/// A table of a FlatBuffer: fields by number, of which any may be left out.
///
/// Every offset is checked before it is followed, and each error names the table by its type.
///
/// Source: flatbuffers.dev, "FlatBuffer Binary Format".
public struct FlatTable {
  /// The bytes that it lies in.
  public let bytes: FlatBufferBytes
  /// The name of its type: `SubGraph`.
  public let type: String
  /// Where it begins; fields count from here.
  let start: Int
  /// The number of its bytes.
  private let size: Int
  /// Where the offsets of its fields are.
  private let fields: Range<Int>

  /// The root of a buffer, whose offset the buffer begins with.
  ///
  /// - Parameter type: what errors call the table.
  /// - Throws: `badData` if it does not lie inside of the buffer.
  public init(rootOf bytes: FlatBufferBytes, _ type: String) throws(NetconvError) {
    let start = Int(try bytes.bits(at: 0, width: 4, type))
    try self.init(bytes, at: start, type)
  }

  /// The table at `start`.
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

  /// Where a field of `width` bytes is; `nil` if it is left out.
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

  /// Whether the table has a field, which is an offset.
  public func has(_ field: Int) throws(NetconvError) -> Bool {
    try place(of: field, width: 4) != nil
  }

  // MARK: - Numbers

  /// An integer with a sign, or `fallback` if it is left out.
  public func integer<Stored: FixedWidthInteger & SignedInteger>(
    _ field: Int, _: Stored.Type = Int32.self, default fallback: Int = 0
  ) throws(NetconvError) -> Int {
    let width = MemoryLayout<Stored>.size
    guard let place = try place(of: field, width: width) else { return fallback }
    return Int(Stored(truncatingIfNeeded: try bytes.bits(at: place, width: width, type)))
  }

  /// An integer of so many bytes without a sign, or 0 if it is left out.
  ///
  /// - Throws: `badData` also if it does not fit.
  public func unsigned(_ field: Int, width: Int) throws(NetconvError) -> Int {
    guard let place = try place(of: field, width: width) else { return 0 }
    guard let value = Int(exactly: try bytes.bits(at: place, width: width, type)) else {
      throw .wrongTable(type, at: start)
    }
    return value
  }

  /// A truth value, or `fallback` if it is left out.
  public func flag(_ field: Int, default fallback: Bool = false) throws(NetconvError) -> Bool {
    guard let place = try place(of: field, width: 1) else { return fallback }
    return try bytes.bits(at: place, width: 1, type) != 0
  }

  /// A float32, or `fallback` if it is left out.
  public func number(_ field: Int, default fallback: Float = 0) throws(NetconvError) -> Float {
    guard let place = try place(of: field, width: 4) else { return fallback }
    return Float(
      bitPattern: UInt32(truncatingIfNeeded: try bytes.bits(at: place, width: 4, type)))
  }

  // MARK: - Offsets

  /// Where the offset of a field leads; `nil` if it is left out.
  private func target(_ field: Int) throws(NetconvError) -> Int? {
    guard let place = try place(of: field, width: 4) else { return nil }
    return place + Int(try bytes.bits(at: place, width: 4, type))
  }

  /// Another table; `nil` if it is left out.
  public func table(_ field: Int, _ type: String) throws(NetconvError) -> FlatTable? {
    guard let target = try target(field) else { return nil }
    return try FlatTable(bytes, at: target, type)
  }

  /// The elements of a vector, as bytes of the buffer; `nil` if it is left out.
  ///
  /// - Parameter width: of an element, in bytes.
  public func vector(_ field: Int, width: Int) throws(NetconvError) -> Range<Int>? {
    guard let target = try target(field) else { return nil }
    let count = Int(try bytes.bits(at: target, width: 4, type))
    let first = target + 4
    guard count <= (bytes.count - first) / width else {
      throw .vectorOutside(type, field: field, count: count)
    }
    return first..<first + count * width
  }

  /// The tables of a vector; none if it is left out.
  public func tables(_ field: Int, _ type: String) throws(NetconvError) -> [FlatTable] {
    guard let range = try vector(field, width: 4) else { return [] }
    return try stride(from: range.lowerBound, to: range.upperBound, by: 4).map {
      place throws(NetconvError) in
      try FlatTable(bytes, at: place + Int(bytes.bits(at: place, width: 4, type)), type)
    }
  }

  /// The bits of the elements of a vector.
  private func elements(_ field: Int, width: Int) throws(NetconvError) -> [UInt64]? {
    guard let range = try vector(field, width: width) else { return nil }
    try bytes.countElements(range.count / width)
    return try stride(from: range.lowerBound, to: range.upperBound, by: width).map {
      place throws(NetconvError) in try bytes.bits(at: place, width: width, type)
    }
  }

  /// The integers of a vector; `nil` if it is left out.
  public func integers<Stored: FixedWidthInteger & SignedInteger>(
    _ field: Int, _: Stored.Type = Int32.self
  ) throws(NetconvError) -> [Int]? {
    try elements(field, width: MemoryLayout<Stored>.size)?.map {
      Int(Stored(truncatingIfNeeded: $0))
    }
  }

  /// The float32 numbers of a vector; `nil` if it is left out.
  public func numbers(_ field: Int) throws(NetconvError) -> [Float]? {
    try elements(field, width: 4)?.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
  }

  /// A text; empty if it is left out.
  ///
  /// - Throws: `badData` also if it is no UTF-8.
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
