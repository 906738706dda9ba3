import ModelIR

/// Returns a number with separators: `3,274,634`.
package func grouped(_ number: Int) -> String {
  guard number.magnitude >= 1000 else { return String(number) }
  let digits = String(number.magnitude).utf8
  var text: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(UInt8(ascii: ",")) }
    text.append(digit)
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns a number with a noun: `1 layer`, `1,000 layers`.
///
/// - Parameter several: the plural of the noun; by default, `one` with an s.
package func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
  "\(grouped(count)) \(count == 1 ? one : several ?? one + "s")"
}

/// Returns a word for a shell command, quoted if necessary.
package func shellQuoted(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_-./:,+@%=".utf8.contains(byte)
    }
  }
  guard word.isEmpty || !isPlain else { return word }
  return "'" + escaped(word).replacing("'", with: "'\\''") + "'"
}

/// Returns the sizes that a call of einops needs after its pattern: `, h=7, w=7`.
package func einopsArguments(_ sizes: [String: Int]) -> String {
  sizes.sorted { $0.key < $1.key }.map { ", \($0.key)=\($0.value)" }.joined()
}

/// Returns a size in bytes with a unit: `13.1 MB`.
package func byteCount(_ bytes: Int) -> String {
  var value = Double(bytes)
  var unit = "B"
  for next in ["kB", "MB", "GB", "TB"] where value >= 1000 {
    value /= 1000
    unit = next
  }
  return unit == "B" ? "\(bytes) B" : fixed(value, 1) + " " + unit
}

/// Returns a number with `digits` digits after the decimal point.
package func fixed(_ value: Double, _ digits: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return numeral(value) }
  var power = 1
  for _ in 0..<digits { power *= 10 }
  let scaled = Int((abs(value) * Double(power)).rounded())
  let fraction = String(scaled % power)
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard digits > 0 else { return "\(sign)\(scaled)" }
  return "\(sign)\(scaled / power)."
    + String(repeating: "0", count: digits - fraction.count) + fraction
}

/// Returns a float32 number with four significant digits.
package func significant(_ value: Float?) -> String { significant(value.map(Double.init)) }

/// Returns a number with four significant digits, such as `0.01234` or `1.234e-7`.
package func significant(_ value: Double?) -> String {
  guard let value else { return "-" }
  guard value != 0, value.isFinite else { return value == 0 ? "0" : numeral(value) }
  var exponent = 0
  var mantissa = abs(value)
  while mantissa >= 10 {
    mantissa /= 10
    exponent += 1
  }
  while mantissa < 1 {
    mantissa *= 10
    exponent -= 1
  }
  // 9.9996 is rounded to 10.00, which has a larger exponent.
  if mantissa >= 9.9995 {
    mantissa = 1
    exponent += 1
  }
  if (-4..<6).contains(exponent) { return fixed(value, max(0, 3 - exponent)) }
  return (value < 0 ? "-" : "") + fixed(mantissa, 3) + "e\(exponent)"
}

/// Returns a shape as text: `(5, 5, 1, 32)`, with `None` for an unknown size.
package func shapeText(_ shape: [Int?]) -> String {
  Shape(shape).description
}
