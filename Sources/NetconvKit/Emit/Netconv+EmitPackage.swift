import Emission
import Files
import ModelIR
import Readers
import Transforms
import Writers

extension Netconv {
  /// Writes a model as a Swift package that runs it, with its weights and test cases.
  ///
  /// - Throws: `usage`, `badData` with every layer that the language lacks, or what ``convert(_:observer:)`` throws;
  ///   the destination is then as it was.
  public static func emitPackage(
    _ request: EmitRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> EmitReport {
    guard request.language != .dsl else { throw .notAPackage(request.language) }
    let source = try ReaderRegistry.read(
      request.source, ReaderOptions(architecture: request.architecture))
    let name = request.name ?? MPSCNNPackage.name(for: stem(of: request.source))
    let package: MPSCNNPackage
    do {
      let model = try source.model
      package = try self.package(
        request.foldsBatchNormalization ? try model.foldingBatchNormalization().model : model,
        from: Directory.lastComponent(of: request.source), called: name, in: request.language,
        precision: request.precision)
    } catch {
      throw error.kind == .usage ? error : error.inFile(request.source)
    }
    // What building the package leaves there may go too.
    let destination = try Destination(
      folder: request.destination,
      of: Set(MPSCNNPackage.paths(name: name) + [".build/", "Package.resolved"]),
      force: request.force)
    var conversion: ConvertReport?
    try FolderWriter.write(to: destination) { folder throws(NetconvError) in
      for file in package.files { try write(file, below: folder) }
      conversion = try convert(
        weights(of: package, request, to: folder), observer: observer)
    }
    guard let conversion else { throw .unfinishedPackage }
    return EmitReport(
      destination: destination.path, name: name,
      files: package.files.map(\.path) + [package.archive], conversion: conversion)
  }

  /// A model as a package, but for its weights.
  ///
  /// - Throws: `usage` for a language of texts or a wrong name, `badData` with every layer that the language lacks.
  static func package(
    _ model: Model, from source: String, called name: String, in language: EmittedLanguage,
    precision: Precision
  ) throws(NetconvError) -> MPSCNNPackage {
    switch language {
    case .dsl: throw .notAPackage(language)
    case .mpscnn:
      return try MPSCNNPackage(
        model, from: source, name: name, storesHalves: precision == .float16)
    }
  }

  private static func write(_ file: EmittedFile, below folder: String) throws(NetconvError) {
    let path = folder + "/" + file.path
    try createFolders(to: Directory.parent(of: path), below: folder)
    try OutputFile(creating: path).write(Array(file.text.utf8), at: 0)
  }

  /// Creates a folder in `folder`, and those it is in.
  private static func createFolders(
    to path: String, below folder: String
  ) throws(NetconvError) {
    guard path != folder, !Directory.isDirectory(path) else { return }
    try createFolders(to: Directory.parent(of: path), below: folder)
    try createFolder(path)
  }

  /// The conversion that gives a package its weights.
  private static func weights(
    of package: MPSCNNPackage, _ request: EmitRequest, to folder: String
  ) throws(NetconvError) -> ConvertRequest {
    let archive = folder + "/" + package.archive
    try createFolder(Directory.parent(of: archive))
    var conversion = ConvertRequest(source: request.source, destination: archive)
    conversion.target = MPSCNNPackage.target
    conversion.elementType = request.precision == .float16 ? .float16 : .float32
    conversion.formats = [.archive]
    conversion.architecture = request.architecture
    conversion.goldens = GoldensRequest(samples: EmitRequest.goldens)
    conversion.foldsBatchNormalization = request.foldsBatchNormalization
    conversion.strict = true
    return conversion
  }
}
