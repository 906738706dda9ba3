import NetconvKit

/// Prints the results of a search for the right preprocessing of pixels.
enum PreparationRendering {
  /// The number of rows shown; `--json` lists all.
  private static let limit = 5

  static func print(_ report: PreparationReport) {
    Output.print(
      "tried      \(grouped(report.tried.count)) preparations of the pixels on "
        + "\(grouped(report.images)) \(report.images == 1 ? "image" : "images"); the best:")
    var table = TextTable([
      ("pixels", .left), ("right", .right), ("95 % interval", .left),
    ])
    for row in report.tried.prefix(limit) {
      table.append(
        row.text, fixed(row.accuracy, 4),
        "\(fixed(row.interval[0], 4)) to \(fixed(row.interval[1], 4))")
    }
    Output.print(table, indent: 2)
    if let found = report.found {
      Output.print("found      \(found.text)" + (report.isUsed ? ", as was done" : ""))
      for equal in found.equals { Output.print("           the same pixels: \(equal)") }
      if !report.isUsed, let setting = report.setting {
        Output.print("set it     \(setting.options)")
      }
    } else if report.alike.isEmpty {
      Output.print("found      none stands out")
    } else {
      Output.print(
        "found      none stands out; these are equally good, and better than all others:")
      for text in report.alike { Output.print("           \(text)") }
    }
  }
}
