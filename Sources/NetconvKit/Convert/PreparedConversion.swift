import Documents
import ModelIR
import Readers
import Transforms
import Writers

/// A conversion whose source has been opened and whose destination can be written, before any values are read.
struct PreparedConversion {
  let request: ConvertRequest
  let source: ReadSource
  let target: Target
  let destination: Destination
  /// The record of folding, if it was requested.
  let folded: FoldingRecord?
  private let network: Network
  private let naming: FileNaming
  private let formats: [OutputFormat]
  private let mapped: MappedWeights?
  /// Tensors whose axes are unknown, and that the target accepts unchanged.
  let kept: Set<TensorKey>
  /// The reasons why the layout of other tensors is unknown.
  private let undecided: [TensorKey: String]
  private let readings: WeightReadings?
  /// The effect of the request's rules; `nil` without rules.
  let rules: RulesReport?
  /// The names of tensors whose values rules have moved.
  private let movedByRules: Set<String>

  /// - Parameter known: the source, if it has been read or made already.
  /// - Throws: `usage`, `badData`, `cannotOpen` or `cannotCreate`, with the file.
  init(
    _ request: ConvertRequest, of known: ReadSource? = nil, _ observer: Observer
  ) throws(NetconvError) {
    self.request = request
    guard !request.weightsOnly || !request.foldsBatchNormalization else {
      throw .cannotFoldWithoutGraph
    }
    guard !request.weightsOnly || request.replacements.isEmpty else {
      throw .cannotReplaceWithoutGraph
    }
    guard !request.weightsOnly || request.goldens == nil else { throw .noGoldensWithoutGraph }
    guard !request.weightsOnly || request.filters.isEmpty else { throw .noFiltersWithoutGraph }
    guard
      request.weightsOnly
        || request.rules.isEmpty && request.keep.isEmpty && request.layouts.isEmpty
    else { throw .rulesWithGraph }
    let stated = try StatedLayouts(keep: request.keep, layouts: request.layouts)
    guard request.weightsOnly || request.adapters.isEmpty else { throw .adapterNeedsWeightsOnly }
    let replacements = try LayerReplacements(options: request.replacements)
    // A map determines the layout of each tensor.
    guard request.map == nil || request.isAllOfMap else { throw .mapWithoutRest }
    target = request.map == nil ? try Target.named(request.targetName) : .source
    try target.check(request.elementType)
    for rule in request.elementTypeRules { try target.check(rule.elementType) }
    formats = try Self.formats(of: request, target)
    try request.checkQuantization(formats)
    guard request.memoryLimit >= ConvertRequest.leastMemoryLimit else {
      throw .tooLittleMemory(request.memoryLimit, least: ConvertRequest.leastMemoryLimit)
    }
    // A missing source is reported before an existing destination, since it is the first argument.
    var opened: ReadSource
    if let known {
      opened = known
    } else {
      opened = try Self.read(request, replacements)
    }
    let ruled =
      request.rules.isEmpty
      ? nil
      : try opened.whileUnchanged { [opened] () throws(NetconvError) in
        try request.rules.applied(to: opened)
      }
    if let ruled { opened = ruled.source }
    rules = ruled?.report
    movedByRules = ruled?.moved ?? []
    let mapped = try request.map.map { [opened] path throws(NetconvError) in
      try MappedWeights(mapAt: path, of: opened)
    }
    self.mapped = mapped
    opened.notes += [
      SourceNote.unusedByMap(mapped?.unused ?? []),
      SourceNote.leftBehindByMap(mapped?.leftBehind ?? []),
    ].compactMap(\.self)
    source = opened
    naming =
      if let mapped {
        FileNaming(names: mapped.names)
      } else {
        FileNaming(
          try FileNaming(
            template: request.naming ?? target.names.template, roles: target.names.roles),
          names: request.naming == nil
            ? source.names(for: target, keepsAll: request.keepsNames) : [:])
      }
    if let template = request.naming, let ending = naming.fileEnding, !formats.contains(.bin) {
      throw .endingOfNoFiles(template, ending)
    }
    let network: Network
    (network, folded) = try source.whileUnchanged { [source] () throws(NetconvError) in
      if let mapped { return (.weights(mapped.weights), nil) }
      return try Self.folding(source, request)
    }
    var placed = PlacedWeights(network)
    if mapped == nil, case .weights = source.network, !target.keepsLayouts {
      readings = try source.whileUnchanged { [source] () throws(NetconvError) in
        try WeightReadings(source, convention: request.convention)
      }
      try stated.check(network.tensors)
      if let readings {
        try placed.place(by: readings, stated, moved: movedByRules, for: target)
      }
    } else {
      guard stated.isEmpty else { throw .nothingToState }
      guard request.convention == nil || source.usesNamedArchitecture else {
        throw .nothingForConvention(keeping: target.keepsLayouts)
      }
      readings = nil
    }
    (self.network, kept, undecided) = (placed.network, placed.kept, placed.undecided)
    if let template = request.naming, let same = naming.shared(by: self.network.tensors) {
      throw .sharedName(template, same.name, same.tensors)
    }
    destination = try Destination(request.destination, force: request.force)
    // Damaged values must not be written again with a new hash.
    try source.whileUnchanged { [source] () throws(NetconvError) in
      _ = try source.converted?.checkIntegrity(observer)
    }
  }

