import Foundation
import TestSupport
import Testing

/// NetconvPlugin in a package of its own, built again and again.
@Suite(.slow) struct BuildPluginTests {
  private let package: PluginPackage
  private let lenet = Fixtures.sample("BuildPlugin/Sources/Digits/lenet.h5")

  init() throws {
    package = try PluginPackage()
    try package.folder.write("/// A library.\npublic let one = 1\n", to: "Sources/App/App.swift")
  }

  /// Builds the package and expects success.
  ///
  /// - Returns: the files that were converted.
  private func build(sourceLocation: SourceLocation = #_sourceLocation) throws -> Set<String> {
    let result = try package.build()
    try #require(result.status == 0, "\(result.output)", sourceLocation: sourceLocation)
    // SwiftPM warns of files that nobody handles.
    #expect(
      !result.output.contains("unhandled"), "\(result.output)", sourceLocation: sourceLocation)
    return result.converted
  }

  private func expectFailure(
    _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try package.build()
    #expect(result.status != 0, sourceLocation: sourceLocation)
    #expect(
      result.output.contains("error: " + message), "\(result.output)",
      sourceLocation: sourceLocation)
  }

  private func converted(_ options: String...) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let result = try NetconvProcess.run(
      ["convert", lenet, folder.file("lenet.netpack")] + options)
    try #require(result.status == 0)
    return try folder.bytes("lenet.netpack")
  }

  @Test func `what has changed is converted, and nothing else`() throws {
    let folder = package.folder
    try folder.copy(lenet, to: "Sources/App/lenet.h5")
    try folder.write(
      Data(contentsOf: URL(filePath: Fixtures.path("keras/archive-conv-same.keras"))),
      to: "Sources/App/Other nets/conv same.keras")
    #expect(try build() == ["lenet.h5", "conv same.keras"])
    #expect(try package.resources() == ["lenet.netpack", "conv same.netpack"])
    #expect(try package.resource("lenet.netpack") == converted())

    #expect(try build() == [], "the second build")
    #expect(try build() == [], "the third build")
    try folder.write("/// A library.\npublic let two = 2\n", to: "Sources/App/App.swift")
    #expect(try build() == [], "another source has changed")

    try folder.write(#"{"dtype": "float16"}"#, to: "Sources/App/lenet.netconv.json")
    #expect(try build() == ["lenet.h5"], "options are new")
    #expect(try package.resource("lenet.netpack") == converted("--dtype", "float16"))
    try folder.write(
      #"{"dtype": ["float16", "fc*=float32"]}"#, to: "Sources/App/lenet.netconv.json")
    #expect(try build() == ["lenet.h5"], "options have changed")
    #expect(
      try package.resource("lenet.netpack")
        == converted("--dtype", "float16", "--dtype", "fc*=float32"))
    try FileManager.default.removeItem(atPath: folder.file("Sources/App/lenet.netconv.json"))
    #expect(try build() == ["lenet.h5"], "options are gone")
    #expect(try package.resource("lenet.netpack") == converted())

    try folder.write(
      try folder.bytes("Sources/App/Other nets/conv same.keras"),
      to: "Sources/App/Other nets/conv same.keras")
    #expect(try build() == ["conv same.keras"], "a checkpoint was written again")
    try folder.write(
      try folder.bytes(PluginPackage.program) + Array("another version".utf8), to: "program")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.file("program"))
    try FileManager.default.removeItem(atPath: folder.file(PluginPackage.program))
    try FileManager.default.moveItem(
      atPath: folder.file("program"), toPath: folder.file(PluginPackage.program))
    #expect(try build() == ["lenet.h5", "conv same.keras"], "netconv is another")

    try FileManager.default.removeItem(atPath: folder.file("Sources/App/Other nets"))
    #expect(try build() == [], "a checkpoint is gone")
  }

  @Test func `wrong options are an error of the build that names file and key`() throws {
    try package.folder.copy(lenet, to: "Sources/App/lenet.h5")
    let options = package.folder.file("Sources/App/lenet.netconv.json")
    try package.folder.write(#"{"dtype": "float8"}"#, to: "Sources/App/lenet.netconv.json")
    try expectFailure(
      "\(options): dtype: 'float8' is not a type; write float16, bfloat16, float32, int8, or PATTERN=TYPE"
    )
    try package.folder.write(#"{"langage": "mpscnn"}"#, to: "Sources/App/lenet.netconv.json")
    try expectFailure("\(options): unknown key 'langage'; did you mean 'language'?")
    try package.folder.write("{}", to: "Sources/App/lenet.netconv.json")
    #expect(try build() == ["lenet.h5"])
  }

  @Test func `files whose archives would have one name are an error of the build`() throws {
    try package.folder.copy(lenet, to: "Sources/App/net.h5")
    try package.folder.write([], to: "Sources/App/more/Net.keras")
    let sources = package.folder.file("Sources/App")
    try expectFailure(
      "\(sources)/more/Net.keras and \(sources)/net.h5 would both be Net.netpack in App; rename one of them"
    )
    try FileManager.default.removeItem(atPath: package.folder.file("Sources/App/more"))
    #expect(try build() == ["net.h5"])
    try package.folder.write("{}", to: "Sources/App/nett.netconv.json")
    try expectFailure(
      "\(sources)/nett.netconv.json has no checkpoint beside it; rename it, or remove it")
  }
}
