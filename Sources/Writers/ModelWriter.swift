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
  ///   - progress: told the bytes of each tensor once it is written; may throw to stop.
  /// - Returns: the manifest.
  /// - Throws: `cannotCreate`, `inputOutput`, or what reading the tensors throws; the destination is then
  ///   as it was.
  public func write(
    _ description: Description, progress: (OutputPlan.Entry) -> Void,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Manifest {
    // A layer that no document can hold is found before anything is written.
    if case .model(let model) = plan.network {
      _ = try JSONDocument.encode(model.layers.map { LayerDocument($0, parameters: []) })
    }
    do {
      let staging = try StagingFolder(
        in: Directory.parent(of: destination.path), calls: calls)
      let folder = staging.path + "/new"
      try Directory.create(folder)
      let manifest = try fill(folder, description, progress, checkCancellation)
      try checkCancellation()
      try staging.publish(
        destination.isArchive ? "new/" + Manifest.archiveName : "new", to: destination)
      return manifest
    } catch {
      throw error.replacingStagingPath(with: destination.path)
    }
  }

  private func fill(
    _ folder: String, _ description: Description, _ progress: (OutputPlan.Entry) -> Void,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Manifest {
    var formats: [any TensorFormat] = []
    for format in plan.formats { formats.append(try format.writer.init(plan, in: folder)) }
    let written = try writeTensors(to: formats, description.source, progress, checkCancellation)
    let manifest = Manifest(
      producer: description.producer, source: written.source, target: description.target,
      dtype: description.elementType.rawValue, formats: plan.formats.map(\.rawValue),
      content: Manifest.Content(plan),
      tensors: zip(plan.entries, written.tensors).map { entry, tensor in
        TensorRecord(
          entry, tensor.digest, tensor.statistics,
          isSupported: description.isSupported(entry.tensor))
      })
    let bytes = try JSONDocument.encode(manifest)
    for format in formats {
      try format.finish(written.tensors.map(\.digest), manifest: bytes)
    }
    if !destination.isArchive {
      try OutputFile(creating: folder + "/" + Manifest.fileName).write(bytes, at: 0)
    }
    return manifest
  }

  /// What is known once all tensors are written.
  private struct Written: Sendable {
    var source: Manifest.Source
    var tensors: [WrittenTensor]
  }

  private typealias WrittenTensor = (statistics: TensorStatistics, digest: TensorDigest)

  /// Writes and proves one tensor after the other; what is written is hashed meanwhile, and so is the source.
  private func writeTensors(
    to formats: [any TensorFormat],
    _ source: @escaping @Sendable () throws(NetconvError) -> Manifest.Source,
    _ progress: (OutputPlan.Entry) -> Void,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Written {
    let results = Mutex<(source: Manifest.Source?, tensors: [Int: WrittenTensor])>((nil, [:]))
    let backlog = Backlog()
    let isArchived = plan.formats.contains(.archive)
    do throws(NetconvError) {
      try backlog.add { () throws(NetconvError) in
        let source = try source()
        results.withLock { $0.source = source }
      }
      for (index, entry) in plan.entries.enumerated() {
        var placements: [Placement] = []
        for format in formats { placements.append(try format.placement(of: index)) }
        let pipeline = TensorPipeline(
          entry, panelCount: memory.panelCount, workers: memory.workers,
          checkCancellation: checkCancellation)
        let overflow = try pipeline.write(to: placements[0])
        try backlog.add { [placements] () throws(NetconvError) in
          let tensor = try pipeline.digest(placements, overflow, needsChecksum: isArchived)
          results.withLock { $0.tensors[index] = tensor }
        }
        progress(entry)
      }
      try backlog.finish()
    } catch {
      backlog.abandon()
      throw error
    }
    return try results.withLock { results throws(NetconvError) in
      let tensors = plan.entries.indices.compactMap { results.tensors[$0] }
      guard let source = results.source, tensors.count == plan.entries.count else {
        throw .unfinished
      }
      return Written(source: source, tensors: tensors)
    }
  }
}
