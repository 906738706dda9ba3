import ModelIR
import NetconvKit

/// Prints the relations of two sets of weights.
enum RelateRendering {
  static func print(_ report: RelateReport) {
    for (name, source) in [("A", report.a), ("B", report.b)] {
      Output.print(
        SidesRendering.line(
          name, path: source.path, format: source.format, framework: source.framework,
          tensorCount: source.tensorCount, leftOut: source.leftOut))
    }
    if !report.tensors.isEmpty { Output.print("") }
    for line in report.tensors.flatMap(lines) { Output.print(line) }
    if !report.unused.isEmpty { Output.print("") }
    for unused in report.unused {
      Output.print("only in A: \(text(unused.tensor))\(text(unused.nearest, in: "B"))")
    }
    let placement = placement(report)
    if !placement.isEmpty { Output.print("") }
    for line in placement { Output.print(line) }
    if let exchanged = report.exchanged {
      Output.print("")
      for line in lines(exchanged) { Output.print(line) }
    }
    if let misordered = report.misordered {
      Output.print("")
      for line in lines(misordered) { Output.print(line) }
    }
    if let odd = report.odd {
      Output.print("")
      for line in lines(odd) { Output.print(line) }
    }
    if let quantized = report.quantized {
      Output.print("")
      for line in lines(quantized) { Output.print(line) }
    }
    if let map = report.map {
      Output.print("")
      for line in lines(map) { Output.print(line) }
    }
    if let rules = report.rules {
      Output.print("")
      for line in lines(rules) { Output.print(line) }
    }
    Output.print("")
    Output.print(verdict(report))
  }

  private static func text(_ tensor: RelateReport.Tensor) -> String {
    "\(escaped(tensor.name)) \(shapeText(tensor.shape))"
  }

  private static func text(_ nearest: RelateReport.Nearest?, in name: String) -> String {
    guard let nearest else { return "" }
    let distance =
      nearest.distance.isFinite ? ", at a distance of \(significant(nearest.distance))" : ""
    return "; most similar to \(text(nearest.tensor)) of \(name)\(distance)"
  }

  /// The limit on lines about parts of a tensor.
  private static let mostParts = 24

  private static func lines(_ entry: RelateReport.Entry) -> [String] {
    let name = text(entry.tensor)
    switch entry.status {
    case .unrelated: return ["only in B: \(name)\(text(entry.nearest, in: "A"))"]
    case .related where entry.parts.count == 1:
      return ["\(name) = \(text(entry.parts[0]))"]
    case .related:
      let rest = entry.parts.count - mostParts
      return ["\(name) =\(entry.meaning.map { " " + $0 + ":" } ?? "")"]
        + entry.parts.prefix(mostParts).map(line)
        + (rest > 0 ? ["  and so on, \(grouped(rest)) more parts; --json lists them"] : [])
    case .nearly:
      return ["\(name) is nearly equal to: \(text(entry.others, of: entry.tensor))"]
        + entry.parts.map(line)
    case .undetermined:
      return ["\(name) is undetermined: \(reason(entry))"] + entry.parts.map(line)
    }
  }

  /// The differing values: `1 of 12,288 values differs, at (3, 5) 0.5, expected 0.25`.
  private static func text(
    _ others: RelateReport.OtherValues?, of tensor: RelateReport.Tensor
  ) -> String {
    guard let others else { return "" }
    let all = grouped(tensor.shape.reduce(1, *))
    let first = others.count == 1 ? "" : "the first "
    let which = others.count == 1 ? "differs" : "differ"
    let within =
      others.count == 1 || others.within.isEmpty ? "" : " within \(places(others.within))"
    return "\(grouped(others.count)) of \(all) values \(which)\(within), "
      + "\(first)at \(shapeText(others.place)): \(numeral(Float(others.value.value))), "
      + "expected \(numeral(Float(others.expected.value)))"
  }

  /// A number in a row: `2nd`, `3rd`, `4th`.
  private static func ordinal(_ number: Int) -> String {
    let ending =
      (11...13).contains(number % 100) ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    return "\(number)\(ending)"
  }

  /// A part, with its section unless it is the whole tensor.
  private static func line(_ part: RelateReport.Part) -> String {
    part.to.isEmpty ? "  \(text(part))" : "  \(places(part.to)): \(text(part))"
  }

  private static func reason(_ entry: RelateReport.Entry) -> String {
    switch entry.ambiguity {
    case "constant": "all values are the same, as in"
    case "tied" where entry.parts.contains { $0.change != nil }: "each of these has its values"
    case "tied": "several tensors have these values"
    case "orders" where entry.parts.count == 1:
      "other orders of indices have the same values as this one"
    case "orders": "other orders of indices have the same values as these"
    default: "these rearrangements have the same values"
    }
  }

