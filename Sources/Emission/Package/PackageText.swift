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
  /// What the model says of its pixels: `: pixels times 0.5, plus 1.0`.
  var scaling: String {
    guard scale != nil || offset != nil else { return "" }
    return ": pixels times \(scale ?? 1)" + (offset.map { ", plus \($0)" } ?? "")
  }
}