  /// Reads the source of a request, with its adapters.
  ///
  /// An adapter has the names of the source, so it is merged before anything is renamed.
  private static func read(
    _ request: ConvertRequest, _ replacements: LayerReplacements
  ) throws(NetconvError) -> ReadSource {
    let options = try request.options.reading(
      acceptsWeights: request.weightsOnly || request.map != nil, replacements)
    guard !request.adapters.isEmpty else {
      return try ReaderRegistry.readSettled(request.source, options)
    }
    var unchanged = options
    (unchanged.graph.substitutions, unchanged.graph.layerNames) = ([], [:])
    let merged = try ReaderRegistry.readSettled(request.source, unchanged)
      .merging(adaptersAt: request.adapters)
    do throws(NetconvError) {
      return try merged.renaming(options)
    } catch {
      throw error.inFile(request.source)
    }
  }

  /// Returns the network to write, with a record of folding if that was requested.
  private static func folding(
    _ source: ReadSource, _ request: ConvertRequest
  ) throws(NetconvError) -> (Network, FoldingRecord?) {
    if request.weightsOnly { return (.weights(source.network.weights), nil) }
    let model = try source.model.recording(request.filters, isRawBlobs: source.isRawBlobs)
    guard request.foldsBatchNormalization else { return (.model(model), nil) }
    do {
      let folding = try model.foldingBatchNormalization()
      return (.model(folding.model), FoldingRecord(folding))
    } catch {
      throw error.inFile(request.source)
    }
  }

  /// Returns the formats to write, in the order in which a reader prefers them.
  private static func formats(
    of request: ConvertRequest, _ target: Target
  ) throws(NetconvError) -> [OutputFormat] {
    if let formats = request.formats, formats.isEmpty { throw .noFormats }
    guard request.shardSize == nil || request.wantedFormats?.contains(.shards) == true else {
      throw .shardSizeWithoutShards
    }
    if let container = Destination.container(of: request.destination) {
      guard request.shardSize == nil else { throw .shardsInFile(request.destination) }
      try check([container], isAlone: true, request, target)
      try request.checkGraphOptions([container])
      return [try container.alone(in: request)]
    }
    if let ending = ModelEnding(of: request.destination) {
      throw .notWritten(request.destination, ending)
    }
    guard request.destination != "-" else { throw .noStandardOutput }
    let wanted = request.wantedFormats ?? target.formats
    try check(wanted, isAlone: false, request, target)
    if let text = wanted.first, wanted.allSatisfy(\.isSourceText) { throw .onlySource(text) }
    try request.checkGraphOptions(wanted)
    return OutputFormat.allCases.filter(wanted.contains)
  }

