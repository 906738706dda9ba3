import Diagnosis
import ModelIR
import Readers

extension Netconv {
  /// Compares any two networks that netconv reads, tensor by tensor, and their graphs if both have one.
  ///
  /// Formats, layouts and element types need not be the same. Tensors are told apart by their content hashes;
  /// only where these differ, values are compared. Bytes that are not what a manifest or an archive says are damaged,
  /// which is no difference but an error.
  /// - Throws: `badData`, `cannotOpen`, `inputOutput` or `interrupted`. A difference is no error: see
  ///   ``DiffReport/equal``.
  public static func diff(
    _ request: DiffRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> DiffReport {
    let (a, b) = try sources(of: request)
    for source in [a, b] { _ = try source.checkIntegrity(observer) }
    let pairing = try TensorPairing(a, b, observer)
    var notes = DiffNotes()
    var pairs: [DiffReport.Pair] = []
    let total = Double(max(1, pairing.pairs.reduce(0) { $0 + $1.a.tensor.count }))
    var done = 0
    for (first, second) in pairing.pairs {
      pairs.append(
        try TensorDiff(first, second, paths: (a.path, b.path)).pair(&notes, observer))
      done += first.tensor.count
      observer.onEvent(.progress(Double(done) / total))
    }
    var graph: GraphComparison?
    if case .model(let first) = a.network, case .model(let second) = b.network {
      graph = GraphComparison(first, second, layers: pairing.layers)
    }
    notes.add(pairs, graph, a, b)
    return DiffReport(
      a, b, request, pairs: pairs, onlyInA: pairing.onlyInA, onlyInB: pairing.onlyInB,
      graph: graph, notes: notes.texts)
  }
}

extension Netconv {
  /// Both networks; what was put in the place of layers when one was converted is put there in the other too.
  private static func sources(
    of request: DiffRequest
  ) throws(NetconvError) -> (a: ReadSource, b: ReadSource) {
    let named = try LayerReplacements(options: request.replacements)
    let read = { (path: String, replacements: LayerReplacements) throws(NetconvError) in
      try ReaderRegistry.read(
        path, ReaderOptions(acceptsWeights: true, replacements: replacements.ifThere))
    }
    var a = try read(request.first, named)
    let b = try read(request.second, named.orThose(of: a))
    let others = named.orThose(of: b)
    if named.isEmpty, !others.isEmpty { a = try read(request.first, others) }
    try named.check(replacedIn: a, b)
    return (a, b)
  }
}

extension DiffReport {
  fileprivate init(
    _ a: ReadSource, _ b: ReadSource, _ request: DiffRequest, pairs: [Pair],
    onlyInA: [HashedTensor], onlyInB: [HashedTensor], graph: GraphComparison?, notes: [String]
  ) {
    self.a = Source(a)
    self.b = Source(b)
    exact = request.exact
    tensors = pairs
    self.onlyInA = onlyInA.map(Tensor.init)
    self.onlyInB = onlyInB.map(Tensor.init)
    graphsCompared = graph != nil
    self.graph = graph?.differences ?? []
    self.notes = notes
    equal =
      pairs.allSatisfy { $0.status == .equal || $0.status == .rounded && !request.exact }
      && onlyInA.isEmpty && onlyInB.isEmpty && (graph?.differences.isEmpty ?? true)
  }
}

extension DiffReport.Source {
  fileprivate init(_ source: ReadSource) {
    self.init(
      path: source.path, format: source.format, framework: source.framework,
      tensorCount: source.network.tensors.count)
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

extension Network {
  /// Whether it is more than weights.
  fileprivate var hasGraph: Bool { if case .model = self { true } else { false } }
}

/// What a reader of a comparison should know.
struct DiffNotes {
  private(set) var texts: [String] = []

  mutating func add(_ text: String) { texts.append(text) }

  /// Names that differ, and graphs that could not be compared.
  fileprivate mutating func add(
    _ pairs: [DiffReport.Pair], _ graph: GraphComparison?, _ a: ReadSource, _ b: ReadSource
  ) {
    for pair in pairs where pair.isRenamed {
      add(DiffMessages.renamed("\(pair.a.layer) \(pair.a.role)", "\(pair.b.layer) \(pair.b.role)"))
    }
    let byTensor = Set(pairs.map(\.a.layer))
    for (name, other) in graph?.renamed ?? [] where !byTensor.contains(name) {
      add(DiffMessages.renamed(name, other))
    }
    if graph == nil {
      let without = [("A", a), ("B", b)].filter { !$0.1.network.hasGraph }.map(\.0)
      add(DiffMessages.graphsNotCompared(without))
    }
  }
}