  private static func text(_ part: RelateReport.Part) -> String {
    guard let source = part.source else { return "zeros" }
    let from = part.from.isEmpty ? "" : " at " + places(part.from)
    let change = part.change.map { ", " + $0 } ?? ""
    let addend = part.addend.map { " + " + text($0) } ?? ""
    let meaning = part.meaning.map { " (\($0))" } ?? ""
    return "\(text(source))\(from)\(addend), \(part.summary)\(meaning)\(change)"
  }

  private static func places(_ sections: [RelateReport.Section]) -> String {
    sections.map { section in
      let step = section.step == 1 ? "" : ", every \(ordinal(section.step))"
      return section.end == section.start + 1
        ? "axis \(section.axis) at \(section.start)"
        : "axis \(section.axis) from \(section.start) to \(section.end - 1)\(step)"
    }.joined(separator: ", ")
  }

  private static func verdict(_ report: RelateReport) -> String {
    let statuses = Dictionary(grouping: report.tensors, by: \.status).mapValues(\.count)
    let related = report.tensors.filter { $0.status == .related }
    let exact = related.count { $0.parts.allSatisfy(\.exact) }
    let counts: [(Int?, String)] = [
      (exact, "related"), (related.count - exact, "related up to rounding"),
      (statuses[.undetermined], "undetermined"), (statuses[.nearly], "with a few different values"),
      (statuses[.unrelated], "only in B"), (report.unused.count, "only in A"),
    ]
    let wrong = report.consumer.flatMap {
      $0.mistakeCount == 0 ? nil : "; not as \($0.name) expects them: \(grouped($0.mistakeCount))"
    }
    let open = report.consumer.flatMap {
      $0.basis != .asked || $0.notJudged.isEmpty
        ? nil : "; not judged for \($0.name): \(grouped($0.notJudged.count))"
    }
    let consistent = report.quantized.flatMap {
      $0.consistent.isEmpty
        ? nil
        : "; through quantisation consistent with A, and not told from other weights close to it: "
          + "\(grouped($0.consistent.count))"
    }
    let changed =
      report.changed.isEmpty
      ? ""
      : "; with another sign, factor or offset than in A: "
        + report.changed.map { escaped($0) }.joined(separator: ", ")
    let exchanged =
      report.exchanged.map { "; with each other's names: \(grouped($0.count))" }
      ?? ""
    let misordered =
      report.misordered.map { "; with parts in another order: \(grouped($0.count))" } ?? ""
    let odd = report.odd.map { "; made otherwise than their siblings: \(grouped($0.count))" } ?? ""
    let verdict =
      !report.complete
      ? "incomplete" : open != nil ? "not judged" : "complete"
    return verdict
      + ": \(SidesRendering.text(counts))\(changed)\(exchanged)\(misordered)\(odd)\(consistent ?? "")\(wrong ?? "")\(open ?? "")"
  }
}

// MARK: - Names

extension RelateRendering {
  /// The limit on lines about exchanged names.
  private static let mostCycles = 8

  private static func lines(_ misordered: [RelateReport.Misordered]) -> [String] {
    let rest = misordered.count - mostCycles
    return [
      "\(counted(misordered.count, "tensor")) with parts in another order than the name says:"
    ] + misordered.prefix(mostCycles).map { "  \($0.words)" }
      + (rest > 0 ? ["  and so on, \(grouped(rest)) more; --json lists them"] : [])
  }

  private static func lines(_ odd: [RelateReport.Odd]) -> [String] {
    let rest = odd.count - mostCycles
    return ["\(counted(odd.count, "tensor")) made otherwise than siblings in other layers:"]
      + odd.prefix(mostCycles).map { "  \($0.words)" }
      + (rest > 0 ? ["  and so on, \(grouped(rest)) more; --json lists them"] : [])
  }

  /// Descriptions of what the codes of quantised tensors say, and of those of which they say nothing.
  private static func lines(_ quantized: RelateReport.QuantizedTensors) -> [String] {
    let verdicts: [(Int, String)] = [
      (quantized.requantized, "with the scales and codes that A gives when it is quantised again"),
      (quantized.nearest, "of which each code is the nearest"),
      (quantized.consistent.count, "of which some codes are not the nearest"),
    ]
    let lists: [([String], String)] = [
      (
        quantized.tooFewValues,
        "too small to tell A from weights that differ by 0.0001 of themselves"
      ), (quantized.notJudged, "not judged, since what lies beside their codes is unknown"),
    ]
    return verdicts.filter { $0.0 > 0 }.map { "\(counted($0, "quantised tensor")) \($1)" }
      + lists.filter { !$0.0.isEmpty }.map { names, words in
        let rest = names.count > mostCycles ? " and \(grouped(names.count - mostCycles)) more" : ""
        let list = names.prefix(mostCycles).map { escaped($0) }.joined(separator: ", ")
        return "\(words): \(list)\(rest)"
      }
  }

  private static func lines(_ exchanged: RelateReport.Exchanged) -> [String] {
    let rest = exchanged.cycles.count - mostCycles
    return [
      "\(counted(exchanged.count, "tensor")) of A have each other's names in B\(exchanged.isMistake ? "" : ", which may be intended"):"
    ] + exchanged.cycles.prefix(mostCycles).map { "  \($0.words)" }
      + (rest > 0 ? ["  and so on, \(grouped(rest)) more such exchanges; --json lists them"] : [])
  }
}

