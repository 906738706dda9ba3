import ModelIR
import NetconvKit

/// Prints the results of conversions.
enum ConvertRendering {
  static func print(
    _ reports: [ConvertReport], failures: [ConvertFailure], _ options: OutputOptions,
    isVerbose: Bool
  ) throws(NetconvError) {
    if options.json {
      try Output.print(json: ConvertSummary(conversions: reports, failures: failures))
    } else if !options.quiet {
      for report in reports { print(report, isVerbose: isVerbose) }
    }
  }

  /// The layout as text: `OHWI`, or `OHWI, H and W reversed`.
  private static func layoutText(_ tensor: ConvertReport.Row) -> String {
    guard !tensor.flip.isEmpty else { return tensor.layout }
    return tensor.layout + ", " + tensor.flip.map { $0.uppercased() }.joined(separator: " and ")
      + " reversed"
  }

  /// Prints the number of tensors with axes of equal sizes, and lists them if requested.
  private static func printAmbiguities(_ report: ConvertReport, isVerbose: Bool) {
    let tensors = report.tensors.filter { !$0.ambiguities.isEmpty }
    guard !tensors.isEmpty else { return }
    Output.print(
      (tensors.count == 1
        ? "1 tensor has axes that its shape does not tell apart"
        : "\(tensors.count) tensors have axes that their shapes do not tell apart")
        + (isVerbose ? "; only the source's format says which is which" : " (--verbose lists them)")
    )
    guard isVerbose else { return }
    for tensor in tensors {
      let sets = tensor.ambiguities.map { axes in
        axes.dropLast().joined(separator: ", ") + " and " + (axes.last ?? "")
      }
      Output.print(
        "  \(escaped(tensor.layer)) \(escaped(tensor.role)), \(tensor.sourceLayout) "
          + "\(shapeText(tensor.sourceShape)): \(sets.joined(separator: "; "))")
    }
  }

  /// Prints the operators that replace unsupported layers.
  private static func printReplaced(_ report: ConvertReport) {
    guard let replaced = report.replaced else { return }
    var table = TextTable([("replaced", .name), ("", .left), ("by", .left)])
    for layer in replaced {
      table.append(layer.layer, layer.className, layer.by)
    }
    Output.print(table, indent: 2)
    Output.print("")
  }

  private static func print(_ report: ConvertReport, isVerbose: Bool) {
    let framework = report.framework.map { " (" + escaped($0) + ")" } ?? ""
    Output.print(
      "\(report.source)\(framework) -> \(report.destination), target \(report.target)")
    Output.print("")
    var table = TextTable([
      ("tensor", .name), ("source", .left), ("", .left), ("written", .left), ("", .left),
      ("type", .left), ("size", .right),
    ])
    for tensor in report.tensors {
      table.append(
        tensor.name, tensor.sourceLayout,
        tensor.sourceLayout.isEmpty ? "several" : shapeText(tensor.sourceShape), layoutText(tensor),
        shapeText(tensor.shape), tensor.dtype, byteCount(tensor.length))
    }
    Output.print(table, indent: 2)
    Output.print("")
    if let rules = report.rules { RulesRendering.print(rules, isVerbose: isVerbose) }
    printReplaced(report)
    if let folded = report.folded { FoldingRendering.print(folded) }
    for input in report.preprocessing ?? [] {
      let name = report.preprocessing?.count == 1 ? "" : " of " + escaped(input.input)
      Output.print("pixels\(name) are recorded as \(input.text)")
    }
    printAmbiguities(report, isVerbose: isVerbose)
    var types: [String] = []
    for type in report.tensors.map(\.dtype)
    where type != ElementType.float32.rawValue && !types.contains(type) {
      types.append(type)
    }
    let folded = report.folded?.layers.isEmpty == false ? " with its layers folded" : ""
    // Only packed codes are written as bytes.
    let names = types.map { $0 == ElementType.uint8.rawValue ? "codes" : $0 }
    let rounded = names.isEmpty ? "" : " rounded to " + names.joined(separator: " and ")
    Output.print(
      "\(counted(report.tensors.count, "tensor")), \(byteCount(report.bytes)), as "
        + "\(report.formats.joined(separator: " and ")); each read back and equal to the source"
        + folded + rounded)
    if report.leftOut > 0 {
      Output.print(
        report.leftOut == 1
          ? "1 array of the source is not a weight and was left out"
          : "\(grouped(report.leftOut)) arrays of the source are not weights and were left out")
    }
    printSizes(report)
  }

  /// Prints the size on disk, and how to reduce it.
  private static func printSizes(_ report: ConvertReport) {
    guard !report.isSource else {
      return Output.print(
        "\(byteCount(report.bytesOnDisk)) on disk; netconv reads the file as a source of its own format"
      )
    }
    guard report.manifest else {
      return Output.print(
        "\(byteCount(report.bytesOnDisk)) on disk, without a manifest: netconv cannot verify or run this file "
          + "alone; a folder has one")
    }
    guard report.containers.count > 1, let first = report.containers.first else {
      return Output.print("\(byteCount(report.bytesOnDisk)) on disk")
    }
    let others = report.bytesOnDisk - report.containers.reduce(0) { $0 + $1.bytes }
    let parts =
      report.containers.map { "\(byteCount($0.bytes)) as \($0.format)" }
      + ["\(byteCount(others)) of manifest\(report.goldens == nil ? "" : " and goldens")"]
    Output.print(
      "\(byteCount(report.bytesOnDisk)) on disk: \(wordList(parts)); --formats \(first.format) alone "
        + "takes \(byteCount(first.bytes + others)) with it")
  }
}
