import Documents
import Emission
import Files
import ModelIR
import Readers
import Transforms
import Writers

extension Netconv {
  /// Writes what a build has of a checkpoint: the archive of its weights, and the code that runs it.
  ///
  /// Earlier outputs are replaced. The archive is proved as ``convert(_:observer:)`` proves it.
  /// - Throws: `badData` if the options hold a key or value that there is not, or one that does not fit the checkpoint;
  ///   `usage`, or what ``convert(_:observer:)`` and ``emitPackage(_:observer:)`` throw.
  public static func embed(
    _ request: EmbedRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    try embed(request, of: nil, observer)
  }

  /// Writes what a build has of a model that was built in Swift; see ``embed(_:observer:)``.
  ///
  /// Layers that are closures, as `Custom` of the model language is, become a protocol that the app implements. Without a
  /// language for the code they are an error, since no document can hold them.
  ///
  /// - Parameters:
  ///   - model: as the model language or a reader gives it.
  ///   - request: how; its source is only what comments and errors call the model, and the class unless it is named.
  ///   - observer: told of progress.
  /// - Throws: as ``embed(_:observer:)``.
  public static func embed(
    _ model: Model, _ request: EmbedRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> ConvertReport {
    try embed(
      request, of: ReadSource(made: model, by: "swift", called: request.source), observer)
  }

  /// - Parameter source: the source, if it is there already.
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

  /// What the remark says that stands in place of code.
  private static let noCode = "// netconv has made no code of "
  /// What the remark above code says.
  private static let madeCode = "Made by netconv from "
  /// How the files begin that code may replace.
  private static let beginnings = [
    noCode, "// swift-format-ignore-file\n// " + madeCode,
  ]

  /// The source text of one file, the package that it is of, and what was read for it.
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
