import Documents
import Files
import ModelIR
import Synchronization

/// Writes a model, or weights without a graph: the tensors in every format of the plan, and the manifest.
///
/// The output appears whole or not at all.
public struct ModelWriter: Sendable {
  /// What the manifest says about the conversion as a whole.
  public struct Description: Sendable {
    /// The program that writes.
    public var producer: Manifest.Producer
    /// What was converted; asked for while tensors are written, as it may have to be hashed.
    public var source: @Sendable () throws(NetconvError) -> Manifest.Source
    /// The consumer that the layouts are for.
    public var target: String
    /// The element type of kernels.
    public var elementType: ElementType
    /// Whether the target has a layout for a tensor.
    public var isSupported: @Sendable (Tensor) -> Bool
    /// What became of layers that can be folded; `nil` unless that was asked for.
    public var folded: FoldingRecord?
    /// The layers of the source that were replaced; `nil` if there are none.
    public var replaced: [ReplacementRecord]?
    /// Told what became of the values of each entry once all are written; what it throws keeps the output from
    /// being published.
    public var accept: @Sendable ([Rounding?]) throws(NetconvError) -> Void = { _ in }
    /// Asked right before the output is published; what it throws keeps it from being.
    public var checkSource: @Sendable () throws(NetconvError) -> Void = {}
    /// Makes the goldens' document and then its values, from the hash of the weights; `nil` unless asked for.
    public var goldens: (@Sendable (String) throws(NetconvError) -> [CompanionFile])?

    /// What the manifest says.
    public init(
      producer: Manifest.Producer,
      source: @escaping @Sendable () throws(NetconvError) -> Manifest.Source, target: String,
      elementType: ElementType, isSupported: @escaping @Sendable (Tensor) -> Bool
    ) {
      self.producer = producer
      self.source = source
      self.target = target
      self.elementType = elementType
      self.isSupported = isSupported
    }
  }

  /// What was written.
  public struct Output: Sendable {
    /// The manifest.
    public let manifest: Manifest
    /// What became of the values of each entry of the plan; `nil` where all stay what they are.
    public let roundings: [Rounding?]
    /// What it takes of the disk.
    public let sizes: OutputSizes
  }

  private let plan: OutputPlan
  private let destination: Destination
  private let memory: PanelMemory
  private let calls: FileSystemCalls

  /// A writer of `plan`.
  public init(
    _ plan: OutputPlan, to destination: Destination, memory: PanelMemory = .standard
  ) {
    self.init(plan, to: destination, memory: memory, calls: .system)
  }

  /// A writer that works through `calls`.
  package init(
    _ plan: OutputPlan, to destination: Destination, memory: PanelMemory = .standard,
    calls: FileSystemCalls
  ) {
    self.plan = plan
    self.destination = destination
    self.memory = memory
    self.calls = calls
  }

