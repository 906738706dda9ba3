import ModelIR
import NetconvKit

/// How a model is shown.
enum InspectRendering {
  static func print(_ report: InspectReport, withTensors: Bool) {
    let framework = report.framework.map { ", " + escaped($0) } ?? ""
    Output.print(
      "\(report.path): model \(quoted(report.name)) (\(report.format)\(framework)), "
        + byteCount(report.bytes))
    Output.print("")
    Output.print(report.layerTable, indent: 2)
    Output.print("")
    Output.print(report.totals)
    if withTensors {
      Output.print("")
      printTensors(report)
    }
  }

  private static func printTensors(_ report: InspectReport) {
    let hasStatistics = report.tensors.contains { $0.statistics != nil }
    let statisticTitles: [(title: String, alignment: TextTable.Alignment)] = [
      ("min", .right), ("max", .right), ("mean", .right), ("std", .right), ("not finite", .right),
    ]
    var table = TextTable(
      [
        ("layer", .name), ("role", .left), ("type", .left), ("layout", .left), ("shape", .left),
        ("size", .right),
      ] + (hasStatistics ? statisticTitles : [("path", .name)]))
    for tensor in report.tensors {
      let cells = [
        tensor.layer, tensor.role, tensor.dtype, tensor.layout, shapeText(tensor.shape),
        byteCount(tensor.bytes),
      ]
      guard let statistics = tensor.statistics else {
        table.append(cells + [tensor.path])
        continue
      }
      table.append(
        cells + [
          significant(statistics.min), significant(statistics.max), significant(statistics.mean),
          significant(statistics.std), grouped(statistics.nonFinite),
        ])
    }
    Output.print(table, indent: 2)
  }
}
