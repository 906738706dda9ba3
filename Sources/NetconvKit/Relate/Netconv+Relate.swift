import Documents
import ModelIR
import Readers
import Relations
import Transforms
import Writers

extension Netconv {
  /// Finds the tensor of A that each tensor of B was made from, and the rearrangement between them, from their values
  /// alone.
  ///
  /// Names, layouts and formats may differ entirely.
  /// - Throws: `usage`, `badData`, `cannotOpen`, `cannotCreate`, `inputOutput` or `interrupted`. Tensors that are
  ///   unrelated, have another sign, or are in a wrong order are not errors: see ``RelateReport/complete``,
  ///   ``RelateReport/changed``, ``RelateReport/exchanged``, ``RelateReport/misordered`` and
  ///   ``RelateReport/isRightForConsumer``.
  public static func relate(
    _ request: RelateRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> RelateReport {
    let asked = try request.target.map { name throws(NetconvError) in try Target.named(name) }
    let destination = try request.map.map { path throws(NetconvError) in
      try Destination(
        file: path, replacing: .text(beginning: ["{\n  \"format\": \"\(WeightsMap.format)\""]),
        force: request.force)
    }
    let rulesFile = try request.rules.map { path throws(NetconvError) in
      try Destination(
        file: path, replacing: .text(beginning: ["{\n  \"format\": \"\(WeightRules.format)\""]),
        force: request.force)
    }
    var sides = DiffRequest(first: request.first, second: request.second)
    sides.options = request.options
    sides.secondOptions = request.secondOptions
    let (stored, b) = try sources(of: sides)
    for source in [stored, b] { _ = try source.checkIntegrity(observer) }
    let a = try stored.merging(adaptersAt: request.adapters)
    let (ofA, ofB) = (
      a.network.tensors.map { RelatedTensor($0) }, b.network.tensors.map(RelatedTensor.init(ofB:))
    )
    let relations = try WeightRelations.find(ofA, ofB) { () throws(NetconvError) in
      try observer.checkCancellation()
    }
    var readings: WeightReadings?
    if case .weights = a.network {
      readings = try WeightReadings(a, convention: request.convention)
    } else if request.convention != nil {
      throw NetconvError.nothingForConvention(keeping: false).inFile(a.path)
    }
    let placements = { [readings] in Placements(relations, from: a, to: b, for: $0, readings) }
    let consumer = asked.map(Consumer.init(asked:)) ?? Consumer(of: b)
    let map = try destination.map { destination throws(NetconvError) in
      let map = WeightsMap(relations, from: a, to: b)
      let bytes = try JSONDocument.encode(map)
      try AtomicFile.write(to: destination) { file throws(NetconvError) in
        try file.write(bytes, at: 0)
      }
      return RelateReport.Map(map, at: destination.path, relations)
    }
    var report = RelateReport(
      relations, (a, ofA), (b, ofB), map, consumer.map(placements),
      fitting: consumer == nil
        ? Target.all.filter { target in
          target != .source
            && Placements(relations, from: a, to: b, for: Consumer(asked: target), nil).fit
        } : [])
    report.rules = try rulesFile.map { destination throws(NetconvError) in
      let found = try RelatedRules(WeightsMap(relations, from: a, to: b), from: a, to: b, observer)
      let bytes = try JSONDocument.encode(found.document)
      try AtomicFile.write(to: destination) { file throws(NetconvError) in
        try file.write(bytes, at: 0)
      }
      var rules = found.report
      rules.path = destination.path
      return rules
    }
    report.exchanged = RelateReport.Exchanged(
      relations, from: a.network.tensors, to: b.network.tensors, for: asked)
    let misordered = RelateReport.Misordered.all(
      relations, from: a.network.tensors, to: b.network.tensors)
    report.misordered = misordered.isEmpty ? nil : misordered
    let odd = RelateReport.Odd.all(in: report.tensors)
    report.odd = odd.isEmpty ? nil : odd
    if request.forPage { report.details = RelateDetails(relations, from: a, to: b) }
    return report
  }
}

extension RelateReport {
  fileprivate init(
    _ relations: WeightRelations, _ a: (source: ReadSource, tensors: [RelatedTensor]),
    _ b: (source: ReadSource, tensors: [RelatedTensor]), _ map: Map?, _ placements: Placements?,
    fitting targets: [Target]
  ) {
    self.a = Source(a.source, count: a.tensors.count)
    self.b = Source(b.source, count: b.tensors.count)
    tensors = relations.tensors.map { relation in
      Entry(
        relation, b.tensors[relation.tensor], among: a.tensors,
        placements?.mistakes[relation.tensor])
    }
    changed = relations.tensors.compactMap { relation in
      guard case .related(let parts) = relation.outcome,
        parts.contains(where: \.likeness.changesValues)
      else { return nil }
      return b.tensors[relation.tensor].name
    }
    unused = relations.unused.map { index, nearest in
      Unused(
        tensor: Tensor(a.tensors[index]), nearest: nearest.map { Nearest($0, among: b.tensors) })
    }
    self.map = map
    consumer = placements.map { placements in
      Consumer(
        name: placements.consumer.name, basis: placements.consumer.basis,
        rightCount: placements.rightCount, mistakeCount: placements.mistakes.count,
        notJudged: placements.notJudged.map { b.tensors[$0].name },
        contradicted: placements.contradicted.map(\.stored.path))
    }
    fittingTargets = targets.map(\.name)
    quantized = QuantizedTensors(
      relations, to: b.tensors, b.source.network.tensors.map { $0.stored.kind?.name })
    judged = Judged(tensors)
    complete =
      unused.isEmpty && tensors.allSatisfy { $0.status != .unrelated && $0.status != .nearly }
      && quantized?.consistent.isEmpty != false
  }
}

extension RelateReport.Map {
  fileprivate init(_ map: WeightsMap, at path: String, _ relations: WeightRelations) {
    let determined = relations.tensors.count { relation in
      if case .related = relation.outcome { true } else { false }
    }
    let undecided = map.tensors.filter(\.parts.isEmpty).map(\.name)
    let made = map.tensors.count - undecided.count
    self.init(
      path: path, made: made, named: max(0, made - determined), undecided: undecided,
      unrelated: map.unrelated)
  }
}

extension RelateReport.Source {
  fileprivate init(_ source: ReadSource, count: Int) {
    self.init(
      path: source.path, format: source.format, framework: source.framework, tensorCount: count,
      leftOut: source.leftOutCount)
  }
}

extension RelateReport.Tensor {
  fileprivate init(_ tensor: RelatedTensor) {
    self.init(name: tensor.name, dtype: tensor.source.elementType.rawValue, shape: tensor.shape)
  }
}

extension RelateReport.Nearest {
  fileprivate init(_ nearest: NearestTensor, among tensors: [RelatedTensor]) {
    self.init(tensor: .init(tensors[nearest.tensor]), distance: nearest.distance)
  }
}

extension RelateReport.OtherValues {
  fileprivate init(_ discrepancy: Discrepancy, of tensor: RelatedTensor) {
    let strides = rowMajorStrides(of: tensor.shape)
    self.init(
      count: discrepancy.count,
      place: zip(tensor.shape, strides).map { discrepancy.index / $1 % max(1, $0) },
      within: discrepancy.sections.map(RelateReport.Section.init),
      value: ReportedNumber(value: Double(discrepancy.value)),
      expected: ReportedNumber(value: Double(discrepancy.expected)))
  }
}

extension RelateReport.Section {
  fileprivate init(_ section: RelatedPart.Section) {
    self.init(
      axis: section.axis, start: section.range.lowerBound, end: section.range.upperBound,
      step: section.step)
  }
}

extension RelateReport.Entry {
  fileprivate init(
    _ relation: Relation, _ tensor: RelatedTensor, among others: [RelatedTensor],
    _ mistake: RelateReport.Mistake?
  ) {
    let own = RelateReport.Tensor(tensor)
    let part = { (part: RelatedPart) in RelateReport.Part(part, among: others) }
    let meaning = relation.outcome.meaning
    switch relation.outcome {
    case .related(let parts):
      self.init(
        tensor: own, status: .related, ambiguity: nil, parts: parts.map(part), meaning: meaning,
        others: nil, nearest: nil, mistake: mistake)
    case .nearly(let parts, let discrepancy):
      self.init(
        tensor: own, status: .nearly, ambiguity: nil, parts: parts.map(part), meaning: nil,
        others: RelateReport.OtherValues(discrepancy, of: tensor), nearest: nil, mistake: nil)
    case .undetermined(let why, let parts):
      self.init(
        tensor: own, status: .undetermined, ambiguity: why.rawValue, parts: parts.map(part),
        meaning: nil, others: nil, nearest: nil, mistake: mistake)
    case .unrelated(let nearest):
      self.init(
        tensor: own, status: .unrelated, ambiguity: nil, parts: [], meaning: nil, others: nil,
        nearest: nearest.map { .init($0, among: others) }, mistake: nil)
    }
  }
}

extension RelateReport.Part {
  fileprivate init(_ part: RelatedPart, among tensors: [RelatedTensor]) {
    let change: String? =
      switch part.likeness {
      case .exact: nil
      case .rounded(let type): "rounded to \(type.rawValue)"
      case .truncated(let type): "truncated to \(type.rawValue)"
      case .negated: "negated"
      case .scaled(let scale): Self.text(scale, among: tensors)
      case .shifted(let number):
        "with \(Int(exactly: abs(number)).map(String.init) ?? significant(abs(number))) \(number > 0 ? "added" : "subtracted")"
      case .negatedExponential: "as -exp(x)"
      case .quantized(let found): found.words
      case .folded(let bias): Self.text(bias, among: tensors)
      }
    self.init(
      source: part.source.map { .init(tensors[$0]) },
      to: part.target.map(RelateReport.Section.init),
      from: part.sourceSections.map(RelateReport.Section.init),
      pattern: part.rearrangement?.pattern, sizes: part.rearrangement?.patternSizes ?? [:],
      reversed: part.rearrangement?.reversedNames ?? [], orders: part.namedOrders,
      addend: part.addend.map { .init(tensors[$0]) }, exact: part.isExact, change: change,
      summary: Self.summary(part), meaning: part.meaning)
  }

