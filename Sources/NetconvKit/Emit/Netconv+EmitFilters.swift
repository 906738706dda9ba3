import Emission
import Files
import ModelIR
import Writers

extension Netconv {
  /// Writes filters as a Swift package that processes pictures.
  ///
  /// - Throws: `usage` for a language of networks, or a filter that is invalid or does not support textures; any
  ///   error from creating files. The destination is then unchanged.
  public static func emitFilters(
    _ request: EmitFiltersRequest
  ) throws(NetconvError) -> EmitFiltersReport {
    guard let language = request.language.filters else {
      throw .noFilters(in: request.language)
    }
    var steps: [PixelStep] = []
    for text in request.filters { steps.append(try PixelStep(text: text)) }
    let folder = Directory.lastComponent(of: request.destination)
    let package = try EmittedFilters(
      steps, in: language, name: request.name ?? EmittedPackage.name(for: folder))
    // Files that a build of the package created there may be replaced too.
    let destination = try Destination(
      folder: request.destination,
      of: Set(
        EmittedFilters.paths(language, name: package.name) + [".build/", "Package.resolved"]),
      force: request.force)
    try FolderWriter.write(to: destination) { folder throws(NetconvError) in
      for file in package.files { try write(file, below: folder) }
    }
    return EmitFiltersReport(
      destination: destination.path, name: package.name, files: package.files.map(\.path))
  }
}

extension NetconvError {
  fileprivate static func noFilters(in language: EmittedLanguage) -> NetconvError {
    NetconvError(
      .usage, text: "\(language.name) is a language for networks; leave out \(.filters)")
  }
}
