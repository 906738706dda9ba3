import Diagnosis
import ModelIR
import Readers

extension Netconv {
  /// Compares any two networks that netconv reads, tensor by tensor, and their graphs if both have one.
  ///
  /// Formats, layouts and element types may differ. Tensors are compared by their content hashes, and by their values
  /// only if the hashes differ. With ``DiffRequest/folds``, both are compared after their normalisations were folded.
  /// Bytes that do not match the checksums of a manifest or an archive are an error rather than a difference.
  /// - Throws: `badData`, `cannotOpen`, `inputOutput` or `interrupted`; `usage` if weights without a graph are to be
  ///   folded. A difference is not an error: see ``DiffReport/equal``.
  public static func diff(
    _ request: DiffRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> DiffReport {
    let sources = try withGraphs(sources(of: request), request)
    let a = try DiffSide(sources.a, folds: request.folds, observer)
    let b = try DiffSide(sources.b, folds: request.folds, observer)
    var pairing = try TensorPairing(a, b, observer)
    let summed = try pairing.addBiases(a, b)
    let zeros = try pairing.removeZeroBiases(a, b)
    var notes = DiffNotes()
    for note in sources.notes { notes.add(note) }
    var pairs: [DiffReport.Pair] = []
    var maps: [ChangeMap?] = []
    var sharedAxes: [DiffReport.Pair] = []
    let total = Double(max(1, pairing.pairs.reduce(0) { $0 + $1.a.tensor.count }))
    var done = 0
    for (first, second) in pairing.pairs {
      let diff = TensorDiff(first, second, paths: (a.path, b.path))
      let pair = try diff.pair(tolerance: request.tolerance, &notes, observer)
      if diff.sharesAxes { sharedAxes.append(pair) }
      if pair.status == .changed || pair.status == .shape, let move = pairing.moves[second.key] {
        notes.add(DiffMessages.moved(pair.a.path, pair.b.path, move, request))
      }
      pairs.append(pair)
      if request.forPage {
        let isShown = maps.count(where: { $0 != nil }) < DiffDetails.mapLimit
        maps.append(
          isShown && (pair.difference?.changed ?? 0) > 0
            ? try ChangeMap(diff.compared.a, diff.compared.b, observer) : nil)
      }
      done += first.tensor.count
      observer.onEvent(.progress(Double(done) / total))
    }
    var graph: GraphComparison?
    if let first = a.model, let second = b.model {
      graph = GraphComparison(first, second, layers: pairing.layers)
    }
    notes.add(pairs, graph, a, b)
    if !sharedAxes.isEmpty { notes.add(DiffMessages.sharedAxes(sharedAxes.count)) }
    for layer in summed.a { notes.add(DiffMessages.summedBiases(layer, in: "A", other: "B")) }
    for layer in summed.b { notes.add(DiffMessages.summedBiases(layer, in: "B", other: "A")) }
    for tensor in zeros.a { notes.add(DiffMessages.zeroBias(tensor, in: "A", other: "B")) }
    for tensor in zeros.b { notes.add(DiffMessages.zeroBias(tensor, in: "B", other: "A")) }
    notes.add(a, b, folds: request.folds)
    var report = DiffReport(
      a, b, request, pairs: pairs, onlyInA: pairing.onlyInA, onlyInB: pairing.onlyInB,
      graph: graph)
    if !report.equal, let first = a.model, let second = b.model, first.takesInputs(of: second) {
      notes.add(DiffMessages.tryVerification(request))
    }
    report.notes = notes.texts
    if request.forPage {
      report.details = DiffDetails(a.model, b.model, names: graph?.names ?? [:], maps: maps)
    }
    return report
  }
}

extension Netconv {
  /// Reads both networks; replacements recorded by a conversion apply to the other network too.
  static func sources(
    of request: DiffRequest
  ) throws(NetconvError) -> (a: ReadSource, b: ReadSource) {
    let named = try LayerReplacements(options: request.replacements)
    let (options, others) = (request.options, request.secondOptions)
    let read = {
      (path: String, options: SourceOptions, replacements: LayerReplacements) throws(NetconvError)
      in
      try ReaderRegistry.read(
        path, options.ofOneOfTwo(acceptsWeights: true, replacements))
    }
    let ofSecond = others.orThose(of: options)
    var a: ReadSource
    let b: ReadSource
    do throws(NetconvError) {
      a = try read(request.first, options, named)
      b = try read(
        request.second, ofSecond.orThose(recordedBy: a, of: request.second), named.orThose(of: a))
    } catch {
      // A conversion records the part of its source that it was made from.
      guard let known = try? read(request.second, ofSecond, named),
        case let recorded = options.orThose(recordedBy: known, of: request.first),
        recorded != options
      else { throw error }
      (a, b) = (try read(request.first, recorded, named.orThose(of: known)), known)
    }
    let replacements = named.orThose(of: b)
    let recorded = options.orThose(recordedBy: b, of: request.first)
    if recorded != options || named.isEmpty && !replacements.isEmpty {
      a = try read(request.first, recorded, replacements)
    }
    try named.check(replacedIn: a, b)
    try options.check(usedBy: a, and: b, others)
    return (a, b)
  }
}

extension Netconv {
  /// Returns the same sources, but replaces a checkpoint by the graph beside it, as `convert` does, if that can be
  /// read and the other network has a graph too.
  ///
  /// - Returns: also notes on a graph that cannot be read.
  private static func withGraphs(
    _ sources: (a: ReadSource, b: ReadSource), _ request: DiffRequest
  ) -> (a: ReadSource, b: ReadSource, notes: [Message]) {
    switch (sources.a.network, sources.b.network) {
    case (.weights, .model):
      let graph = graphBeside(request.first, request.options, sources.b, request)
      let note = graph?.failure.map { DiffMessages.graphNotRead("A", $0) }
      return (graph?.success ?? sources.a, sources.b, [note].compactMap(\.self))
    case (.model, .weights):
      let options = request.secondOptions.orThose(of: request.options)
      let graph = graphBeside(request.second, options, sources.a, request)
      let note = graph?.failure.map { DiffMessages.graphNotRead("B", $0) }
      return (sources.a, graph?.success ?? sources.b, [note].compactMap(\.self))
    case (.model, .model), (.weights, .weights): return (sources.a, sources.b, [])
    }
  }