  private static func text(_ scale: RelatedPart.Factors, among tensors: [RelatedTensor]) -> String {
    guard !scale.isRounding else { return "equal up to rounding" }
    if let axis = scale.axis, let lengths = scale.lengths {
      let name = quoted(tensors[lengths].name)
      return "with the lengths of \(name) along axis \(axis), as in weight normalisation"
    }
    guard let axis = scale.axis else { return "times \(significant(scale.values[0]))" }
    guard let folded = scale.normalization else {
      return "times a factor for each index of axis \(axis)"
    }
    return
      "times \(quoted(tensors[folded.gamma].name)) / sqrt(\(quoted(tensors[folded.variance].name)) + "
      + "\(significant(folded.epsilon))), along axis \(axis)"
  }

  private static func text(
    _ bias: RelatedPart.FoldedBias, among tensors: [RelatedTensor]
  ) -> String {
    let mean = quoted(tensors[bias.mean].name)
    return bias.bias.map {
      "plus (\(quoted(tensors[$0].name)) - \(mean)), times the kernel's factors"
    }
      ?? "minus \(mean), times the kernel's factors"
  }

  /// Returns a description of the rearrangement, as the operations that a person would apply.
  private static func summary(_ part: RelatedPart) -> String {
    guard part.source != nil else { return "zeros" }
    if case .folded = part.likeness { return "as it is" }
    guard let rearrangement = part.rearrangement else { return "in any order" }
    var words: [String] = []
    let copy = rearrangement.copy
    if copy.isIdentity, !part.orders.isEmpty {
      // The permutations along axes are the only change.
    } else if copy.isIdentity {
      let isReshaped = rearrangement.source.dimensions != rearrangement.target.dimensions
      words.append(isReshaped ? "reshaped" : "as it is")
    } else if isTransposition(rearrangement) {
      words.append("transposed")
    } else {
      words.append(rearrangement.pattern + einopsArguments(rearrangement.patternSizes))
    }
    if !rearrangement.reversed.isEmpty {
      words.append(
        "reversed along "
          + rearrangement.reversedNames.joined(separator: ", "))
    }
    for (axis, order) in part.orders.sorted(by: { $0.key.lowercased < $1.key.lowercased }) {
      let shown = order.prefix(8).map(String.init).joined(separator: ", ")
      words.append("\(axis.lowercased) in the order \(shown)\(order.count > 8 ? ", …" : "")")
    }
    return words.joined(separator: "; ")
  }

  private static func isTransposition(_ rearrangement: Rearrangement) -> Bool {
    let (source, target) = (rearrangement.source.dimensions, rearrangement.target.dimensions)
    return source.count == 2 && target == source.reversed() && rearrangement.reversed.isEmpty
  }
}