  /// Writes, proves and publishes.
  ///
  /// - Parameters:
  ///   - description: what the manifest says.
  ///   - progress: told of each tensor once it is written and proved, in their order, by one thread at a time.
  /// - Throws: `cannotCreate`, `inputOutput`, or what reading the tensors or the description throws; the
  ///   destination is then as it was.
  public func write(
    _ description: Description, progress: @escaping (OutputPlan.Entry) -> Void,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Output {
    // A layer that no document can hold is found before anything is written.
    if case .model(let model) = plan.network {
      _ = try JSONDocument.encode(model.layers.map { LayerDocument($0, parameters: []) })
    }
    do {
      try checkRoom()
      let staging = try StagingFolder(
        in: Directory.parent(of: destination.path), calls: calls)
      let folder = staging.path + "/new"
      try Directory.create(folder)
      let output = try fill(folder, description, progress, checkCancellation)
      try checkCancellation()
      try description.checkSource()
      try staging.publish(
        destination.container?.fileName.map { "new/" + $0 } ?? "new", to: destination)
      return output
    } catch {
      throw error.replacingStagingPath(with: destination.path)
    }
  }

  /// Checks that there is room for the values, whatever else is written besides.
  private func checkRoom() throws(NetconvError) {
    var bytes = 0
    for entry in plan.entries {
      let (size, isTooLarge) = entry.byteCount.multipliedReportingOverflow(by: plan.formats.count)
      let (sum, overflow) = bytes.addingReportingOverflow(size)
      bytes = isTooLarge || overflow ? .max : sum
    }
    try Directory.checkRoom(for: bytes, at: destination.path)
  }

  private func fill(
    _ folder: String, _ description: Description,
    _ progress: @escaping (OutputPlan.Entry) -> Void,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Output {
    let containers = try plan.layouts.map { layout throws(NetconvError) in
      try layout.writer(in: folder)
    }
    let written = try writeTensors(
      to: containers, description.source, progress, checkCancellation)
    let roundings = written.tensors.map(\.rounding)
    try description.accept(roundings)
    let goldens =
      try description.goldens?(Manifest.weightsHash(of: written.tensors.map(\.digest.sha256))) ?? []
    let manifest = Manifest(
      producer: description.producer, source: written.source, target: description.target,
      dtype: description.elementType.rawValue, formats: plan.formats.map(\.rawValue),
      content: Manifest.Content(plan),
      tensors: zip(plan.entries, written.tensors).map { entry, tensor in
        TensorRecord(
          entry, tensor.digest, tensor.statistics,
          isSupported: description.isSupported(entry.tensor))
      }, folded: description.folded, replaced: description.replaced,
      goldens: Manifest.Goldens(goldens))
    let bytes = try manifest.encoded()
    for container in containers {
      try container.finish(written.tensors.map(\.digest), goldens, manifest: bytes)
    }
    if destination.container == nil {
      if !plan.isSelfContained { try write(goldens, to: folder) }
      try OutputFile(creating: folder + "/" + Manifest.fileName).write(bytes, at: 0)
    }
    return Output(
      manifest: manifest, roundings: roundings,
      sizes: try OutputSizes(of: plan.formats, in: folder))
  }

  private func write(
    _ companions: [CompanionFile], to folder: String
  ) throws(NetconvError) {
    for companion in companions {
      let path = folder + "/" + companion.name
      let parent = Directory.parent(of: path)
      if !Directory.isDirectory(parent) { try Directory.create(parent) }
      try OutputFile(creating: path).write(companion.bytes, at: 0)
    }
  }

  /// What is known once all tensors are written.
  private struct Written: Sendable {
    var source: Manifest.Source
    var tensors: [TensorPipeline.Written]
  }

  /// Writes, proves and hashes the tensors, and hashes the source meanwhile.
  private func writeTensors(
    to containers: [any ContainerWriter],
    _ source: @escaping @Sendable () throws(NetconvError) -> Manifest.Source,
    _ progress: @escaping (OutputPlan.Entry) -> Void,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Written {
    // Called by one thread at a time, while this one waits.
    nonisolated(unsafe) let progress = progress
    let results = Results { [plan] in progress(plan.entries[$0]) }
    let buffers = WorkerBuffers(panelCount: memory.panelCount)
    let upcoming = Mutex(plan.entries.indices)
    let pool = WorkerPool(count: memory.workers) { [plan] () throws(NetconvError) in
      guard let index = upcoming.withLock({ $0.popFirst() }) else { return nil }
      var placements: [Placement] = []
      for container in containers { placements.append(try container.placement(of: index)) }
      return TensorPipeline(plan.entries[index], buffers, checkCancellation: checkCancellation)
        .job(placements, needsChecksum: plan.formats.contains(where: \.statesChecksums)) {
          results.add($0, of: index)
        }
    }
    let hash = WorkerPool.Job(urgency: .high) { _, _ throws(NetconvError) in
      results.add(try source())
    }
    try pool.perform([hash])
    return try results.complete(count: plan.entries.count)
  }

  /// What has been written so far.
  private final class Results: Sendable {
    private struct State {
      var source: Manifest.Source?
      var tensors: [Int: TensorPipeline.Written] = [:]
      var toldCount = 0
    }

    private let state = Mutex(State())
    private let progress: @Sendable (Int) -> Void

    /// - Parameter progress: told of each tensor that is written, in their order.
    init(progress: @escaping @Sendable (Int) -> Void) {
      self.progress = progress
    }

    func add(_ source: Manifest.Source) {
      state.withLock { $0.source = source }
    }

    func add(_ tensor: TensorPipeline.Written, of index: Int) {
      state.withLock { state in
        state.tensors[index] = tensor
        while state.tensors[state.toldCount] != nil {
          progress(state.toldCount)
          state.toldCount += 1
        }
      }
    }

    func complete(count: Int) throws(NetconvError) -> Written {
      let state = state.withLock { $0 }
      let tensors = (0..<count).compactMap { state.tensors[$0] }
      guard let source = state.source, tensors.count == count else { throw .unfinished }
      return Written(source: source, tensors: tensors)
    }
  }
}
