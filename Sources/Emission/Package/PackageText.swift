import ModelIR

/// Comments that all languages have.
enum PackageText {
  /// Names with what belongs to them behind, in a column.
  static func table(_ rows: [(name: String, text: String)]) -> [String] {
    let names = rows.map { escaped($0.name) }
    let width = names.map(\.count).max() ?? 0
    return zip(names, rows).map { name, row in
      name + String(repeating: " ", count: width - name.count) + "  " + row.text
    }
  }
}

extension ModelInput {
  /// What the model says of its pixels: `: pixels divided by 255`, `: pixels times 3.0, minus 1.0`.
  var scaling: String {
    guard scale != nil || offset != nil else { return "" }
    let (scale, offset) = (scale ?? 1, offset ?? 0)
    let addition = offset == 0 ? "" : " \(offset < 0 ? "minus" : "plus") \(offset.magnitude)"
    if scale == 1 { return ": pixels" + (offset == 0 ? " as they are" : addition) }
    return ": pixels" + Self.multiplication(scale) + (offset == 0 ? "" : "," + addition)
  }

  /// ` divided by 127.5`, if a number with so few digits does it.
  private static func multiplication(_ scale: Double) -> String {
    let divisor = (10 / scale).rounded() / 10
    guard (1...65535).contains(divisor.magnitude), 1 / divisor == scale else {
      return " times \(scale)"
    }
    return " divided by " + (divisor == divisor.rounded() ? "\(Int(divisor))" : "\(divisor)")
  }
}
