/// Encodes bytes as Base64 (RFC 4648, section 4).
package func base64(_ bytes: some Collection<UInt8>) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  var rest = bytes[...]
  while !rest.isEmpty {
    let group = Array(rest.prefix(3))
    let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
    for place in 0..<4 {
      let digit = digits[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
      text.append(place <= group.count ? digit : UInt8(ascii: "="))
    }
    rest = rest.dropFirst(3)
  }
  return String(decoding: text, as: UTF8.self)
}
