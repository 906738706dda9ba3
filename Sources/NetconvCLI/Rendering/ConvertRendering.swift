import ModelIR
import NetconvKit

/// How conversions are shown.
enum ConvertRendering {
  static func print(
    _ reports: [ConvertReport], failures: [ConvertFailure], _ options: OutputOptions
  ) throws(NetconvError) {
    if options.json {
      Output.write(try ConvertSummary(conversions: reports, failures: failures).json())
    } else if !options.quiet {
      for report in reports { print(report) }
    }
  }

  /// `OHWI`, or `OHWI, H and W reversed`.
  private static func layoutText(_ tensor: ConvertReport.Row) -> String {
    guard !tensor.flip.isEmpty else { return tensor.layout }
    return tensor.layout + ", " + tensor.flip.map { $0.uppercased() }.joined(separator: " and ")
      + " reversed"
  }

  private static func print(_ report: ConvertReport) {
    let framework = report.framework.map { " (" + escaped($0) + ")" } ?? ""
    Output.print(
      "\(report.source)\(framework) -> \(report.destination), target \(report.target)")
    Output.print("")
    var table = TextTable([
      ("tensor", .left), ("source", .left), ("", .left), ("written", .left), ("", .left),
      ("type", .left), ("size", .right),
    ])
    for tensor in report.tensors {
      table.append(
        tensor.name, tensor.sourceLayout, shapeText(tensor.sourceShape), layoutText(tensor),
        shapeText(tensor.shape), tensor.dtype, byteCount(tensor.length))
    }
    for line in table.lines { Output.print("  " + line) }
    Output.print("")
    if let folded = report.folded { FoldingRendering.print(folded) }
    let isRounded = report.tensors.contains { $0.dtype == ElementType.float16.rawValue }
    Output.print(
      "\(report.tensors.count) tensors, \(byteCount(report.bytes)), as "
        + "\(report.formats.joined(separator: " and ")); each read back and equal to the source"
        + (report.folded?.layers.isEmpty == false ? " with its layers folded" : "")
        + (isRounded ? " rounded to float16" : ""))
  }
}
