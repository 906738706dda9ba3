import ModelIR
import NetconvKit

/// Prints a comparison with goldens.
enum GoldensRendering {
  static func print(_ report: GoldensReport) {
    HashRendering.print(report.checkedTensors, in: report.checkedContainers)
    Output.print("goldens    \(report.samples) \(inputs(report))")
    Output.print("engine     \(report.engine), \(report.precision)")
    Output.print("")
    var table = TextTable([
      ("layer", .name), ("type", .name), ("values", .right), ("difference", .right),
      ("tolerance", .right), ("", .left),
    ])
    for layer in report.layers {
      table.append(
        escaped(layer.name), layer.operator,
        layer.compared == layer.count
          ? grouped(layer.count) : "\(layer.compared) of \(grouped(layer.count))",
        layer.difference.map { significant($0) } ?? (layer.isUnknown ? "-" : "not finite"),
        layer.tolerance.map { significant($0) } ?? "none", verdict(layer))
    }
    Output.print(table, indent: 2)
    Output.print("")
    let unknown = report.layers.filter(\.isUnknown).count
    let beyond = report.layers.filter { !$0.passed && !$0.isUnknown }.count
    Output.print(
      (beyond == 0
        ? counted(
          report.layers.count - unknown, "layer is within its tolerance",
          "layers are within their tolerances")
        : "\(beyond) of \(report.layers.count) layers are beyond their tolerances")
        + (unknown == 0
          ? "" : "; \(unknown) of \(report.layers.count) not compared: both are not finite"))
  }

  private static func verdict(_ layer: GoldensReport.Row) -> String {
    let beyond = layer.passed || layer.isUnknown ? [] : ["beyond"]
    let both = layer.nonFinite == 0 ? [] : ["\(grouped(layer.nonFinite)) not finite in both"]
    return (beyond + both).joined(separator: ", ")
  }

  /// The failure, for the end of the output; `nil` if there is none.
  static func failure(of report: GoldensReport) -> String? {
    report.failures.first.map { failure in
      let isUnknown = report.layers.first { !$0.passed }?.isUnknown ?? false
      return "netconv: \(failure)" + (isUnknown ? "; --allow-not-finite accepts that" : "")
    }
  }

  private static func inputs(_ report: GoldensReport) -> String {
    let isOne = report.samples == 1
    switch report.origin {
    case "mnist": return isOne ? "MNIST test image" : "MNIST test images"
    case "random": return isOne ? "random input" : "random inputs"
    default: return isOne ? "input from a file" : "inputs from a file"
    }
  }
}
