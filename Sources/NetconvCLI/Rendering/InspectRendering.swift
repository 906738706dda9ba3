import ModelIR
import NetconvKit

/// Prints the description of a model.
enum InspectRendering {
  static func print(_ report: InspectReport, withTensors: Bool, withPickleCalls: Bool) {
    // For PyTorch and NumPy, the format already names the framework.
    let framework =
      report.framework.flatMap { $0 == report.format ? nil : $0 }.map { ", " + escaped($0) } ?? ""
    Output.print(
      "\(report.path): model \(quoted(report.name)) (\(report.format)\(framework)), "
        + byteCount(report.bytes))
    Output.print("")
    Output.print(report.layerTable, indent: 2)
    Output.print("")
    Output.print(report.totals)
    printTypes(report)
    printMetadata(report)
    if let pickle = report.pickle {
      Output.print(pickle.summary)
      if withPickleCalls {
        Output.print("")
        Output.print(pickle.table, indent: 2)
      }
    }
    if withTensors {
      Output.print("")
      printTensors(report)
    }
  }

  private static func printTypes(_ report: InspectReport) {
    guard let types = report.types else { return }
    let all = types.reduce(0) { $0 + $1.bytes }
    var table = TextTable([
      ("type", .left), ("tensors", .right), ("parameters", .right), ("size", .right),
      ("share", .right), ("bits each", .right),
    ])
    for type in types {
      let share = all == 0 ? "-" : fixed(100 * Double(type.bytes) / Double(all), 1) + " %"
      let bits =
        type.parameterCount == 0
        ? "-" : significant(8 * Double(type.bytes) / Double(type.parameterCount))
      table.append(
        type.dtype, grouped(type.tensors), grouped(type.parameterCount), byteCount(type.bytes),
        share, bits)
    }
    Output.print("")
    Output.print(table, indent: 2)
  }

  /// The maximum number of characters shown of a value.
  private static let valueLength = 60

  private static func printMetadata(_ report: InspectReport) {
    guard let metadata = report.metadata else { return }
    var table = TextTable([("metadata", .name), ("type", .left), ("value", .left)])
    for row in metadata {
      let scalars = row.text.plain.unicodeScalars
      let isLong = scalars.count > valueLength
      let text =
        isLong ? String(String.UnicodeScalarView(scalars.prefix(valueLength))) + "…" : row.text
      table.append(row.key, row.type, text)
    }
    Output.print("")
    Output.print(table, indent: 2)
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

extension PickleReport {
  /// The number of names listed in a line.
  private static let namesListed = 5

  /// The summary: `pickle: Python would make 26 calls to load it, all of them to constructors …`.
  fileprivate var summary: String {
    let start =
      "pickle: Python would make \(grouped(calls)) \(calls == 1 ? "call" : "calls") to load it; "
    guard !outside.isEmpty else {
      return start + "all names are constructors of torch, collections and numpy"
    }
    let shown = outside.prefix(Self.namesListed).quotedList
    let rest = outside.count - Self.namesListed
    let more = rest > 0 ? " and \(rest) more" : ""
    return start + "other than constructors of torch, collections and numpy "
      + (outside.count == 1 ? "is 1 name: " : "are \(outside.count) names: ") + shown + more
  }

  fileprivate var table: TextTable {
    var table = TextTable([
      ("name", .name), ("kind", .left), ("count", .right), ("pickle", .name), ("byte", .right),
      ("", .left),
    ])
    for name in names {
      table.append(
        name.name, name.kind, grouped(name.count), name.pickle, grouped(name.offset),
        name.isOutside ? "outside" : "")
    }
    return table
  }
}
