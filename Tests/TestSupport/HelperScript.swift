import Foundation

/// A shell script in place of a helper process; its standard input is the socket.
public struct HelperScript: Sendable {
  /// The path of the script.
  public let path: String

  /// Writes a script.
  public init(_ lines: String...) throws {
    path = try TemporaryFolder().write(
      "#!/bin/sh\n" + lines.joined(separator: "\n") + "\n", to: "helper.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
  }

  /// A shell command that writes bytes to a descriptor.
  public static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int) -> String {
    let octal = bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "printf '\(octal.joined())' >&\(descriptor)"
  }

  /// The eight bytes of a number.
  public static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A command that sends a message, its length followed by its bytes.
  ///
  /// Small numbers in a message are doubled, because odd ones stand for negative numbers.
  public static func message(_ bytes: [UInt8]) -> String {
    write(number(UInt64(bytes.count)) + bytes, to: 0)
  }

  /// A command that reports that the process is ready, and whether its system call filter is
  /// installed.
  public static func greeting(_ text: String, filterError: UInt8 = 0) -> String {
    message([0, UInt8(2 * text.utf8.count)] + Array(text.utf8) + [2 * filterError])
  }
}
