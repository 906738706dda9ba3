import Documents
import Emission
import Files
import ModelIR
import Readers
import Transforms
import Writers

extension Netconv {
  /// Writes the files that a build makes from a checkpoint: the archive of its weights, and the code that runs it.
  ///
  /// Earlier outputs are replaced. The archive is verified in the same way as in ``convert(_:observer:)``.
  /// - Throws: `badData` if the options contain an unknown key or value, or one that does not fit the checkpoint;
  ///   `usage`, or any error of ``convert(_:observer:)`` and ``emitPackage(_:observer:)``.
  public static func embed(
    _ request: EmbedRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    try embed(request, of: nil, observer)
  }

  /// Writes the files that a build makes from a model that was built in Swift; see ``embed(_:observer:)``.
  ///
  /// Layers that are closures, such as `Custom` of the model language, become a protocol that the app implements.
  /// Without a language for the code they are an error, since no document can represent them.
  ///
  /// - Parameters:
  ///   - model: a model from the model language or from a reader.
  ///   - request: the settings. Its source only names the model in comments and errors, and the class unless it has a
  ///     name.
  ///   - observer: receives the events.
  /// - Throws: as ``embed(_:observer:)``.
  public static func embed(
    _ model: Model, _ request: EmbedRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    try embed(
      request, of: ReadSource(made: model, by: "swift", called: request.source), observer)
  }

  /// - Parameter source: the source, if it has been read already.
  private static func embed(
    _ request: EmbedRequest, of source: ReadSource?, _ observer: Observer
  ) throws(NetconvError) -> ConvertReport {
    guard Destination.container(of: request.archive) == .archive else {
      throw .notAnArchiveName(request.archive, suffix: OutputFormat.archive.ending ?? "")
    }
    let options = try EmbedOptions(file: request.options)
    do throws(NetconvError) {
      let (code, package, source) = try code(for: request, options, of: source)
      let destination = try request.code.map { path throws(NetconvError) in
        try Destination(file: path, replacing: .text(beginning: beginnings), force: true)
      }
      let report = try convert(
        conversion(request, options, package), with: source, observer: observer)
      if let destination {
        try AtomicFile.write(to: destination) { file throws(NetconvError) in
          try file.write(Array(code.plain.utf8), at: 0)
        }
      }
      return report
    } catch {
      guard error.kind == .usage, let file = request.options else { throw error }
      throw error.ofOptions(file)
    }
  }

  private static func conversion(
    _ request: EmbedRequest, _ options: EmbedOptions, _ package: EmittedPackage?
  ) -> ConvertRequest {
    var conversion = ConvertRequest(source: request.source, destination: request.archive)
    conversion.target = options.target.name
    conversion.setElementTypes(options.elementTypes)
    conversion.elementTypeRules += package?.elementTypeRules ?? []
    conversion.foldsBatchNormalization = options.foldsBatchNormalization
    conversion.replacements = options.replacements
    conversion.strict = options.code != nil
    conversion.leavesOutGraph = package?.customLayers.isEmpty == false
    conversion.force = true
    return conversion
  }

  /// The first words of the remark that is written instead of code.
  private static let noCode = "// netconv has made no code of "
  /// The first words of the remark above code.
  private static let madeCode = "Made by netconv from "
  /// The first words of files that code may replace.
  private static let beginnings = [
    noCode, "// swift-format-ignore-file\n// " + madeCode,
  ]

  /// Returns the source text of the file, the package that it comes from, and the source that was read for it.
  private static func code(
    for request: EmbedRequest, _ options: EmbedOptions, of source: ReadSource?
  ) throws(NetconvError) -> (String, EmittedPackage?, ReadSource?) {
    let file = escaped(Directory.lastComponent(of: request.source))
    guard let code = options.code else {
      return ("\(noCode)\(file): no language is named for it.\n", nil, source)
    }
    guard request.code != nil else {
      throw NetconvError.noPlaceForCode(code.language).inOption("language")
    }
    let read: ReadSource
    if let source {
      read = source
    } else {
      read = try ReaderRegistry.readSettled(
        request.source, ReaderOptions(replacements: LayerReplacements(named: options.replacements)))
    }
    do throws(NetconvError) {
      let package = try EmittedPackage(
        read, at: request.source, in: code.language, called: code.name, precision: code.precision,
        foldsBatchNormalization: options.foldsBatchNormalization, takesPictures: true)
      let text = EmittedFile.joined(
        package.moduleFiles, remark: "\(madeCode)\(file), and made again when that changes.")
      return (text, package, read)
    } catch {
      throw error.kind == .usage ? error.inOption("name") : error.inFile(request.source)
    }
  }
}

extension NetconvError {
  fileprivate static func noPlaceForCode(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "code of \(language.name) has no file here; name one with \(.code), or build it into a Swift target"
    )
  }

  fileprivate static func notAnArchiveName(_ path: String, suffix: String) -> NetconvError {
    NetconvError(.usage, "\(quoted(path)) is not a valid name for an archive; end it in \(suffix)")
  }
}
