import ModelIR
import NetconvKit

/// Prints the results of a parameter sweep.
enum SweepRendering {
  static func print(_ sweep: VerifyReport.Sweep) {
    var table = TextTable([
      (sweep.filter, .right), ("accuracy", .right), ("95 % interval", .right), ("right", .right),
    ])
    for row in sweep.rows {
      table.append(
        PixelStep.number(row.value), fixed(row.accuracy, 4),
        "\(fixed(row.interval[0], 4)) to \(fixed(row.interval[1], 4))",
        "\(grouped(row.correct)) of \(grouped(row.count))")
    }
    Output.print(table)
  }
}
