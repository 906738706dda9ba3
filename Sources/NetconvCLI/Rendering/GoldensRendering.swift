import ModelIR
import NetconvKit

/// How a comparison with goldens is shown.
enum GoldensRendering {
  static func print(_ report: GoldensReport) {
    HashRendering.print(report.checkedTensors, in: report.checkedContainers)
    Output.print("goldens    \(report.samples) \(inputs(report))")
    Output.print("engine     \(report.engine), \(report.precision)")
    Output.print("")
    var table = TextTable([
      ("layer", .left), ("type", .left), ("values", .right), ("difference", .right),
      ("tolerance", .right), ("", .left),
    ])
    for layer in report.layers {
      table.append(
        escaped(layer.name), layer.operator,
        layer.compared == layer.count
          ? grouped(layer.count) : "\(layer.compared) of \(grouped(layer.count))",
        layer.difference.map { significant($0) } ?? "not finite",
        layer.tolerance.map { significant($0) } ?? "none", layer.passed ? "" : "beyond")
    }
    for line in table.lines { Output.print("  " + line) }
    Output.print("")
    let beyond = report.layers.filter { !$0.passed }.count
    Output.print(
      beyond == 0
        ? "\(report.layers.count) layers are within their tolerances"
        : "\(beyond) of \(report.layers.count) layers are beyond their tolerances")
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
