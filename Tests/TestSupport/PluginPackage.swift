import Foundation

/// A small package that uses NetconvPlugin as it is in this repository, with the netconv that was built with the tests.
///
/// The program comes as an artifact bundle, so that it need not be compiled once more.
public struct PluginPackage {
  /// Where it is.
  public let folder: TemporaryFolder
  private let arguments: [String]

  /// A package with the target `App`, whose files are `Sources/App/…`; there are none yet.
  ///
  /// - Parameters:
  ///   - isProgram: whether the target is a program; a library otherwise.
  ///   - arguments: passed to each build.
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

  /// The names of the resources that the built target has.
  public func resources() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.file(Self.bundle)))
  }

  /// The bytes of one of them.
  public func resource(_ name: String) throws -> [UInt8] {
    try folder.bytes("\(Self.bundle)/\(name)")
  }

  private static let bundle = ".build/debug/App_App.resources"

  /// Builds the package.
  ///
  /// Swift's driver may take a file for unchanged that was written right after it ended. What the build had generated
  /// anew was then not linked, in two of six tries. So a build waits two seconds after the one before.
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

  /// Runs what was built.
  public func runProgram(_ arguments: [String]) throws -> ProgramResult {
    try RunningProgram.run([folder.file(".build/debug/App")] + arguments, in: folder.path)
  }
}

extension ProgramResult {
  /// The files that a build has converted, in any order.
  public var converted: Set<String> {
    Set(output.matches(of: #/(?m)^\[\d+/\d+\] Converting (.+)$/#).map { String($0.output.1) })
  }
}
