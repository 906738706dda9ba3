import Foundation

/// The modules that were built with the tests, for code that is compiled against them.
public enum BuiltModules {
  /// Where SwiftPM left them, beside the test bundle.
  public static let products = URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().path

  /// Options of the Swift compiler with which it finds netconv's modules, those of C among them.
  public static func options() throws -> [String] {
    let sources = Fixtures.repository + "/Sources"
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources).sorted()
      .filter { $0.wholeMatch(of: #/C[A-Z]\w*/#) != nil }
    let maps = modules.map { module in
      // SwiftPM makes a module map where a module has none of its own.
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
