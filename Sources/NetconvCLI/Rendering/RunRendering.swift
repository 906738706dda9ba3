import ModelIR
import NetconvKit

/// Prints the results of a run.
enum RunRendering {
  static func print(_ report: RunReport) {
    if let pictures = report.pictures { PicturesRendering.print(pictures, of: report) }
    for input in report.inputs where report.pictures == nil {
      let name = report.inputs.count == 1 ? "" : escaped(input.name) + ": "
      if let pixels = input.pixels { Output.print(VerifyRendering.prepared(pixels, of: name)) }
      if input.rowByRow == true { Output.print("fed        \(name)row by row, as vectors") }
    }
    if report.needsOutputs { printOutputs(report) }
    if let output = report.output { Output.print("written to \(output)") }
    if let median = report.medianMilliseconds {
      Output.print("median \(fixed(median, 3)) ms for a batch of \(report.batch)")
    }
  }

  private static func printOutputs(_ report: RunReport) {
    let hasAxes = report.outputs.contains { $0.axes != nil }
    var table = TextTable(
      [("output", .name), ("shape", .left)] + (hasAxes ? [("channels", .left)] : [])
        + [("min", .right), ("max", .right), ("not finite", .right)])
    for output in report.outputs {
      table.append(
        [output.name, shapeText(output.shape)] + (hasAxes ? [channels(output.axes)] : [])
          + [significant(output.min), significant(output.max), grouped(output.nonFinite)])
    }
    Output.print(table)
  }

  /// The position of the channels, if there are two orders.
  private static func channels(_ axes: String?) -> String {
    switch axes.flatMap(PixelStep.AxisOrder.init) {
    case .channelsFirst?: "first"
    case .channelsLast?: "last"
    case nil: ""
    }
  }
}

extension RunReport {
  /// True if the table of pictures does not contain all outputs.
  fileprivate var needsOutputs: Bool {
    guard let pictures else { return true }
    return outputs.count > 1 || outputs.contains { $0.nonFinite > 0 }
      || pictures.contains { $0.top.isEmpty }
  }
}
