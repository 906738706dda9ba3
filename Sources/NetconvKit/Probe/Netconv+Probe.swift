import Datasets
import Documents
import Execution
import Files
import ModelIR
import Readers
import Transforms
import Writers

/// A probe to write.
public struct ProbeRequest: Sendable {
  /// The folder to write.
  public var directory: String
  /// The consumer.
  public var target = "mps"
  /// The element type of kernels.
  public var elementType = ElementType.float32
  /// The element types that a probe supports: those that can represent the index of each value without a scale.
  public static let elementTypes: [ElementType] = [.float32, .float16, .bfloat16]
  /// True if an earlier probe may be replaced.
  public var force = false

  /// Creates a request for a probe in `directory`, with the defaults of the command line.
  public init(directory: String) {
    self.directory = directory
  }
}

extension Netconv {
  /// Writes a small model in which every weight is its own index, with the expected output of each layer.
  ///
  /// The folder contains `model/`, in the form of a conversion; `probe.npz` with the input and the output of every
  /// layer from the reference engine; and `probe.json` with the same values and every tensor.
  /// - Throws: `usage`, `cannotCreate`, `inputOutput` or `interrupted`.
  public static func probe(
    _ request: ProbeRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ProbeDocument {
    let target = try Target.named(request.target)
    try target.check(request.elementType)
    let probe = try ProbeModel(for: target, request.elementType)
    let folder = Directory.withoutTrailingSlashes(request.directory)
    try prepare(folder, force: request.force)
    let made = ReadSource(made: probe.model, by: "probe")
    var conversion = ConvertRequest(
      source: made.path, destination: "\(folder)/\(ProbeDocument.modelFolder)")
    conversion.target = request.target
    conversion.elementType = request.elementType
    conversion.force = request.force
    let plan = try convert(
      PreparedConversion(conversion, of: made, observer), observer: observer
    ).plan
    let document = try ProbeDocument(probe, plan, request)
    try write(document, to: folder)
    return document
  }

  private static func prepare(_ folder: String, force: Bool) throws(NetconvError) {
    try createFolder(folder)
    guard let name = try Directory.names(in: folder).first else { return }
    // Other files beside a probe, such as answers, are kept.
    guard force, try holdsProbe(folder) else {
      throw NetconvError.probeFolderNotEmpty(name, force: force).inFile(folder)
    }
  }

  /// True if a folder contains a probe; throws if its file exists but cannot be read.
  private static func holdsProbe(_ folder: String) throws(NetconvError) -> Bool {
    do throws(NetconvError) {
      _ = try ProbeDocument.read(in: folder)
      return true
    } catch {
      guard [.cannotOpen, .inputOutput].contains(error.kind),
        try Directory.kind(of: "\(folder)/\(ProbeDocument.fileName)") == .file
      else { return false }
      throw error
    }
  }

  private static func write(
    _ document: ProbeDocument, to folder: String
  ) throws(NetconvError) {
    let arrays = (document.inputs + document.outputs).map {
      ($0.name, NDArray(shape: $0.shape, values: $0.values))
    }
    try AtomicFile.write(to: "\(folder)/\(ProbeDocument.arraysName)") {
      file throws(NetconvError) in try NumpyArchive.write(arrays, to: file)
    }
    let bytes = try JSONDocument.encode(document)
    try AtomicFile.write(to: "\(folder)/\(ProbeDocument.fileName)") { file throws(NetconvError) in
      try file.write(bytes, at: 0)
    }
  }
}

extension ProbeDocument {
  /// Creates the document of a probe that was written.
  fileprivate init(
    _ probe: ProbeModel, _ plan: OutputPlan, _ request: ProbeRequest
  ) throws(NetconvError) {
    format = Self.format
    version = 1
    target = request.target
    dtype = request.elementType.rawValue
    tensors = try plan.entries.map { entry throws(NetconvError) in
      let tensor = entry.tensor
      return Tensor(
        name: entry.name, layer: tensor.layer, role: tensor.spec.role.rawValue,
        dtype: entry.elementType.rawValue, layout: tensor.layout.description,
        reversed: tensor.reversed.map(\.description).sorted(),
        sizes: Dictionary(
          uniqueKeysWithValues: tensor.layout.axes.map {
            ($0.description, tensor.spec.sizes[$0] ?? 1)
          }), file: Self.modelFolder + "/" + (entry.place?.file ?? ""), tensor: entry.place?.tensor,
        values: try tensor.values())
    }
    inputs = probe.inputs.map {
      Array(name: $0.name, shape: $0.values.shape, values: $0.values.values)
    }
    let names = probe.model.layers.map(\.name)
    let results = try EngineKind.reference.engine(for: probe.model, keeping: Set(names))
      .run(Dictionary(uniqueKeysWithValues: probe.inputs.map { ($0.name, $0.values) }))
    outputs = names.compactMap { name in
      results[name].map { Array(name: name, shape: $0.shape, values: $0.values) }
    }
  }
}

extension NetconvError {
  fileprivate static func probeFolderNotEmpty(_ name: String, force: Bool) -> NetconvError {
    NetconvError(
      .cannotCreate,
      text: force
        ? "holds \(quoted(name)) but no probe for \(.force) to replace; name another folder"
        : "is not empty (there is \(quoted(name))); name another folder, or replace a probe with \(.force)"
    )
  }
}
