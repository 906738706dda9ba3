import ModelIR
import NetconvKit

/// Prints a comparison of two networks.
enum DiffRendering {
  static func print(_ report: DiffReport) {
    for (name, source) in [("A", report.a), ("B", report.b)] {
      Output.print(
        SidesRendering.line(
          name, path: source.path, format: source.format, framework: source.framework,
          tensorCount: source.tensorCount, leftOut: source.leftOut) + folding(source))
    }
    printBlock(report.tensors.filter { $0.status != .equal }.flatMap(lines))
    printBlock(
      report.onlyInA.map { line($0, "only in A") } + report.onlyInB.map { line($0, "only in B") })
    printBlock(report.graph.map { "graph: " + text($0) })
    printBlock(report.notes.map { "note: " + $0.options })
    printBlock([verdict(report)])
  }

  private static func printBlock(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    Output.print("")
    for line in lines { Output.print(line) }
  }

  private static func folding(_ source: DiffReport.Source) -> String {
    switch source.folding {
    case nil: ""
    case .recorded: ", folded when it was converted"
    case .now: ", folded for this comparison"
    }
  }

  private static func name(_ tensor: DiffReport.Tensor) -> String {
    escaped(tensor.title)
  }

  private static func line(_ tensor: DiffReport.Tensor, _ place: String) -> String {
    "\(name(tensor)): \(place), \(tensor.dtype) \(tensor.layout) \(shapeText(tensor.shape))"
  }

  // MARK: - Tensors

  private static func lines(_ pair: DiffReport.Pair) -> [String] {
    guard let values = pair.difference else {
      return [
        "\(name(pair.a)): the shapes differ, \(pair.a.layout) \(shapeText(pair.a.shape)) in A, "
          + "\(pair.b.layout) \(shapeText(pair.b.shape)) in B"
      ]
    }
    let types =
      pair.a.dtype == pair.b.dtype ? "" : ", \(pair.a.dtype) in A and \(pair.b.dtype) in B"
    if pair.status == .rounded {
      return [
        "\(name(pair.a)): "
          + (values.changed == 0
            ? "equal up to the signs of zeros"
              + (values.nonFinite == 0 ? "" : " and the bits of NaN values")
            : "equal up to rounding\(types): \(grouped(values.changed)) of "
              + "\(grouped(values.count)) values, by at most \(significant(values.maximumAbsolute))")
          + (values.mismatchedNonFinite == 0
            ? "" : "; \(grouped(values.mismatchedNonFinite)) became infinite")
      ]
    }
    if pair.status == .within {
      return [
        "\(name(pair.a)): \(grouped(values.changed)) of \(grouped(values.count)) values differ\(types), within "
          + "the tolerance, by at most \(significant(values.maximumAbsolute))"
      ]
    }
    return [
      "\(name(pair.a)): \(grouped(values.changed)) of \(grouped(values.count)) values changed\(types)"
    ] + worstLines(values)
      + [
        values.nonFinite == values.count
          ? "  no value is finite in both, so the distance is unknown"
          : "  mean distance \(significant(values.meanAbsolute)), cosine \(cosineText(values))"
      ]
  }

  /// The cosine, with enough digits to distinguish it from 1.
  private static func cosineText(_ values: DiffReport.Values) -> String {
    guard let cosine = values.cosine else {
      // The squares of such numbers overflow Double.
      return values.maximumAbsolute > 1e150
        ? "unknown: the values are too large" : "unknown: one of them is zero"
    }
    return cosine > 0.99995 ? "\(cosine)" : fixed(cosine, 4)
  }

  private static func worstLines(_ values: DiffReport.Values) -> [String] {
    guard let worst = values.worst else { return [] }
    let place = worst.indices.map { "\($0.axis.lowercased())=\($0.index)" }
      .joined(separator: " ")
    let isFinite = values.mismatchedNonFinite == 0
    let what =
      isFinite
      ? "the largest distance is \(significant(values.maximumAbsolute)) "
        + "(at most \(grouped(Int(clamping: values.maximumULPs))) ULP)"
      : "\(grouped(values.mismatchedNonFinite)) finite in only one of them, the first"
    return [
      "  \(what)\(place.isEmpty ? "" : " at \(place)"): \(text(worst.a)) in A, \(text(worst.b)) in B"
    ]
  }

  private static func text(_ value: DiffReport.StoredValue) -> String {
    // The shortest text that identifies the float32 or, if needed, the float64.
    let number = value.value.value
    let text = Double(Float(number)) == number ? numeral(Float(number)) : numeral(number)
    return "\(text) (index \(value.index))"
  }

  // MARK: - Graphs

  private static func text(_ difference: GraphDifference) -> String {
    let layer = difference.layer.map { quoted($0) } ?? "the model"
    let (a, b) = (difference.a ?? "nothing", difference.b ?? "nothing")
    return switch difference.kind {
    case .presence:
      difference.b == nil ? "\(layer) (\(a)) is only in A" : "\(layer) (\(b)) is only in B"
    case .operator: "\(layer) is \(a) in A, \(b) in B"
    case .attribute: "\(layer): \(difference.name ?? "") is \(a) in A, \(b) in B"
    case .inputs: "\(layer) reads \(a) in A, \(b) in B"
    case .modelInputs: "the model's inputs are \(a) in A, \(b) in B"
    case .modelOutputs: "the model's outputs are \(a) in A, \(b) in B"
    }
  }

  private static func verdict(_ report: DiffReport) -> String {
    let statuses = Dictionary(grouping: report.tensors, by: \.status).mapValues(\.count)
    let counts: [(Int?, String)] = [
      (statuses[.equal], "equal"), (statuses[.rounded], "equal up to rounding"),
      (statuses[.within], "within the tolerance"),
      (statuses[.changed], "changed"), (statuses[.shape], "of another shape"),
      (report.onlyInA.count, "only in A"), (report.onlyInB.count, "only in B"),
    ]
    let graph =
      !report.graphsCompared
      ? "" : report.graph.isEmpty ? "; the graphs are equal" : "; the graphs differ"
    return "\(report.equal ? "equal" : "different"): \(SidesRendering.text(counts))\(graph)"
  }
}
