import Foundation
import TestSupport
import Testing

/// A compiler of C and C++; one is always there, since Swift brings clang.
struct CCompiler: CustomStringConvertible {
  /// The path of the compiler for C, and that for C++.
  let paths: [String]
  var description: String { paths[0] }

  /// All that are there: gcc and clang.
  static let all: [CCompiler] = [["gcc", "g++"], ["clang", "clang++"]].compactMap { names in
    let paths = names.compactMap(path)
    return paths.isEmpty ? nil : CCompiler(paths: paths)
  }

  private static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  /// What every file of ours must pass.
  static let warnings = [
    "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wdouble-promotion", "-Werror",
  ]

  /// Compiles a program of one source file without a warning.
  ///
  /// - Parameter asCpp: true to compile it as C++.
  func compile(
    _ source: String, to program: String, in folder: String, asCpp: Bool = false,
    options: [String] = ["-O1"]
  ) throws -> ProgramResult {
    let language = asCpp ? ["-x", "c++", "-std=c++17"] : ["-x", "c", "-std=c99"]
    let compiler = asCpp ? paths[paths.count - 1] : paths[0]
    return try RunningProgram.run(
      [compiler] + language + Self.warnings + ["-ffp-contract=off"] + options
        + [source, "-x", "none", "-o", program, "-lm"], in: folder)
  }
}
