import Foundation
import PackagePlugin

/// A checkpoint among the files of a target.
struct Checkpoint {
  private static let endings: Set<String> = ["h5", "hdf5", "keras"]
  private static let optionsSuffix = ".netconv.json"

  private let file: URL
  /// The file with its options, if there is one.
  private let options: URL?

  /// The checkpoints among `files`, sorted by path.
  ///
  /// - Throws: An error if two have the same name, or if options have no checkpoint.
  static func all(in files: [URL], of target: String) throws -> [Checkpoint] {
    var options = Dictionary(
      files.filter { $0.lastPathComponent.hasSuffix(optionsSuffix) }.map {
        (path(ofOptions: $0), $0)
      },
      uniquingKeysWith: { first, _ in first })
    var checkpoints: [Checkpoint] = []
    for file in files.sorted(by: { $0.path < $1.path })
    where endings.contains(file.pathExtension.lowercased()) {
      checkpoints.append(
        Checkpoint(file: file, options: options[file.deletingPathExtension().path]))
    }
    // Resources share one folder, whose names may be case-insensitive.
    for (_, equal) in Dictionary(grouping: checkpoints, by: { $0.stem.lowercased() })
    where equal.count > 1 {
      let names = equal.map(\.file.path).sorted().joined(separator: " and ")
      throw Problem(
        "\(names) would both be \(equal[0].stem).netpack in \(target); rename one of them")
    }
    for checkpoint in checkpoints { options[checkpoint.file.deletingPathExtension().path] = nil }
    if let lost = options.values.map(\.path).sorted().first {
      throw Problem("\(lost) has no checkpoint beside it; rename it, or remove it")
    }
    return checkpoints
  }

  /// The path of an options file without its suffix.
  private static func path(ofOptions file: URL) -> String {
    String(file.path.dropLast(optionsSuffix.count))
  }

  private var stem: String { file.deletingPathExtension().lastPathComponent }

  /// The command that creates the checkpoint's files in `folder`.
  ///
  /// - Parameter takesCode: True if the target compiles Swift. The command then always creates a
  ///   Swift file, because a planned build does not notice when the options start or stop
  ///   requesting code.
  func command(_ netconv: URL, into folder: URL, takesCode: Bool) -> Command {
    let archive = folder.appending(path: "\(stem).netpack")
    let code = folder.appending(path: "\(stem).netpack.swift")
    var arguments = [file.path, "--archive", archive.path]
    if takesCode { arguments += ["--code", code.path] }
    if let options { arguments += ["--options", options.path] }
    return .buildCommand(
      displayName: "Converting \(file.lastPathComponent)", executable: netconv,
      arguments: ["embed"] + arguments, inputFiles: [file] + (options.map { [$0] } ?? []),
      outputFiles: takesCode ? [archive, code] : [archive])
  }
}

/// The reason why a target cannot be built.
struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
