import Foundation

/// The modules that were built with the tests, for compiling other code against them.
public enum BuiltModules {
  /// The folder of the build products, which contains the test bundle.
  public static let products = URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().path

  /// The Swift compiler options that locate netconv's modules, including those in C.
  public static func options() throws -> [String] {
    let sources = Fixtures.repository + "/Sources"
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources).sorted()
      .filter { $0.wholeMatch(of: #/C[A-Z]\w*/#) != nil }
    let maps = modules.map { module in
      // SwiftPM generates a module map for modules without one.
      let own = ["\(sources)/\(module)", "\(sources)/\(module)/include"]
        .map { $0 + "/module.modulemap" }
      return own.first { FileManager.default.fileExists(atPath: $0) }
        ?? "\(products)/\(module).build/module.modulemap"
    }
    return ["-I\(products)/Modules"]
      + (["-I\(sources)/CHDF5/include"] + maps.map { "-fmodule-map-file=\($0)" })
      .flatMap { ["-Xcc", $0] }
  }
}
