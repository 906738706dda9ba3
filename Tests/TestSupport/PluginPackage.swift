import Foundation

/// A small package with the NetconvPlugin of this repository and the netconv that was built with
/// the tests.
///
/// The program is an artifact bundle, so that it is not compiled again.
public struct PluginPackage {
  /// The folder of the package.
  public let folder: TemporaryFolder
  private let arguments: [String]

  /// Creates a package with the target `App`, whose files are in `Sources/App`; initially there are
  /// none.
  ///
  /// - Parameters:
  ///   - isProgram: True for an executable target, false for a library.
  ///   - arguments: Arguments for each build.
  public init(isProgram: Bool = false, arguments: [String] = []) throws {
    folder = try TemporaryFolder()
    self.arguments = arguments
    try folder.write(
      """
      // swift-tools-version: 6.1
      import PackageDescription

      let package = Package(
        name: "App",
        platforms: [.macOS(.v15)],
        targets: [
          .binaryTarget(name: "netconv", path: "netconv.artifactbundle"),
          .plugin(name: "NetconvPlugin", capability: .buildTool(), dependencies: ["netconv"]),
          .\(isProgram ? "executableTarget" : "target")(name: "App", plugins: ["NetconvPlugin"]),
        ]
      )

      """, to: "Package.swift")
    let triples = ["x86_64", "aarch64"].map { "\"\($0)-unknown-linux-gnu\"" }
    try folder.write(
      """
      {"schemaVersion": "1.0", "artifacts": {"netconv": {"type": "executable", "version": "1.0.0", "variants": [
        {"path": "netconv", "supportedTriples": [\(triples.joined(separator: ", "))]}]}}}
      """, to: "netconv.artifactbundle/info.json")
    try folder.copy(NetconvProcess.executable, to: Self.program)
    try folder.write([], to: "Plugins/README.md")
    try folder.copy(
      "\(Fixtures.repository)/Plugins/NetconvPlugin", to: "Plugins/NetconvPlugin")
  }

  /// The program in the package.
  public static let program = "netconv.artifactbundle/netconv"

  /// The names of the resources in the built target.
  public func resources() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.file(Self.bundle)))
  }

  /// The bytes of a resource.
  public func resource(_ name: String) throws -> [UInt8] {
    try folder.bytes("\(Self.bundle)/\(name)")
  }

  private static let bundle = ".build/debug/App_App.resources"

  /// Builds the package.
  ///
  /// Swift's driver may treat a file as unchanged that was written right after the last build
  /// ended. In two of six tries, newly generated files were then not linked. A build therefore
  /// starts at least two seconds after the previous one.
  public func build() throws -> ProgramResult {
    let marker = folder.file(".build/ended")
    let attributes = try? FileManager.default.attributesOfItem(atPath: marker)
    if let ended = attributes?[.modificationDate] as? Date {
      Thread.sleep(until: ended.addingTimeInterval(2))
    }
    let result = try RunningProgram.run(
      ["/usr/bin/env", "swift", "build", "--package-path", folder.path] + arguments,
      in: folder.path)
    try folder.write([], to: ".build/ended")
    return result
  }

  /// Runs the built program.
  public func runProgram(_ arguments: [String]) throws -> ProgramResult {
    try RunningProgram.run([folder.file(".build/debug/App")] + arguments, in: folder.path)
  }
}

extension ProgramResult {
  /// The files that a build converted.
  public var converted: Set<String> {
    Set(output.matches(of: #/(?m)^\[\d+/\d+\] Converting (.+)$/#).map { String($0.output.1) })
  }
}
