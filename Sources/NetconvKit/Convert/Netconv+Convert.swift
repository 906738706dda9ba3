import Documents
import Files
import ModelIR
import Readers
import Transforms
import Writers

extension Netconv {
  /// Converts a source for a target, and proves every tensor before anything is published.
  ///
  /// - Throws: `usage`, `badData`, `cannotOpen`, `cannotCreate`, `inputOutput` or `interrupted`; the
  ///   destination is then as it was.
  public static func convert(
    _ request: ConvertRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    let target = try Target.named(request.target)
    try target.check(request.elementType)
    guard [.float32, .float16].contains(request.elementType) else {
      throw .notWritten(request.elementType)
    }
    let naming = try FileNaming(
      template: request.naming ?? target.names.template, roles: target.names.roles)
    let formats = try formats(of: request, target)
    guard request.memoryLimit >= ConvertRequest.leastMemoryLimit else {
      throw .tooLittleMemory(request.memoryLimit, least: ConvertRequest.leastMemoryLimit)
    }
    // A missing source is reported before a destination that exists: it is the first argument.
    let source = try ReaderRegistry.read(
      request.source,
      ReaderOptions(architecture: request.architecture, acceptsWeights: request.weightsOnly))
    let network =
      request.weightsOnly ? .weights(source.network.weights) : Network.model(try source.model)
    let destination = try Destination(request.destination, force: request.force)
    // Damage must not be written again under a fresh hash.
    _ = try source.converted?.checkIntegrity(observer)
    var warnings = Warnings(observer)
    do {
      if source.problem != nil { warnings.addMatrices(network) }
      try checkLayouts(network, target, request, &warnings)
      let plan = try OutputPlan(
        network.arranged(for: target), formats: formats, naming: naming,
        alignment: request.alignment,
        metadata: ["format": target.safetensorsFormat, "target": target.name]
      ) { target.elementType(of: $0.spec, kernelType: request.elementType) }
      let manifest = try write(plan, source, target, request, destination, observer)
      warnings.addNonFinite(manifest)
      warnings.addOverflows(manifest)
      return ConvertReport(request, manifest, warnings: warnings.texts)
    } catch {
      throw error.inFile(request.source)
    }
  }

  /// What is written, in the order in which a reader prefers it.
  private static func formats(
    of request: ConvertRequest, _ target: Target
  ) throws(NetconvError) -> [OutputFormat] {
    if let formats = request.formats, formats.isEmpty { throw .noFormats }
    guard !Destination.isArchive(request.destination) else {
      guard request.formats?.contains(.archive) ?? true else {
        throw .notAnArchive(request.formats ?? [], destination: request.destination)
      }
      return [.archive]
    }
    let wanted = request.formats ?? target.formats.compactMap(OutputFormat.init)
    if wanted.contains(.c) {
      guard target.takesSource, request.elementType == .float32 else {
        throw .noSource(target.name, request.elementType)
      }
      guard wanted != [.c] else { throw .onlySource }
    }
    return OutputFormat.allCases.filter(wanted.contains)
  }

  private static func checkLayouts(
    _ network: Network, _ target: Target, _ request: ConvertRequest, _ warnings: inout Warnings
  ) throws(NetconvError) {
    let without = network.tensorsWithoutLayout(for: target).map {
      "\(quoted($0.layer)) \($0.spec.role): \($0.storedLayout)"
    }
    guard !without.isEmpty else { return }
    if request.strict { throw .withoutLayout(without, target: target.name) }
    warnings.add(.tensorsWithoutLayout(without, target: target.name))
  }

  private static func write(
    _ plan: OutputPlan, _ source: ReadSource, _ target: Target, _ request: ConvertRequest,
    _ destination: Destination, _ observer: Observer
  ) throws(NetconvError) -> Manifest {
    let description = ModelWriter.Description(
      producer: Manifest.Producer(name: "netconv", version: version),
      source: { () throws(NetconvError) in try Manifest.Source(source, observer) },
      target: target.name, elementType: request.elementType,
      isSupported: { target.layout(for: $0.spec) != nil })
    let total = Double(max(1, plan.entries.reduce(0) { $0 + $1.byteCount }))
    var done = 0
    let memory = PanelMemory(
      processLimit: request.memoryLimit,
      readsThroughLibrary: plan.entries.contains { $0.tensor.stored.source.isSequential })
    return try ModelWriter(plan, to: destination, memory: memory).write(description) { entry in
      done += entry.byteCount
      observer.onEvent(.progress(Double(done) / total))
    } checkCancellation: { () throws(NetconvError) in
      try observer.checkCancellation()
    }
  }
}

/// The warnings of a conversion: told to the observer and kept for the report.
private struct Warnings {
  private let observer: Observer
  private(set) var texts: [String] = []

  init(_ observer: Observer) {
    self.observer = observer
  }

  mutating func add(_ event: Event) {
    guard case .warning(let text, let details) = event else { return }
    texts.append(([text] + details).joined(separator: "\n  "))
    observer.onEvent(event)
  }

  /// Kernels that were read without a graph, which alone says what a flatten before them has merged.
  mutating func addMatrices(_ network: Network) {
    let lines = network.tensors.filter { $0.spec.kind == .fullyConnected }
      .map { "\(quoted($0.layer)) \($0.spec.role): \(Shape($0.storedShape))" }
    if !lines.isEmpty { add(.matrices(lines)) }
  }

  mutating func addNonFinite(_ manifest: Manifest) {
    let lines = manifest.tensors.compactMap { tensor -> String? in
      let statistics = tensor.statistics
      let first = statistics.firstNonFinite
      return line(
        tensor, statistics.nonFinite - (statistics.overflowed ?? 0),
        first: first == statistics.firstOverflowed ? nil : first)
    }
    if !lines.isEmpty { add(.nonFinite(lines)) }
  }

  mutating func addOverflows(_ manifest: Manifest) {
    let lines = manifest.tensors.compactMap { tensor in
      line(
        tensor, tensor.statistics.overflowed ?? 0, first: tensor.statistics.firstOverflowed
      ).map { "\($0), as \(tensor.dtype)" }
    }
    if !lines.isEmpty { add(.overflowed(lines)) }
  }

  /// `'fc' kernel (/fc/kernel:0): 5 of 48, the first at index 14`; `nil` for none.
  private func line(_ tensor: TensorRecord, _ count: Int, first: Int?) -> String? {
    guard count > 0 else { return nil }
    return "\(quoted(tensor.layer)) \(tensor.role) (\(escaped(tensor.source.path))): "
      + "\(count) of \(tensor.shape.reduce(1, *))"
      + (first.map { ", the first at index \($0)" } ?? "")
  }
}