// MARK: - Map

extension RelateRendering {
  private static func lines(_ map: RelateReport.Map) -> [String] {
    var lines = ["wrote \(escaped(map.path)): how to make \(counted(map.made, "tensor"))"]
    if map.named > 0 {
      lines.append(
        "  \(counted(map.named, "tensor")) by name, since values do not tell them apart")
    }
    for (names, what) in [
      (map.undecided, "to be decided among its candidates"), (map.unrelated, "not made"),
    ] where !names.isEmpty {
      lines.append("  \(what): \(names.map { escaped($0) }.joined(separator: ", "))")
    }
    return lines
  }
}

// MARK: - Target

extension RelateRendering {
  /// The summary for the target of B: the number of tensors in its layout, and corrections for the
  /// others.
  private static func placement(_ report: RelateReport) -> [String] {
    guard let consumer = report.consumer else {
      return report.fittingTargets.isEmpty
        ? []
        : ["B has the layouts of: \(report.fittingTargets.joined(separator: ", "))"]
    }
    let judged = consumer.rightCount + consumer.mistakeCount
    guard judged > 0 else {
      return consumer.basis == .asked
        ? ["for \(consumer.name): neither A nor B names any axis"] + notJudged(consumer) : []
    }
    let basis =
      switch consumer.basis {
      case .asked: ""
      case .layouts: ", as B's layouts say"
      case .format: ", as B's format says"
      }
    let counts =
      "\(grouped(consumer.rightCount)) of \(grouped(judged)) tensors have the right layout"
    let start =
      consumer.basis == .layouts && consumer.name == "B"
      ? "by B's own layouts" : "for \(consumer.name)\(basis)"
    return ["\(start): \(counts)"] + mistakes(report, consumer.name) + notJudged(consumer)
  }

  private static func notJudged(_ consumer: RelateReport.Consumer) -> [String] {
    let (names, contradicted) = (consumer.notJudged, consumer.contradicted)
    guard !names.isEmpty else { return [] }
    let others = contradicted.count > 1 ? " and \(grouped(contradicted.count - 1)) more" : ""
    let doubt = contradicted.first.map { first in
      "  \(quoted(first))\(others) of A would not have the channels of \(contradicted.count > 1 ? "their biases or normalisations" : "its bias or normalisation") by the names, so kernels like "
        + "\(contradicted.count > 1 ? "these" : "this") were not judged"
    }
    return ["not judged: \(names.map { escaped($0) }.joined(separator: ", "))"]
      + [doubt].compactMap(\.self) + [
        "  --convention names the layouts of A; --model FILE gives its layers and what flattens merged"
      ]
  }

  /// The tensors grouped by mistake, in the order of first occurrence.
  private static func mistakes(_ report: RelateReport, _ consumer: String) -> [String] {
    var groups: [(heading: String, remedy: String, names: [String])] = []
    for entry in report.tensors {
      guard let mistake = entry.mistake else { continue }
      let (heading, remedy) = (words(mistake.kind), remedy(mistake, consumer))
      let name = escaped(entry.tensor.name)
      if let group = groups.firstIndex(where: { $0.heading == heading && $0.remedy == remedy }) {
        groups[group].names.append(name)
      } else {
        groups.append((heading, remedy, [name]))
      }
    }
    return groups.flatMap {
      ["\($0.heading): \($0.names.joined(separator: ", "))", "  \($0.remedy)"]
    }
  }

  private static func words(_ kind: RelateReport.Mistake.Kind) -> String {
    switch kind {
    case .notMoved: "not transposed"
    case .movedTwice: "transposed twice"
    case .movedNeedlessly: "transposed, but already in the target's layout"
    case .gateOrder: "transposed, but with the gates in their old order"
    case .flattenOrder: "transposed, but with the flatten in its old order"
    case .otherOrder: "transposed, but to another order"
    case .notSummed: "one of two biases"
    }
  }

  /// A correction: `HWIO in A, OIHW for torch: rearrange(tensor of A, 'h w i o -> o i h w')`.
  private static func remedy(_ mistake: RelateReport.Mistake, _ consumer: String) -> String {
    if mistake.kind == .notSummed {
      return "\(consumer) has only one bias; add the other to it"
    }
    var text = "\(mistake.sourceLayout) in A, \(mistake.layout) for \(consumer): "
    text +=
      mistake.kind == .movedNeedlessly
      ? "use it as it is in A"
      : "rearrange(tensor of A, '\(mistake.pattern)'\(einopsArguments(mistake.sizes)))"
    if !mistake.reversed.isEmpty {
      text += ", reversed along \(mistake.reversed.joined(separator: ", "))"
    }
    if let gates = mistake.gates { text += ", gates in the order \(gates)" }
    return text
  }
}
