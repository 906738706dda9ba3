import ModelIR

extension PickleMachine {
  /// Reads the number that the current operation pushes.
  mutating func number() throws(NetconvError) -> PickleValue {
    switch opcode {
    case .int: return try integerLine()
    case .long: return try longLine()
    case .binint: return .integer(Int(Int32(truncatingIfNeeded: try input.number(bytes: 4))))
    case .binint1: return .integer(Int(try input.byte()))
    case .binint2: return .integer(Int(try input.number(bytes: 2)))
    case .long1: return try long(bytes: Int(try input.byte()))
    case .long4:
      let count = Int32(truncatingIfNeeded: try input.number(bytes: 4))
      guard count >= 0 else { throw error("has a number of \(count) bytes") }
      return try long(bytes: Int(count))
    case .float:
      let text = try line()
      guard let value = Double(text) else { throw error("has \(quoted(text)), expected a number") }
      return .float(value)
    default:
      return .float(Double(bitPattern: UInt64(bigEndian: try input.number(bytes: 8))))
    }
  }

  /// Reads a decimal number; `01` and `00` are Booleans.
  private mutating func integerLine() throws(NetconvError) -> PickleValue {
    let text = try line()
    if text == "01" { return .bool(true) }
    if text == "00" { return .bool(false) }
    return try integer(text)
  }

  private mutating func longLine() throws(NetconvError) -> PickleValue {
    let text = try line()
    return try integer(text.hasSuffix("L") ? text.dropLast() : text[...])
  }

  private mutating func integer(_ text: some StringProtocol) throws(NetconvError) -> PickleValue {
    if let value = Int(text) { return .integer(value) }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw error("has \(quoted(text)), expected a number")
    }
    return .wideInteger
  }

  /// Reads a little-endian number in two's complement.
  private mutating func long(bytes count: Int) throws(NetconvError) -> PickleValue {
    guard count <= 8 else {
      _ = try input.skip(count)
      return .wideInteger
    }
    guard count > 0 else { return .integer(0) }
    let shift = UInt64(64 - 8 * count)
    let value = try input.number(bytes: count) << shift
    return .integer(Int(Int64(bitPattern: value) >> Int64(shift)))
  }
}
