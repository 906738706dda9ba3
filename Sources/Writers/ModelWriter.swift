import Documents
import Files
import ModelIR

/// Writes a model: its tensors in every format of the plan, and the manifest.
///
/// The output appears whole or not at all.
public struct ModelWriter: Sendable {
  /// What the manifest says about the conversion as a whole.
  public struct Description: Sendable {
    /// The program that writes.
    public var producer: Manifest.Producer
    /// What was converted.
    public var source: Manifest.Source
    /// The consumer that the layouts are for.
    public var target: String
    /// The element type of kernels.
    public var elementType: ElementType
    /// Whether the target has a layout for a tensor.
    public var isSupported: @Sendable (Tensor) -> Bool

    /// What the manifest says.
    public init(
      producer: Manifest.Producer, source: Manifest.Source, target: String,
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
  private let calls: FileSystemCalls

  /// A writer of `plan`.
  public init(_ plan: OutputPlan, to destination: Destination) {
    self.init(plan, to: destination, calls: .system)
  }

  /// A writer that works through `calls`.
  package init(_ plan: OutputPlan, to destination: Destination, calls: FileSystemCalls) {
    self.plan = plan
    self.destination = destination
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
    checkCancellation: @escaping () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Manifest {
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
    _ checkCancellation: @escaping () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Manifest {
    var formats: [any TensorFormat] = []
    for format in plan.formats { formats.append(try format.writer.init(plan, in: folder)) }
    var records: [TensorRecord] = []
    var digests: [TensorDigest] = []
    for (index, entry) in plan.entries.enumerated() {
      var placements: [Placement] = []
      for format in formats { placements.append(try format.placement(of: index)) }
      let pipeline = TensorPipeline(entry, checkCancellation: checkCancellation)
      let (statistics, digest) = try pipeline.run(to: placements)
      digests.append(digest)
      records.append(
        TensorRecord(
          entry, digest, statistics, isSupported: description.isSupported(entry.tensor)))
      progress(entry)
    }
    let manifest = Manifest(
      producer: description.producer, source: description.source, target: description.target,
      dtype: description.elementType.rawValue, formats: plan.formats.map(\.rawValue),
      model: ModelDocument(plan), tensors: records)
    let bytes = try JSONDocument.encode(manifest)
    for format in formats { try format.finish(digests, manifest: bytes) }
    if !destination.isArchive {
      try OutputFile(creating: folder + "/" + Manifest.fileName).write(bytes, at: 0)
    }
    return manifest
  }
}
