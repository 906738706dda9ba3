import ModelIR
import NetconvKit

/// How a probe, and what a loader made of it, are shown.
enum ProbeRendering {
  static func print(_ probe: ProbeDocument, in folder: String) {
    Output.print("\(folder): a probe for target \(probe.target)")
    Output.print("")
    var table = TextTable([
      ("tensor", .left), ("type", .left), ("layout", .left), ("shape", .left), ("values", .left),
    ])
    for tensor in probe.tensors {
      let axes = Layout(tensor.layout)?.axes ?? []
      let reversed =
        tensor.reversed.isEmpty ? "" : ", \(tensor.reversed.joined(separator: " and ")) reversed"
      let (first, last) = (tensor.values.min() ?? 0, tensor.values.max() ?? 0)
      table.append(
        tensor.name, tensor.dtype, tensor.layout + reversed,
        shapeText(axes.map { tensor.sizes[$0.description] ?? 1 }),
        "\(Int(first)) to \(Int(last))")
    }
    for line in table.lines { Output.print("  " + line) }
    Output.print("")
    Output.print(
      "load model/, write what you see to FILE, and ask netconv probe --check FILE")
  }

  static func print(_ report: ProbeCheckReport) {
    for row in report.tensors + report.outputs {
      let what = row.role.map { "\(row.layer) \($0)" } ?? "\(row.layer) gives"
      Output.print("\(what): \(row.finding ?? "right")")
    }
    let rows = report.tensors + report.outputs
    let wrong = rows.filter { !$0.right }.count
    Output.print("")
    Output.print(
      wrong == 0
        ? "all \(rows.count) are right" : "\(wrong) of \(rows.count) are wrong")
  }
}