  /// Returns the network of the graph beside the checkpoint at `path`, or the error from reading it; `nil` if there
  /// is none.
  private static func graphBeside(
    _ path: String, _ options: SourceOptions, _ other: ReadSource, _ request: DiffRequest
  ) -> Result<ReadSource, NetconvError>? {
    guard request.replacements.isEmpty, options.architecture == nil,
      ReaderRegistry.graphBesideCheckpoint(at: path) != nil
    else { return nil }
    return Result { () throws(NetconvError) in
      let options = options.orThose(recordedBy: other, of: path)
      return try ReaderRegistry.read(path, options.ofOneOfTwo(acceptsWeights: false, .none))
    }
  }
}

extension Model {
  /// True if this model accepts the inputs of `other`.
  fileprivate func takesInputs(of other: Model) -> Bool {
    inputs.count == other.inputs.count
      && inputs.allSatisfy { input in
        other.inputs.contains { $0.name == input.name && $0.shape.isCompatible(with: input.shape) }
      }
  }
}

extension Result {
  fileprivate var success: Success? { try? get() }

  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
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
    tolerance = request.tolerance
    tensors = pairs
    self.onlyInA = onlyInA.map { Tensor($0, hash: $0.hash) }
    self.onlyInB = onlyInB.map { Tensor($0, hash: $0.hash) }
    graphsCompared = graph != nil
    self.graph = graph?.differences ?? []
    notes = []
    equal =
      pairs.allSatisfy { pair in
        switch pair.status {
        case .equal, .within: true
        case .rounded: !request.exact
        case .changed, .shape: false
        }
      }
      && onlyInA.isEmpty && onlyInB.isEmpty && (graph?.differences.isEmpty ?? true)
  }
}

extension DiffReport.Tensor {
  init(_ hashed: HashedTensor, hash: String?) {
    let tensor = hashed.tensor
    self.init(
      name: hashed.name, layer: tensor.layer, role: tensor.spec.role.rawValue,
      dtype: tensor.stored.typeName, layout: tensor.storedLayout.description,
      shape: tensor.storedShape, path: tensor.stored.path, contentHash: hash)
  }
}

/// Remarks for the reader of a comparison.
struct DiffNotes {
  private(set) var texts: [Message] = []

  mutating func add(_ text: Message) { texts.append(text) }

  /// Adds notes on names that differ, and on graphs that could not be compared.
  fileprivate mutating func add(
    _ pairs: [DiffReport.Pair], _ graph: GraphComparison?, _ a: DiffSide, _ b: DiffSide
  ) {
    // Without a graph only files name tensors, so equal names in both are not renamed.
    for pair in pairs where pair.isRenamed && (graph != nil || pair.a.name != pair.b.name) {
      add(DiffMessages.renamed(pair.a.title, pair.b.title))
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

  /// Adds notes on normalisations that were folded, or should be.
  fileprivate mutating func add(_ a: DiffSide, _ b: DiffSide, folds: Bool) {
    switch (a.folding, b.folding) {
    case (nil, nil) where folds: add(DiffMessages.nothingToFold)
    case (.recorded, nil) where !folds: add(DiffMessages.folded("A", a.foldedCount, other: "B"))
    case (nil, .recorded) where !folds: add(DiffMessages.folded("B", b.foldedCount, other: "A"))
    default: break
    }
  }
}
