/// Formats compact JSON for readability: two spaces per level, lists of scalars on one line.
///
/// A shape then takes one line, `[28, 28, 1]`, rather than five.
package struct JSONLayout {
  private let input: [UInt8]
  /// A string literal, including its quotes, that is replaced by `null`.
  private let mark: [UInt8]
  private var output: [UInt8] = []
  private var position = 0

  /// Formats JSON without white space, as an encoder writes it; `null` replaces the string `mark`.
  package static func layOut(_ compact: [UInt8], nullFor mark: String? = nil) -> [UInt8] {
    var layout = JSONLayout(input: compact, mark: mark.map { Array("\"\($0)\"".utf8) } ?? [])
    layout.output.reserveCapacity(2 * compact.count)
    layout.value(level: 0)
    return layout.output
  }

  /// Returns the JSON without white space between its values.
  package static func compacted(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        isInString = byte != UInt8(ascii: "\"") || isEscaped
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      } else if byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d {
        continue
      } else {
        isInString = byte == UInt8(ascii: "\"")
      }
      output.append(byte)
    }
    return output
  }

  private init(input: [UInt8], mark: [UInt8]) {
    self.input = input
    self.mark = mark
  }

  private mutating func value(level: Int) {
    switch input[position] {
    case UInt8(ascii: "{"): container(level: level, isFlat: false)
    case UInt8(ascii: "["): container(level: level, isFlat: holdsPlainValues)
    case UInt8(ascii: "\""): string()
    default:
      while position < input.count, !Self.ends.contains(input[position]) { take() }
    }
  }

  private mutating func container(level: Int, isFlat: Bool) {
    take()
    if Self.closing.contains(input[position]) { return take() }
    while true {
      if !isFlat { newLine(level + 1) }
      value(level: level + 1)
      if input[position] == UInt8(ascii: ":") {
        take()
        output.append(UInt8(ascii: " "))
        value(level: level + 1)
      }
      guard input[position] == UInt8(ascii: ",") else { break }
      take()
      if isFlat { output.append(UInt8(ascii: " ")) }
    }
    if !isFlat { newLine(level) }
    take()
  }

  private mutating func string() {
    if !mark.isEmpty, input[position...].starts(with: mark) {
      position += mark.count
      return output.append(contentsOf: "null".utf8)
    }
    take()
    while input[position] != UInt8(ascii: "\"") {
      if input[position] == UInt8(ascii: "\\") { take() }
      take()
    }
    take()
  }

  /// True if the list at this position contains neither lists nor objects.
  private var holdsPlainValues: Bool {
    var index = position + 1
    var isInString = false
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: return false
      case UInt8(ascii: "]") where !isInString: return true
      default: break
      }
      index += 1
    }
    return true
  }

  private mutating func take() {
    output.append(input[position])
    position += 1
  }

  private mutating func newLine(_ level: Int) {
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  private static let closing = Set("]}".utf8)
  private static let ends = Set(",:]}".utf8)
}
