import Diagnosis
import ModelIR
import Readers

extension Netconv {
  /// Compares any two networks that netconv reads, tensor by tensor, and their graphs if both have one.
  ///
  /// Formats, layouts and element types need not be the same. Tensors are told apart by their content hashes;
  /// only where these differ, values are compared. With ``DiffRequest/folds``, both are compared as they are after
  /// their normalisations were folded. Bytes that are not what a manifest or an archive says are damaged, which is no
  /// difference but an error.
  /// - Throws: `badData`, `cannotOpen`, `inputOutput` or `interrupted`; `usage` if weights without a graph are to be
  ///   folded. A difference is no error: see
  ///   ``DiffReport/equal``.
  public static func diff(
    _ request: DiffRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> DiffReport {
    let sources = try sources(of: request)
    let a = try DiffSide(sources.a, folds: request.folds, observer)
    let b = try DiffSide(sources.b, folds: request.folds, observer)
    var pairing = try TensorPairing(a, b, observer)
    let zeros = try pairing.removeZeroBiases(a, b)
    var notes = DiffNotes()
    var pairs: [DiffReport.Pair] = []
    var maps: [ChangeMap?] = []
    let total = Double(max(1, pairing.pairs.reduce(0) { $0 + $1.a.tensor.count }))
    var done = 0
    for (first, second) in pairing.pairs {
      let pair = try TensorDiff(first, second, paths: (a.path, b.path)).pair(&notes, observer)
      if pair.status == .changed || pair.status == .shape, let move = pairing.moves[second.key] {
        notes.add(DiffMessages.moved(pair.a.path, pair.b.path, move))
      }
      pairs.append(pair)
      if request.forPage {
        let isShown = maps.count(where: { $0 != nil }) < DiffDetails.mapLimit
        maps.append(
          isShown && (pair.difference?.changed ?? 0) > 0
            ? try ChangeMap(first.tensor, second.tensor, observer) : nil)
      }
      done += first.tensor.count
      observer.onEvent(.progress(Double(done) / total))
    }
    var graph: GraphComparison?
    if let first = a.model, let second = b.model {
      graph = GraphComparison(first, second, layers: pairing.layers)
    }
    notes.add(pairs, graph, a, b)
    for tensor in zeros.a { notes.add(DiffMessages.zeroBias(tensor, in: "A", other: "B")) }
    for tensor in zeros.b { notes.add(DiffMessages.zeroBias(tensor, in: "B", other: "A")) }
    notes.add(a, b, folds: request.folds)
    var report = DiffReport(
      a, b, request, pairs: pairs, onlyInA: pairing.onlyInA, onlyInB: pairing.onlyInB,
      graph: graph)
    if !report.equal, graph != nil { notes.add(DiffMessages.tryVerification) }
    report.notes = notes.texts
    if request.forPage {
      report.details = DiffDetails(a.model, b.model, names: graph?.names ?? [:], maps: maps)
    }
    return report
  }
}

extension Netconv {
  /// Both networks; what was put in the place of layers when one was converted is put there in the other too.
  static func sources(
    of request: DiffRequest
  ) throws(NetconvError) -> (a: ReadSource, b: ReadSource) {
    let named = try LayerReplacements(options: request.replacements)
    let renames = try VariableRenames(of: request.renames)
    let read = { (path: String, replacements: LayerReplacements) throws(NetconvError) in
      var options = ReaderOptions(
        architecture: request.architecture, acceptsWeights: true,
        replacements: replacements.ifThere, renames: renames.ifThere, graph: request.graph)
      options.allowsOwnArchitecture = true
      return try ReaderRegistry.read(path, options)
    }
    var a = try read(request.first, named)
    let b = try read(request.second, named.orThose(of: a))
    let others = named.orThose(of: b)
    if named.isEmpty, !others.isEmpty { a = try read(request.first, others) }
    try named.check(replacedIn: a, b)
    try renames.check(renamedIn: a, b)
    try request.graph.checkLayerNames(renamedIn: a, b)
    guard request.architecture == nil || a.usesNamedArchitecture || b.usesNamedArchitecture else {
      throw .architectureOfNeither
    }
    return (a, b)
  }
}

extension DiffReport {
  fileprivate init(
    _ a: DiffSide, _ b: DiffSide, _ request: DiffRequest, pairs: [Pair],
    onlyInA: [HashedTensor], onlyInB: [HashedTensor], graph: GraphComparison?
  ) {
    self.a = a.summary
    self.b = b.summary
    exact = request.exact
    tensors = pairs
    self.onlyInA = onlyInA.map(Tensor.init)
    self.onlyInB = onlyInB.map(Tensor.init)
    graphsCompared = graph != nil
    self.graph = graph?.differences ?? []
    notes = []
    equal =
      pairs.allSatisfy { $0.status == .equal || $0.status == .rounded && !request.exact }
      && onlyInA.isEmpty && onlyInB.isEmpty && (graph?.differences.isEmpty ?? true)
  }
}

extension DiffReport.Tensor {
  init(_ hashed: HashedTensor) {
    let tensor = hashed.tensor
    self.init(
      layer: tensor.layer, role: tensor.spec.role.rawValue,
      dtype: tensor.stored.source.elementType.rawValue, layout: tensor.storedLayout.description,
      shape: tensor.storedShape, path: tensor.stored.path, contentHash: hashed.hash)
  }
}

/// What a reader of a comparison should know.
struct DiffNotes {
  private(set) var texts: [Message] = []

  mutating func add(_ text: Message) { texts.append(text) }

  /// Names that differ, and graphs that could not be compared.
  fileprivate mutating func add(
    _ pairs: [DiffReport.Pair], _ graph: GraphComparison?, _ a: DiffSide, _ b: DiffSide
  ) {
    for pair in pairs where pair.isRenamed {
      add(DiffMessages.renamed("\(pair.a.layer) \(pair.a.role)", "\(pair.b.layer) \(pair.b.role)"))
    }
    let byTensor = Set(pairs.map(\.a.layer))
    for (name, other) in graph?.renamed ?? [] where !byTensor.contains(name) {
      add(DiffMessages.renamed(name, other))
    }
    if graph == nil {
      let without = [("A", a), ("B", b)].filter { $0.1.model == nil }.map(\.0)
      add(DiffMessages.graphsNotCompared(without))
    }
  }

  /// What was folded, or should be.
  fileprivate mutating func add(_ a: DiffSide, _ b: DiffSide, folds: Bool) {
    switch (a.folding, b.folding) {
    case (nil, nil) where folds: add(DiffMessages.nothingToFold)
    case (.recorded, nil) where !folds: add(DiffMessages.folded("A", a.foldedCount, other: "B"))
    case (nil, .recorded) where !folds: add(DiffMessages.folded("B", b.foldedCount, other: "A"))
    default: break
    }
  }
}
