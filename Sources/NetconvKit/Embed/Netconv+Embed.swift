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
    guard Destination.container(of: request.archive) == .archive else {
      throw .notAnArchiveName(request.archive, suffix: OutputFormat.archive.ending ?? "")
    }
    let options = try EmbedOptions(file: request.options)
    do throws(NetconvError) {
      let (code, package, source) = try code(for: request, options)
      let destination = try request.code.map { path throws(NetconvError) in
        try Destination(file: path, replacing: .text(beginning: beginnings), force: true)
      }
      let report = try convert(
        conversion(request, options, package), with: source, observer: observer)
      if let destination {
        try AtomicFile.write(to: destination) { file throws(NetconvError) in
          try file.write(Array(code.utf8), at: 0)
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
    for request: EmbedRequest, _ options: EmbedOptions
  ) throws(NetconvError) -> (String, EmittedPackage?, ReadSource?) {
    let file = escaped(Directory.lastComponent(of: request.source))
    guard let code = options.code else {
      return ("\(noCode)\(file): no language is named for it.\n", nil, nil)
    }
    guard request.code != nil else {
      throw NetconvError.noPlaceForCode(code.language).inOption("language")
    }
    let read = try ReaderRegistry.readSettled(
      request.source, ReaderOptions(replacements: LayerReplacements(named: options.replacements)))
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
