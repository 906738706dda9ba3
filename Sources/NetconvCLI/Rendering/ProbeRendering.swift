import ModelIR
import NetconvKit

/// Prints a probe and the result of its check.
enum ProbeRendering {
  static func print(_ probe: ProbeDocument, in folder: String) {
    Output.print("\(folder): a probe for target \(probe.target)")
    Output.print("")
    var table = TextTable([
      ("tensor", .name), ("type", .left), ("layout", .left), ("shape", .left), ("values", .left),
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
    Output.print(table, indent: 2)
    Output.print("")
    Output.print(
      "load model/, write what you read to FILE, and run netconv probe --check FILE")
  }

  static func print(_ report: ProbeCheckReport) {
    let rows = report.tensors + report.inputs + report.outputs
    for row in rows { Output.print("\(what(row, in: report)): \(verdict(row))") }
    let wrong = rows.filter { !$0.right }.count
    let unchecked = rows.filter { !$0.unchecked.isEmpty }.count
    Output.print("")
    guard wrong == 0 else {
      return Output.print("\(wrong) of \(rows.count) \(wrong == 1 ? "is" : "are") wrong")
    }
    Output.print(
      "all \(rows.count) are right"
        + (unchecked == 0
          ? ""
          : ", \(unchecked) of them as bytes alone: add their shapes to check the order of axes"))
    if !report.unanswered.isEmpty {
      Output.print(
        "how your code uses them was not checked: add its outputs for the image in probe.npz, "
          + "for " + report.unanswered.map { escaped($0) }.joined(separator: ", "))
    }
  }

  private static func what(_ row: ProbeCheckReport.Row, in report: ProbeCheckReport) -> String {
    if let role = row.role { return "\(row.layer) \(role)" }
    return report.inputs.contains { $0.name == row.name } ? row.layer : "\(row.layer) gives"
  }

  private static func verdict(_ row: ProbeCheckReport.Row) -> String {
    if let finding = row.finding { return finding }
    guard let last = row.unchecked.last else { return "right" }
    guard let shape = row.shape, shape.count > 1 else { return "right as bytes; it has no shape" }
    return "right as bytes; its shape \(shapeText(shape)) does not show the order of "
      + row.unchecked.dropLast().joined(separator: ", ") + " and \(last)"
  }
}