  /// Checks that text formats are supported by the target, and can represent the element types.
  ///
  /// - Throws: `usage`.
  private static func check(
    _ formats: [OutputFormat], isAlone: Bool, _ request: ConvertRequest, _ target: Target
  ) throws(NetconvError) {
    for text in formats where text.isSourceText {
      let other = request.elementTypes.first(where: text.unsupportedTypes.contains)
      if text == .gguf {
        guard let other else { continue }
        throw .notInGGUF(other)
      }
      guard target.texts.contains(text), other == nil else {
        throw .noSource(text, target.name, other ?? .float32, isAlone: isAlone)
      }
    }
  }

  /// Checks that the target has a layout for each tensor, and warns about tensors that keep the layout of the source.
  ///
  /// - Throws: `badData` if layouts are missing, but required.
  func check(_ warnings: inout ConversionWarnings) throws(NetconvError) {
    warnings.add(source.notes)
    if source.converted?.manifest.goldens != nil, request.goldens == nil {
      warnings.add(.goldensLeftOut)
    }
    if !source.misfits.isEmpty { warnings.addMisfits(of: source) }
    let completed = try network.completed(for: target)
    let summed = completed.layersWithSummedBiases
    if !summed.isEmpty { warnings.add(.summedBiases(of: summed, target: target.name)) }
    // In a network with a graph, a second bias of zeros is left out.
    let without = completed.tensors.filter { tensor in
      tensor.spec.role == .recurrentBias && undecided[tensor.key] != nil
        || target.takesSum(with: tensor.spec) || !isSupported(tensor)
    }.map { tensor in
      let name = tensor.stored.name.map { quoted($0) }
      let start = name ?? "\(quoted(tensor.layer)) \(tensor.spec.role)"
      if target.takesSum(with: tensor.spec) {
        return
          "\(start): \(target.name) has only one bias; add this one to it, and store zeros instead"
      }
      return undecided[tensor.key].map { "\(start) \(Shape(tensor.storedShape)): \($0)" }
        ?? "\(start): \(tensor.storedLayout)"
    }
    // A graph rearranges them itself.
    guard !writtenFormats.allSatisfy(\.isGraph) else { return }
    if request.strict, !without.isEmpty {
      throw .withoutLayout(
        without, target: target.name,
        takesConvention: readings.map { !$0.isNamed })
    }
    if source.problem != nil {
      warnings.addMatrices(network)
    } else if let readings {
      warnings.addMatrices(network, flattenedBy: readings, besides: movedByRules, for: target)
      warnings.addGuesses(network, by: readings, for: target)
    }
    warnings.addFlattenedFeatures(of: network, for: target)
    if !without.isEmpty { warnings.add(.tensorsWithoutLayout(without, target: target.name)) }
  }

  /// True if the target has a layout for a tensor.
  func isSupported(_ tensor: Tensor) -> Bool {
    target.layout(for: tensor) != nil || kept.contains(tensor.key)
  }

  /// The shapes that a map makes each tensor from, by its name; empty without a map.
  var mappedSources: [String: [[Int]]] { mapped?.sources ?? [:] }

  /// Returns the network with every parameter in the layout of the target.
  private func arrangedNetwork() throws(NetconvError) -> Network {
    try network.completed(for: target).arranged(for: target)
  }

  /// Returns the model whose parameters are written according to `plan`; `nil` if there are only weights.
  ///
  /// - Throws: no error that ``plan(_:)`` has not thrown already.
  func model(of plan: OutputPlan) throws(NetconvError) -> Model? {
    let network = request.leavesOutGraph ? try arrangedNetwork() : plan.network
    if case .model(let model) = network { return model }
    return nil
  }

  /// The formats to write; without a graph, those that are one are only included on request.
  private var writtenFormats: [OutputFormat] {
    guard request.wantedFormats == nil, destination.container == nil, case .weights = network else {
      return formats
    }
    return formats.filter { !$0.isGraph }
  }

