import ModelIR

/// Comments shared by all languages.
enum PackageText {
  /// The rows of a table with two columns, names and texts.
  static func table(_ rows: [(name: String, text: String)]) -> [String] {
    let names = rows.map { escaped($0.name) }
    let width = names.map(\.count).max() ?? 0
    return zip(names, rows).map { name, row in
      name + String(repeating: " ", count: width - name.count) + "  " + row.text
    }
  }
}

extension ModelInput {
  /// The preprocessing of pixels for comments: `: pixels divided by 255`,
  /// `: pixels times 3.0, minus 1.0`.
  ///
  /// Callers of a package prepare the pixels themselves, so every step is listed.
  var scaling: String {
    guard let preprocessing else { return "" }
    guard let short = preprocessing.shortForm else { return ": pixels " + preprocessing.words }
    let (scale, offset) = (short.scale ?? 1, short.offset ?? 0)
    let addition = offset == 0 ? "" : " \(offset < 0 ? "minus" : "plus") \(offset.magnitude)"
    if scale == 1 { return ": pixels" + (offset == 0 ? " as they are" : addition) }
    return ": pixels" + Self.multiplication(scale) + (offset == 0 ? "" : "," + addition)
  }

  /// The name of the input, followed by its preprocessing.
  var nameAndScaling: String {
    escaped(name) + (preprocessing == nil ? "" : " (\(scaling.dropFirst(2)))")
  }

  /// The multiplication in words: ` divided by 127.5` if the divisor has few digits, otherwise
  /// ` times …`.
  private static func multiplication(_ scale: Double) -> String {
    let divisor = (10 / scale).rounded() / 10
    guard (1...65535).contains(divisor.magnitude), 1 / divisor == scale else {
      return " times \(scale)"
    }
    return " divided by " + (divisor == divisor.rounded() ? "\(Int(divisor))" : "\(divisor)")
  }
}
