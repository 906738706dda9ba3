/// What stands in a package where files in `Emitted` have placeholders.
///
/// Placeholders are words of Swift that compile, and stand for nothing else in these files.
struct RuntimeValues {
  private let values: [(placeholder: [UInt8], value: [UInt8])]

  /// The values of a package called `name` in `language`.
  init(_ name: PackageName, _ language: PackageLanguage) {
    values =
      Self.names(name)
      + [
        ("TARGET", language.target),
        // The oldest systems that a manifest can ask for.
        ("v10_13", "v\(language.platforms.macOS)"), ("v12", "v\(language.platforms.iOS)"),
        ("MACOS", "\(language.platforms.macOS)"), ("IOS", "\(language.platforms.iOS)"),
      ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
  }

  /// The values of a package called `name` that runs no network.
  init(_ name: PackageName) {
    values = Self.names(name)
  }

  /// What the names of types begin with; the library's own have nothing in front.
  private static func names(_ name: PackageName) -> [(placeholder: [UInt8], value: [UInt8])] {
    [("NAME", ""), ("BlurTaps", "BlurTaps"), ("SampleTable", "SampleTable")].map {
      (Array($0.0.utf8), Array((name.description + $0.1).utf8))
    }
  }

  /// The text with all values, in one pass: what is put in is not looked at again.
  func replacingPlaceholders(in text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if let (placeholder, value) = values.first(where: {
        bytes[index...].starts(with: $0.placeholder)
      }) {
        result += value
        index += placeholder.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