  /// Returns the plan of the output.
  ///
  /// The scales of integers must be known, so their tensors are read.
  /// - Throws: `usage` if types and tensors do not fit, `badData` if values do not fit a type at all, or any error
  ///   from reading.
  func plan(
    _ observer: Observer, _ warnings: inout ConversionWarnings
  ) throws(NetconvError) -> OutputPlan {
    let arranged = try arrangedNetwork()
    let formats = writtenFormats
    do throws(NetconvError) {
      return try plan(arranged, formats, observer, &warnings)
    } catch {
      // The graph was not requested explicitly, so the weights alone are written for the target.
      let others = formats.filter { !$0.isGraph }
      guard request.formats == nil, error.kind == .badData, others != formats, !others.isEmpty
      else { throw error }
      let plan = try plan(arranged, others, observer, &warnings)
      for graph in formats where graph.isGraph { warnings.add(.withoutGraph(graph, error)) }
      return plan
    }
  }

  private func plan(
    _ arranged: Network, _ formats: [OutputFormat], _ observer: Observer,
    _ warnings: inout ConversionWarnings
  ) throws(NetconvError) -> OutputPlan {
    var (arranged, naming) = (arranged, naming)
    var requests = try ElementTypes(
      request, target, arranged, naming, formats, mapped: mapped?.elementTypes
    ).requests
    if let quantization = request.quantization {
      let packed = try PackedWeights(arranged, requests, naming, as: quantization)
      (arranged, requests, naming) = (packed.network, packed.requests, packed.naming)
      warnings.add(packed.event(quantization))
    }
    var metadata = target.safetensorsMetadata
    if request.quantization != nil || formats.contains(.gguf) {
      metadata[GGUFContainer.producerKey] = Netconv.version
    }
    let encodings = try TensorSurvey(of: requests) { () throws(NetconvError) in
      try observer.checkCancellation()
    }.encodings()
    return try OutputPlan(
      request.leavesOutGraph ? .weights(arranged.weights) : arranged, formats: formats,
      naming: naming, alignment: request.alignment, metadata: metadata,
      shardSize: request.shardSize ?? ShardsContainer.defaultSize,
      graph: GraphOptions(
        channelsFirst: request.channelsFirst ?? false, isAlone: destination.container != nil,
        opset: request.opset),
      encodings: encodings)
  }
}

extension OutputFormat {
  /// Returns the format, if it can hold all requested output.
  ///
  /// - Throws: `usage` if other formats are requested, or output that it cannot hold.
  fileprivate func alone(in request: ConvertRequest) throws(NetconvError) -> OutputFormat {
    let destination = request.destination
    if let formats = request.formats, formats.contains(where: { $0 != self }) {
      throw .notAlone(formats, destination: destination, container: self)
    }
    guard holdsManifest || request.goldens == nil else {
      throw .noPlaceForGoldens(destination)
    }
    guard holdsManifest || request.filters.isEmpty else { throw .noPlaceForFilters(destination) }
    if let type = request.elementTypes.first(where: unsupportedTypes.contains) {
      throw .noPlace(for: type, destination: destination)
    }
    return self
  }
}

extension ConvertRequest {
  /// The requested element types.
  fileprivate var elementTypes: [ElementType] {
    [elementType] + elementTypeRules.map(\.elementType)
  }
}

extension OutputPlan {
  /// Reads the network's own tensors, and returns the errors from rounding each of them.
  func roundings(_ observer: Observer) throws(NetconvError) -> [Rounding] {
    let entries = entriesOfParameters
    return try TensorSurvey(of: entries.map { .init($0.tensor, as: $0.elementType) }) {
      () throws(NetconvError) in try observer.checkCancellation()
    }.roundings(in: entries.map(\.encoding))
  }
}

extension Model {
  /// Returns the same model with recorded filters, followed by the encoding of values.
  ///
  /// - Throws: `usage` if a text is not a filter, or is for an input that does not accept images.
  fileprivate func recording(
    _ texts: [String], isRawBlobs: Bool
  ) throws(NetconvError) -> Model {
    let filters = try InputFilters(texts, for: self)
    var model = self
    for input in inputs {
      guard let steps = filters[input.name] else { continue }
      guard (2...3).contains(input.shape.rank) else { throw .takesNoPictures(input) }
      var options = PixelOptions(scale: nil, offset: nil, isRawBlobs: isRawBlobs)
      options.filters = steps
      let preparation = PixelPreparation(of: .bytes, for: input, of: self, options)
      model = model.recording(preparation.steps, for: input.name)
    }
    return model
  }
}
