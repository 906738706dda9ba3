import ArgumentParser
import ModelIR

/// A number of bytes with a unit, as an argument.
enum ByteSize {
  private static let units: [String: Int] = [
    "B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
  ]

  /// Parses the argument of an option, such as `5GB` or `1.5GiB`.
  static func parsed(_ argument: String) throws -> Int {
    let number = argument.prefix { "0123456789.".contains($0) }
    guard let unit = units[argument.dropFirst(number.count).uppercased()],
      let value = Double(number), let bytes = Int(exactly: (value * Double(unit)).rounded(.down)),
      bytes > 0
    else {
      throw ValidationError("expected a size with a unit, such as 5GB, 500MB or 4GiB")
    }
    return bytes
  }
}
