import Emission
import Files
import ModelIR
import Readers
import Writers

extension Netconv {
  /// Writes a model as C, with its weights and a self-test.
  ///
  /// - Throws: `usage` for a model with open sizes without a length, `badData` with every layer that C does not
  ///   support, or any error of reading and writing; the destination is then unchanged.
  public static func emitLibrary(
    _ request: EmitLibraryRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> EmitLibraryReport {
    guard request.language.library != nil else { throw .notALibrary(request.language) }
    let source = try ReaderRegistry.readSettled(
      request.source,
      request.options.reading(LayerReplacements(options: request.replacements)))
    source.tell(observer)
    let library: EmittedLibrary
    let shapes: [String: [Int]]
    let model: Model
    do {
      model = try source.model
      shapes = try model.shapes(filling: request.length)
      library = try EmittedLibrary(
        model,
        EmittedLibrary.Settings(
          name: request.name ?? EmittedLibrary.name(for: stem(of: request.source)),
          source: Directory.lastComponent(of: request.source), weights: request.weights,
          shapes: shapes, remarks: source.axisRemarks(of: model),
          pixels: model.pixelScaling))
    } catch {
      throw error.kind == .usage ? error : error.inFile(request.source)
    }
    let destination = try Destination(
      folder: request.destination, of: EmittedLibrary.paths(name: library.name),
      force: request.force)
    let goldens = try LibraryGoldens(model, shapes, library.tracedValues, request.goldens, observer)
    let files = library.files + library.selfTest(goldens)
    try FolderWriter.write(to: destination) { folder throws(NetconvError) in
      for file in files { try write(file, below: folder) }
      if let weights = library.weights {
        try write(weights.bytes, to: weights.path, below: folder)
      }
    }
    return EmitLibraryReport(
      destination: destination.path, name: library.name,
      files: files.map(\.path) + (library.weights.map { [$0.path] } ?? []),
      parameterCount: library.parameterCount, arenaCount: library.arenaCount)
  }
}

extension Model {
  /// The factor and the summand of a byte of an image; `nil` if the only input is none, or needs more.
  fileprivate var pixelScaling: (scale: Double, offset: Double)? {
    guard inputs.count == 1, layerReadingTokenIDs(of: inputs[0].name) == nil else { return nil }
    let preparation = PixelPreparation(
      of: .bytes, for: inputs[0], of: self,
      PixelOptions(scale: nil, offset: nil, isRawBlobs: false))
    guard !preparation.steps.isEmpty else { return (1, 0) }
    return preparation.steps.shortForm.map { ($0.scale ?? 1, $0.offset ?? 0) }
  }
}

extension ReadSource {
  /// Sentences on the inputs whose axes are in another order than in the source.
  fileprivate func axisRemarks(of model: Model) -> [String: String] {
    let axes = axes(of: model)
    let names = (model.inputs.map(\.name) + model.outputs).filter { axes[$0] != nil }
    return Dictionary(
      names.map { ($0, "channels last; in the source the channels are first") }
    ) { first, _ in first }
  }
}

extension NetconvError {
  fileprivate static func notALibrary(_ language: EmittedLanguage) -> NetconvError {
    NetconvError(.usage, "\(language.name) is not a language of plain files")
  }
}
