import Emission
import Files
import ModelIR
import Readers
import Transforms
import Writers

extension Netconv {
  /// Writes a model as a Swift package that runs it, with its weights and test cases.
  ///
  /// - Throws: `usage`, `badData` with every layer that the language does not support, or any error of
  ///   ``convert(_:observer:)``; the destination is then unchanged.
  public static func emitPackage(
    _ request: EmitRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> EmitReport {
    guard let language = request.language.package else { throw .notAPackage(request.language) }
    let source = try ReaderRegistry.readSettled(
      request.source,
      request.options.reading(LayerReplacements(options: request.replacements)))
    return try emitPackage(source, request, in: language, observer)
  }

  /// Writes a model that was built in Swift as a package that runs it, with its weights and test cases.
  ///
  /// Layers that are closures, such as `Custom` of the model language, become a protocol that the app implements. In
  /// that case no graph is written, since no document can represent them; test cases are.
  ///
  /// - Parameters:
  ///   - model: a model from the model language or from a reader.
  ///   - request: the settings. Its source only names the model in comments and errors, and the package unless it has
  ///     a name. Options for reading a source are ignored.
  ///   - observer: receives the events.
  /// - Throws: as ``emitPackage(_:observer:)``.
  public static func emitPackage(
    _ model: Model, _ request: EmitRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> EmitReport {
    guard let language = request.language.package else { throw .notAPackage(request.language) }
    return try emitPackage(
      ReadSource(made: model, by: "swift", called: request.source), request, in: language, observer)
  }

  private static func emitPackage(
    _ source: ReadSource, _ request: EmitRequest, in language: PackageLanguage,
    _ observer: Observer
  ) throws(NetconvError) -> EmitReport {
    let labels = try request.labels.map { path throws(NetconvError) in
      try ClassLabels(path: path)
    }
    let package: EmittedPackage
    do {
      package = try EmittedPackage(
        source, at: request.source, in: language, called: request.name,
        precision: request.precision, foldsBatchNormalization: request.foldsBatchNormalization,
        takesPictures: request.takesPictures, labels: labels)
    } catch {
      throw error.kind == .usage ? error : error.inFile(request.source)
    }
    // Files that a build of the package created there may be replaced too.
    let destination = try Destination(
      folder: request.destination,
      of: Set(
        EmittedPackage.paths(language, name: package.name) + [".build/", "Package.resolved"]),
      force: request.force)
    var conversion: ConvertReport?
    try FolderWriter.write(to: destination) { folder throws(NetconvError) in
      for file in package.files { try write(file, below: folder) }
      conversion = try convert(
        weights(for: language.target, request, package, in: folder), with: source,
        observer: observer)
    }
    guard let conversion else { throw .unfinishedPackage }
    return EmitReport(
      destination: destination.path, name: package.name,
      files: package.files.map(\.path) + [package.archive] + package.goldenFiles,
      conversion: conversion)
  }

  /// Writes a file of a package, and creates the folders in its path.
  static func write(_ file: EmittedFile, below folder: String) throws(NetconvError) {
    try write(Array(file.text.plain.utf8), to: file.path, below: folder)
  }

  /// Writes a file to a path in `folder`, and creates the folders in that path.
  static func write(
    _ bytes: [UInt8], to path: String, below folder: String
  ) throws(NetconvError) {
    let path = folder + "/" + path
    try createFolders(to: Directory.parent(of: path), below: folder)
    try OutputFile(creating: path).write(bytes, at: 0)
  }

  /// Creates a folder in `folder`, and its parents.
  private static func createFolders(
    to path: String, below folder: String
  ) throws(NetconvError) {
    guard path != folder, !Directory.isDirectory(path) else { return }
    try createFolders(to: Directory.parent(of: path), below: folder)
    try createFolder(path)
  }

  /// Returns the request that converts the weights of a package.
  private static func weights(
    for target: String, _ request: EmitRequest, _ package: EmittedPackage, in folder: String
  ) throws(NetconvError) -> ConvertRequest {
    var conversion = ConvertRequest(
      source: request.source, destination: folder + "/" + package.archive)
    conversion.target = target
    conversion.elementType = request.precision == .float16 ? .float16 : .float32
    conversion.elementTypeRules = package.elementTypeRules
    conversion.formats = [.archive]
    conversion.options = request.options
    conversion.replacements = request.replacements
    conversion.goldens = request.goldens
    // They are stored apart, so that an app can contain the weights without them.
    conversion.goldensFolder = folder + "/" + package.goldens
    conversion.foldsBatchNormalization = request.foldsBatchNormalization
    conversion.strict = true
    conversion.leavesOutGraph = !package.customLayers.isEmpty
    return conversion
  }
}

extension NetconvError {
  fileprivate static func notAPackage(_ language: EmittedLanguage) -> NetconvError {
    guard language.filters == nil else {
      return NetconvError(.usage, "\(language.name) is a language for filters; it has no networks")
    }
    return NetconvError(
      .usage,
      text: "\(language.name) is written as text, not as a package; leave out \(.destination)")
  }

  fileprivate static var unfinishedPackage: NetconvError {
    NetconvError(.internal, "a package was published without weights")
  }
}
