/// The bytes as lower-case hexadecimal digits, two per byte.
public func hexadecimal(_ bytes: some Sequence<UInt8>, separator: String = "") -> String {
  bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    .joined(separator: separator)
}
