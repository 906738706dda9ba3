import NetconvKit

/// How a verification is shown.
enum VerifyRendering {
  static func print(_ report: VerifyReport, withConfusion: Bool) {
    let bold = Output.isColored ? "\u{1b}[1m" : ""
    let plain = Output.isColored ? "\u{1b}[0m" : ""
    if report.checkedTensors > 0 {
      Output.print("hashes     \(report.checkedTensors) tensors are as the manifest says")
    }
    Output.print("data       \(report.dataset), \(grouped(report.count)) images")
    Output.print(
      "accuracy   \(bold)\(fixed(report.accuracy, 4))\(plain) (\(grouped(report.correct)) right, "
        + "95 % interval \(fixed(report.interval[0], 4)) to \(fixed(report.interval[1], 4)))")
    Output.print(
      "speed      \(grouped(Int(report.imagesPerSecond))) images/s, \(report.engine) engine")
    guard withConfusion else { return }
    if let confusion = report.confusion {
      printConfusion(confusion)
    } else {
      Output.print(
        "confusion  not shown for more than \(grouped(VerifyReport.confusionLimit)) classes")
    }
  }

  private static func printConfusion(_ confusion: [[Int]]) {
    Output.print("")
    Output.print("rows: the true class; columns: what was predicted")
    var table = TextTable(
      [("", .right)] + confusion.indices.map { ("\($0)", .right) } + [("recall", .right)])
    for (label, row) in confusion.enumerated() {
      let count = row.reduce(0, +)
      table.append(
        ["\(label)"] + row.map { $0 == 0 ? "." : "\($0)" }
          + [count == 0 ? "-" : fixed(Double(row[label]) / Double(count), 4)])
    }
    for line in table.lines { Output.print("  " + line) }
  }
}
