import Documents
import Files
import ModelIR
import Synchronization

/// A writer for a model, or for weights without a graph: it writes the tensors in every container of the plan, and the
/// manifest.
///
/// The output is written atomically.
public struct ModelWriter: Sendable {
  /// The properties of the conversion that the manifest records.
  public struct Description: Sendable {
    /// The program that writes the output.
    public var producer: Manifest.Producer
    /// Returns the source of the conversion; called while tensors are written, as the source may have to be hashed.
    public var source: @Sendable () throws(NetconvError) -> Manifest.Source
    /// The target that the layouts are for.
    public var target: String
    /// The element type of kernels.
    public var elementType: ElementType
    /// Returns true if the target has a layout for a tensor.
    public var isSupported: @Sendable (Tensor) -> Bool
    /// The result of folding; `nil` unless it was requested.
    public var folded: FoldingRecord?
    /// The layers of the source that were replaced; `nil` if there are none.
    public var replaced: [ReplacementRecord]?
    /// Called with the rounding of each entry's values once all are written; an error prevents the output from being
    /// published.
    public var accept: @Sendable ([Rounding?]) throws(NetconvError) -> Void = { _ in }
    /// Called right before the output is published; an error prevents it.
    public var checkSource: @Sendable () throws(NetconvError) -> Void = {}
    /// Returns the document of the goldens, followed by its values, for the hash of the weights; `nil` if there are
    /// none.
    public var goldens: (@Sendable (String) throws(NetconvError) -> [CompanionFile])?

    /// Creates a description.
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

  /// The result of writing.
  public struct Output: Sendable {
    /// The manifest.
    public let manifest: Manifest
    /// The rounding of each entry's values; `nil` where no value changed.
    public let roundings: [Rounding?]
    /// The disk usage of the output.
    public let sizes: OutputSizes
  }

  private let plan: OutputPlan
  private let destination: Destination
  private let memory: PanelMemory
  private let calls: FileSystemCalls

  /// Creates a writer for `plan`.
  public init(
    _ plan: OutputPlan, to destination: Destination, memory: PanelMemory = .standard
  ) {
    self.init(plan, to: destination, memory: memory, calls: .system)
  }

  /// Creates a writer that uses the given file system calls.
  package init(
    _ plan: OutputPlan, to destination: Destination, memory: PanelMemory = .standard,
    calls: FileSystemCalls
  ) {
    self.plan = plan
    self.destination = destination
    self.memory = memory
    self.calls = calls
  }

  /// Writes, verifies and publishes the output.
  ///
  /// - Parameters:
  ///   - description: the properties of the conversion.
  ///   - progress: called for each tensor after it is written and verified, in order, on one thread at a time.
  /// - Throws: `cannotCreate`, `inputOutput`, or any error in reading the tensors or the description; the destination is
  ///   then unchanged.
  public func write(
    _ description: Description, progress: @escaping (OutputPlan.Entry) -> Void,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Output {
    // A layer that no document can represent is detected before anything is written.
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
        destination.container?.publishedName.map { "new/" + $0 } ?? "new", to: destination)
      return output
    } catch {
      throw error.replacingStagingPath(with: destination.path)
    }
  }

  /// Checks that there is enough disk space for the values, apart from other files.
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

  /// The results available once all tensors are written.
  private struct Written: Sendable {
    var source: Manifest.Source
    var tensors: [TensorPipeline.Written]
  }

  /// Writes, verifies and hashes the tensors, and hashes the source at the same time.
  private func writeTensors(
    to containers: [any ContainerWriter],
    _ source: @escaping @Sendable () throws(NetconvError) -> Manifest.Source,
    _ progress: @escaping (OutputPlan.Entry) -> Void,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Written {
    // Called on one thread at a time while this thread waits.
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

  /// The results so far.
  private final class Results: Sendable {
    private struct State {
      var source: Manifest.Source?
      var tensors: [Int: TensorPipeline.Written] = [:]
      var toldCount = 0
    }

    private let state = Mutex(State())
    private let progress: @Sendable (Int) -> Void

    /// - Parameter progress: called for each tensor that is written, in order.
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
